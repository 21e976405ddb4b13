// SPDX-License-Identifier: MIT
//
// A launch's arguments and local memory.
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import { LOCAL_MEMORY_BYTES } from '../device/limits';
import type { SoftwareKernel } from '../programs/kernel';

const ENQUEUE = 'clEnqueueNDRangeKernel';

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

/** Writes the arguments into a dispatch block; `ownBytes` of local memory are the kernel's own variables. */
export function writeArguments(
  { device, values, signature }: SoftwareKernel,
  dispatch: number,
  ownBytes: number,
): void {
  const { i32, u8 } = device.memory;
  let localEnd = ownBytes;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    const { offset: at, align } = signature.arguments[index]!;
    if (value.kind === 'bytes') u8.set(value.bytes, dispatch + at);
    else if (value.kind === 'word') i32[(dispatch + at) >>> 2] = value.word;
    else {
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
