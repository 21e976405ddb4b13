// SPDX-License-Identifier: MIT
//
// The scheduling thread's own part in a short job of the workers. A worker starts 50 to 150 µs after it was woken, so a caller that
// awaits the job would wait for that long while its thread has nothing to do. The thread takes chunks as a worker does, with one
// worker fewer, when the program's synchronous stretch has ended.
import type { Host } from '../../base/host';
import type { Arena } from './arenas';
import { type Control, SLOT, SlotState } from './control';
import { groupAfter } from './groups';
import { align64, type Job, type LoadedKernel } from './job';
import type { PoolTrace } from './pool-trace';
import { kernelHere } from './run-here';
import { failureOf } from './worker';

/** The longest job for which this thread stays away from its event loop, in nanoseconds… */
const MOST_NS = 1_000_000;
/** …and if its later groups take longer than the first ones. */
const LIMIT_NS = 2_000_000;
/** The longest group, by the estimate. */
const MOST_GROUP_NS = 1_000_000;
/** After this time the time of a group is known. */
const LEAST_MEASURED_NS = 50_000;
/** What a chunk should take. */
const CHUNK_NS = 20_000;
/** How long this thread waits for the workers' last chunks. */
const SPIN_NS = 30_000n;
/** How many times it looks at them between two readings of the clock. */
const SPINS = 100;
/** A kernel that was too slow is tried again: each launch makes its known time this much shorter. */
const FORGET = 0.9;

/** A job that was submitted to the workers. */
export interface Submitted {
  readonly slot: number;
  readonly job: Job;
  readonly arena: Arena;
}

export class OwnPart {
  /** The job in which this thread will take part. */
  private next: Submitted | undefined;
  /** Nanoseconds of a work-item, of kernels in whose jobs this thread took part. */
  private readonly itemNs = new WeakMap<LoadedKernel, number>();

  /** @param done called when it has taken part: the job may be done */
  constructor(
    private readonly host: Host,
    private readonly control: Control,
    private readonly trace: PoolTrace | undefined,
    private readonly done: () => void,
  ) {}

  /** Whether this thread should take part in a job, if that is the only one. */
  suits({ bounded, workers, kernel, groups, groupItems, groupCost }: Job): boolean {
    const { control } = this;
    // Another worker would be missing if they are not all for this job.
    if (!bounded || control.workers < 2 || workers.count < control.workers) return false;
    if (groupCost > MOST_GROUP_NS) return false;
    const known = this.itemNs.get(kernel);
    if (known === undefined || known * groupItems * groups.count <= MOST_NS * workers.count) return true;
    this.itemNs.set(kernel, known * FORGET);
    return false;
  }

  /** Takes part in a job in a microtask, unless `cancel` or `take` is called before. */
  plan(submitted: Submitted): void {
    this.next = submitted;
    queueMicrotask(this.take);
  }

  /** Returns whether there was a job to take part in; a worker has to be woken for it instead. */
  cancel(): boolean {
    const { next } = this;
    this.next = undefined;
    return next !== undefined;
  }

  /** Takes part in the job now. */
  readonly take = (): void => {
    const { next, control } = this;
    if (!next) return;
    this.next = undefined;
    if (this.takeChunks(next)) this.awaitEnd(next);
    // It is longer than was expected.
    else control.wake();
    this.done();
  };

  /** Runs chunks of a job until all are taken; false if that would take too long. */
  private takeChunks({ slot, job, arena }: Submitted): boolean {
    const { host, control } = this;
    const { words } = control;
    const base = control.slot(slot);
    const { kernel, groups, groupItems, workers } = job;
    const most = words[base + SLOT.mostChunk]!;
    kernelHere(host, kernel);
    const began = host.now();
    let start = began;
    let all = 0;
    let count = words[base + SLOT.leastChunk]!;
    for (;;) {
      const first = this.takeGroups(base, groups.count, count);
      if (first === undefined) return true;
      const taken = Math.min(count, groups.count - first);
      this.runGroups({ slot, job, arena }, first, taken);
      const end = host.now();
      this.trace?.ranChunk(kernel, first, taken, start, end);
      start = end;
      control.finishGroups(slot, taken, host);
      all += taken;
      const elapsed = Number(end - began);
      const groupNs = Math.max(1, elapsed) / all;
      if (elapsed >= LEAST_MEASURED_NS) {
        this.itemNs.set(kernel, groupNs / groupItems);
        if (groupNs * groups.count > MOST_NS * workers.count || elapsed > LIMIT_NS) return false;
      }
      const left = groups.count - first - taken;
      count = Math.ceil(Math.min(CHUNK_NS / groupNs, left / (2 * workers.count), most)) || 1;
    }
  }

  /** Takes up to `count` groups of a job; the first one's number, or undefined if there are none left. */
  private takeGroups(base: number, groups: number, count: number): number | undefined {
    const { words } = this.control;
    for (let first = Atomics.load(words, base + SLOT.next); first < groups; ) {
      const next = Math.min(groups, first + count);
      const found = Atomics.compareExchange(words, base + SLOT.next, first, next);
      if (found === first) return first;
      first = found;
    }
    return undefined;
  }

  private runGroups({ slot, job, arena }: Submitted, first: number, count: number): void {
    const { host, control } = this;
    control.begin(slot, host);
    const local = arena.block.address + control.workers * arena.stride;
    const [x, y, z] = groupAfter(job.groups.first, job.groups.counts, first);
    try {
      kernelHere(host, job.kernel)(job.dispatch, x, y, z, count, local, local + align64(job.localBytes));
    } catch (error) {
      const { kind, text } = failureOf(error);
      control.fail(slot, kind, text);
    }
  }

  /** The end of the workers' last chunks is near: to be told of it would take longer. */
  private awaitEnd({ slot }: Submitted): void {
    const { words } = this.control;
    const state = this.control.slot(slot) + SLOT.state;
    const end = this.host.now() + SPIN_NS;
    do {
      for (let i = 0; i < SPINS; i++) if (Atomics.load(words, state) === SlotState.Done) return;
    } while (this.host.now() < end);
  }
}
