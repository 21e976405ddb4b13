// SPDX-License-Identifier: MIT
//
// One ND-range over several devices: each takes slices of the last dimension, in proportion to its speed.
import { checkArguments } from '../api/checks/guard';
import type { TypedArray } from '../api/data/typed-arrays';
import type { Buffer } from '../api/objects/buffer';
import type { Device } from '../api/objects/device';
import type { Event } from '../api/objects/event';
import type { Kernel } from '../api/objects/kernel';
import type { KernelValue } from '../api/objects/kernel-values';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import * as kinds from './checks';
import { nextShare } from './shares';
import {
  type DeviceFailure,
  isDeviceFault,
  isTeamKernel,
  type Member,
  TeamError,
  type TeamKernel,
} from './team';

/** What a kernel does with an array that is divided: `read`, `write`, `read-write`; `whole`: each device reads all of it. */
export type Access = 'read' | 'write' | 'read-write' | 'whole';

/**
 * An array among the arguments, and which of it a work-item touches.
 *
 * @example
 * ```ts
 * const x = part.read(new Float32Array(1000));
 * console.log(x.access, x.array.length);           // read 1000
 * ```
 */
export class SplitArray {
  /** @internal */
  constructor(
    /** What the kernel does with it. */
    readonly access: Access,
    /** The array of the program. */
    readonly array: TypedArray,
  ) {}
}

/** Stands for a number that is known when a slice is launched. */
class SliceStart {}
const FIRST = new SliceStart();

/** An argument of `split`. */
export type SplitArgument = KernelValue | SplitArray | typeof FIRST;

/**
 * How a kernel uses an array. The array is divided like the last dimension of the ND-range: work-items of slice s of n use elements
 * from s/n of its length on to (s+1)/n. `whole`: each device reads all of it.
 */
export const part = {
  read: (array: TypedArray): SplitArray => used('read', array),
  write: (array: TypedArray): SplitArray => used('write', array),
  readWrite: (array: TypedArray): SplitArray => used('read-write', array),
  whole: (array: TypedArray): SplitArray => used('whole', array),
  /** As an argument of a type of integers: the first slice of the last dimension that a launch does, for `ids: 'slice'`. */
  first: FIRST,
} as const;

function used(access: Access, array: TypedArray): SplitArray {
  checkArguments('part', 'split', { array: kinds.typedArray }, [array]);
  return new SplitArray(access, array);
}

const argument = (detail: string): OpenCLError => new OpenCLError(ErrorCode.INVALID_VALUE, 'split', detail);

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
  /** What each device has done. */
  readonly devices: readonly {
    readonly device: Device;
    /** Slices of the last dimension. */
    readonly slices: number;
    readonly launches: number;
    readonly ms: number;
  }[];
  /** Devices that failed; others have done their slices. */
  readonly failures: readonly DeviceFailure[];
}

interface Slice {
  readonly first: number;
  readonly count: number;
}

/** What a device has of a split: its buffers for the arrays, its share of the work. */
interface Worker {
  readonly member: Member;
  readonly kernel: Kernel;
  readonly buffers: Map<SplitArray, Buffer>;
  slices: number;
  launches: number;
  ms: number;
  /** When its last slice ended. */
  ended: number;
}

/** Slices that each device has at a time: the second is enqueued while the first runs, so the device need not wait for the program. */
const AT_A_TIME = 2;
/** Of ids that count from the slice on, arrays are larger than a device's memory. */
const MOST = 1 / 8;

/**
 * Runs a kernel over a range that several devices share. Global ids are those of the whole range, on each device. Each array is one on
 * the host: results are written into it.
 *
 * Slices go to whoever is free, as large as the device was fast so far. The slices of a device that fails are done by
 * others; the report names it.
 * @throws TeamError if no device is left: it names all and why
 */
export async function split(
  kernel: TeamKernel,
  range: SplitRange,
  ...args: readonly SplitArgument[]
): Promise<SplitReport> {
  checkArguments('split', 'split', { kernel: isTeamKernel, range: kinds.splitRange }, [kernel, range]);
  if (range?.global === undefined) throw argument('`range.global` is missing: how many work-items');
  const work = new Split(kernel, range, args);
  return work.run();
}

/** Another device may have room for an array that this one has not. */
const isOfDevice = (error: unknown): error is OpenCLError =>
  isDeviceFault(error) || (error instanceof OpenCLError && error.code === ErrorCode.INVALID_BUFFER_SIZE);

class Split {
  private readonly global: readonly number[];
  private readonly local: readonly number[] | undefined;
  private readonly total: number;
  /** Work-items of a slice of the last dimension. */
  private readonly depth: number;
  private readonly bySlice: boolean;
  private readonly step: number;
  private next = 0;
  private readonly returned: Slice[] = [];
  /** Slices that are being done. */
  private running = 0;
  private readonly idle: (() => void)[] = [];
  private readonly failures: DeviceFailure[] = [];
  /** An error of the call itself, which every device would report. */
  private fault: { readonly error: unknown } | undefined;

  constructor(
    private readonly kernel: TeamKernel,
    range: SplitRange,
    private readonly args: readonly SplitArgument[],
  ) {
    this.global = [range.global].flat();
    this.local = range.local === undefined ? undefined : [range.local].flat();
    this.total = this.global.at(-1) ?? 0;
    this.depth = this.global.slice(0, -1).reduce((a, b) => a * b, 1);
    this.bySlice = range.ids === 'slice';
    this.step = this.local?.at(-1) ?? 1;
    for (const [i, arg] of args.entries()) if (arg instanceof SplitArray) this.checkDivides(arg, i);
  }

  private checkDivides({ access, array }: SplitArray, index: number): void {
    if (access === 'whole' || (this.total > 0 && array.length % this.total === 0)) return;
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      'split',
      `argument ${index} has ${array.length} elements, which ${this.total} slices of the range cannot share equally; part.whole gives each device all of it`,
    );
  }

  async run(): Promise<SplitReport> {
    const workers = [...this.kernel.kernels]
      .filter(([member]) => !member.failure)
      .map(([member, kernel]): Worker => {
        return { member, kernel, buffers: new Map(), slices: 0, launches: 0, ms: 0, ended: 0 };
      });
    await Promise.all(workers.map((worker) => this.work(worker)));
    if (this.fault) throw this.fault.error;
    const left = this.next < this.total || this.returned.length > 0;
    if (left || workers.length === 0) {
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

  /** One device: takes slices until there are none, or it fails. */
  private async work(worker: Worker): Promise<void> {
    try {
      await Promise.all(Array.from({ length: AT_A_TIME }, () => this.takeAndLaunch(worker)));
    } finally {
      for (const buffer of worker.buffers.values()) if (!buffer.released) buffer.release();
    }
  }

  private async takeAndLaunch(worker: Worker): Promise<void> {
    let slice: Slice | undefined;
    try {
      for (slice = await this.take(worker); slice; slice = await this.take(worker)) {
        const start = performance.now();
        await this.launch(worker, slice);
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

  /** Counts a slice. Its time is that from the end of the one before, if that ran when it was enqueued. */
  private count(worker: Worker, { count }: Slice, start: number): void {
    const now = performance.now();
    const ms = now - Math.max(start, worker.ended);
    worker.ended = now;
    this.kernel.speeds.set(worker.member, (count * this.depth) / Math.max(ms, 1e-3));
    worker.slices += count;
    worker.launches++;
    worker.ms += ms;
  }

  private fail(member: Member, error: unknown): void {
    if (!isOfDevice(error)) this.fault ??= { error };
    // Both of its slices fail with the device.
    else if (!member.failure) {
      member.failure = { device: member.session.device, error };
      this.failures.push(member.failure);
    }
  }

  /** The next slices for a device; undefined at the end. While others still work, it waits: one of them may fail. */
  private async take(worker: Worker): Promise<Slice | undefined> {
    for (;;) {
      if (this.fault || worker.member.failure) return undefined;
      const slice = this.returned.pop() ?? this.cut(worker);
      if (slice) {
        this.running++;
        return slice;
      }
      if (this.running === 0) return undefined;
      await new Promise<void>((resolve) => this.idle.push(resolve));
    }
  }

  private wake(): void {
    for (const resolve of this.idle.splice(0)) resolve();
  }

  private cut({ member }: Worker): Slice | undefined {
    const left = this.total - this.next;
    if (left <= 0) return undefined;
    const { speeds, kernels } = this.kernel;
    const sharer = (of: Member) => ({ device: of.session.device, speed: speeds.get(of) });
    const present = [...kernels.keys()].filter(({ failure }) => !failure);
    const items = nextShare(left * this.depth, this.total * this.depth, sharer(member), present.map(sharer));
    const rounded = Math.ceil(items / this.depth / this.step) * this.step;
    const most = this.bySlice ? Math.max(1, Math.floor((this.total * MOST) / this.step)) * this.step : left;
    const slice = { first: this.next, count: Math.min(left, rounded, most) };
    this.next += slice.count;
    return slice;
  }

  private async launch(worker: Worker, { first, count }: Slice): Promise<void> {
    const { kernel, member } = worker;
    const { queue } = member.session;
    const events: Event<unknown>[] = [];
    const scratch: (() => void)[] = [];
    try {
      const values = this.args.map((arg): KernelValue => {
        if (arg instanceof SliceStart) return first;
        if (!(arg instanceof SplitArray)) return arg;
        const known = worker.buffers.get(arg);
        const buffer = this.bufferFor(worker, arg, count);
        if (arg.access === 'read' || arg.access === 'read-write') {
          const [from, to] = this.elements(arg, first, count);
          const options = { offset: this.bySlice ? 0 : from * arg.array.BYTES_PER_ELEMENT };
          events.push(queue.enqueueWrite(buffer, arg.array.subarray(from, to), options));
        } else if (arg.access === 'whole' && !known) events.push(queue.enqueueWrite(buffer, arg.array));
        return buffer;
      });
      kernel.setArgs(...values);
      const dimensions = this.global.length;
      const global = [...this.global.slice(0, -1), count];
      const offset = [...new Array<number>(dimensions - 1).fill(0), this.bySlice ? 0 : first];
      events.push(
        queue.enqueueNDRange(kernel, { global, offset, ...(this.local ? { local: this.local } : {}) }),
      );
      for (const arg of this.args) {
        if (!(arg instanceof SplitArray) || arg.access === 'read' || arg.access === 'whole') continue;
        const [from, to] = this.elements(arg, first, count);
        const options = { offset: this.bySlice ? 0 : from * arg.array.BYTES_PER_ELEMENT };
        const target = arg.array.subarray(from, to);
        // The old contents are needed again if this device fails before it has written all.
        const into = arg.access === 'read-write' ? target.slice() : target;
        if (into !== target) scratch.push(() => target.set(into as never));
        events.push(queue.enqueueRead(worker.buffers.get(arg)!, into, options));
      }
      queue.flush();
      for (const event of events) await event;
      for (const store of scratch) store();
    } finally {
      for (const event of events) event.release();
    }
  }

  /** Of ids that count from the slice on, a buffer for the slice: a larger slice than before needs a larger one. */
  private bufferFor(worker: Worker, arg: SplitArray, count: number): Buffer {
    const { length: whole } = arg.array;
    const length = this.bySlice && arg.access !== 'whole' ? (whole / this.total) * count : whole;
    const known = worker.buffers.get(arg);
    if (known && known.length >= length) return known;
    known?.release();
    const type = arg.array.constructor as new (length: number) => TypedArray;
    const { session } = worker.member;
    const buffer = session.buffer(type as never, length) as Buffer;
    worker.buffers.set(arg, buffer);
    return buffer;
  }

  private elements({ array }: SplitArray, first: number, count: number): readonly [number, number] {
    const each = array.length / this.total;
    return [first * each, (first + count) * each];
  }
}
