// SPDX-License-Identifier: MIT
//
// The objects of a checked context, and which of their bytes the host or kernels have written.
import type { Check, Checking } from '../../base/checks';
import type { Block } from '../memory/allocator';
import type { DeviceMemory } from '../memory/memory';
import { MappedRanges } from './mapped-ranges';
import { areAllMarked, isMarked, mark } from './written';

/** What a new buffer holds: nothing, what it was given, or what the host may write at any time without a command. */
export type FirstContents = 'none' | 'given' | 'any';

/** A buffer's memory. */
export interface TrackedRange {
  readonly address: number;
  readonly size: number;
  readonly contents: FirstContents;
  /** A bit for each byte that was written; undefined where all count as written. */
  bits: Block | undefined;
}

export class CheckedMemory {
  private readonly ranges = new Set<TrackedRange>();
  readonly maps = new MappedRanges();
  private launches = 0;

  constructor(
    private readonly memory: DeviceMemory,
    private readonly checking: Checking,
  ) {}

  /** The budget of loop iterations for a work-item, if loops are checked. */
  get loopBudget(): number {
    return this.checking.loopBudget;
  }

  get checks(): readonly Check[] {
    return this.checking.checks;
  }

  /** A new number for a launch of this context. */
  nextLaunch(): number {
    return ++this.launches;
  }

  get all(): Iterable<TrackedRange> {
    return this.ranges;
  }

  track(address: number, size: number, contents: FirstContents): TrackedRange {
    const wanted = contents === 'none' && this.checking.checks.includes('uninitialized');
    const bits = wanted ? this.memory.allocateCleared(Math.ceil(size / 8)) : undefined;
    const range = { address, size, contents, bits };
    this.ranges.add(range);
    return range;
  }

  /** Bytes without contents may be copied to this address, or to any: what was complete so far has bits from now on. */
  mayLoseContents(address?: number): void {
    if (!this.checking.checks.includes('uninitialized')) return;
    if (address !== undefined) this.giveBits(this.rangeOf(address));
    else for (const range of this.ranges) this.giveBits(range);
  }

  private giveBits(range: TrackedRange | undefined): void {
    if (!range || range.bits || range.contents !== 'given') return;
    const bytes = Math.ceil(range.size / 8);
    range.bits = this.memory.allocate(bytes);
    // Without memory for them, the bytes go on to count as written.
    if (range.bits) this.memory.u8.fill(0xff, range.bits.address, range.bits.address + bytes);
  }

  forget(range: TrackedRange): void {
    this.ranges.delete(range);
    this.maps.forget(range.address, range.size);
    if (range.bits) this.memory.free(range.bits);
  }

  /** The address of the bits for a part of a range; 0 if it has none. Parts begin at multiples of 8 bytes. */
  bitsOf(address: number): number {
    const range = this.rangeOf(address);
    return range?.bits ? range.bits.address + ((address - range.address) >>> 3) : 0;
  }

  written(address: number, size: number): void {
    const range = this.rangeOf(address);
    if (range?.bits) mark(this.memory.u8, range.bits.address, address - range.address, size, true);
  }

  copied(to: number, from: number, size: number): void {
    const [target, source] = [this.rangeOf(to), this.rangeOf(from)];
    if (source?.bits && !areAllMarked(this.memory.u8, source.bits.address, source.size))
      this.giveBits(target);
    if (!target?.bits) return;
    if (!source?.bits) {
      this.written(to, size);
      return;
    }
    const { u8 } = this.memory;
    for (let i = 0; i < size; i++) {
      const isWritten = isMarked(u8, source.bits.address, from - source.address + i);
      mark(u8, target.bits.address, to - target.address + i, 1, isWritten);
    }
  }

  /** The object that has an address. */
  rangeOf(address: number): TrackedRange | undefined {
    for (const range of this.ranges)
      if (address >= range.address && address < range.address + range.size) return range;
    return undefined;
  }
}
