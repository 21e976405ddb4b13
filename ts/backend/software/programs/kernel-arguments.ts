// SPDX-License-Identifier: MIT
//
// Arguments of kernels: from the values that the API passes to words of the dispatch block.
import type { KernelArgument } from '../../../base/kernel-abi';
import { ErrorCode, MemFlags } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Device } from '../../../device/device';
import { type BackendArgument, LocalArgument } from '../../backend-queue';
import { SoftwareDeviceQueue } from '../device-queue';
import { SoftwareBuffer } from '../memory/buffer';
import { SoftwareImage } from '../memory/image';
import { SoftwarePipe } from '../memory/pipe';
import { SoftwareSampler } from '../memory/sampler';
import { SoftwareSvm } from '../memory/svm';
import type { RefCounted } from '../ref-counted';

/** What a kernel's launches use. */
interface KernelObjects {
  readonly executable: RefCounted;
  readonly values: readonly (ArgumentValue | undefined)[];
  readonly indirect: readonly RefCounted[];
}

export interface WordArgument {
  readonly kind: 'word';
  readonly word: number;
  readonly uses: RefCounted | undefined;
  /** Of an address: how many bytes of memory it gives; undefined if that is not known. */
  readonly bytes?: number;
}

/** An argument that was set, ready to be written into a dispatch block. */
export type ArgumentValue =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | WordArgument
  | { readonly kind: 'local'; readonly bytes: number };

/** The objects to retain until a launch has run. */
export function usesOf({ executable, values, indirect }: KernelObjects): RefCounted[] {
  const uses: RefCounted[] = [executable];
  for (const value of values) if (value?.kind === 'word' && value.uses) uses.push(value.uses);
  for (const svm of indirect) if (svm.referenceCount > 0) uses.push(svm);
  return uses;
}

/** Checks a value against the kernel's declaration. Throws the errors of clSetKernelArg. */
export function convertArgument(
  device: Device,
  kernel: string,
  index: number,
  argument: KernelArgument,
  value: BackendArgument,
): ArgumentValue {
  const refuse = (code: ErrorCode, why: string): never => {
    throw new OpenCLError(
      code,
      'clSetKernelArg',
      `argument ${index} ('${argument.typeName} ${argument.name}') of kernel '${kernel}' ${why}`,
    );
  };
  switch (argument.kind) {
    case 'value': {
      if (!ArrayBuffer.isView(value)) return refuse(ErrorCode.INVALID_ARG_VALUE, 'is passed by value');
      if (value.byteLength !== argument.size) {
        return refuse(ErrorCode.INVALID_ARG_SIZE, `takes ${argument.size} bytes, not ${value.byteLength}`);
      }
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
      return { kind: 'bytes', bytes };
    }
    case 'buffer': {
      // Nothing can be accessed through a null pointer.
      if (value === null) return { kind: 'word', word: 0, uses: undefined, bytes: 0 };
      if (value instanceof SoftwareBuffer)
        return { kind: 'word', word: value.address, uses: value, bytes: value.size };
      if (value instanceof SoftwareSvm)
        return { kind: 'word', word: Number(value.address), uses: value, bytes: value.size };
      const shared = ArrayBuffer.isView(value) ? device.memory.addressOf(value) : undefined;
      if (shared !== undefined) return { kind: 'word', word: shared, uses: undefined };
      return refuse(ErrorCode.INVALID_MEM_OBJECT, 'takes a buffer, shared virtual memory or null');
    }
    case 'local':
      if (value instanceof LocalArgument) return { kind: 'local', bytes: value.bytes };
      return refuse(ErrorCode.INVALID_ARG_VALUE, 'is local memory: pass its size');
    case 'image': {
      if (!(value instanceof SoftwareImage)) return refuse(ErrorCode.INVALID_MEM_OBJECT, 'takes an image');
      const reads = argument.access !== 'write_only';
      const writes = argument.access === 'write_only' || argument.access === 'read_write';
      if ((reads && value.flags & MemFlags.WRITE_ONLY) || (writes && value.flags & MemFlags.READ_ONLY)) {
        return refuse(
          ErrorCode.INVALID_ARG_VALUE,
          'is accessed in a way that the flags of the image rule out',
        );
      }
      return { kind: 'word', word: value.descriptor, uses: value };
    }
    case 'sampler':
      if (value instanceof SoftwareSampler) return { kind: 'word', word: value.word, uses: undefined };
      return refuse(ErrorCode.INVALID_SAMPLER, 'takes a sampler');
    case 'pipe':
      if (!(value instanceof SoftwarePipe)) return refuse(ErrorCode.INVALID_MEM_OBJECT, 'takes a pipe');
      if (argument.packetSize !== undefined && argument.packetSize !== value.packetSize)
        return refuse(
          ErrorCode.INVALID_ARG_VALUE,
          `takes a pipe with packets of ${argument.packetSize} bytes; those of this pipe have ${value.packetSize}`,
        );
      return { kind: 'word', word: value.address, uses: value };
    case 'queue':
      if (value instanceof SoftwareDeviceQueue) return { kind: 'word', word: value.handle, uses: value };
      return refuse(ErrorCode.INVALID_DEVICE_QUEUE, 'takes a queue on the device');
  }
}
