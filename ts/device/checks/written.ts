// SPDX-License-Identifier: MIT
//
// Which bytes were written. For buffers, bits in the device's memory say so, and outlive a launch. Local memory is new for each group
// and private memory for each work-item: for each of their bytes there is the number of the group or work-item that wrote it.
import type { Arena, Extent } from './objects';
import { Shadow } from './shadow';
import { LAYOUT, STATE } from './shadow-layout';
import type { ShadowMemory } from './shadow-memory';

export function isMarked(memory: Uint8Array, bits: number, at: number): boolean {
  return (memory[bits + (at >>> 3)]! & (1 << (at & 7))) !== 0;
}

/** Sets or clears the bits of a range of an object's bytes. */
export function mark(memory: Uint8Array, bits: number, from: number, count: number, written: boolean): void {
  const shift = from & 7;
  if (shift + count <= 8) {
    const mask = ((1 << count) - 1) << shift;
    const byte = bits + (from >>> 3);
    memory[byte] = written ? memory[byte]! | mask : memory[byte]! & ~mask;
    return;
  }
  const end = from + count;
  const first = (8 - shift) & 7;
  if (first > 0) mark(memory, bits, from, first, written);
  const whole = (end - from - first) >>> 3;
  const start = bits + ((from + first) >>> 3);
  if (whole > 0) memory.fill(written ? 0xff : 0, start, start + whole);
  const at = from + first + whole * 8;
  if (at < end) mark(memory, bits, at, end - at, written);
}

function firstUnmarked(memory: Uint8Array, bits: number, from: number, count: number): number {
  const shift = from & 7;
  if (shift + count <= 8) {
    const mask = ((1 << count) - 1) << shift;
    if ((memory[bits + (from >>> 3)]! & mask) === mask) return -1;
  }
  for (let i = 0; i < count; i++) if (!isMarked(memory, bits, from + i)) return i;
  return -1;
}

/** Whether all of an object's bytes are marked. */
export function areAllMarked(memory: Uint8Array, bits: number, count: number): boolean {
  const words = bits % 4 === 0 ? count >>> 5 : 0;
  const view = new Int32Array(memory.buffer, memory.byteOffset + (words && bits), words);
  if (!view.every((word) => word === -1)) return false;
  for (let at = words * 32; at < count; at += 8)
    if (firstUnmarked(memory, bits, at, Math.min(8, count - at)) >= 0) return false;
  return true;
}

/** Numbers of owners are 32 bits; 0 owns nothing. */
const MOST_OWNERS = 2 ** 32;

export class WrittenBytes {
  private readonly arenaBytes: Shadow;
  private readonly state: Int32Array;
  private arena: Arena = { local: 0, scratch: 0, end: 0 };
  private nextOwner = 1;
  private localOwner = 0;

  /** @param shift log2 of a granule's bytes: 0 for bytes, 2 for words */
  constructor(
    memory: ShadowMemory,
    private readonly shift: number,
  ) {
    this.arenaBytes = new Shadow(memory, LAYOUT.owners, 1);
    this.state = memory.state;
  }

  beginLaunch(arena: Arena): void {
    this.arena = arena;
    this.state[STATE.arenaStart] = arena.local;
    this.state[STATE.scratchStart] = arena.scratch;
    this.state[STATE.arenaEnd] = arena.end;
  }

  /** A new group: its memory has no contents yet. */
  beginGroup(items: number): void {
    if (this.nextOwner + items + 1 >= MOST_OWNERS) {
      this.arenaBytes.clear();
      this.nextOwner = 1;
    }
    this.localOwner = this.nextOwner;
    this.nextOwner += items + 1;
    this.state[STATE.localOwner] = this.localOwner;
    this.state[STATE.privateOwner] = this.localOwner + 1;
  }

  /** The first byte of a range that was never written, relative to it; -1 if all were. */
  firstUnwritten(
    memory: Uint8Array,
    extent: Extent | undefined,
    address: number,
    size: number,
    item: number,
  ): number {
    if (this.isInArena(address)) return this.firstUnwrittenInArena(address, size, item);
    if (!extent || extent.written === 0) return -1;
    return firstUnmarked(memory, extent.written, address - extent.base, size);
  }

  private firstUnwrittenInArena(address: number, size: number, item: number): number {
    const { arenaBytes, shift } = this;
    const owner = this.owner(address, item);
    const last = (address + size - 1) >>> shift;
    for (let granule = address >>> shift; granule <= last; granule++)
      if (arenaBytes.page(granule)[arenaBytes.at(granule)] !== owner)
        return Math.max(0, granule * 2 ** shift - address);
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
    if (!this.isInArena(address)) {
      if (extent && extent.written !== 0) mark(memory, extent.written, address - extent.base, size, written);
      return;
    }
    const { arenaBytes, shift } = this;
    const owner = written ? this.owner(address, item) : 0;
    const last = (address + size - 1) >>> shift;
    for (let granule = address >>> shift; granule <= last; granule++)
      arenaBytes.page(granule)[arenaBytes.at(granule)] = owner;
  }

  private isInArena(address: number): boolean {
    return address >= this.arena.local && address < this.arena.end;
  }

  private owner(address: number, item: number): number {
    return (address < this.arena.scratch ? this.localOwner : this.localOwner + 1 + item) | 0;
  }
}
