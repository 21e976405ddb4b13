// SPDX-License-Identifier: MIT
//
// One ND-range over several devices: each takes slices of the last dimension, in proportion to its speed.
import { checkArguments } from '../api/checks/guard';
import type { TypedArray } from '../api/data/typed-arrays';
import type { Device } from '../api/objects/device';
import type { Kernel } from '../api/objects/kernel';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import * as kinds from './checks';
import { type DeviceTraits, nextShare, traitsOf } from './shares';
import { type Geometry, type Slice, SliceRunner } from './slice-runner';
import { type SplitArgument, SplitArray } from './split-arguments';
import {
  checkOpen,
  type DeviceFailure,
  isDeviceFault,
  isTeamKernel,
  type Member,
  TeamError,
  type TeamKernel,
} from './team';

/** The range that is divided. */
export interface SplitRange {
  /** Work-items in each dimension; the last one is divided. */
  readonly global: number | readonly number[];
  /** Work-items of a work-group in each dimension. */
  readonly local?: number | readonly number[] | undefined;
  /**
   * What global ids count in the last dimension. `range`, the default: the whole range, so that a kernel needs no change; each device has
   * room for whole arrays. `slice`: a launch's slice, from 0 on; a device has room for its slice of each array alone, which is at most
   * an eighth of the array, and `part.first` tells the kernel where the slice begins.
   */
  readonly ids?: 'range' | 'slice' | undefined;
}

/** What each device did. */
export interface SplitReport {
  /** The devices that took part. */
  readonly devices: readonly {
    readonly device: Device;
    /** Slices of the last dimension. */
    readonly slices: number;
    readonly launches: number;
    readonly ms: number;
  }[];
  /** Devices that failed. Others ran their slices. */
  readonly failures: readonly DeviceFailure[];
}

/** A device and its part of the work so far. */
interface Worker {
  readonly member: Member;
  readonly runner: SliceRunner;
  slices: number;
  launches: number;
  ms: number;
  /** When its last slice ended. */
  ended: number;
}

/** Slices that a device has in flight: one is transferred while the kernel of the other runs. */
const SLOTS = 2;
/**
 * Without a local size, the slices of a one-dimensional range are multiples of this. A driver chooses a divisor of the range as its
 * local size, and a prime number of work-items would run in work-groups of one.
 */
const granularityOf = (total: number): number =>
  2 ** Math.floor(Math.log2(Math.min(1024, Math.max(1, total / 64))));
/** The largest slice with `ids: 'slice'`, as a part of the range: a device's buffers then hold an eighth of each array. */
const LARGEST_PART = 1 / 8 / SLOTS;

/**
 * Runs a kernel over a range that several devices share. Global ids are those of the whole range, on each device. The results are
 * written into the arrays of the host.
 *
 * A device that is free takes the next slice. Its size is in proportion to the device's speed so far. If a device fails, others run
 * its slices, and the report names it.
 * @throws TeamError if no device is left: it names all and why; OpenCLError INVALID_CONTEXT if the team was closed
 */
export async function split(
  kernel: TeamKernel,
  range: SplitRange,
  ...args: readonly SplitArgument[]
): Promise<SplitReport> {
  checkArguments('split', 'split', { kernel: isTeamKernel, range: kinds.splitRange }, [kernel, range]);
  if (range?.global === undefined) throw invalid('`range.global` is missing: how many work-items');
  checkOpen(kernel.team, 'split');
  const work = new Split(kernel, range, args);
  return work.run();
}

const invalid = (detail: string): OpenCLError => new OpenCLError(ErrorCode.INVALID_VALUE, 'split', detail);

/** Whether another device may succeed. It may have memory for an array that is too large for this one. */
const mayWorkElsewhere = (error: unknown): error is OpenCLError =>
  isDeviceFault(error) || (error instanceof OpenCLError && error.code === ErrorCode.INVALID_BUFFER_SIZE);

/** Elements of the largest vector. */
const LARGEST_VECTOR = 16;

/** Refuses an array whose access is not said. Structs are passed as their bytes. */
function checkValue(value: ArrayBufferView, index: number): void {
  const { length = 0 } = value as TypedArray;
  if (length <= LARGEST_VECTOR || value instanceof Uint8Array) return;
  throw invalid(
    `argument ${index} is a ${value.constructor.name} of ${length} elements: say what the kernel does with it, by part.read, part.write, part.readWrite or part.whole`,
  );
}

class Split {
  private readonly geometry: Geometry;
  private readonly total: number;
  /** Work-items of a slice of the last dimension. */
  private readonly depth: number;
  /** Slices are multiples of this. */
  private readonly step: number;
  /** Where the next slice begins. */
  private next = 0;
  /** Slices of devices that failed. */
  private readonly returned: Slice[] = [];
  /** The number of slices in flight. */
  private running = 0;
  /** Resumes the devices that wait for a slice. */
  private readonly idle: (() => void)[] = [];
  private readonly traits = new Map<Member, DeviceTraits>();
  private readonly failures: DeviceFailure[] = [];
  /** An error of the call itself, which every device would report. */
  private fault: { readonly error: unknown } | undefined;

  constructor(
    private readonly kernel: TeamKernel,
    range: SplitRange,
    private readonly args: readonly SplitArgument[],
  ) {
    const global = [range.global].flat();
    const local = range.local === undefined ? undefined : [range.local].flat();
    this.total = global.at(-1) ?? 0;
    this.depth = global.slice(0, -1).reduce((a, b) => a * b, 1);
    this.step = local?.at(-1) ?? (global.length === 1 ? granularityOf(this.total) : 1);
    this.geometry = { global, local, total: this.total, bySlice: range.ids === 'slice' };
    for (const [i, arg] of args.entries())
      if (arg instanceof SplitArray) this.checkDivides(arg, i);
      else if (ArrayBuffer.isView(arg)) checkValue(arg, i);
  }

  private checkDivides({ access, array }: SplitArray, index: number): void {
    if (access === 'whole' || (this.total > 0 && array.length % this.total === 0)) return;
    throw invalid(
      `argument ${index} has ${array.length} elements, which ${this.total} slices of the range cannot share equally; part.whole gives each device all of it`,
    );
  }

  async run(): Promise<SplitReport> {
    const workers = [...this.kernel.kernels]
      .filter(([member]) => !member.failure)
      .flatMap(([member, kernel]) => this.start(member, kernel) ?? []);
    await Promise.all(workers.map((worker) => this.work(worker)));
    if (this.fault) {
      // What a device says then is that its own context was released.
      checkOpen(this.kernel.team, 'split');
      throw this.fault.error;
    }
    const isLeft = this.next < this.total || this.returned.length > 0;
    if (isLeft || workers.length === 0) {
      const failures = workers.length === 0 ? this.kernel.team.failures : this.failures;
      throw new TeamError(`no device is left to run '${this.kernel.name}'`, failures);
    }
    return {
      devices: workers.map(({ member, slices, launches, ms }) => {
        return { device: member.session.device, slices, launches, ms };
      }),
      failures: this.failures,
    };
  }

  /** Undefined if the device fails. */
  private start(member: Member, kernel: Kernel): Worker | undefined {
    try {
      this.traits.set(member, traitsOf(member.session.device));
      const runner = new SliceRunner(member, kernel, this.args, this.geometry, SLOTS);
      return { member, runner, slices: 0, launches: 0, ms: 0, ended: 0 };
    } catch (error) {
      this.fail(member, error);
      return undefined;
    }
  }

  /** One device: takes slices until there are none, or it fails. */
  private async work(worker: Worker): Promise<void> {
    try {
      await Promise.all(Array.from({ length: SLOTS }, (_, slot) => this.takeAndRun(worker, slot)));
    } finally {
      worker.runner.release();
    }
  }

  private async takeAndRun(worker: Worker, slot: number): Promise<void> {
    let slice: Slice | undefined;
    try {
      for (slice = await this.take(worker); slice; slice = await this.take(worker)) {
        const start = performance.now();
        await worker.runner.run(slice, slot);
        this.count(worker, slice, start);
        this.running--;
        this.wake();
      }
    } catch (error) {
      this.fail(worker.member, error);
      if (slice) {
        this.returned.push(slice);
        this.running--;
      }
      this.wake();
    }
  }

  /** Measures a slice. If it was enqueued while another one ran, its time begins at the end of that one. */
  private count(worker: Worker, { count }: Slice, start: number): void {
    const now = performance.now();
    const ms = now - Math.max(start, worker.ended);
    worker.ended = now;
    this.kernel.measure(worker.member, count * this.depth, ms);
    worker.slices += count;
    worker.launches++;
    worker.ms += ms;
  }

  private fail(member: Member, error: unknown): void {
    if (!mayWorkElsewhere(error)) this.fault ??= { error };
    // All slices of a device fail with it; the first failure is reported.
    else if (!member.failure) {
      member.failure = { device: member.session.device, error };
      this.failures.push(member.failure);
    }
  }

  /**
   * The next slice for a device; undefined at the end. A device that is too slow to help waits, as does one for which nothing is left
   * while others still work: one of them may fail.
   */
  private async take(worker: Worker): Promise<Slice | undefined> {
    for (;;) {
      if (this.fault || worker.member.failure) return undefined;
      const slice = this.returned.pop() ?? this.cut(worker);
      if (slice) {
        this.running++;
        return slice;
      }
      if (this.running === 0 && this.next >= this.total) return undefined;
      await new Promise<void>((resolve) => this.idle.push(resolve));
    }
  }

  private wake(): void {
    for (const resolve of this.idle.splice(0)) resolve();
  }

  private cut({ member }: Worker): Slice | undefined {
    const left = this.total - this.next;
    if (left <= 0) return undefined;
    const { speeds } = this.kernel;
    const present = [...this.traits.keys()].filter(({ failure }) => !failure);
    const sharers = present.map((of) => ({ ...this.traits.get(of)!, speed: speeds.get(of) }));
    const own = sharers[present.indexOf(member)]!;
    const items = nextShare(left * this.depth, this.total * this.depth, own, sharers);
    if (items === 0) return undefined;
    const rounded = Math.max(1, Math.floor(items / this.depth / this.step)) * this.step;
    const most = this.geometry.bySlice
      ? Math.max(1, Math.floor((this.total * LARGEST_PART) / this.step)) * this.step
      : left;
    const slice = { first: this.next, count: Math.min(left, rounded, most) };
    this.next += slice.count;
    return slice;
  }
}
