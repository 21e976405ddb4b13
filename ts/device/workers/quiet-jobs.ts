// SPDX-License-Identifier: MIT
//
// Jobs of whose end the scheduling thread does not hear: in a row of short jobs, hearing of each end would cost more than the jobs.
// It hears of the last one's, and then takes note of all.
import { type Control, HEADER, SLOT, SlotState } from './control';
import type { Job } from './job';

/** The longest estimated job during which the end of the one before it may remain unnoticed, in nanoseconds. */
const QUIET_NS = 1_000_000;

interface InSlot {
  readonly slot: number;
}

export class QuietJobs {
  constructor(private readonly control: Control) {}

  /** Makes a job quiet that `follower` follows; returns false if that takes too long. */
  add({ slot }: InSlot, { groups, groupCost }: Job): boolean {
    if (groups.count * groupCost > QUIET_NS) return false;
    Atomics.store(this.control.words, this.control.slot(slot) + SLOT.quiet, 1);
    return true;
  }

  isDone({ slot }: InSlot): boolean {
    return Atomics.load(this.control.words, this.control.slot(slot) + SLOT.state) === SlotState.Done;
  }

  /** Hears of a job's end again, also if it has ended meanwhile. */
  remove({ slot }: InSlot): void {
    const { words } = this.control;
    const base = this.control.slot(slot);
    if (Atomics.exchange(words, base + SLOT.quiet, 0) === 0) return;
    if (!this.isDone({ slot })) return;
    Atomics.add(words, HEADER.done, 1);
    Atomics.notify(words, HEADER.done);
  }
}
