// SPDX-License-Identifier: MIT

/** Context properties that limit what the context's kernels use: milliseconds of each launch, bytes of memory. */
export const LIMIT_PROPERTIES = { timeout: 0x414e5944, memory: 0x414e5945 } as const;
