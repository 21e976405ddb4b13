// SPDX-License-Identifier: MIT
// The loop of a worker thread, which takes chunks of work-groups and runs them. It does not depend on OpenCL.
import type { CheckTable } from '../../base/checks';
import type { WorkerHost } from '../../base/host';
import type { CheckedCode } from '../checks/checked-kernel';
import { isForReads, runReads } from '../reads/read-worker';
import { ChunkLog } from './chunk-log';
import { firstMeasured, isForMore, leastMeasured, mostMeasured, usualMeasured } from './chunks';
import { Control, HEADER, holding, JobFailure, SLOT, SlotState, UNCLAIMED, WORKER } from './control';
import type { KernelFunction } from './kernel-function';

/** The data that a worker starts with. */
export interface WorkerStart {
  /** Which of the workers it is; of a spare thread, a word that will say so (`UNCLAIMED` until then). */
  readonly index: number | SharedArrayBuffer;
  readonly workers: number;
  readonly control: SharedArrayBuffer;
  /** The memory for a trace's records. */
  readonly log?: SharedArrayBuffer | undefined;
}

/** A kernel's code, and the memory of its context. */
export interface KernelCode {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Of a checked kernel. */
  readonly checks?: CheckTable | undefined;
  /** Likewise: the code that answers its calls, where a worker has to load it. */
  readonly checker?: string | undefined;
}

/** Instantiates a checked kernel. */
export type InstantiateChecked = (code: CheckedCode, clock: () => bigint) => KernelFunction;

/** Posted to a worker before the first job that needs it; without `code`, the kernel is forgotten. */
export interface KernelMessage {
  readonly kernel: number;
  readonly code?: KernelCode;
}

/** How long a worker spins before it sleeps, in nanoseconds: about the time that waking it takes. */
const SPIN_NS = 50_000n;
/** How many times it looks for work between two readings of the clock. */
const SPINS = 500;

/** A kernel in this worker. */
interface LoadedKernel {
  readonly run: KernelFunction;
  /** Nanoseconds that a group took in the last chunk whose time was taken; 0 before that. */
  groupNs: number;
}

/** `clock`: the clock that kernels read. `checker` is called for checked kernels only. */
export function instantiate(
  { module, memory, checks }: KernelCode,
  clock: () => bigint,
  checker: () => InstantiateChecked,
): KernelFunction {
  if (checks) return checker()({ module, memory, checks }, clock);
  return new WebAssembly.Instance(module, { env: { memory, clock } }).exports.run as KernelFunction;
}

/** Runs the loop of a thread of the device: `data` is a WorkerStart, or a ReadStart. */
export function runWorker(host: WorkerHost, data: unknown): void {
  if (isForReads(data)) runReads(host, data);
  const start = data as WorkerStart;
  new DeviceWorker(host, start, claimedIndex(start)).loop();
}

/** The index of a worker; waits until a spare thread has one. */
function claimedIndex({ index }: WorkerStart): number {
  if (typeof index === 'number') return index;
  const word = new Int32Array(index);
  while (Atomics.load(word, 0) === UNCLAIMED) Atomics.wait(word, 0, UNCLAIMED);
  return Atomics.load(word, 0);
}

class DeviceWorker {
  private readonly control: Control;
  private readonly words: Int32Array;
  private readonly self: number;
  private readonly codes = new Map<number, KernelCode>();
  private readonly kernels = new Map<number, LoadedKernel>();
  private readonly log: ChunkLog | undefined;
  private instantiateChecked: InstantiateChecked | undefined;

  constructor(
    private readonly host: WorkerHost,
    start: WorkerStart,
    private readonly index: number,
  ) {
    this.control = new Control(start.control, start.workers);
    this.words = this.control.words;
    this.self = this.control.worker(index);
    this.log = start.log && new ChunkLog(start.log, start.workers);
  }

  loop(): never {
    const { words } = this;
    Atomics.store(words, this.self + WORKER.slot, -1);
    Atomics.store(words, this.self + WORKER.thread, this.host.nativeThread());
    Atomics.add(words, HEADER.ready, 1);
    this.signal();
    for (;;) {
      const seen = Atomics.load(words, HEADER.wake);
      if (this.work()) continue;
      // The scheduling thread is to run next on a processor that it shares.
      const isNeighbour = Atomics.load(words, HEADER.neighbour) === this.index + 1;
      if (isNeighbour || !this.spin(seen)) this.control.sleep(this.index, seen);
    }
  }

  /** Spins for a short time; returns whether there is something to do. */
  private spin(seen: number): boolean {
    const { words } = this;
    const end = this.host.now() + SPIN_NS;
    do {
      for (let i = 0; i < SPINS; i++) if (Atomics.load(words, HEADER.wake) !== seen) return true;
    } while (this.host.now() < end);
    return false;
  }

  /** Visits all jobs once; returns whether there was anything to do. */
  private work(): boolean {
    const { words, control } = this;
    let worked = false;
    const slots = Atomics.load(words, HEADER.slots);
    for (let slot = 0; slot < slots; slot++) {
      const base = control.slot(slot);
      // A plain read first: most slots have no work, and announcing itself in a slot costs more than the read.
      if (Atomics.load(words, base + SLOT.state) !== SlotState.Open || !this.mayStart(base)) continue;
      if (Atomics.load(words, base + SLOT.next) >= words[base + SLOT.groups]!) continue;
      Atomics.add(words, base + SLOT.users, 1);
      Atomics.store(words, this.self + WORKER.slot, slot);
      if (Atomics.load(words, base + SLOT.state) === SlotState.Open && this.mayStart(base)) {
        for (let first = true; this.takeChunk(slot, base, first); first = false) worked = true;
      }
      Atomics.store(words, this.self + WORKER.slot, -1);
      Atomics.sub(words, base + SLOT.users, 1);
    }
    return worked;
  }

  private mayStart(base: number): boolean {
    const place = this.index - this.words[base + SLOT.firstWorker]!;
    if (place < 0 || place >= this.words[base + SLOT.workers]!) return false;
    const after = this.words[base + SLOT.afterSlot]!;
    if (after < 0) return true;
    const other = this.control.slot(after);
    return (
      Atomics.load(this.words, other + SLOT.generation) !== this.words[base + SLOT.afterGeneration] ||
      Atomics.load(this.words, other + SLOT.state) !== SlotState.Open
    );
  }

  /** Runs some groups of a job; returns whether there were any left. `isFirst`: this is the worker's first chunk of the job. */
  private takeChunk(slot: number, base: number, isFirst: boolean): boolean {
    const { words } = this;
    const groups = words[base + SLOT.groups]!;
    const kernel = this.kernels.get(words[base + SLOT.kernel]!);
    let first = Atomics.load(words, base + SLOT.next);
    let count: number;
    for (;;) {
      if (first >= groups) return false;
      count = this.chunkSize(base, groups - first, kernel === undefined ? 0 : kernel.groupNs, isFirst);
      const found = Atomics.compareExchange(words, base + SLOT.next, first, first + count);
      if (found === first) break;
      first = found;
    }
    words[this.self + WORKER.groups] = count;
    Atomics.store(words, this.self + WORKER.holds, holding(slot));
    Atomics.add(words, this.self + WORKER.beat, 1);
    if (this.control.begin(slot, this.host) && Atomics.load(words, base + SLOT.announced) === 1)
      this.signal();
    const begun = this.log ? this.host.now() : 0n;
    try {
      this.runGroups(kernel ?? this.load(words[base + SLOT.kernel]!), base, first, count);
    } catch (error) {
      const { kind, text } = failureOf(error);
      this.control.fail(slot, kind, text);
    }
    if (this.log) this.log.note(this.index, begun, this.host.now(), words[base + SLOT.kernel]!, first, count);
    // The scheduling thread has taken over the chunk, and will terminate this thread.
    if (Atomics.exchange(words, this.self + WORKER.holds, 0) === 0) this.park();
    const isLast = this.control.finishGroups(slot, count, this.host);
    if (
      isLast &&
      (Atomics.load(words, base + SLOT.quiet) === 0 || words[base + SLOT.failed] !== JobFailure.None)
    )
      this.signal();
    return true;
  }

  /** Runs groups of a job by their numbers. It has no helper functions, because V8 interprets this thread's code for many launches. */
  private runGroups(kernel: LoadedKernel, base: number, first: number, count: number): void {
    const { words } = this;
    let x = (words[base + SLOT.firstGroup]! >>> 0) + first;
    let y = words[base + SLOT.firstGroup + 1]! >>> 0;
    let z = words[base + SLOT.firstGroup + 2]! >>> 0;
    const width = words[base + SLOT.groupCounts]! >>> 0;
    if (x >= width) {
      const height = words[base + SLOT.groupCounts + 1]! >>> 0;
      y += Math.floor(x / width);
      x %= width;
      z += Math.floor(y / height);
      y %= height;
    }
    const dispatch = words[base + SLOT.dispatch]! >>> 0;
    const local = (words[base + SLOT.arena]! >>> 0) + this.index * (words[base + SLOT.arenaStride]! >>> 0);
    const scratch = local + (words[base + SLOT.scratch]! >>> 0);
    // The last chunk is not measured: it may be shorter than the others.
    if (words[base + SLOT.measured] === 0 || first + count === words[base + SLOT.groups]) {
      kernel.run(dispatch, x, y, z, count, local, scratch);
      return;
    }
    const begun = this.host.now();
    kernel.run(dispatch, x, y, z, count, local, scratch);
    kernel.groupNs = Math.max(1, Number(this.host.now() - begun)) / count;
    const least = words[base + SLOT.leastChunk]!;
    const left = words[base + SLOT.groups]! - Atomics.load(words, base + SLOT.next);
    if (isForMore(words[base + SLOT.groups]!, words[base + SLOT.workers]!, least, left, kernel.groupNs))
      this.control.wake();
  }

  private park(): never {
    for (;;) Atomics.wait(this.words, HEADER.wake, Atomics.load(this.words, HEADER.wake));
  }

  /**
   * Large chunks first, so that few are needed; small ones last, so that all workers end together. While the estimate of a
   * group's time is a guess, the kernel's last measured chunk corrects it.
   */
  private chunkSize(base: number, left: number, groupNs: number, isFirst: boolean): number {
    const { words } = this;
    const workers = words[base + SLOT.workers]!;
    const share = Math.ceil(left / (2 * workers));
    const least = words[base + SLOT.leastChunk]!;
    const most = words[base + SLOT.mostChunk]!;
    const estimated = Math.min(left, Math.max(least, Math.min(most, share)));
    if (words[base + SLOT.measured] === 0) return estimated;
    if (isFirst) return Math.min(estimated, firstMeasured(groupNs));
    const groups = words[base + SLOT.groups]!;
    const usual = Math.max(most, usualMeasured(groups, workers, groupNs));
    const shortest = leastMeasured(groups, workers, groupNs, least);
    return Math.min(left, Math.max(shortest, Math.min(usual, share)), mostMeasured(groupNs));
  }

  /** Receives messages, and instantiates a kernel that has not run here before. */
  private load(kernel: number): LoadedKernel {
    for (let message = this.host.receive(); message !== undefined; message = this.host.receive()) {
      const { kernel: id, code } = message as KernelMessage;
      if (code) {
        this.codes.set(id, code);
      } else {
        this.codes.delete(id);
        this.kernels.delete(id);
      }
    }
    const code = this.codes.get(kernel);
    if (!code) throw new Error(`kernel ${kernel} was never posted`);
    this.codes.delete(kernel);
    const run = instantiate(
      code,
      () => this.host.now(),
      () => this.checker(code.checker!),
    );
    const loaded = { run, groupNs: 0 };
    this.kernels.set(kernel, loaded);
    return loaded;
  }

  /** Most threads never run a checked kernel, so their code does without this. */
  private checker(source: string): InstantiateChecked {
    this.instantiateChecked ??= this.host.load(source).instantiateChecked as InstantiateChecked;
    return this.instantiateChecked;
  }

  /** Notifies the scheduling thread, whether it sleeps or is in its event loop. */
  private signal(): void {
    Atomics.add(this.words, HEADER.done, 1);
    Atomics.notify(this.words, HEADER.done);
  }
}

/** V8's text for the only instruction that traps on purpose. */
const OWN_TRAP = '__builtin_trap(), or code that its compiler took for unreachable';

/** Classifies an error of a kernel call. A trap or a stack overflow is the kernel's; everything else is a bug of ours. */
export function failureOf(error: unknown): { readonly kind: JobFailure; readonly text: string } {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
    return { kind: JobFailure.OfKernel, text: `trapped: ${text === 'unreachable' ? OWN_TRAP : text}` };
  return { kind: JobFailure.OfDevice, text };
}
