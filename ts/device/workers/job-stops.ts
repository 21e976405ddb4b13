// SPDX-License-Identifier: MIT
//
// How jobs are ended before their time. Groups that no worker has taken are not run. Workers may finish their current chunk for a
// moment; then their threads are ended and replaced. A job is done when nothing writes to its memory any more.
import type { Host } from '../../base/host';
import type { StopReason } from '../../cl/stop-codes';
import { type Control, JobFailure, SLOT, SlotState } from './control';
import type { Ticket } from './job';
import type { EndedThread, WorkerThreads } from './threads';

/** How long workers may continue with their current chunks of a job that is stopped: most take at most 2 ms. */
const GRACE_MS = 5;
/** Between attempts to end threads that were between two chunks. */
const RETRY_MS = 2;
/** How long a thread that was ended may go on, at most, where this thread is blocked and cannot hear of its end. */
const END_MS = 20;
/** How long a blocked thread sleeps where nothing is stopped. */
const PAUSE_MS = 500;

/** A job in flight. */
export interface Stoppable {
  readonly slot: number;
  /** The one that must be done before it starts. */
  readonly after: Ticket | undefined;
  stop: { readonly reason: StopReason; readonly at: number } | undefined;
  /** It was stopped before it started: it is done when the job before it is. */
  isEmpty: boolean;
}

interface Pool {
  readonly host: Host;
  readonly control: Control;
  readonly threads: WorkerThreads;
  /** Those in flight. */
  readonly jobs: readonly Stoppable[];
  /** Takes note of jobs that are done. */
  progress(): void;
}

export class JobStops {
  /** Threads that were ended and may still run, and since when. */
  private readonly ending = new Map<EndedThread, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private replacing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly pool: Pool) {}

  stop(job: Stoppable, reason: StopReason): void {
    if (job.stop) return;
    job.stop = { reason, at: this.now };
    job.isEmpty = this.pool.control.fail(job.slot, JobFailure.Stopped, reason.text);
    this.sweepIn(GRACE_MS);
  }

  /** Completes stopped jobs that no worker has to do with, when the jobs before them are done. */
  finishEmpty(): void {
    for (const job of this.pool.jobs) {
      if (!job.isEmpty || this.isOpen(job.after)) continue;
      job.isEmpty = false;
      this.pool.control.complete(job.slot);
    }
  }

  /** Waits for the end of a thread, which was stopped or has died. */
  await(thread: EndedThread, wasStopped: boolean): void {
    const { pool } = this;
    this.ending.set(thread, this.now);
    thread.ended.then(() => {
      this.finish(thread);
      // Where threads die, only other jobs need a new one.
      if (wasStopped || pool.jobs.length > 0) this.replace();
      pool.progress();
    });
  }

  /** Starts a thread in the place of one that has ended, then spare ones: a program that stops kernels will do so again. */
  private replace(): void {
    this.replacing ??= setTimeout(() => {
      this.replacing = undefined;
      const { threads } = this.pool;
      if (threads.startMissing() || threads.startSpare()) this.replace();
    }, 0);
    (this.replacing as { unref?(): void }).unref?.();
  }

  /** Where this thread blocks: does what timers and promises would do. */
  poll(): void {
    for (const [thread, since] of this.ending) if (this.now - since >= END_MS) this.finish(thread);
    if (this.pool.jobs.length > 0) while (this.pool.threads.startMissing());
    this.sweep();
  }

  /** How long this thread may sleep before it polls. */
  get pauseMs(): number {
    if (this.ending.size > 0) return END_MS;
    return this.pool.jobs.some(({ stop }) => stop) ? RETRY_MS : PAUSE_MS;
  }

  shutdown(): void {
    clearTimeout(this.timer);
    clearTimeout(this.replacing);
  }

  private get now(): number {
    return Number(this.pool.host.now()) / 1e6;
  }

  private isOpen(ticket: Ticket | undefined): boolean {
    if (!ticket) return false;
    const { control } = this.pool;
    const base = control.slot(ticket.slot);
    return (
      Atomics.load(control.words, base + SLOT.generation) === ticket.generation &&
      Atomics.load(control.words, base + SLOT.state) === SlotState.Open
    );
  }

  private sweepIn(ms: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.sweep();
      this.pool.progress();
      if (this.pool.jobs.some(({ stop, isEmpty }) => stop && !isEmpty)) this.sweepIn(RETRY_MS);
    }, ms);
  }

  /** Ends the threads that still run chunks of stopped jobs. */
  private sweep(): void {
    const { jobs, threads } = this.pool;
    for (const { slot, stop } of jobs)
      if (stop && this.now - stop.at >= GRACE_MS)
        for (const thread of threads.endThoseOn(slot)) this.await(thread, true);
  }

  /** Counts what an ended thread has left as done: its memory may be used again. */
  private finish(thread: EndedThread): void {
    const { slot, groups } = thread;
    if (!this.ending.delete(thread)) return;
    thread.leave();
    if (slot < 0) return;
    const { control, host } = this.pool;
    Atomics.sub(control.words, control.slot(slot) + SLOT.users, 1);
    if (groups > 0) control.finishGroups(slot, groups, host);
  }
}
