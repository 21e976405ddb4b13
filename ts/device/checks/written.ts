// SPDX-License-Identifier: MIT
//
// Which bytes were written. Buffers have bits for that in the device's memory, which outlive a launch. Local memory is fresh for
// each group, private memory for each work-item: their bytes have the number of the group or work-item that wrote them.
import type { Arena, Extent } from './objects';
import { Shadow } from './shadow';

export function isMarked(memory: Uint8Array, bits: number, at: number): boolean {
  return (memory[bits + (at >>> 3)]! & (1 << (at & 7))) !== 0;
}

/** Sets or clears the bits of a range of an object's bytes. */
export function mark(memory: Uint8Array, bits: number, from: number, count: number, written: boolean): void {
  const end = from + count;
  let at = from;
  const one = () => {
    if (written) memory[bits + (at >>> 3)]! |= 1 << (at & 7);
    else memory[bits + (at >>> 3)]! &= ~(1 << (at & 7));
    at++;
  };
  while (at < end && (at & 7) !== 0) one();
  const whole = (end - at) >>> 3;
  if (whole > 0) memory.fill(written ? 0xff : 0, bits + (at >>> 3), bits + (at >>> 3) + whole);
  at += whole * 8;
  while (at < end) one();
}

export class WrittenBytes {
  private readonly arenaBytes = new Shadow(1);
  private group = 0;
  private groupItems = 1;

  constructor(private readonly arena: Arena) {}

  /** A new group: its memory has no contents yet. */
  beginGroup(items: number): void {
    this.group++;
    this.groupItems = items;
  }

  /** The first byte of a range that was never written, relative to it; -1 if all were. */
  firstUnwritten(
    memory: Uint8Array,
    extent: Extent | undefined,
    address: number,
    size: number,
    item: number,
  ): number {
    if (this.isInArena(address)) {
      const owner = this.owner(address, item);
      for (let i = 0; i < size; i++) {
        const page = this.arenaBytes.page(address + i);
        if (page[this.arenaBytes.at(address + i)] !== owner) return i;
      }
      return -1;
    }
    if (!extent || extent.written === 0) return -1;
    const start = address - extent.base;
    for (let i = 0; i < size; i++) if (!isMarked(memory, extent.written, start + i)) return i;
    return -1;
  }

  mark(
    memory: Uint8Array,
    extent: Extent | undefined,
    address: number,
    size: number,
    item: number,
    written: boolean,
  ): void {
    if (this.isInArena(address)) {
      const owner = written ? this.owner(address, item) : 0;
      for (let i = 0; i < size; i++)
        this.arenaBytes.page(address + i)[this.arenaBytes.at(address + i)] = owner;
    } else if (extent && extent.written !== 0)
      mark(memory, extent.written, address - extent.base, size, written);
  }

  private isInArena(address: number): boolean {
    return address >= this.arena.local && address < this.arena.end;
  }

  /** Never 0, which no byte starts with. */
  private owner(address: number, item: number): number {
    if (address < this.arena.scratch) return this.group >>> 0;
    return (this.group * this.groupItems + item + 1) >>> 0;
  }
}
