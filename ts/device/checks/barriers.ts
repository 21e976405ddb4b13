// SPDX-License-Identifier: MIT
//
// Divergent barriers: all work-items of a group must reach the same barrier, or the kernel's end.

import { STATE } from './shadow-layout';

/** Ends a group whose work-items diverged at a barrier: later results would be meaningless. */
export class GroupStop extends Error {}

/** What a work-item has reached: a barrier, an operation of its group, or the kernel's end. */
export interface Arrival {
  readonly site: number;
  readonly item: number;
  readonly isEnd: boolean;
}

export class BarrierRound {
  private items = 1;
  private first: Arrival | undefined;

  /** `state`: `STATE` */
  constructor(private readonly state: Int32Array) {}

  beginGroup(items: number): void {
    this.items = items;
    this.next();
  }

  /** Whether this work-item was the last to arrive, or the other barrier that a work-item has reached. */
  arrive(site: number, item: number, isEnd: boolean): boolean | Arrival {
    const { first, state } = this;
    if (!first) {
      this.first = { site, item, isEnd };
      state[STATE.barrier] = site;
    }
    // A kernel may end in several places.
    else if (first.site !== site && !(isEnd && first.isEnd)) return first;
    state[STATE.absent]!--;
    if (state[STATE.absent]! > 0) return false;
    this.next();
    return true;
  }

  private next(): void {
    this.first = undefined;
    this.state[STATE.barrier] = -1;
    this.state[STATE.absent] = this.items;
  }
}
