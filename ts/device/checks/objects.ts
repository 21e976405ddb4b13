// SPDX-License-Identifier: MIT
//
// The objects of a launch: which bytes a pointer may access, and which of these were written.
import { CHECK_BLOCK, type CheckRegion, type CheckTable, checkBlockLayout, REGION } from '../../base/checks';

/** An object's bytes. */
export interface Extent {
  readonly base: number;
  readonly size: number;
  /** Address of the bits that say which bytes were written; 0 where all were. */
  readonly written: number;
  /** `FORBIDDEN` */
  readonly forbidden: number;
  /** Whether its number is an index into the launch's regions or the kernel's. */
  readonly of: 'launch' | 'kernel';
  readonly index: number;
}

/** A group's memory: local memory, and the private memory that follows it. */
export interface Arena {
  readonly local: number;
  readonly scratch: number;
  readonly end: number;
}

export class Objects {
  /** As described in the launch's block. */
  private readonly described: Extent[] = [];
  /** The objects that have bytes, by address. */
  private readonly sorted: Extent[];
  /** By the numbers of the kernel's regions; undefined for private ones, whose address depends on the work-item. */
  private readonly extents: (Extent | undefined)[];
  private readonly locals: Extent[];
  private recent: Extent | undefined;

  constructor(
    words: Uint32Array,
    block: number,
    private readonly table: CheckTable,
    readonly arena: Arena,
  ) {
    const count = words[(block + CHECK_BLOCK.regions) >>> 2]!;
    for (let index = 0; index < count; index++) {
      const at = block + CHECK_BLOCK.header + index * REGION.bytes;
      this.described.push({
        base: words[(at + REGION.base) >>> 2]!,
        size: words[(at + REGION.size) >>> 2]!,
        written: words[(at + REGION.written) >>> 2]!,
        forbidden: words[(at + REGION.forbidden) >>> 2]!,
        of: 'launch',
        index,
      });
    }
    this.extents = table.regions.map((region, index) => this.extentOf(region, index));
    this.locals = this.extents.filter(
      (extent): extent is Extent => extent !== undefined && this.isInArena(extent.base),
    );
    this.sorted = this.described
      .filter(({ base, size }) => size > 0 && !this.isInArena(base))
      .sort((a, b) => a.base - b.base || a.size - b.size);
  }

  static safePlaces(words: Uint32Array, block: number): { zeros: number; sink: number; reports: number } {
    const { zeros, sink, reports } = checkBlockLayout(words[(block + CHECK_BLOCK.regions) >>> 2]!);
    return { zeros: block + zeros, sink: block + sink, reports: block + reports };
  }

  private extentOf(region: CheckRegion, index: number): Extent | undefined {
    if (region.kind === 'private') return undefined;
    if (region.kind === 'argument') {
      const given = this.described[region.argument!]!;
      // Local arguments are described by their offset in the arena, with a mark.
      return given.written === LOCAL_ARGUMENT
        ? { ...given, base: this.arena.local + given.base, written: 0 }
        : given;
    }
    const size = region.size!;
    const base =
      region.kind === 'local'
        ? this.arena.local + region.offset!
        : this.described[this.programIndex]!.base + region.offset!;
    return { base, size, written: 0, forbidden: 0, of: 'kernel', index };
  }

  private get programIndex(): number {
    return this.table.regions.filter(({ kind }) => kind === 'argument').length;
  }

  extent(region: number): Extent | undefined {
    return this.extents[region];
  }

  /** The object that has an address. */
  find(address: number): Extent | undefined {
    const { recent } = this;
    if (recent && address >= recent.base && address < recent.base + recent.size) return recent;
    const found = this.isInArena(address) ? this.among(this.locals, address) : this.search(address);
    if (found) this.recent = found;
    return found;
  }

  isInArena(address: number): boolean {
    return address >= this.arena.local && address < this.arena.end;
  }

  isPrivate(address: number): boolean {
    return address >= this.arena.scratch && address < this.arena.end;
  }

  private among(extents: readonly Extent[], address: number): Extent | undefined {
    return extents.find(({ base, size }) => address >= base && address < base + size);
  }

  /** A sub-buffer overlaps its buffer: the larger object is found, as an argument if it is one. */
  private search(address: number): Extent | undefined {
    const { sorted } = this;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.base <= address) low = middle + 1;
      else high = middle;
    }
    let found: Extent | undefined;
    for (let at = low - 1; at >= 0; at--) {
      const extent = sorted[at]!;
      if (address < extent.base + extent.size && (!found || extent.size >= found.size)) found = extent;
    }
    return found;
  }
}

/** Nothing is allocated below this address, so a lower one is a null pointer with an offset. */
export const NULL_GUARD = 65536;

/** In place of the address of a local argument's bits. */
export const LOCAL_ARGUMENT = 0xffffffff;
