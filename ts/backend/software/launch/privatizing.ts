// SPDX-License-Identifier: MIT
//
// Whether a launch's workers privatize atomics in copies of the memory (docs/adr/0015): where nothing else of the
// launch reaches that memory, and what the copies cost is little beside the work.
import type { PrivatizedArgument } from '../../../base/kernel-abi';
import type { DeviceMemory } from '../../../device/memory/memory';
import { SoftwareBuffer } from '../memory/buffer';
import { SoftwareMemory } from '../memory/memory';
import type { CodeKind } from '../programs/executable';
import type { SoftwareKernel } from '../programs/kernel';
import type { ArgumentValue } from '../programs/kernel-arguments';

/** Bytes of a worker's second-level cache. */
const MOST_BYTES = 1 << 18;
/** Nanoseconds to initialize a byte of a copy and to merge it. */
const BYTE_NS = 0.15;
/** How many times longer than that a call should run. */
const WORK_TO_COPY = 8;
/** Shorter launches gain nothing from copies. */
const LEAST_WORK_NS = 5_000;

interface Copy {
  readonly argument: PrivatizedArgument;
  readonly bytes: number;
}

/** The copies that each call of a launch's kernel uses. */
export interface Privatizing {
  readonly copies: readonly Copy[];
  /** Bytes of all copies of a worker. */
  readonly bytes: number;
  /** Nanoseconds that a call should run to make the cost of initializing and merging them negligible. */
  readonly leastChunk: number;
}

/** The copies for a launch with the kernel's current arguments; undefined if its atomics are done in place. */
export function privatizingOf(
  kernel: SoftwareKernel,
  global: readonly number[],
  code: CodeKind = 'guarded',
): Privatizing | undefined {
  const { privatized, costPerItem } = kernel.executable.kernel(kernel.signature.name, code);
  if (privatized.length === 0) return undefined;
  const copies: Copy[] = [];
  let bytes = 0;
  for (const argument of privatized) {
    const memory = ownMemory(kernel, argument.argument);
    if (!memory) return undefined;
    const rounded = Math.ceil(memory.size / 64) * 64;
    copies.push({ argument, bytes: rounded });
    bytes += rounded;
  }
  const leastChunk = bytes * BYTE_NS * WORK_TO_COPY;
  const work = global.reduce((all, size) => all * size, costPerItem);
  if (bytes > MOST_BYTES || work < Math.max(LEAST_WORK_NS, leastChunk * kernel.device.pool.size))
    return undefined;
  return { copies, bytes, leastChunk };
}

/** Sets the place of a module's privatized atomics: byte `at` of the scratch memory. */
export function describeCopies(
  { i32 }: DeviceMemory,
  dispatch: number,
  { copies }: Privatizing,
  at: number,
): void {
  let offset = at;
  for (const { argument, bytes } of copies) {
    i32[(dispatch + argument.offset) >>> 2] = bytes;
    i32[(dispatch + argument.offset + 4) >>> 2] = offset;
    offset += bytes;
  }
}

/**
 * The buffer of an argument, if no other argument can access its memory: neither the buffer, nor a sub-buffer or image
 * of it.
 */
export function ownMemory(kernel: Pick<SoftwareKernel, 'values'>, index: number): SoftwareBuffer | undefined {
  const value = kernel.values[index]!;
  const buffer = value.kind === 'word' ? value.uses : undefined;
  if (!(buffer instanceof SoftwareBuffer) || !buffer.owner) return undefined;
  const meets = kernel.values.some((other, i) => i !== index && mayMeet(buffer, other!));
  return meets ? undefined : buffer;
}

function mayMeet(buffer: SoftwareBuffer, other: ArgumentValue): boolean {
  if (other.kind !== 'word') return false;
  const { uses } = other;
  // A sampler, or an address without a known object.
  if (!uses) return other.word !== 0;
  if (!(uses instanceof SoftwareMemory) || uses.owner !== buffer.owner) return false;
  return buffer.address < uses.address + uses.size && uses.address < buffer.address + buffer.size;
}
