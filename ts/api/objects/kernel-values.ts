// SPDX-License-Identifier: MIT
//
// What kernels take as arguments.

import { LocalArgument } from '../../backend/backend-queue';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import type { TypedArrayConstructor } from '../data/typed-arrays';
import { throwFrom } from '../errors/caller-stack';
import { describe } from '../errors/describe';
import type { MemoryObject } from './memory-object';
import type { CommandQueue } from './queue';
import type { Sampler } from './sampler';
import type { Svm } from './svm';

/**
 * The value of a kernel argument: a number, bigint or array of components; a buffer, image, pipe or null for memory;
 * `local(...)` for local memory; a sampler; a device-side queue; the raw bytes of a struct. Integer arguments refuse
 * fractions and numbers out of range; a typed array's bytes are passed unchanged.
 */
export type KernelValue =
  | number
  | bigint
  | boolean
  | readonly (number | bigint)[]
  | ArrayBufferView
  | MemoryObject
  | Sampler
  | CommandQueue
  | LocalArgument
  | DevicePointer
  | Svm
  | null;

/** Local memory for a kernel argument: that many bytes, or that many elements of a typed array's type. */
export function local(bytes: number): LocalArgument;
export function local(type: TypedArrayConstructor, length: number): LocalArgument;
export function local(what: number | TypedArrayConstructor, length = 1): LocalArgument {
  try {
    if (typeof what !== 'function') return new LocalArgument(checkedLocal(what));
    return new LocalArgument(what.BYTES_PER_ELEMENT * checkedLocal(length));
  } catch (error) {
    throwFrom(local as never, error);
  }
}

/** The size of local memory in bytes. Throws OpenCLError INVALID_ARG_SIZE for anything else. */
export const checkedLocal = (bytes: number): number => {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw new OpenCLError(
    ErrorCode.INVALID_ARG_SIZE,
    'clSetKernelArg',
    `local memory has a number of bytes, or a typed array's class and a length, not ${describe(bytes)}`,
  );
};

/**
 * An address of the device as a kernel argument (cl_ext_buffer_device_address).
 *
 * @example
 * ```ts
 * const memory = cl.buffer(Float32Array, 4, { deviceAddress: true });
 * const pointer = new DevicePointer(memory.info('DEVICE_ADDRESS_EXT'));
 * console.log(pointer.address > 0n);               // true
 * ```
 */
export class DevicePointer {
  constructor(
    /** The address, as the device counts bytes. */
    readonly address: bigint,
  ) {}
}

guard('DevicePointer', DevicePointer);
