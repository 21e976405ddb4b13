// SPDX-License-Identifier: MIT
//
// Divergent barriers: all work-items of a group must reach the same barrier, or the kernel's end.

/** Ends a group whose work-items diverged at a barrier: later results would be meaningless. */
export class GroupStop extends Error {}

export interface Divergence {
  readonly site: number;
  readonly item: number;
}

export class BarrierRound {
  private items = 1;
  private arrived = 0;
  private first: (Divergence & { readonly isEnd: boolean }) | undefined;

  beginGroup(items: number): void {
    this.items = items;
    this.arrived = 0;
    this.first = undefined;
  }

  /** Whether this work-item was the last to arrive, or the other barrier that a work-item has reached. */
  arrive(site: number, item: number, isEnd: boolean): boolean | Divergence {
    const { first } = this;
    if (!first) this.first = { site, item, isEnd };
    // A kernel may end in several places.
    else if (first.site !== site && !(isEnd && first.isEnd)) return first;
    this.arrived++;
    if (this.arrived < this.items) return false;
    this.arrived = 0;
    this.first = undefined;
    return true;
  }
}
