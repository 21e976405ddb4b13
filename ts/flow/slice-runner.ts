// SPDX-License-Identifier: MIT
//
// One device of a split: its buffers and queues, and the commands of a slice. Transfers have queues of their own, so that they
// overlap with the kernel of another slice. Large ones have a thread of their own too: drivers copy memory that is not pinned on the
// calling thread, and the other devices would get no work meanwhile. So would they while a read waits for its kernel, which therefore
// ends before the read is enqueued.
import type { TypedArray } from '../api/data/typed-arrays';
import type { Buffer } from '../api/objects/buffer';
import { copyApart } from '../api/objects/copy-apart';
import { Event } from '../api/objects/event';
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

/** A command of a queue, or a copy on a thread of its own. */
type Transfer = Event<unknown> | Promise<unknown>;

interface Place {
  readonly buffer: Buffer;
  /** The write of a whole array, which each launch waits for. */
  readonly written: Transfer | undefined;
}

/** Waits for all of them, and fails as the first of those that failed: none uses memory any more then. */
async function allOf(transfers: readonly Transfer[]): Promise<void> {
  const ends = await Promise.allSettled(transfers);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
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
    const keep = <T extends Transfer>(transfer: T): T => {
      if (transfer instanceof Event) events.push(transfer);
      // The error is reported to the code that waits for the transfer. There is none if a later argument fails first.
      else transfer.catch(() => undefined);
      return transfer;
    };
    try {
      const { values, inputs } = this.writeInputs(slice, slot, keep);
      this.upload.flush();
      const copies = inputs.filter((input) => !(input instanceof Event));
      if (copies.length > 0) await allOf(copies);
      const waitFor = inputs.filter((input) => input instanceof Event);
      keep(this.launch(slice, values, waitFor));
      this.compute.flush();
      await allOf(events);
      const results = this.args.filter(isResult).map((arg) => this.readBack(arg, slice, slot));
      for (const { read } of results) keep(read);
      this.download.flush();
      await allOf(results.map(({ read }) => read));
      for (const { store } of results) store();
    } finally {
      for (const event of events) event.release();
    }
  }

  release(): void {
    for (const slot of this.places) {
      for (const { buffer, written } of slot.values()) {
        if (!buffer.released) buffer.release();
        if (written instanceof Event && !written.released) written.release();
      }
    }
    for (const queue of [this.upload, this.compute, this.download]) queue.release();
  }

  /** The kernel's arguments for a slice, and the writes that its launch waits for. */
  private writeInputs({ first, count }: Slice, slot: number, keep: <T extends Transfer>(transfer: T) => T) {
    const inputs: Transfer[] = [];
    const values = this.args.map((arg): KernelValue => {
      if (arg instanceof SliceStart) return first;
      if (!(arg instanceof SplitArray)) return arg;
      const { buffer, written } = this.placeOf(arg, count, slot);
      if (written) inputs.push(written);
      if (reads(arg)) {
        const [from, to] = this.elements(arg, first, count);
        inputs.push(keep(this.write(buffer, arg.array.subarray(from, to), this.at(arg, from))));
      }
      return buffer;
    });
    return { values, inputs };
  }

  private launch(
    { first, count }: Slice,
    values: readonly KernelValue[],
    waitFor: readonly Event<unknown>[],
  ): Event<unknown> {
    const { geometry } = this;
    this.kernel.setArgs(...values);
    const global = [...geometry.global.slice(0, -1), count];
    const offset = [...geometry.global.slice(0, -1).fill(0), geometry.bySlice ? 0 : first];
    const local = geometry.local ? { local: geometry.local } : {};
    return this.compute.enqueueNDRange(this.kernel, { global, offset, ...local }, { waitFor });
  }

  private write(buffer: Buffer, array: TypedArray, offset = 0): Transfer {
    return (
      copyApart('write', this.upload, buffer, array, offset) ??
      this.upload.enqueueWrite(buffer, array, { offset })
    );
  }

  /** Starts the read of a result. `store` is called when all results of the slice have been read. */
  private readBack(arg: SplitArray, { first, count }: Slice, slot: number) {
    const [from, to] = this.elements(arg, first, count);
    const target = arg.array.subarray(from, to);
    // If the device fails before all results are read, another one needs the old contents.
    const into = arg.access === 'read-write' ? target.slice() : target;
    const { buffer } = this.places[slot]!.get(arg)!;
    const offset = this.at(arg, from);
    return {
      read:
        copyApart('read', this.download, buffer, into, offset) ??
        this.download.enqueueRead(buffer, into, { offset }),
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
      written: access === 'whole' ? this.write(buffer, array) : undefined,
    };
    places.set(arg, place);
    return place;
  }

  /** The byte in its buffer. */
  private at({ array }: SplitArray, element: number): number {
    return this.geometry.bySlice ? 0 : element * array.BYTES_PER_ELEMENT;
  }

  private elements({ array }: SplitArray, first: number, count: number): readonly [number, number] {
    const each = array.length / this.geometry.total;
    return [first * each, (first + count) * each];
  }
}
