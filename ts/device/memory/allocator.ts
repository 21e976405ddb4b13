// SPDX-License-Identifier: MIT

/** All blocks start and end on a multiple of this many bytes. */
export const GRANULE = 128;

const SUBDIVISION_BITS = 3;
const SUBDIVISIONS = 1 << SUBDIVISION_BITS;
const LEVELS = 26;
/** Blocks of at most this many granules are kept when they are freed, and as many of each length: nearly every launch needs one. */
const MOST_KEPT_GRANULES = 8;
const MOST_KEPT = 64;
/** How many blocks of a request's size class are tried before a longer one is split. */
const OWN_CLASS_TRIES = 8;

/** A range of addresses, free or allocated. Addresses count granules, so that 4 GB fit 32-bit arithmetic. */
export class Block {
  free = false;
  before: Block | undefined;
  after: Block | undefined;
  /** Neighbours in the list of free blocks of this size class. */
  previousFree: Block | undefined;
  nextFree: Block | undefined;

  constructor(
    public start: number,
    public length: number,
  ) {}

  get address(): number {
    return this.start * GRANULE;
  }

  get size(): number {
    return this.length * GRANULE;
  }
}

/**
 * Allocates ranges of an address space. Its data structures are not in the memory that it manages, because a kernel could
 * overwrite them there. Two-level segregated fit: free blocks are listed by size class (powers of two, each in eight parts), two
 * bitmaps find the smallest class with a free block, and adjacent free blocks are merged. Takes constant time, except for a
 * request that only a block of its own class can satisfy. Short freed blocks are first kept for requests of their length.
 */
export class Allocator {
  /** Allocated bytes. */
  used = 0;
  private readonly heads: (Block | undefined)[] = new Array(LEVELS * SUBDIVISIONS).fill(undefined);
  private levelMap = 0;
  private readonly subdivisionMaps = new Int32Array(LEVELS);
  private last: Block | undefined;
  /** Freed blocks that are kept as they are, by length. */
  private readonly kept: Block[][] = Array.from({ length: MOST_KEPT_GRANULES + 1 }, () => []);

  /** Manages [start, end); both are multiples of GRANULE. */
  constructor(start: number, end: number) {
    this.end = start / GRANULE;
    this.extend(end);
  }

  private end: number;

  /** Adds the addresses from the current end up to `end`. */
  extend(end: number): void {
    const block = new Block(this.end, end / GRANULE - this.end);
    this.end = end / GRANULE;
    if (block.length === 0) return;
    block.before = this.last;
    if (this.last) this.last.after = block;
    this.last = block;
    this.release(block);
  }

  /** Undefined if no free block is large enough. `align` is a power of two. */
  allocate(bytes: number, align = GRANULE): Block | undefined {
    const length = Math.max(1, Math.ceil(bytes / GRANULE));
    if (length <= MOST_KEPT_GRANULES && align <= GRANULE) {
      const kept = this.kept[length]!.pop();
      if (kept) {
        this.used += kept.size;
        return kept;
      }
    }
    const step = Math.max(1, align / GRANULE);
    let block = this.find(length + step - 1);
    if (!block && this.releaseKept()) block = this.find(length + step - 1);
    if (!block) return undefined;
    this.unlist(block);
    const skip = (step - (block.start % step)) % step;
    const result = skip === 0 ? block : this.splitAt(block, skip);
    if (result !== block) this.list(block);
    if (result.length > length) this.list(this.splitAt(result, length));
    this.used += result.size;
    return result;
  }

  /** The block of this many bytes that starts at `address`; undefined if they are not all free. Both are multiples of GRANULE. */
  allocateAt(address: number, bytes: number): Block | undefined {
    this.releaseKept();
    const start = address / GRANULE;
    const length = bytes / GRANULE;
    let block = this.last;
    while (block && block.start > start) block = block.before;
    if (!block?.free || block.start + block.length < start + length) return undefined;
    this.unlist(block);
    const skip = start - block.start;
    const result = skip === 0 ? block : this.splitAt(block, skip);
    if (result !== block) this.list(block);
    if (result.length > length) this.list(this.splitAt(result, length));
    this.used += result.size;
    return result;
  }

  free(block: Block): void {
    this.used -= block.size;
    if (block.length <= MOST_KEPT_GRANULES) {
      const kept = this.kept[block.length]!;
      if (kept.length < MOST_KEPT) {
        kept.push(block);
        return;
      }
    }
    this.release(block);
  }

  /** Frees the part of a block after its first `bytes`. */
  shrink(block: Block, bytes: number): void {
    const length = Math.max(1, Math.ceil(bytes / GRANULE));
    if (length < block.length) this.free(this.splitAt(block, length));
  }

  /** Merges the kept blocks with their neighbours; returns whether there were any. */
  private releaseKept(): boolean {
    let any = false;
    for (const blocks of this.kept) {
      any ||= blocks.length > 0;
      for (let block = blocks.pop(); block; block = blocks.pop()) this.release(block);
    }
    return any;
  }

  private release(block: Block): void {
    let whole = block;
    const { before, after } = block;
    if (before?.free) {
      this.unlist(before);
      this.absorb(before, block);
      whole = before;
    }
    if (after?.free) {
      this.unlist(after);
      this.absorb(whole, after);
    }
    this.list(whole);
  }

  private absorb(block: Block, next: Block): void {
    block.length += next.length;
    block.after = next.after;
    if (next.after) next.after.before = block;
    else this.last = block;
  }

  /** Shortens `block` to `length` granules and returns the rest. */
  private splitAt(block: Block, length: number): Block {
    const rest = new Block(block.start + length, block.length - length);
    block.length = length;
    rest.before = block;
    rest.after = block.after;
    if (block.after) block.after.before = rest;
    else this.last = rest;
    block.after = rest;
    return rest;
  }

  private find(length: number): Block | undefined {
    const own = classOf(length);
    // Every block of a higher class is long enough, but only some blocks of this class are.
    let level = (own + 1) >> SUBDIVISION_BITS;
    const above = this.subdivisionMaps[level]! & (-1 << ((own + 1) & (SUBDIVISIONS - 1)));
    let subdivisions = above;
    if (subdivisions === 0) {
      const levels = this.levelMap & (-1 << (level + 1));
      if (levels !== 0) {
        level = lowestBit(levels);
        subdivisions = this.subdivisionMaps[level]!;
      }
    }
    let tries = subdivisions === 0 ? Number.POSITIVE_INFINITY : OWN_CLASS_TRIES;
    for (let block = this.heads[own]; block && tries > 0; block = block.nextFree, tries--) {
      if (block.length >= length) return block;
    }
    return subdivisions === 0 ? undefined : this.heads[(level << SUBDIVISION_BITS) | lowestBit(subdivisions)];
  }

  private list(block: Block): void {
    const index = classOf(block.length);
    const head = this.heads[index];
    block.free = true;
    block.previousFree = undefined;
    block.nextFree = head;
    if (head) head.previousFree = block;
    this.heads[index] = block;
    this.subdivisionMaps[index >> SUBDIVISION_BITS]! |= 1 << (index & (SUBDIVISIONS - 1));
    this.levelMap |= 1 << (index >> SUBDIVISION_BITS);
  }

  private unlist(block: Block): void {
    block.free = false;
    const { previousFree, nextFree } = block;
    if (nextFree) nextFree.previousFree = previousFree;
    if (previousFree) {
      previousFree.nextFree = nextFree;
    } else {
      const index = classOf(block.length);
      this.heads[index] = nextFree;
      if (!nextFree) {
        const level = index >> SUBDIVISION_BITS;
        this.subdivisionMaps[level]! &= ~(1 << (index & (SUBDIVISIONS - 1)));
        if (this.subdivisionMaps[level] === 0) this.levelMap &= ~(1 << level);
      }
    }
    block.previousFree = undefined;
    block.nextFree = undefined;
  }
}

/** Size class of a block of `length` granules: exact below 8, then eight per power of two. */
function classOf(length: number): number {
  if (length < SUBDIVISIONS) return length;
  const power = 31 - Math.clz32(length);
  const subdivision = (length >> (power - SUBDIVISION_BITS)) & (SUBDIVISIONS - 1);
  return ((power - SUBDIVISION_BITS + 1) << SUBDIVISION_BITS) | subdivision;
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
