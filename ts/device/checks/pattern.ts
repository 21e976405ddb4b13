// SPDX-License-Identifier: MIT
//
// Whether the accesses of one group stand for those of all (base/checks.ts, PATTERN). All groups do the same accesses, but for the
// addresses of some, which depend on contents of memory: these must be right for all addresses that they may have.
import { type CheckSite, PATTERN } from '../../base/checks';
import type { Extent } from './objects';

/** The accesses to an object from one barrier to the next. */
const KINDS = { read: 1, write: 2, atomic: 4, wideRead: 8, wideAtomic: 16 } as const;

/** The bytes of an object that an access may reach. */
interface Bytes {
  readonly first: number;
  readonly bytes: number;
}

export class Pattern {
  /** By index in the kernel's summary. */
  private readonly wide = new Map<number, Bytes>();
  /** By address of the object. */
  private readonly kinds = new Map<number, number>();
  /** The accesses whose bytes all have contents. */
  private readonly written = new Set<string>();
  /** Those of `wide` that a work-item has done. */
  private readonly done = new Set<number>();

  /** Of the description at an address, which is 0 if there is none. */
  static of(words: Uint32Array, address: number): Pattern | undefined {
    return address === 0 ? undefined : new Pattern(words, address);
  }

  private constructor(
    words: Uint32Array,
    private readonly address: number,
  ) {
    const count = words[(address + PATTERN.count) >>> 2]!;
    for (let index = 0; index < count; index++) {
      const at = (address + PATTERN.header + index * PATTERN.entry) >>> 2;
      this.wide.set(words[at]!, { first: words[at + 1]!, bytes: words[at + 2]! });
    }
  }

  /** Whether the address of an access depends on contents of memory. */
  get hasWide(): boolean {
    return this.wide.size > 0;
  }

  /** Whether the group has shown what it stands for. */
  isWhole(words: Uint32Array): boolean {
    return words[(this.address + PATTERN.broken) >>> 2] === 0 && this.done.size === this.wide.size;
  }

  /** Another group may have a fault that this one does not show. */
  break(words: Uint32Array): void {
    words[(this.address + PATTERN.broken) >>> 2] = 1;
  }

  beginGroup(): void {
    this.kinds.clear();
    this.written.clear();
  }

  barrier(): void {
    this.kinds.clear();
  }

  /** False if an access does not stand for those of other groups. `isWritten`: whether all of some bytes have contents. */
  access(
    number: number,
    { access, accesses, action }: CheckSite,
    extent: Extent,
    item: number,
    isShared: boolean,
    isWritten: (address: number, bytes: number) => boolean,
  ): boolean {
    let isWide = false;
    for (let at = access ?? 0; at < (access ?? 0) + (accesses ?? 0); at++) {
      const bytes = this.wide.get(at);
      if (!bytes) continue;
      isWide = true;
      this.done.add(at);
      const key = `${number} ${at} ${isShared ? '' : item}`;
      if (this.written.has(key)) continue;
      if (!isWritten(extent.base + bytes.first, bytes.bytes)) return false;
      this.written.add(key);
    }
    if (!isShared || this.wide.size === 0) return true;
    const kind = action === 'read' ? KINDS.read : action === 'atomic' ? KINDS.atomic : KINDS.write;
    const wide = !isWide ? 0 : action === 'read' ? KINDS.wideRead : KINDS.wideAtomic;
    const all = (this.kinds.get(extent.base) ?? 0) | kind | wide;
    this.kinds.set(extent.base, all);
    if (all & KINDS.wideRead && all & (KINDS.write | KINDS.atomic)) return false;
    return !(all & KINDS.wideAtomic && all & (KINDS.read | KINDS.write));
  }
}
