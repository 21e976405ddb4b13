// SPDX-License-Identifier: MIT
import type { CheckTable } from '../base/checks';
import type { Host, HostWorker } from '../base/host';
import { MOST_ITEMS } from '../base/kernel-abi';
import { type Arena, Arenas } from './arenas';
import { chunkLimits } from './chunks';
import { Control, HEADER, JobFailure, SLOT, SLOTS, SlotState, WORKER } from './control';
import { align64, codeOf, type Job, type LoadedKernel, type Outcome, type Ticket, trapText } from './job';
import type { DeviceMemory } from './memory';
import { PoolTrace } from './pool-trace';
import { runHere } from './run-here';
import { openSlot } from './slot';
import type { KernelMessage, WorkerStart } from './worker';

interface Active {
  readonly slot: number;
  readonly job: Job;
  readonly arena: Arena;
  readonly follows: boolean;
  readonly onDone: (outcome: Outcome) => void;
  terminated: boolean;
}

interface PoolWorker {
  readonly index: number;
  thread: HostWorker;
  /** The progress that the watchdog saw last, and when. */
  beat: number;
  since: number;
}

/** The scheduling thread runs shorter work itself: waking workers takes longer. */
const INLINE_NS = 20_000;
/** The same for a job that the caller probably awaits: the notification of the workers' completion takes even longer. */
const INLINE_ALONE_NS = 150_000;
/** How long workers of a terminated context may continue with their current chunks. */
const TERMINATION_MS = 20;
const DEFAULT_TIMEOUT_MS = 60_000;
const MOST_THREADS = 256;
/** Threads that `start` waits for; creating one takes the calling thread 5 ms. */
const FIRST_THREADS = 4;

/** How many worker threads there are, or would be. */
export const workerCount = ({ settings, cores }: Host): number =>
  Math.min(settings.threads || cores, MOST_THREADS);

/** The worker threads and their jobs. Everything here runs on the scheduling thread. */
export class WorkerPool {
  /** Threads. 0 where the host has none: then every job runs on the scheduling thread. */
  readonly size: number;
  private readonly control: Control;
  private readonly words: Int32Array;
  private workers: PoolWorker[] = [];
  /** Kernels that the workers have. */
  private readonly posted = new Set<LoadedKernel>();
  private nextKernel = 1;
  /** Jobs in flight, in the order of submission, and which slots they take. */
  private active: Active[] = [];
  private readonly taken: boolean[] = new Array(SLOTS).fill(false);
  /** Slots whose worker is being terminated. */
  private readonly quarantine = new Set<number>();
  readonly arenas: Arenas;
  private readonly timeoutMs: number;
  private readonly trace: PoolTrace | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether this synchronous stretch of the program has already submitted a job, so that it does not await each one. */
  private oneOfMany = false;
  /** Called after jobs were completed outside of a call from the scheduler. */
  onProgress: () => void = () => {};
  /** The listener of `start`. */
  private onStarted: (() => void) | undefined;
  /** Whether a call of `heard` is pending. */
  private listening = false;

  constructor(private readonly host: Host) {
    this.size = host.hasThreads ? workerCount(host) : 0;
    const { timeout = DEFAULT_TIMEOUT_MS } = host.settings;
    this.timeoutMs = timeout > 0 ? timeout : Number.POSITIVE_INFINITY;
    // The scheduling thread has a part of each arena, too.
    this.arenas = new Arenas(this.size + 1);
    this.control = Control.create(this.size);
    this.words = this.control.words;
    this.trace = host.trace && new PoolTrace(host.trace, this.size);
  }

  /**
   * Starts threads before they are needed, no more at a time than there are other cores: starting takes a thread as long as
   * compiling a kernel takes this one. To be called from time to time; does not wait for them.
   */
  prepare(): void {
    const starting = this.workers.length - this.running;
    this.startThreads(this.workers.length + Math.max(1, this.host.cores - 1) - starting);
  }

  /** Starts the first threads at once; resolves when they run, or one of them has died. */
  async start(): Promise<void> {
    this.startThreads(FIRST_THREADS);
    if (this.running >= this.workers.length) return;
    this.workers[0]!.thread.keepAlive(true);
    await new Promise<void>((resolve) => {
      this.onStarted = resolve;
      this.listen(Atomics.load(this.words, HEADER.done));
    });
    this.onStarted = undefined;
    if (this.active.length === 0) this.workers[0]?.thread.keepAlive(false);
  }

  /** The number of threads that have reached their loop. */
  get running(): number {
    return Atomics.load(this.words, HEADER.ready);
  }

  private startThreads(count: number): void {
    for (let index = this.workers.length; index < Math.min(count, this.size); index++) {
      this.workers.push({ index, thread: this.startThread(index), beat: 0, since: 0 });
    }
  }

  /** Ends the threads. Jobs in flight are never done. */
  async shutdown(): Promise<void> {
    clearTimeout(this.timer);
    const { workers } = this;
    this.workers = [];
    this.onStarted?.();
    await Promise.all(workers.map((worker) => worker.thread.terminate()));
  }

  load(name: string, module: WebAssembly.Module, memory: DeviceMemory, checks?: CheckTable): LoadedKernel {
    const kernel = { id: this.nextKernel++, name, module, memory, checks, run: undefined, posted: false };
    this.trace?.knows(kernel);
    return kernel;
  }

  unload(kernel: LoadedKernel): void {
    if (this.posted.delete(kernel)) this.post({ kernel: kernel.id });
  }

  get idle(): boolean {
    return this.active.length === 0;
  }

  /** Whether `submit` has room. */
  get hasRoom(): boolean {
    return this.findSlot() >= 0;
  }

  /** Why a job can never run in a memory, if its groups need more than the memory can have. */
  refusal({ capacity }: DeviceMemory, localBytes: number, scratchBytes: number): string | undefined {
    const need = align64(localBytes) + align64(scratchBytes);
    const all = need * (this.size + 1);
    if (all <= capacity) return undefined;
    return `a work-group needs ${need} bytes of private and local memory, and ${this.size + 1} threads have that much each: ${all} bytes; the device's memory has ${capacity}`;
  }

  /** Whether it is better to run this job with `runInline`, now. */
  prefersInline(job: Job): boolean {
    if (this.size === 0) return true;
    const { count } = job.groups;
    if (!job.bounded || count * job.groupItems > MOST_ITEMS || this.isBusy(job.kernel.memory)) return false;
    const cost = count * job.groupCost;
    if (cost < INLINE_NS || (cost < 100 * INLINE_NS && this.running === 0)) return true;
    return cost < INLINE_ALONE_NS && !this.oneOfMany && this.idle;
  }

  /** A kernel that writes out of bounds may make others of its context endless, which must not happen on the calling thread. */
  private isBusy(memory: DeviceMemory): boolean {
    for (const { job } of this.active) if (job.kernel.memory === memory) return true;
    return false;
  }

  /** Runs a job on this thread. */
  runInline(job: Job): Outcome {
    if (!this.oneOfMany) {
      this.oneOfMany = true;
      queueMicrotask(() => {
        this.oneOfMany = false;
      });
    }
    const outcome = runHere(this.host, job, this.arenas.of(job), this.size);
    this.trace?.ranHere(job, outcome);
    return outcome;
  }

  /**
   * Submits a job to the workers, to be started when `after` is done. Throws OutOfDeviceMemory if there is no memory for their
   * stacks.
   */
  submit(job: Job, after: Ticket | undefined, onDone: (outcome: Outcome) => void): Ticket {
    this.startThreads(this.size);
    const { kernel } = job;
    const heard = Atomics.load(this.words, HEADER.done);
    if (!kernel.posted) {
      kernel.posted = true;
      this.posted.add(kernel);
      this.post({ kernel: kernel.id, code: codeOf(kernel) });
    }
    const slot = this.findSlot();
    const arena = this.arenas.of(job);
    const { words } = this;
    const base = this.control.slot(slot);
    arena.jobs++;
    if (after) Atomics.add(words, HEADER.followers, 1);
    const { measured, least, most } = chunkLimits(job.groups.count, job, job.workers.count);
    // Slots are taken from the first one on, so few have to be visited. The number shrinks when no slot is open.
    const slots = this.active.length === 0 ? 0 : Atomics.load(words, HEADER.slots);
    Atomics.store(words, HEADER.slots, Math.max(slots, slot + 1));
    const generation = openSlot(words, base, { job, after, arena, measured, least, most });
    // A notification may wake sleepers that may not take groups of this job.
    this.control.wake(job.workers.count < this.size ? this.size : Math.ceil(job.groups.count / least));
    this.taken[slot] = true;
    this.active.push({ slot, job, arena, follows: after !== undefined, onDone, terminated: false });
    if (this.active.length === 1) this.workers[0]!.thread.keepAlive(true);
    this.listen(heard);
    this.watch();
    return { slot, generation };
  }

  /** Completes the jobs that are done, in the order of submission; returns whether there were any. */
  pump(): boolean {
    const { active } = this;
    // Checked backwards, so that of two consecutive jobs the second is never seen as done without the first.
    let done = 0;
    const finished: boolean[] = [];
    for (let i = active.length - 1; i >= 0; i--) {
      const base = this.control.slot(active[i]!.slot);
      finished[i] = Atomics.load(this.words, base + SLOT.state) === SlotState.Done;
      if (finished[i]) done++;
    }
    if (done === 0) return false;
    this.trace?.tell();
    this.active = active.filter((_, i) => !finished[i]);
    if (this.active.length === 0) this.workers[0]?.thread.keepAlive(false);
    for (let i = 0; i < active.length; i++) if (finished[i]) this.retire(active[i]!);
    return true;
  }

  /** Blocks this thread until a job is done, and ends it. */
  pumpSync(): void {
    const { words } = this;
    for (;;) {
      const seen = Atomics.load(words, HEADER.done);
      if (this.pump() || this.active.length === 0) return;
      Atomics.wait(words, HEADER.done, seen, 500);
      this.checkBeats();
    }
  }

  /** Calls `heard` once `HEADER.done` has changed: cheaper on both sides than a message from the worker. */
  private listen(done: number): void {
    if (this.listening) return;
    this.listening = true;
    const waiting = Atomics.waitAsync(this.words, HEADER.done, done);
    (waiting.async ? waiting.value : Promise.resolve()).then(this.heard);
  }

  private readonly heard = (): void => {
    this.listening = false;
    const done = Atomics.load(this.words, HEADER.done);
    if (this.running >= this.workers.length) this.onStarted?.();
    if (this.pump()) this.onProgress();
    if (this.active.length > 0 || this.onStarted) this.listen(done);
  };

  private retire({ slot, job, arena, follows, onDone, terminated }: Active): void {
    if (follows) Atomics.sub(this.words, HEADER.followers, 1);
    const base = this.control.slot(slot);
    const time = (base + SLOT.start) >> 1;
    const failed: JobFailure = this.words[base + SLOT.failed]!;
    const outcome: Outcome = {
      failure: failed === JobFailure.None ? undefined : trapText(job.kernel, this.control.readText(slot)),
      isFault: failed === JobFailure.OfDevice,
      terminated,
      start: job.timed ? this.control.times[time]! : 0n,
      end: job.timed ? this.control.times[time + 1]! : 0n,
    };
    this.taken[slot] = false;
    Atomics.store(this.words, base + SLOT.state, SlotState.Free);
    this.arenas.release(arena, job.kernel.memory);
    onDone(outcome);
  }

  /**
   * Ends all jobs of a memory. Workers that are running one may finish their current chunk for a moment; then their threads
   * are terminated and replaced.
   */
  terminate(memory: DeviceMemory): void {
    const why = 'was ended with its context';
    const slots = new Set<number>();
    for (const active of this.active) {
      if (active.job.kernel.memory !== memory) continue;
      active.terminated = true;
      slots.add(active.slot);
      const base = this.control.slot(active.slot);
      if (Atomics.exchange(this.words, base + SLOT.failed, JobFailure.OfKernel) === JobFailure.None)
        this.control.writeText(active.slot, why);
      if (this.control.stop(active.slot)) Atomics.store(this.words, base + SLOT.state, SlotState.Done);
    }
    if (slots.size === 0) return;
    this.control.wake();
    if (this.pump()) this.onProgress();
    setTimeout(() => {
      const ended = this.active.filter(({ slot, terminated }) => terminated && slots.has(slot));
      const stuck = new Set(ended.map(({ slot }) => slot));
      for (const { index } of this.workers)
        if (stuck.has(Atomics.load(this.words, this.control.worker(index) + WORKER.slot)))
          this.replace(index, why);
      if (this.pump()) this.onProgress();
    }, TERMINATION_MS);
  }

  private findSlot(): number {
    for (let slot = 0; slot < SLOTS; slot++) {
      if (this.taken[slot] || this.quarantine.has(slot)) continue;
      if (Atomics.load(this.words, this.control.slot(slot) + SLOT.users) === 0) return slot;
    }
    return -1;
  }

  private post(message: KernelMessage): void {
    for (const worker of this.workers) worker.thread.post(message);
  }

  private startThread(index: number): HostWorker {
    const start: WorkerStart = {
      index,
      workers: this.size,
      control: this.control.buffer,
      log: this.trace?.log.buffer,
    };
    const thread = this.host.startWorker(start);
    thread.onError((error) => {
      this.onStarted?.();
      this.replace(index, `the worker thread died: ${error.message}`);
    });
    for (const kernel of this.posted) thread.post({ kernel: kernel.id, code: codeOf(kernel) });
    return thread;
  }

  /** Checks from time to time whether the workers make progress, as long as there are jobs. */
  private watch(): void {
    if (this.timer !== undefined || this.timeoutMs === Number.POSITIVE_INFINITY) return;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        if (this.active.length === 0) return;
        this.checkBeats();
        if (this.pump()) this.onProgress();
        if (this.active.length > 0) this.watch();
      },
      Math.min(1000, this.timeoutMs / 2),
    );
    (this.timer as { unref?(): void }).unref?.();
  }

  private checkBeats(): void {
    const now = Number(this.host.now() / 1_000_000n);
    for (const worker of this.workers) {
      const base = this.control.worker(worker.index);
      const beat = Atomics.load(this.words, base + WORKER.beat);
      const busy = Atomics.load(this.words, base + WORKER.slot) >= 0;
      if (!busy || beat !== worker.beat || worker.since === 0) {
        worker.beat = beat;
        worker.since = now;
      } else if (now - worker.since > this.timeoutMs && Atomics.load(this.words, base + WORKER.groups) > 0) {
        this.replace(
          worker.index,
          `made no progress for ${this.timeoutMs} ms (ANYCL_TIMEOUT sets this limit, 0 lifts it)`,
        );
      }
    }
  }

  /** Terminates a thread that is stuck or dead, fails its job, and starts another thread in its place. */
  private replace(index: number, why: string): void {
    const worker = this.workers[index];
    if (!worker) return;
    const base = this.control.worker(index);
    const slot = Atomics.load(this.words, base + WORKER.slot);
    const groups = Atomics.exchange(this.words, base + WORKER.groups, 0);
    const ended = worker.thread.terminate();
    worker.thread.keepAlive(false);
    if (slot >= 0) {
      const job = this.control.slot(slot);
      // The thread may write until it has really ended, so the slot must not be reused before.
      this.quarantine.add(slot);
      ended.then(() => {
        this.quarantine.delete(slot);
        Atomics.sub(this.words, job + SLOT.users, 1);
      });
      if (Atomics.exchange(this.words, job + SLOT.failed, JobFailure.OfKernel) === JobFailure.None)
        this.control.writeText(slot, why);
      this.control.stop(slot);
      if (groups > 0 && this.control.finishGroups(slot, groups)) {
        Atomics.store(this.words, job + SLOT.state, SlotState.Done);
        this.control.wake();
      }
    }
    Atomics.store(this.words, base + WORKER.slot, -1);
    worker.since = 0;
    worker.thread = this.startThread(index);
    if (this.active.length > 0) this.workers[0]!.thread.keepAlive(true);
  }
}
