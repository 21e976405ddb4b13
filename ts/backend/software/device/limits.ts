// SPDX-License-Identifier: MIT
// What one work-group may have, as clGetDeviceInfo says and enqueueing checks.

export { MAX_WORK_GROUP_SIZE } from '../../../base/kernel-abi';

export const LOCAL_MEMORY_BYTES = 256 << 10;
export const PRINTF_BUFFER_BYTES = 4 << 20;
/** Bytes of all arguments of a kernel together. */
export const MAX_PARAMETER_BYTES = 4096;
/** Pixels, and layers of image arrays. */
export const IMAGE_LIMITS = {
  width2D: 16384,
  height2D: 16384,
  size3D: 4096,
  bufferPixels: 2 ** 27,
  layers: 2048,
} as const;

/** Of device-side queues: the bytes of records that one launch may enqueue; a record has about 100 bytes. */
export const DEVICE_QUEUE_BYTES = { least: 16 << 10, preferred: 2 << 20, most: 16 << 20 } as const;

/** The events that a launch may create for the commands that it enqueues. */
export const MOST_DEVICE_EVENTS = 4096;

/**
 * Device-side queues. With that many, 256 work-items can each enqueue a block to every one of them after a user event of their
 * own, and there are enough events.
 */
export const MOST_DEVICE_QUEUES = MOST_DEVICE_EVENTS / 256;
