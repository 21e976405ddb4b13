// SPDX-License-Identifier: MIT
//
// What kernels enqueue (kernels/lib/enqueue.cl). A launch whose kernel may do that gets a region of memory for records. When
// its last work-group has ended, the records become commands, and the launch is complete when these are.
import { ENQUEUE_EVENT, ENQUEUE_RECORD, ENQUEUE_REGION } from '../../../base/kernel-abi';
import {
  Command,
  type Failed,
  type Prepared,
  type Waiting,
  type Work,
} from '../../../device/commands/command';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import type { WorkerRange } from '../../../device/workers/worker-range';
import { MOST_DEVICE_EVENTS } from '../device/limits';
import { allocate } from '../memory/allocate';
import { RefCounted } from '../ref-counted';
import { Literal } from './literal';

/** Events are rounded up to 16 bytes, as all records are. */
const EVENTS_BYTES = ENQUEUE_REGION.words * 4 + MOST_DEVICE_EVENTS * ((ENQUEUE_EVENT.words * 4 + 15) & ~15);

/** An enqueued block with its launch parameters. */
export interface EnqueuedBlock {
  /** The number by which kernels refer to it. */
  readonly number: number;
  readonly global: readonly number[];
  /** Undefined if the device chooses. */
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[];
  readonly localSizes: readonly number[];
  /** The captured variables, in separate memory. */
  readonly literal: RefCounted & { readonly address: number };
  readonly timed: boolean;
  readonly workers: WorkerRange;
  /** The size of the largest queue that it may have captured. */
  readonly queueBytes: number;
}

/** Creates the device's work for a block when everything that it waits for is complete. */
export type PrepareBlock = (block: EnqueuedBlock) => () => Prepared | Failed | Waiting;

/** Memory to which a kernel appends records. */
class Records {
  private readonly memory: Device['memory'];
  private block: Block | undefined;
  readonly address: number;

  constructor(device: Device, bytes: number) {
    this.memory = device.memory;
    this.block = allocate(device, bytes, 64, 'clEnqueueNDRangeKernel');
    this.address = this.block.address;
    this.setHeader('used', ENQUEUE_REGION.words * 4);
    this.setHeader('capacity', bytes);
  }

  get size(): number {
    return this.block?.size ?? 0;
  }

  setHeader(word: keyof typeof ENQUEUE_REGION, value: number): void {
    this.memory.i32[(this.address >>> 2) + ENQUEUE_REGION[word]] = value;
  }

  *[Symbol.iterator](): Generator<EnqueueRecord> {
    const { end } = this;
    for (let at = this.address + ENQUEUE_REGION.words * 4; at < end; ) {
      const record = new EnqueueRecord(this.memory, at);
      yield record;
      at += Math.max(16, record.word(ENQUEUE_RECORD.bytes));
    }
  }

  /** Frees the unused part. */
  trim(): void {
    if (this.block) this.memory.shrink(this.block, this.end - this.address);
  }

  free(): void {
    if (this.block) this.memory.free(this.block);
    this.block = undefined;
  }

  /** The end of the records. It is checked, because the kernel may have overwritten the header. */
  private get end(): number {
    if (!this.block) return 0;
    const used = this.memory.i32[(this.address >>> 2) + ENQUEUE_REGION.used]! >>> 0;
    return this.address + Math.min(used, this.block.size);
  }
}

/**
 * The region of one launch. Its records are freed as soon as they are commands, because many launches may be waiting for
 * their children. Its events live until the launch is complete.
 */
export class EnqueueRegion extends RefCounted {
  private readonly enqueued: Records;
  private readonly events: Records;

  private constructor(
    private readonly device: Device,
    private readonly bytes: number,
    private readonly workers: WorkerRange,
  ) {
    super();
    this.events = new Records(device, Math.min(bytes, EVENTS_BYTES));
    try {
      this.enqueued = new Records(device, bytes);
    } catch (error) {
      this.events.free();
      throw error;
    }
    this.enqueued.setHeader('defaultQueue', device.defaultQueue?.handle ?? 0);
    this.enqueued.setHeader('events', this.events.address);
  }

  /**
   * As large as the largest of the queues that the kernel may enqueue to; undefined if there is none. `captured`: the size of those that a
   * block may have captured.
   */
  static for(
    device: Device,
    queues: readonly { bytes: number }[],
    captured: number,
    workers: WorkerRange,
  ): EnqueueRegion | undefined {
    const all = device.defaultQueue ? [...queues, device.defaultQueue] : queues;
    const bytes = Math.max(captured, ...all.map((queue) => queue.bytes));
    return bytes === 0 ? undefined : new EnqueueRegion(device, bytes, workers);
  }

  get address(): number {
    return this.enqueued.address;
  }

  /** What a kernel may write to: the region, then that of events. */
  get memory(): readonly { readonly base: number; readonly size: number }[] {
    return [this.enqueued, this.events].map(({ address, size }) => ({ base: address, size }));
  }

  /** Enqueues the commands of the records. Called once, when the launch has ended. */
  children(prepare: PrepareBlock): readonly Command[] {
    const { device } = this;
    this.noteUserEvents();
    const commands = [...this.enqueued].map((record) => this.command(record, prepare));
    this.enqueued.free();
    this.events.trim();
    for (const command of commands) device.scheduler.enqueue(command);
    completeUserEvents(device);
    return commands;
  }

  private command(record: EnqueueRecord, prepare: PrepareBlock): Command {
    const { device } = this;
    const number = record.word(ENQUEUE_RECORD.kind);
    const block = number === ENQUEUE_RECORD.marker ? undefined : this.blockOf(record, number);
    const work: Work = block ? { kind: 'later', prepare: prepare(block) } : { kind: 'host', run: undefined };
    const event = record.word(ENQUEUE_RECORD.event) >>> 0;
    const command = new Command(work, event !== 0);
    device.track?.(command);
    if (block) command.uses = [block.literal];
    for (const wait of record.list(0, record.word(ENQUEUE_RECORD.waits))) {
      const other = device.events.get(wait);
      if (other) command.waitFor(other, true);
    }
    if (event !== 0) {
      device.events.set(event, command);
      command.whenDone((status) => writeEvent(device, event, command, status));
    }
    return command;
  }

  /** Copies of a record's description of a block: the region may be freed before the block runs. */
  private blockOf(record: EnqueueRecord, number: number): EnqueuedBlock {
    const waits = record.word(ENQUEUE_RECORD.waits);
    const locals = record.word(ENQUEUE_RECORD.locals);
    const from = record.address + (ENQUEUE_RECORD.lists + waits + locals) * 4;
    const dimensions = record.word(ENQUEUE_RECORD.dimensions);
    const sizes = (at: number) => [0, 1, 2].slice(0, dimensions).map((d) => record.word(at + d) >>> 0);
    const local = sizes(ENQUEUE_RECORD.local);
    return {
      number,
      global: sizes(ENQUEUE_RECORD.global),
      local: local.includes(0) ? undefined : local,
      offset: sizes(ENQUEUE_RECORD.offset),
      localSizes: record.list(waits, locals),
      literal: new Literal(this.device, from, record.word(ENQUEUE_RECORD.literalBytes)),
      timed: record.word(ENQUEUE_RECORD.event) !== 0,
      workers: this.workers,
      queueBytes: this.bytes,
    };
  }

  private noteUserEvents(): void {
    const { events } = this.device;
    for (const event of this.events)
      if (event.word(ENQUEUE_EVENT.isUser) !== 0)
        events.set(event.address, new Command({ kind: 'user' }, false));
  }

  protected override destroy(): void {
    for (const event of this.events) this.device.events.delete(event.address);
    this.events.free();
    this.enqueued.free();
  }
}

class EnqueueRecord {
  constructor(
    private readonly memory: Device['memory'],
    readonly address: number,
  ) {}

  word(at: number): number {
    return this.memory.i32[(this.address >>> 2) + at]!;
  }

  /** Words of the lists at the record's end. */
  list(from: number, count: number): number[] {
    const at = (this.address >>> 2) + ENQUEUE_RECORD.lists + from;
    return Array.from(this.memory.i32.subarray(at, at + count), (word) => word >>> 0);
  }
}

/** Completes the user events whose status kernels have set. */
function completeUserEvents(device: Device): void {
  for (const [address, command] of device.events) {
    if (command.work.kind !== 'user' || command.done) continue;
    const status = Atomics.load(device.memory.i32, (address >>> 2) + ENQUEUE_EVENT.status);
    if (status <= 0) device.scheduler.complete(command, status);
  }
}

/** Writes the state of a complete command, for kernels. */
function writeEvent(device: Device, event: number, command: Command, status: number): void {
  const { i32 } = device.memory;
  const at = event >>> 2;
  const elapsed = command.endedAt - command.startedAt;
  const complete = (command.childrenEndedAt || command.endedAt) - command.startedAt;
  const times = [elapsed, complete].flatMap((time) => [
    Number(time & 0xffffffffn) | 0,
    Number(time >> 32n) | 0,
  ]);
  times.forEach((time, i) => {
    i32[at + ENQUEUE_EVENT.elapsed + i] = time;
  });
  Atomics.store(i32, at + ENQUEUE_EVENT.status, status);
  const to = Atomics.load(i32, at + ENQUEUE_EVENT.timesTo) >>> 0;
  if (to !== 0 && to + 16 <= device.memory.u8.length) i32.set(times, to >>> 2);
}
