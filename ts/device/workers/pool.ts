// SPDX-License-Identifier: MIT
import type { CheckTable } from '../../base/checks';
import type { Host } from '../../base/host';
import { MOST_ITEMS } from '../../base/kernel-abi';
import { finish } from '../../base/steps';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { StopCode, type StopReason } from '../../cl/stop-codes';
import type { DeviceMemory } from '../memory/memory';
import { type Arena, Arenas } from './arenas';
import { chunkLimits } from './chunks';
import { Control, HEADER, JobFailure, SLOT, SlotState } from './control';
import {
  align64,
  codeOf,
  Failure,
  type Job,
  type LoadedKernel,
  type Outcome,
  type Ticket,
  trapText,
} from './job';
import { JobStops, type Stoppable } from './job-stops';
import { OwnPart } from './own-part';
import { Placement } from './placement';
import { PoolTrace } from './pool-trace';
import { QuietJobs } from './quiet-jobs';
import { runHere } from './run-here';
import { openSlot } from './slot';
import { Slots } from './slots';
import { type EndedThread, WorkerThreads } from './threads';
import { Watchdog } from './watchdog';
import type { KernelCode } from './worker';

interface Active extends Stoppable {
  readonly job: Job;
  readonly arena: Arena;
  readonly onDone: (outcome: Outcome) => void;
  /** Called once when its first group has started. */
  onStart: (() => void) | undefined;
}

/** The scheduling thread runs shorter work itself: waking workers takes longer. */
const INLINE_NS = 20_000;
/** The same for a job that the caller probably awaits: the notification of the workers' completion takes even longer. */
const INLINE_ALONE_NS = 150_000;
const MOST_THREADS = 256;

/** The number of worker threads, whether or not they have started. */
export const workerCount = ({ settings, cores }: Host): number =>
  Math.min(settings.threads || cores, MOST_THREADS);

/** The worker threads and their jobs. Everything here runs on the scheduling thread. */
export class WorkerPool {
  /** The number of threads; 0 if the host has none: then every job runs on the scheduling thread. */
  readonly size: number;
  private readonly control: Control;
  private readonly words: Int32Array;
  readonly threads: WorkerThreads;
  /** The kernels that were posted to the workers. */
  private readonly posted = new Set<LoadedKernel>();
  private nextKernel = 1;
  /** Jobs in flight, in the order of submission. */
  private active: Active[] = [];
  private readonly slots: Slots;
  private readonly stops: JobStops;
  private readonly quietJobs: QuietJobs;
  private readonly ownPart: OwnPart;
  private readonly placement: Placement;
  readonly arenas: Arenas;
  private readonly watchdog: Watchdog;
  private readonly trace: PoolTrace | undefined;
  /** Whether this synchronous stretch of the program has already submitted a job, so that it does not await each one. */
  private oneOfMany = false;
  /** Called after jobs were completed outside of a call from the scheduler. */
  onProgress: () => void = () => {};
  /** The listener of `started`. */
  private onStarted: (() => void) | undefined;
  /** Whether a call of `heard` is pending. */
  private listening = false;

  constructor(private readonly host: Host) {
    this.size = host.hasThreads ? workerCount(host) : 0;
    // The scheduling thread has a part of each arena, too.
    this.arenas = new Arenas(this.size + 1);
    this.control = Control.create(this.size);
    this.words = this.control.words;
    this.slots = new Slots(this.control);
    this.quietJobs = new QuietJobs(this.control);
    this.trace = host.trace && new PoolTrace(host.trace, this.size);
    this.placement = new Placement(host, this.control);
    this.ownPart = new OwnPart(host, this.control, this.trace, () => this.progress());
    const messages = () =>
      [...this.posted].map((kernel) => ({ kernel: kernel.id, code: this.codeForWorkers(kernel) }));
    const onDeath = (thread: EndedThread, text: string): void => {
      this.onStarted?.();
      const job = this.jobOn(thread.slot);
      if (job) this.stops.stop(job, { status: Failure.OutOfResources, text });
      this.stops.await(thread, false);
    };
    const start = { workers: this.size, control: this.control.buffer, log: this.trace?.log.buffer };
    this.threads = new WorkerThreads(host, this.control, start, messages, onDeath);
    const pool = this;
    this.stops = new JobStops({
      host,
      control: this.control,
      threads: this.threads,
      get jobs() {
        return pool.active;
      },
      progress: () => this.progress(),
    });
    this.watchdog = new Watchdog(host, {
      get isIdle() {
        return pool.idle;
      },
      stuckFor: (ms) => this.threads.stuckFor(ms),
      stop: (slot, text) => {
        const job = this.jobOn(slot);
        if (job) this.stops.stop(job, { status: StopCode.COMMAND_TIMED_OUT, text });
      },
      progress: () => this.progress(),
    });
  }

  /** Starts the first threads at once; resolves when they run, or one of them has died. */
  start(): Promise<void> {
    finish(this.threads.startSteps());
    return this.started();
  }

  /** Resolves when all threads run that were started, or one of them has died. */
  async started(): Promise<void> {
    const { threads } = this;
    // Before the question, so that a thread that starts after it is heard.
    const heard = Atomics.load(this.words, HEADER.done);
    if (this.running >= threads.count || threads.isMissingOne) return;
    threads.keepAlive(true);
    await new Promise<void>((resolve) => {
      this.onStarted = resolve;
      this.listen(heard);
    });
    this.onStarted = undefined;
    if (this.active.length === 0) threads.keepAlive(false);
  }

  /** The number of threads that have reached their loop. */
  get running(): number {
    return this.threads.running;
  }

  /** Ends the threads. Jobs in flight never complete. */
  async shutdown(): Promise<void> {
    this.watchdog.end();
    this.stops.shutdown();
    this.onStarted?.();
    await this.threads.shutdown();
  }

  load(name: string, module: WebAssembly.Module, memory: DeviceMemory, checks?: CheckTable): LoadedKernel {
    const kernel = { id: this.nextKernel++, name, module, memory, checks, run: undefined, posted: false };
    this.trace?.knows(kernel);
    return kernel;
  }

  unload(kernel: LoadedKernel): void {
    if (this.posted.delete(kernel)) this.threads.post({ kernel: kernel.id });
  }

  get idle(): boolean {
    return this.active.length === 0;
  }

  /** Whether `submit` has room. */
  get hasRoom(): boolean {
    return this.slots.find() >= 0;
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

  /** Out-of-bounds writes of other kernels of the context might make the job's groups much larger: then it could be a long one. */
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

  private codeForWorkers(kernel: LoadedKernel): KernelCode {
    const code = codeOf(kernel);
    return code.checks ? { ...code, checker: this.host.checkerSource() } : code;
  }

  /**
   * Submits a job to the workers, to be started when `after` is done. Throws OutOfDeviceMemory if there is no memory for their
   * stacks.
   */
  submit(job: Job, after: Ticket | undefined, onDone: (outcome: Outcome) => void): Ticket {
    this.threads.start(this.size);
    if (job.workers.first >= this.threads.count)
      throw new OpenCLError(
        ErrorCode.OUT_OF_RESOURCES,
        'clEnqueueNDRangeKernel',
        'the system refuses the threads of this sub-device',
      );
    const { kernel } = job;
    const heard = Atomics.load(this.words, HEADER.done);
    if (!kernel.posted) {
      kernel.posted = true;
      this.posted.add(kernel);
      this.threads.post({ kernel: kernel.id, code: this.codeForWorkers(kernel) });
    }
    const slot = this.slots.find();
    const arena = this.arenas.of(job);
    const { words } = this;
    const base = this.control.slot(slot);
    arena.jobs++;
    if (after) Atomics.add(words, HEADER.followers, 1);
    const limits = chunkLimits(job.groups.count, job, job.workers.count);
    // The number of slots that workers visit; it shrinks when no slot is open.
    const slots = this.active.length === 0 ? 0 : Atomics.load(words, HEADER.slots);
    Atomics.store(words, HEADER.slots, Math.max(slots, slot + 1));
    const generation = openSlot(words, base, job, after, arena, limits);
    const useful = Math.min(job.workers.count, Math.ceil(job.groups.count / limits.least));
    this.placement.onJob(useful === this.size);
    // The job in which this thread does not take part after all needs one more.
    const isMissing = this.ownPart.cancel();
    const takesPart = this.idle && this.ownPart.suits(job);
    if (isMissing) this.control.wake();
    else if (takesPart) this.control.wake(useful - 1, job.workers, this.placement.neighbour());
    else this.wakeFor(job, useful);
    this.slots.take(slot);
    const active = {
      slot,
      job,
      arena,
      after,
      onDone,
      onStart: undefined,
      stop: undefined,
      isEmpty: false,
    };
    this.active.push(active);
    if (takesPart) this.ownPart.plan(active);
    if (this.active.length === 1) this.threads.keepAlive(true);
    this.listen(heard);
    this.watchdog.start();
    return { slot, generation };
  }

  /**
   * Wakes workers for a job in which this thread takes no part. The one that shares its processor comes last: it may run at once, before this
   * thread has woken the others.
   */
  private wakeFor({ workers }: Job, useful: number): void {
    const neighbour = this.placement.neighbour();
    const left = this.control.wake(useful, workers, neighbour);
    const isOwn = neighbour >= workers.first && neighbour < workers.first + workers.count;
    if (left > 0 && isOwn) this.control.wakeWorker(neighbour);
  }

  /** Whether a job's first group has started. */
  hasStarted(slot: number): boolean {
    return Atomics.load(this.words, this.control.slot(slot) + SLOT.started) === 1;
  }

  /** As `QuietJobs.add`. */
  quiet(ticket: Ticket, follower: Job): boolean {
    return this.trace === undefined && this.quietJobs.add(ticket, follower);
  }

  /** Hears of a quiet job's end. */
  listenFor(ticket: Ticket): void {
    this.quietJobs.remove(ticket);
  }

  /**
   * Completes what is done if that is half of the jobs; otherwise this thread hears when it is. Returns whether there may be room for
   * another job now.
   */
  makeRoom(): boolean {
    const middle = this.active[this.active.length >> 1];
    if (!middle) return false;
    if (this.quietJobs.isDone(middle)) return this.pump();
    this.quietJobs.remove(middle);
    return false;
  }

  /** Calls back once when a job's first group has started; not if the job is done before that is noticed. */
  onStart(ticket: Ticket, callback: () => void): void {
    const active = this.jobOn(ticket.slot);
    if (!active) return;
    active.onStart = callback;
    Atomics.store(this.words, this.control.slot(ticket.slot) + SLOT.announced, 1);
    this.announce();
  }

  private announce(): void {
    for (const active of this.active) {
      const { onStart } = active;
      if (!onStart || !this.hasStarted(active.slot)) continue;
      active.onStart = undefined;
      onStart();
    }
  }

  /** Completes the jobs that are done, in the order of submission; returns whether there were any. */
  pump(): boolean {
    this.announce();
    this.stops.finishEmpty();
    const { active } = this;
    // In reverse order, so that the second of two consecutive jobs is never seen as done without the first.
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
    if (this.active.length === 0) this.threads.keepAlive(false);
    for (let i = 0; i < active.length; i++) if (finished[i]) this.retire(active[i]!);
    if (this.active.length === 0) this.placement.onPause();
    return true;
  }

  /** Blocks this thread until there is something to do, at most for the milliseconds that the function returns. */
  pumpSync(mostMs: () => number): void {
    const { words } = this;
    this.ownPart.take();
    const seen = Atomics.load(words, HEADER.done);
    if (this.pump() || this.active.length === 0) return;
    Atomics.wait(words, HEADER.done, seen, Math.min(this.stops.pauseMs, mostMs()));
    this.watchdog.check();
    this.stops.poll();
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
    if (this.running >= this.threads.count) this.onStarted?.();
    this.progress();
    if (this.active.length > 0 || this.onStarted) this.listen(done);
  };

  private retire({ slot, job, arena, after, onDone, stop }: Active): void {
    if (after) Atomics.sub(this.words, HEADER.followers, 1);
    const base = this.control.slot(slot);
    const time = (base + SLOT.start) >> 1;
    const failed: JobFailure = this.words[base + SLOT.failed]!;
    const outcome: Outcome = {
      failure: failed === JobFailure.None ? undefined : trapText(job.kernel, this.control.readText(slot)),
      isInternalError: failed === JobFailure.OfDevice,
      stopped: stop?.reason,
      start: job.timed ? this.control.times[time]! : 0n,
      end: job.timed ? this.control.times[time + 1]! : 0n,
    };
    this.slots.free(slot);
    Atomics.store(this.words, base + SLOT.state, SlotState.Free);
    this.arenas.release(arena, job.kernel.memory);
    onDone(outcome);
  }

  /** Ends a job. Returns whether it has not started, and never will. */
  stop(ticket: Ticket, reason: StopReason): boolean {
    const active = this.jobOn(ticket.slot);
    if (!active || active.stop) return false;
    // It may have to be completed when the job before it is done.
    for (const each of this.active) this.quietJobs.remove(each);
    this.stops.stop(active, reason);
    return active.isEmpty;
  }

  private jobOn(slot: number): Active | undefined {
    return this.active.find((active) => active.slot === slot);
  }

  private progress(): void {
    if (this.pump()) this.onProgress();
  }
}
