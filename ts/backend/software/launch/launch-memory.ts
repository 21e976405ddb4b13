// SPDX-License-Identifier: MIT
//
// A launch's arguments and local memory.
import { DISPATCH } from '../../../base/kernel-abi';
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { DeviceMemory } from '../../../device/memory/memory';
import { LOCAL_MEMORY_BYTES } from '../device/limits';
import type { SoftwareKernel } from '../programs/kernel';
import type { ResolvedRange } from '../programs/nd-range';

export const ENQUEUE = 'clEnqueueNDRangeKernel';

/** Throws unless all arguments are set and their objects exist. */
export function checkArguments({ values, signature }: SoftwareKernel): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value && (value.kind !== 'word' || !value.uses || value.uses.referenceCount > 0)) continue;
    const problem = value ? 'names an object that was released' : 'has not been set';
    throw new OpenCLError(
      ErrorCode.INVALID_KERNEL_ARGS,
      ENQUEUE,
      `argument ${index} ('${signature.arguments[index]!.name}') of kernel '${signature.name}' ${problem}`,
    );
  }
}

/** Writes the sizes of an ND-range into a dispatch block. */
export function writeRange({ i32 }: DeviceMemory, dispatch: number, range: ResolvedRange): void {
  const { global, offset, local, groups } = range;
  i32[(dispatch + DISPATCH.workDim) >>> 2] = range.dimensions;
  for (let d = 0; d < 3; d++) {
    const at = dispatch + 4 * d;
    i32[(at + DISPATCH.globalSize) >>> 2] = global[d]!;
    i32[(at + DISPATCH.globalOffset) >>> 2] = offset[d]!;
    i32[(at + DISPATCH.localSize) >>> 2] = local[d]!;
    i32[(at + DISPATCH.numGroups) >>> 2] = groups[d]!;
  }
}

/** Writes the arguments into the dispatch block at an address of a memory; `ownBytes` of local memory are the kernel's own variables. */
export function writeArguments(
  { values, signature }: SoftwareKernel,
  { i32, u8 }: { readonly i32: Int32Array; readonly u8: Uint8Array },
  dispatch: number,
  ownBytes: number,
): void {
  let localEnd = ownBytes;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    const { offset: at, align, size } = signature.arguments[index]!;
    if (value.kind === 'bytes') u8.set(value.bytes, dispatch + at);
    else if (value.kind === 'word') {
      i32[(dispatch + at) >>> 2] = value.word;
      // An address of 64 bits.
      if (size === 8) i32[(dispatch + at + 4) >>> 2] = Math.floor(value.word / 2 ** 32);
    } else {
      const start = alignLocal(localEnd, align);
      i32[(dispatch + at) >>> 2] = start;
      localEnd = start + value.bytes;
    }
  }
}

/** Bytes of a work-group's local memory: the kernel's own variables, followed by those of arguments. */
export function localMemory({ values, signature }: SoftwareKernel, ownBytes: number): number {
  let end = ownBytes;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value?.kind === 'local') end = alignLocal(end, signature.arguments[index]!.align) + value.bytes;
  }
  if (end > LOCAL_MEMORY_BYTES)
    throw tooLarge(
      signature.name,
      `it needs ${end} bytes of local memory, a work-group has ${LOCAL_MEMORY_BYTES}`,
    );
  return end;
}

/** The offset of an argument's local memory after `end` bytes. */
function alignLocal(end: number, align: number): number {
  const step = Math.max(align, 16);
  return Math.ceil(end / step) * step;
}

export function tooLarge(kernel: string, why: string): OpenCLError {
  return new OpenCLError(ErrorCode.OUT_OF_RESOURCES, ENQUEUE, `kernel '${kernel}': ${why}`);
}
