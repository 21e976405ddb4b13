// SPDX-License-Identifier: MIT
//
// What the host has mapped of a checked context's buffers, as of the commands that have run.
import { FORBIDDEN } from '../../base/checks';

export interface MappedRange {
  readonly address: number;
  readonly size: number;
  readonly isForWriting: boolean;
}

export class MappedRanges {
  private ranges: readonly MappedRange[] = [];

  map(range: MappedRange): void {
    this.ranges = [...this.ranges, range];
  }

  /** Ends one of the mappings that are alike. */
  unmap({ address, size, isForWriting }: MappedRange): void {
    const ended = this.ranges.findIndex(
      (range) => range.address === address && range.size === size && range.isForWriting === isForWriting,
    );
    this.ranges = this.ranges.filter((_, at) => at !== ended);
  }

  /** The memory is no longer a buffer. */
  forget(start: number, size: number): void {
    if (this.ranges.length === 0) return;
    this.ranges = this.ranges.filter(({ address }) => address < start || address >= start + size);
  }

  /** What kernels must not do while this memory is mapped: change it, and if it is mapped for writing, read it. */
  forbidden(start: number, size: number): number {
    let found = 0;
    for (const { address, size: bytes, isForWriting } of this.ranges) {
      if (address >= start + size || start >= address + bytes) continue;
      found |= FORBIDDEN.writesWhileMapped | (isForWriting ? FORBIDDEN.readsWhileMapped : 0);
    }
    return found;
  }
}
