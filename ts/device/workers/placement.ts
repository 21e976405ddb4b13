// SPDX-License-Identifier: MIT
//
// Each worker gets processors of its own (docs/adr/0052-workers-on-processors-of-their-own.md). The system puts a thread that wakes
// on a free processor, but often two threads on one, as they are woken while another thread still runs. It corrects that after
// milliseconds, which is as long as a short job takes. Jobs that do not need all workers are better off where the system puts them:
// the worker's own processor may be busy while others are free.
import type { Host } from '../../base/host';
import { type Control, HEADER, WORKER } from './control';

/** After this many jobs of one kind in a row, workers are placed for it. */
const JOBS_IN_A_ROW = 4;
/** After this many, a program is seen to block its event loop. */
const JOBS_WITHOUT_A_TURN = 16;
/** After this many, threads are looked for that have replaced others. */
const JOBS_BETWEEN_LOOKS = 64;

export class Placement {
  /** Whether the last job needed all workers, and how many in a row did as it. */
  private isForAll = false;
  private inARow = 0;
  /** The thread of each worker that has processors of its own. */
  private placed: number[] = [];
  private isPossible: boolean;
  /** Whether a turn of the event loop is to place or free them. */
  private isScheduled = false;

  constructor(
    private readonly host: Host,
    private readonly control: Control,
  ) {
    this.isPossible = control.workers > 1 && host.settings.affinity === 1;
  }

  /** Whether each worker has processors of its own. */
  get isDone(): boolean {
    return this.placed.length > 0;
  }

  /** The worker that has this thread's processor, and no other; -1 if there is none. It learns that too. */
  neighbour(): number {
    const { words, workers } = this.control;
    const neighbour = this.isDone ? this.host.currentPart(workers) : -1;
    if (words[HEADER.neighbour] !== neighbour + 1) Atomics.store(words, HEADER.neighbour, neighbour + 1);
    return neighbour;
  }

  /** A job is submitted. */
  onJob(isForAll: boolean): void {
    if (isForAll !== this.isForAll) this.inARow = 0;
    this.isForAll = isForAll;
    this.inARow++;
  }

  /** There is no job any more. */
  onPause(): void {
    const { isForAll, inARow } = this;
    if (!this.isPossible || inARow < JOBS_IN_A_ROW) return;
    if (isForAll === this.isDone && !(isForAll && inARow % JOBS_BETWEEN_LOOKS === 0)) return;
    if (!this.isScheduled) this.schedule();
    else if (inARow >= JOBS_WITHOUT_A_TURN) this.change();
  }

  /** Whoever awaits a job would wait until the addon is loaded, if it were done now. */
  private schedule(): void {
    this.isScheduled = true;
    void this.host.nextTurn().then(() => this.change());
  }

  private change(): void {
    this.isScheduled = false;
    if (this.isForAll) this.place();
    else this.free();
  }

  private place(): void {
    const { workers } = this.control;
    for (let worker = 0; worker < workers && this.isPossible; worker++) {
      const thread = this.threadOf(worker);
      if (thread === 0 || thread === this.placed[worker]) continue;
      this.isPossible = this.host.placeThread(thread, worker, workers);
      if (this.isPossible) this.placed[worker] = thread;
      else this.free();
    }
  }

  private free(): void {
    const { placed } = this;
    this.placed = [];
    placed.forEach((thread, worker) => {
      if (thread === this.threadOf(worker)) this.host.placeThread(thread, 0, 1);
    });
  }

  private threadOf(worker: number): number {
    return Atomics.load(this.control.words, this.control.worker(worker) + WORKER.thread);
  }
}
