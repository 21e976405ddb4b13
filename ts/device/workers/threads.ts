// SPDX-License-Identifier: MIT
//
// The threads of the worker pool: starting, ending and replacing them. They know nothing of jobs but the slots that they work on.
import type { Host, HostWorker } from '../../base/host';
import type { Steps } from '../../base/steps';
import { type Control, HEADER, heldSlot, holding, UNCLAIMED, WORKER } from './control';
import type { KernelMessage, WorkerStart } from './worker';

interface PoolWorker {
  readonly index: number;
  /** Undefined from the end of one thread to the start of the next. */
  thread: HostWorker | undefined;
  /** Whether it has had a thread. */
  hasStarted: boolean;
  /** Whether a thread that was ended may still run: another one would use the same memory. */
  isEnding: boolean;
  /** The progress that the watchdog saw last, and when. */
  beat: number;
  since: number;
}

/** A thread that is being terminated, and what must be cleaned up after it. */
export interface EndedThread {
  /** The slot that it worked on. */
  readonly slot: number;
  /** Groups that it had taken and will not complete. */
  readonly groups: number;
  /** Resolves when it does nothing any more. */
  readonly ended: Promise<void>;
  /** Call it then: another thread may take its place. */
  readonly leave: () => void;
}

/** A thread that has started and waits for an index. */
interface SpareThread {
  readonly thread: HostWorker;
  readonly index: Int32Array;
}

/** Spare threads at a time: each takes some megabytes. */
const MOST_SPARES = 2;
/** Threads that a session waits for when it opens; starting one takes the calling thread up to 5 ms. */
const FIRST_THREADS = 4;

export class WorkerThreads {
  private workers: PoolWorker[] = [];
  private isKeptAlive = false;
  private hasEnded = false;
  /** The one thread that keeps the process alive. */
  private keeper: HostWorker | undefined;
  /** Ready to replace threads that are ended. There are none before the first has been. */
  private readonly spares: SpareThread[] = [];
  /** How many there may be; fewer than planned if the system refuses more. */
  private most: number;

  constructor(
    private readonly host: Host,
    private readonly control: Control,
    /** What each is started with; how many there may be. */
    private readonly given: Omit<WorkerStart, 'index'>,
    /** What a thread gets that starts now. */
    private readonly firstMessages: () => Iterable<KernelMessage>,
    private readonly onDeath: (thread: EndedThread, why: string) => void,
  ) {
    this.most = given.workers;
  }

  get count(): number {
    return this.workers.length;
  }

  /** The number of threads that have reached their loop. */
  get running(): number {
    return Atomics.load(this.control.words, HEADER.ready);
  }

  /** Whether one has ended and is not replaced yet. */
  get isMissingOne(): boolean {
    return this.workers.some(({ thread }) => !thread);
  }

  /** Starts threads until there are `count`, and those that are missing among them. */
  start(count: number): void {
    for (let index = this.workers.length; index < Math.min(count, this.most); index++)
      this.workers.push({ index, thread: undefined, hasStarted: false, isEnding: false, beat: 0, since: 0 });
    while (this.startMissing());
  }

  /**
   * Starts threads before they are needed, at most one fewer at a time than there are cores: a thread starts in about the time that
   * this one compiles a kernel. Call it from time to time; it does not wait for them.
   */
  prepare(): void {
    const starting = this.count - this.running;
    this.start(this.count + Math.max(1, this.host.cores - 1) - starting);
  }

  /** As `prepare`, but each further thread starts in a turn of its own: each holds the event loop for a millisecond or more. */
  prepareInTurns(): void {
    const wanted = Math.min(this.given.workers, this.running + Math.max(1, this.host.cores - 1));
    const startOne = (): void => {
      if (this.hasEnded || this.count >= Math.min(wanted, this.most)) return;
      this.start(this.count + 1);
      void this.host.nextTurn().then(startOne);
    };
    startOne();
  }

  /** Starts the first threads, each in a step. */
  *startSteps(): Steps<void> {
    for (let count = 1; count <= Math.min(this.most, FIRST_THREADS) && !this.hasEnded; count++) {
      this.start(count);
      yield;
    }
  }

  /**
   * Starts one of the threads that are missing; returns whether there was any. If the system refuses it, those that there are do the
   * work; without any, throws its error.
   */
  startMissing(): boolean {
    const worker = this.workers.find(({ thread, isEnding }) => !thread && !isEnding);
    if (!worker) return false;
    try {
      this.startThread(worker);
    } catch (error) {
      this.forget(worker);
      if (this.workers.length === 0) throw error;
      return false;
    }
    return true;
  }

  /** A thread was refused: no more are started than there are. One that replaces another is tried again later. */
  private forget(worker: PoolWorker): void {
    if (worker.hasStarted) return;
    this.workers.splice(this.workers.indexOf(worker));
    if (this.workers.length > 0) this.most = this.workers.length;
  }

  /** Starts a spare thread, if there may be one more; returns whether it did. */
  startSpare(): boolean {
    if (this.spares.length >= Math.min(MOST_SPARES, this.workers.length)) return false;
    const shared = new SharedArrayBuffer(4);
    const index = new Int32Array(shared).fill(UNCLAIMED);
    const thread = this.spareThread({ ...this.given, index: shared });
    if (!thread) return false;
    const spare = { thread, index };
    thread.onError(() => {
      const at = this.spares.indexOf(spare);
      if (at >= 0) this.spares.splice(at, 1);
    });
    this.spares.push(spare);
    return true;
  }

  /** Undefined if the system refuses it. */
  private spareThread(start: WorkerStart): HostWorker | undefined {
    try {
      return this.host.startWorker(start);
    } catch {
      return undefined;
    }
  }

  post(message: KernelMessage): void {
    for (const { thread } of this.workers) thread?.post(message);
  }

  /** Whether they keep the process alive. */
  keepAlive(on: boolean): void {
    this.isKeptAlive = on;
    this.keeper ??= this.workers.find(({ thread }) => thread)?.thread;
    this.keeper?.keepAlive(on);
  }

  async shutdown(): Promise<void> {
    this.hasEnded = true;
    const threads = [...this.workers, ...this.spares].map(({ thread }) => thread);
    this.workers = [];
    this.spares.length = 0;
    await Promise.all(threads.map((thread) => thread?.terminate()));
  }

  /** Ends all threads that run groups of a slot now. One that is between two chunks goes on. */
  endThoseOn(slot: number): EndedThread[] {
    const { words } = this.control;
    const ended: EndedThread[] = [];
    for (const worker of this.workers) {
      const base = this.control.worker(worker.index);
      const holds = holding(slot);
      // From here on the thread cannot leave the chunk: it parks at its end.
      if (Atomics.compareExchange(words, base + WORKER.holds, holds, 0) !== holds) continue;
      const groups = Atomics.load(words, base + WORKER.groups);
      Atomics.sub(words, HEADER.ready, 1);
      ended.push({ slot, groups, ...this.end(worker) });
    }
    return ended;
  }

  /** The slots of threads that have made no progress for so long. */
  stuckFor(ms: number): number[] {
    const { words } = this.control;
    const now = Number(this.host.now() / 1_000_000n);
    const stuck: number[] = [];
    for (const worker of this.workers) {
      const base = this.control.worker(worker.index);
      const beat = Atomics.load(words, base + WORKER.beat);
      const slot = heldSlot(Atomics.load(words, base + WORKER.holds));
      if (slot === undefined || beat !== worker.beat || worker.since === 0) {
        worker.beat = beat;
        worker.since = now;
      } else if (now - worker.since > ms) stuck.push(slot);
    }
    return stuck;
  }

  private startThread(worker: PoolWorker): void {
    const spare = this.spares.shift();
    const start: WorkerStart = { ...this.given, index: worker.index };
    const thread = spare?.thread ?? this.host.startWorker(start);
    thread.onError((error) => {
      if (worker.thread === thread) this.died(worker, error);
    });
    for (const message of this.firstMessages()) thread.post(message);
    if (spare) {
      Atomics.store(spare.index, 0, worker.index);
      Atomics.notify(spare.index, 0);
    }
    worker.thread = thread;
    worker.hasStarted = true;
    worker.since = 0;
    if (this.isKeptAlive) this.keepAlive(true);
  }

  /** A thread has ended by itself. */
  private died(worker: PoolWorker, error: Error): void {
    const { words } = this.control;
    const base = this.control.worker(worker.index);
    const slot = Atomics.load(words, base + WORKER.slot);
    const held = heldSlot(Atomics.exchange(words, base + WORKER.holds, 0));
    const groups = held === undefined ? 0 : Atomics.load(words, base + WORKER.groups);
    this.onDeath({ slot, groups, ...this.end(worker) }, `the worker thread died: ${error.message}`);
  }

  private end(worker: PoolWorker): Pick<EndedThread, 'ended' | 'leave'> {
    const thread = worker.thread!;
    worker.thread = undefined;
    worker.isEnding = true;
    const base = this.control.worker(worker.index);
    Atomics.store(this.control.words, base + WORKER.thread, 0);
    Atomics.store(this.control.words, base + WORKER.asleep, 0);
    if (this.keeper === thread) {
      this.keeper = undefined;
      this.keepAlive(this.isKeptAlive);
    }
    // Its end is waited for.
    thread.keepAlive(true);
    const leave = (): void => {
      worker.isEnding = false;
      Atomics.store(this.control.words, this.control.worker(worker.index) + WORKER.slot, -1);
    };
    return { ended: thread.terminate(), leave };
  }
}
