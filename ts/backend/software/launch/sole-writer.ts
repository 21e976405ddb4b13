// SPDX-License-Identifier: MIT
//
// Whether a launch alone writes the memory of an argument, so that its vectors may write back the old contents of elements that no
// work-item writes (docs/adr/0049-sole-writers.md).
import { type KernelBinary, NOT_SOLE, type SoleWrite } from '../../../base/kernel-abi';
import type { CommandStream } from '../command-stream';
import type { SoftwareBuffer } from '../memory/buffer';
import type { SoftwareKernel } from '../programs/kernel';
import type { ResolvedRange } from '../programs/nd-range';
import { ownMemory } from './privatizing';

/** Writes the ranges for all sole writes of a kernel into the dispatch block at an address of `i32`'s memory. */
export function writeSoleWrites(
  kernel: SoftwareKernel,
  { soleWrites }: KernelBinary,
  range: ResolvedRange,
  stream: CommandStream | undefined,
  i32: Int32Array,
  dispatch: number,
): void {
  if (!soleWrites) return;
  for (const sole of soleWrites) {
    const at = (dispatch + sole.offset) >>> 2;
    const buffer = soleBuffer(kernel, sole, range, stream);
    i32[at] = buffer ? buffer.address : NOT_SOLE.start;
    i32[at + 1] = buffer ? buffer.address + buffer.size : NOT_SOLE.end;
  }
}

/** The buffer of an argument, if nothing but the launch writes it while the launch runs, and no two of its work-items one element. */
function soleBuffer(
  kernel: SoftwareKernel,
  sole: SoleWrite,
  range: ResolvedRange,
  stream: CommandStream | undefined,
): SoftwareBuffer | undefined {
  const { device, signature, indirect } = kernel;
  // Other commands of such a queue may run at the same time, and write other parts of the buffer.
  if (!stream || stream.queue.outOfOrder) return undefined;
  if (device.checked || device.isRobust || signature.enqueues || indirect.length > 0) return undefined;
  if (!areOwn(sole, range, (argument) => numberOf(kernel.values[argument]))) return undefined;
  const buffer = ownMemory(kernel, sole.argument);
  return buffer?.isWrittenOnlyBy(stream) ? buffer : undefined;
}

/** Whether the elements of different work-items differ. `numberOf`: the value of an argument of 32 bits. */
export function areOwn(
  { elementBytes, pitch }: SoleWrite,
  { global, offset }: Pick<ResolvedRange, 'global' | 'offset'>,
  numberOf: (argument: number) => number | undefined,
): boolean {
  const [columns, rows, planes] = [0, 1, 2].map((d) => global[d] ?? 1) as [number, number, number];
  const lastX = (offset[0] ?? 0) + columns;
  // Ids are numbers with a sign, for guards; addresses have 32 bits.
  if (planes > 1 || lastX > 2 ** 31 || lastX * elementBytes > 2 ** 32) return false;
  if (rows === 1) return true;
  if (!pitch) return false;
  const factor = pitch.factor === 'global size' ? columns : numberOf(pitch.factor);
  if (factor === undefined || factor <= 0) return false;
  const bytes = factor * pitch.scale;
  return bytes * rows <= 2 ** 32 && (pitch.isGuarded || bytes >= columns * elementBytes);
}

function numberOf(value: SoftwareKernel['values'][number]): number | undefined {
  if (value?.kind !== 'bytes' || value.bytes.length !== 4) return undefined;
  const { buffer, byteOffset } = value.bytes;
  return new DataView(buffer, byteOffset, 4).getInt32(0, true);
}
