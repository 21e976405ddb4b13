// SPDX-License-Identifier: MIT
// The loop of a worker thread. It knows nothing of OpenCL: it takes chunks of work-groups and runs them.
import type { WorkerHost } from '../base/host';
import { mostMeasured } from './chunks';
import { Control, HEADER, SLOT, SLOTS, SlotState, WORKER } from './control';
import { groupAfter, type Triple } from './groups';

export type KernelFunction = (
  dispatch: number,
  x: number,
  y: number,
  z: number,
  groupCount: number,
  local: number,
  scratch: number,
) => void;

/** What a worker is started with. */
export interface WorkerStart {
  readonly index: number;
  readonly workers: number;
  readonly control: SharedArrayBuffer;
}

/** A kernel's code, and the memory of its context. */
export interface KernelCode {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
}

/** Posted to a worker before the first job that needs it; without `code`, the kernel is forgotten. */
export interface KernelMessage {
  readonly kernel: number;
  readonly code?: KernelCode;
}

/** How long a worker looks for new work before it sleeps, in nanoseconds: waking it again takes about as long. */
const SPIN_NS = 50_000n;
/** How often it looks between two glances at the clock. */
const SPINS = 500;

export function instantiate({ module, memory }: KernelCode): KernelFunction {
  return new WebAssembly.Instance(module, { env: { memory } }).exports.run as KernelFunction;
}

export function runWorker(host: WorkerHost, data: unknown): void {
  new DeviceWorker(host, data as WorkerStart).loop();
}

class DeviceWorker {
  private readonly control: Control;
  private readonly words: Int32Array;
  private readonly self: number;
  private readonly codes = new Map<number, KernelCode>();
  private readonly functions = new Map<number, KernelFunction>();
  /** Nanoseconds that a group of the present job took in the last chunk; 0 before that. */
  private groupNs = 0;

  constructor(
    private readonly host: WorkerHost,
    private readonly start: WorkerStart,
  ) {
    this.control = new Control(start.control, start.workers);
    this.words = this.control.words;
    this.self = this.control.worker(start.index);
  }

  loop(): never {
    const { words } = this;
    Atomics.store(words, this.self + WORKER.slot, -1);
    Atomics.add(words, HEADER.ready, 1);
    this.signal();
    for (;;) {
      const seen = Atomics.load(words, HEADER.wake);
      if (this.work()) continue;
      if (this.spin(seen)) continue;
      Atomics.add(words, HEADER.sleeping, 1);
      Atomics.wait(words, HEADER.wake, seen);
      Atomics.sub(words, HEADER.sleeping, 1);
    }
  }

  /** Waits actively for a short time; whether there is something to do. */
  private spin(seen: number): boolean {
    const { words } = this;
    const end = this.host.now() + SPIN_NS;
    do {
      for (let i = 0; i < SPINS; i++) if (Atomics.load(words, HEADER.wake) !== seen) return true;
    } while (this.host.now() < end);
    return false;
  }

  /** Looks through all jobs once; whether there was anything to do. */
  private work(): boolean {
    const { words, control } = this;
    let worked = false;
    for (let slot = 0; slot < SLOTS; slot++) {
      const base = control.slot(slot);
      // Looked at from outside first: most slots have nothing to do, and announcing oneself costs more than reading.
      if (Atomics.load(words, base + SLOT.state) !== SlotState.Open || !this.mayStart(base)) continue;
      if (Atomics.load(words, base + SLOT.next) >= words[base + SLOT.groups]!) continue;
      Atomics.add(words, base + SLOT.users, 1);
      Atomics.store(words, this.self + WORKER.slot, slot);
      if (Atomics.load(words, base + SLOT.state) === SlotState.Open && this.mayStart(base)) {
        this.groupNs = 0;
        while (this.takeChunk(slot, base)) worked = true;
      }
      Atomics.store(words, this.self + WORKER.slot, -1);
      Atomics.sub(words, base + SLOT.users, 1);
    }
    return worked;
  }

  private mayStart(base: number): boolean {
    const after = this.words[base + SLOT.afterSlot]!;
    if (after < 0) return true;
    const other = this.control.slot(after);
    return (
      Atomics.load(this.words, other + SLOT.generation) !== this.words[base + SLOT.afterGeneration] ||
      Atomics.load(this.words, other + SLOT.state) !== SlotState.Open
    );
  }

  /** Runs some groups of a job; whether there were any left. */
  private takeChunk(slot: number, base: number): boolean {
    const { words } = this;
    const groups = words[base + SLOT.groups]!;
    let first = Atomics.load(words, base + SLOT.next);
    let count: number;
    for (;;) {
      if (first >= groups) return false;
      count = this.chunkSize(base, groups - first);
      const found = Atomics.compareExchange(words, base + SLOT.next, first, first + count);
      if (found === first) break;
      first = found;
    }
    Atomics.store(words, this.self + WORKER.groups, count);
    Atomics.add(words, this.self + WORKER.beat, 1);
    const timed = words[base + SLOT.timed] === 1;
    const isLast = first + count === groups;
    const begun = timed || !isLast ? this.host.now() : 0n;
    if (Atomics.exchange(words, base + SLOT.started, 1) === 0 && timed) {
      this.control.times[(base + SLOT.start) >> 1] = begun;
    }
    try {
      this.runGroups(base, first, count);
      if (!isLast) this.groupNs = Math.max(1, Number(this.host.now() - begun)) / count;
    } catch (error) {
      if (Atomics.exchange(words, base + SLOT.failed, 1) === 0) {
        this.control.writeText(slot, `trapped: ${describe(error)}`);
      }
      this.control.stop(slot);
    }
    // A scheduling thread that lost patience has taken the chunk over, and is about to end this thread.
    if (Atomics.exchange(words, this.self + WORKER.groups, 0) === 0) this.park();
    if (this.control.finishGroups(slot, count)) {
      if (timed) this.control.times[(base + SLOT.end) >> 1] = this.host.now();
      Atomics.store(words, base + SLOT.state, SlotState.Done);
      // Jobs that wait for this one may start now. One that is submitted from here on wakes workers by itself.
      if (Atomics.load(words, HEADER.followers) > 0) this.control.wake();
      this.signal();
    }
    return true;
  }

  /** Groups of a job, by their numbers in it. */
  private runGroups(base: number, first: number, count: number): void {
    const word = (at: number): number => this.words[base + at]! >>> 0;
    const three = (at: number): Triple => [word(at), word(at + 1), word(at + 2)];
    const [x, y, z] = groupAfter(three(SLOT.firstGroup), three(SLOT.groupCounts), first);
    const arena = word(SLOT.arena) + this.start.index * word(SLOT.arenaStride);
    const run = this.functionOf(word(SLOT.kernel));
    run(word(SLOT.dispatch), x, y, z, count, arena, arena + word(SLOT.scratch));
  }

  private park(): never {
    for (;;) Atomics.wait(this.words, HEADER.wake, Atomics.load(this.words, HEADER.wake));
  }

  /**
   * Large chunks first, so that few are needed; small ones last, so that all workers end together. None is so large that it
   * takes long by what the last one took, however wrong the job's estimate is.
   */
  private chunkSize(base: number, left: number): number {
    const first = this.words[base + SLOT.firstChunk]!;
    if (this.groupNs === 0 && first > 0) return Math.min(left, first);
    const share = Math.ceil(left / (2 * this.start.workers));
    const least = this.words[base + SLOT.leastChunk]!;
    const most = this.words[base + SLOT.mostChunk]!;
    const measured = this.groupNs === 0 ? left : mostMeasured(this.groupNs);
    return Math.min(left, measured, Math.max(least, Math.min(most, share)));
  }

  private functionOf(kernel: number): KernelFunction {
    const known = this.functions.get(kernel);
    if (known) return known;
    for (let message = this.host.receive(); message !== undefined; message = this.host.receive()) {
      const { kernel: id, code } = message as KernelMessage;
      if (code) {
        this.codes.set(id, code);
      } else {
        this.codes.delete(id);
        this.functions.delete(id);
      }
    }
    const code = this.codes.get(kernel);
    if (!code) throw new Error(`kernel ${kernel} was never posted`);
    this.codes.delete(kernel);
    const run = instantiate(code);
    this.functions.set(kernel, run);
    return run;
  }

  /** Tells the scheduling thread that something is done, whether it sleeps or is in its event loop. */
  private signal(): void {
    Atomics.add(this.words, HEADER.done, 1);
    Atomics.notify(this.words, HEADER.done);
  }
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
