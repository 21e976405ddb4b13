// SPDX-License-Identifier: MIT
//
// Which bytes have contents, for a launch: in all memory, and in what the checks in WebAssembly know of it.
import type { KernelShadow } from './kernel-shadow';
import type { Arena, Extent } from './objects';

/** Equal steps from one element of a copy to the next. */
interface Side {
  readonly extent: Extent | undefined;
  readonly start: number;
  readonly step: number;
}

export class Contents {
  constructor(
    private readonly shadow: KernelShadow,
    private readonly arena: Arena,
    private readonly granule: 1 | 4,
  ) {
    shadow.written.beginLaunch(arena);
  }

  /** The first byte of a range that has none, relative to it; -1 if all have. */
  firstMissing(
    memory: Uint8Array,
    extent: Extent | undefined,
    start: number,
    size: number,
    item: number,
  ): number {
    const first = this.shadow.written.firstUnwritten(memory, extent, start, size, item);
    if (first < 0) this.note(extent, start, size);
    return first;
  }

  mark(
    memory: Uint8Array,
    extent: Extent | undefined,
    start: number,
    size: number,
    item: number,
    has: boolean,
  ): void {
    const { written, races, tables } = this.shadow;
    written.mark(memory, extent, start, size, item, has);
    if (has) this.note(extent, start, size);
    else if (this.isLocal(start)) races?.local.noteContents(start, size, false);
    else if (!this.isInArena(start)) {
      races?.global.noteContents(start, size, false);
      tables.forgetContents();
    }
  }

  /** Marks what a copy writes as what it reads is; returns whether all bytes have contents. */
  copy(memory: Uint8Array, to: Side, from: Side, count: number, size: number, item: number): boolean {
    const { written } = this.shadow;
    let isComplete = true;
    for (let i = 0; i < count; i++)
      for (let byte = 0; byte < size; byte++) {
        const source = from.start + i * from.step + byte;
        const has = written.firstUnwritten(memory, from.extent, source, 1, item) < 0;
        isComplete &&= has;
        this.mark(memory, to.extent, to.start + i * to.step + byte, 1, item, has);
      }
    return isComplete;
  }

  /** These granules have contents. */
  private note(extent: Extent | undefined, start: number, size: number): void {
    const { races } = this.shadow;
    if (!races || (start | size) & (this.granule - 1)) return;
    if (this.isLocal(start)) races.local.noteContents(start, size, true);
    // Other buffers have contents everywhere.
    else if (!this.isInArena(start) && extent && extent.written !== 0)
      races.global.noteContents(start, size, true);
  }

  private isLocal(address: number): boolean {
    return address >= this.arena.local && address < this.arena.scratch;
  }

  private isInArena(address: number): boolean {
    return address >= this.arena.local && address < this.arena.end;
  }
}
