// SPDX-License-Identifier: MIT
//
// The arguments that a kernel may read without a call of the device: nothing in the launch writes them, and all of their bytes
// have contents.
import { type CheckTable, FORBIDS } from '../../../base/checks';
import { areAllMarked } from '../../../device/checks/written';

/** A region of a launch, as `REGION` has it. */
export interface Described {
  readonly base: number;
  readonly size: number;
  readonly written: number;
  readonly forbidden: number;
}

/** An object that the kernel's pointers are aligned to. */
const ALIGN = 16;

/** For each of the kernel's arguments, the number of bytes in which no read can be a fault. */
export function readableBytes(
  { sites, regions, checks }: CheckTable,
  described: readonly Described[],
  memory: Uint8Array,
): readonly number[] {
  const writers = sites.filter(
    ({ action }) => action === 'write' || action === 'atomic' || action === 'copy',
  );
  const written = new Set(writers.map(({ region }) => region));
  const count = regions.filter(({ kind }) => kind === 'argument').length;
  // A pointer of unknown origin may write anything.
  if (written.has(-1)) return new Array<number>(count).fill(0);
  return described.slice(0, count).map((own, index) => {
    const { base, size, written: bits, forbidden } = own;
    if (base % ALIGN !== 0 || forbidden & FORBIDS.reads) return 0;
    const isWritten = described.some(
      (other, at) => written.has(at) && other.base < base + size && base < other.base + other.size,
    );
    if (isWritten || written.has(index)) return 0;
    if (bits === 0 || !checks.includes('uninitialized')) return size;
    return areAllMarked(memory, bits, size) ? size : 0;
  });
}
