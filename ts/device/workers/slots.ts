// SPDX-License-Identifier: MIT
import { type Control, SLOT, SLOTS } from './control';

/** Which slots have a job. Slots are taken from the first one on, so that few have to be visited. */
export class Slots {
  private readonly taken: boolean[] = new Array(SLOTS).fill(false);
  /** All slots below are taken. */
  private firstFree = 0;

  constructor(private readonly control: Control) {}

  /** A free slot that no worker looks at any more; -1 if there is none. */
  find(): number {
    let areTaken = true;
    for (let slot = this.firstFree; slot < SLOTS; slot++) {
      if (this.taken[slot]) continue;
      if (areTaken) this.firstFree = slot;
      areTaken = false;
      if (Atomics.load(this.control.words, this.control.slot(slot) + SLOT.users) === 0) return slot;
    }
    return -1;
  }

  take(slot: number): void {
    this.taken[slot] = true;
  }

  free(slot: number): void {
    this.taken[slot] = false;
    if (slot < this.firstFree) this.firstFree = slot;
  }
}
