// SPDX-License-Identifier: MIT
//
// One device of a split: its buffers and queues, and the commands of a slice. Transfers have queues of their own, so that they
// overlap with the kernel of another slice. A read is enqueued only when its kernel has ended: if its target is not pinned memory,
// drivers block the calling thread until the commands before it are complete, and the other devices would get no work meanwhile.
import type { TypedArray } from '../api/data/typed-arrays';
import type { Buffer } from '../api/objects/buffer';
import type { Event } from '../api/objects/event';
import type { Kernel } from '../api/objects/kernel';
import type { KernelValue } from '../api/objects/kernel-values';
import type { CommandQueue } from '../api/objects/queue';
import { createQueues } from './queues';
import { SliceStart, type SplitArgument, SplitArray } from './split-arguments';
import type { Member } from './team';

/** Work-items of the last dimension, from `first` on. */
export interface Slice {
  readonly first: number;
  readonly count: number;
}

/** The range that is divided. */
export interface Geometry {
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  /** Work-items of the last dimension. */
  readonly total: number;
  /** Global ids count from the slice on, and buffers have room for it alone. */
  readonly bySlice: boolean;
}

interface Place {
  readonly buffer: Buffer;
  /** The write of a whole array, which each launch waits for. */
  readonly written: Event<unknown> | undefined;
}

const isResult = (arg: SplitArgument): arg is SplitArray =>
  arg instanceof SplitArray && (arg.access === 'write' || arg.access === 'read-write');
const reads = ({ access }: SplitArray): boolean => access === 'read' || access === 'read-write';

export class SliceRunner {
  private readonly upload: CommandQueue;
  private readonly compute: CommandQueue;
  private readonly download: CommandQueue;
  /**
   * Buffers by slot, one for each slice in flight. With `ids: 'slice'` slots share only the buffers of whole arrays; otherwise they
   * share all, as each slice uses elements of its own.
   */
  private readonly places: readonly Map<SplitArray, Place>[];

  constructor(
    readonly member: Member,
    private readonly kernel: Kernel,
    private readonly args: readonly SplitArgument[],
    private readonly geometry: Geometry,
    slots: number,
  ) {
    [this.upload, this.compute, this.download] = createQueues(member.session.context);
    const shared = new Map<SplitArray, Place>();
    this.places = Array.from({ length: slots }, () => (geometry.bySlice ? new Map() : shared));
  }

  /** Runs a slice. Its results are in the arrays when it resolves. */
  async run(slice: Slice, slot: number): Promise<void> {
    const events: Event<unknown>[] = [];
    try {
      this.launch(slice, slot, events);
      this.upload.flush();
      this.compute.flush();
      for (const event of events) await event;
      const results = this.args.filter(isResult).map((arg) => {
        const result = this.readBack(arg, slice, slot);
        events.push(result.read);
        return result;
      });
      this.download.flush();
      for (const { read } of results) await read;
      for (const { store } of results) store();
    } finally {
      for (const event of events) event.release();
    }
  }

  release(): void {
    for (const slot of this.places) {
      for (const { buffer, written } of slot.values()) {
        if (!buffer.released) buffer.release();
        if (written && !written.released) written.release();
      }
    }
    for (const queue of [this.upload, this.compute, this.download]) queue.release();
  }

  private launch({ first, count }: Slice, slot: number, events: Event<unknown>[]): void {
    const { geometry } = this;
    const waitFor: Event<unknown>[] = [];
    const values = this.args.map((arg): KernelValue => {
      if (arg instanceof SliceStart) return first;
      if (!(arg instanceof SplitArray)) return arg;
      const { buffer, written } = this.placeOf(arg, count, slot);
      if (written) waitFor.push(written);
      if (reads(arg)) {
        const [from, to] = this.elements(arg, first, count);
        const write = this.upload.enqueueWrite(buffer, arg.array.subarray(from, to), this.at(arg, from));
        waitFor.push(write);
        events.push(write);
      }
      return buffer;
    });
    this.kernel.setArgs(...values);
    const global = [...geometry.global.slice(0, -1), count];
    const offset = [...geometry.global.slice(0, -1).fill(0), geometry.bySlice ? 0 : first];
    const local = geometry.local ? { local: geometry.local } : {};
    events.push(this.compute.enqueueNDRange(this.kernel, { global, offset, ...local }, { waitFor }));
  }

  /** Enqueues the read of a result. `store` is called when all results of the slice have been read. */
  private readBack(arg: SplitArray, { first, count }: Slice, slot: number) {
    const [from, to] = this.elements(arg, first, count);
    const target = arg.array.subarray(from, to);
    // If the device fails before all results are read, another one needs the old contents.
    const into = arg.access === 'read-write' ? target.slice() : target;
    const { buffer } = this.places[slot]!.get(arg)!;
    return {
      read: this.download.enqueueRead(buffer, into, this.at(arg, from)),
      store: (): void => {
        if (into !== target) target.set(into as never);
      },
    };
  }

  /** The buffer for an array. With `ids: 'slice'` it holds one slice, and is replaced for a larger one. */
  private placeOf(arg: SplitArray, count: number, slot: number): Place {
    const { total, bySlice } = this.geometry;
    const { array, access } = arg;
    // All slots read the same whole arrays.
    const places = this.places[access === 'whole' ? 0 : slot]!;
    const length = bySlice && access !== 'whole' ? (array.length / total) * count : array.length;
    const known = places.get(arg);
    if (known && known.buffer.length >= length) return known;
    known?.buffer.release();
    const type = array.constructor as new (length: number) => TypedArray;
    const buffer = this.member.session.buffer(type as never, length) as Buffer;
    const place = {
      buffer,
      written: access === 'whole' ? this.upload.enqueueWrite(buffer, array) : undefined,
    };
    places.set(arg, place);
    return place;
  }

  private at({ array }: SplitArray, element: number): { readonly offset: number } {
    return { offset: this.geometry.bySlice ? 0 : element * array.BYTES_PER_ELEMENT };
  }

  private elements({ array }: SplitArray, first: number, count: number): readonly [number, number] {
    const each = array.length / this.geometry.total;
    return [first * each, (first + count) * each];
  }
}
