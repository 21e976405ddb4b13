// SPDX-License-Identifier: MIT
//
// Allocations in the device's memory, and the error where there is no room.
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { exceeds32Bits, has64BitMemories } from '../../../device/memory/memory';

/** The strictest alignment of any OpenCL C type; buffers and sub-buffers have it. */
export const BASE_ALIGN = 128;

/** Throws MEM_OBJECT_ALLOCATION_FAILURE if the device's memory is exhausted. */
export function allocate(device: Device, bytes: number, align: number, functionName: string): Block {
  const block = device.memory.allocate(bytes, align);
  if (block) return block;
  throw exhausted(device, bytes, functionName);
}

/** The same for memory that may be above 4 GB. */
export function allocateAnywhere(device: Device, bytes: number, align: number, functionName: string): Block {
  const block = device.memory.allocateAnywhere(bytes, align);
  if (block) return block;
  throw exhausted(device, bytes, functionName);
}

export function exhausted(device: Device, bytes: number, functionName: string): OpenCLError {
  const { memory } = device;
  const isLimited = memory.budget !== Number.POSITIVE_INFINITY;
  const whose = isLimited ? 'the context may use (`maxMemory`)' : 'the device’s memory has';
  const hint = isLimited ? undefined : whereMoreFits(device);
  return new OpenCLError(
    ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE,
    functionName,
    `${bytes} bytes do not fit into the ${memory.capacity} bytes that ${whose}, of which ${memory.used} are in use${hint ? `; ${hint}` : ''}`,
  );
}

/**
 * Says which device has more memory than one with 32-bit addresses. Undefined where there is none: of the one that has most, on a
 * machine whose memory 32-bit addresses reach, and for kernels that have no more memory on the other.
 */
export function whereMoreFits({
  memory,
  host,
  checked,
  coverage,
  isRobust,
  isNarrowed,
}: Device): string | undefined {
  if (isNarrowed)
    return 'contexts of this device that are not checked, counted or robust have 64-bit addresses and more memory';
  if (memory.addressBits === 64 || !exceeds32Bits(host)) return undefined;
  if (checked || coverage || isRobust) return undefined;
  return has64BitMemories()
    ? "the software device with 64-bit addresses has more memory: open({ device: '64-bit' })"
    : 'with Node.js 24 or later there is a software device with 64-bit addresses, which has more memory';
}
