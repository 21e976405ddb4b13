// SPDX-License-Identifier: MIT
// What one work-group may have, as clGetDeviceInfo says and enqueueing checks.

export const MAX_WORK_GROUP_SIZE = 4096;
export const LOCAL_MEMORY_BYTES = 256 << 10;
export const PRINTF_BUFFER_BYTES = 4 << 20;
/** Bytes of all arguments of a kernel together. */
export const MAX_PARAMETER_BYTES = 4096;
