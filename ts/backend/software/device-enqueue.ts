// SPDX-License-Identifier: MIT
//
// What kernels enqueue (kernels/lib/enqueue.cl). A launch whose kernel may do that gets a region of memory for records. When
// its last work-group has ended, the records become commands, and the launch is complete when these are.
import { ENQUEUE_EVENT, ENQUEUE_RECORD, ENQUEUE_REGION } from '../../base/kernel-abi';
import type { Block } from '../../device/allocator';
import { Command, type Work } from '../../device/command';
import type { Device } from '../../device/device';
import type { WorkerRange } from '../../device/pool';
import { allocate } from './memory';
import { RefCounted } from './ref-counted';

/** A block that was enqueued, with what it was enqueued with. */
export interface EnqueuedBlock {
  /** The number by which kernels refer to it. */
  readonly number: number;
  readonly global: readonly number[];
  /** Undefined where the device chooses. */
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[];
  readonly localSizes: readonly number[];
  /** The captured variables, in memory of their own. */
  readonly literal: RefCounted & { readonly address: number };
  readonly timed: boolean;
  readonly workers: WorkerRange;
}

/** A block's captured variables: a copy, as the region may be gone when the block runs. */
class Literal extends RefCounted {
  private readonly block: Block;

  constructor(
    private readonly device: Device,
    from: number,
    bytes: number,
  ) {
    super();
    this.block = allocate(device, Math.max(bytes, 1), 128, 'enqueue_kernel');
    device.memory.u8.copyWithin(this.block.address, from, from + bytes);
  }

  get address(): number {
    return this.block.address;
  }

  protected override destroy(): void {
    this.device.memory.free(this.block);
  }
}

/** The work of a block, and what it uses. */
export type PrepareBlock = (block: EnqueuedBlock) => { work: Work; uses: readonly RefCounted[] };

/** The region of one launch. It lives until the launch is complete, as its events do. */
export class EnqueueRegion extends RefCounted {
  private readonly block: Block;

  private constructor(
    private readonly device: Device,
    bytes: number,
    private readonly workers: WorkerRange,
  ) {
    super();
    this.block = allocate(device, bytes, 64, 'clEnqueueNDRangeKernel');
    const at = this.block.address >>> 2;
    const { i32 } = device.memory;
    i32[at + ENQUEUE_REGION.used] = ENQUEUE_REGION.words * 4;
    i32[at + ENQUEUE_REGION.capacity] = bytes;
    i32[at + ENQUEUE_REGION.defaultQueue] = device.defaultQueue?.handle ?? 0;
  }

  /** As large as the largest of the queues that the kernel may enqueue to; undefined if there is none. */
  static for(
    device: Device,
    queues: readonly { bytes: number }[],
    workers: WorkerRange,
  ): EnqueueRegion | undefined {
    const all = device.defaultQueue ? [...queues, device.defaultQueue] : queues;
    if (all.length === 0) return undefined;
    return new EnqueueRegion(device, Math.max(...all.map(({ bytes }) => bytes)), workers);
  }

  get address(): number {
    return this.block.address;
  }

  /** Enqueues what the records say. */
  children(prepare: PrepareBlock): readonly Command[] {
    const { device } = this;
    this.noteUserEvents();
    const commands: Command[] = [];
    for (const record of this.records()) {
      if (record.word(ENQUEUE_RECORD.kind) === ENQUEUE_RECORD.eventRecord) continue;
      commands.push(this.command(record, prepare));
    }
    for (const command of commands) device.scheduler.enqueue(command);
    completeUserEvents(device);
    return commands;
  }

  private command(record: EnqueueRecord, prepare: PrepareBlock): Command {
    const { device } = this;
    const { work, uses } = this.workOf(record, prepare);
    const event = record.word(ENQUEUE_RECORD.event) >>> 0;
    const command = new Command(work, event !== 0);
    device.track?.(command);
    for (const object of uses) object.retain();
    command.uses = uses;
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

  /** A marker has nothing to do; what cannot be launched fails as a command. */
  private workOf(record: EnqueueRecord, prepare: PrepareBlock): { work: Work; uses: readonly RefCounted[] } {
    const number = record.word(ENQUEUE_RECORD.kind);
    if (number === ENQUEUE_RECORD.marker) return { work: { kind: 'host', run: undefined }, uses: [] };
    const waits = record.word(ENQUEUE_RECORD.waits);
    const locals = record.word(ENQUEUE_RECORD.locals);
    const from = record.address + (ENQUEUE_RECORD.lists + waits + locals) * 4;
    const literal = new Literal(this.device, from, record.word(ENQUEUE_RECORD.literalBytes));
    const dimensions = record.word(ENQUEUE_RECORD.dimensions);
    const sizes = (at: number) => [0, 1, 2].slice(0, dimensions).map((d) => record.word(at + d) >>> 0);
    const local = sizes(ENQUEUE_RECORD.local);
    try {
      const { work, uses } = prepare({
        number,
        global: sizes(ENQUEUE_RECORD.global),
        local: local.includes(0) ? undefined : local,
        offset: sizes(ENQUEUE_RECORD.offset),
        localSizes: record.list(waits, locals),
        literal,
        timed: record.word(ENQUEUE_RECORD.event) !== 0,
        workers: this.workers,
      });
      return { work, uses };
    } catch (error) {
      const run = (): never => {
        throw error;
      };
      return { work: { kind: 'host', run }, uses: [] };
    } finally {
      literal.release();
    }
  }

  private noteUserEvents(): void {
    const { device } = this;
    for (const record of this.records()) {
      const isUser =
        record.word(ENQUEUE_RECORD.kind) === ENQUEUE_RECORD.eventRecord &&
        record.word(ENQUEUE_EVENT.isUser) !== 0;
      if (isUser) device.events.set(record.address, new Command({ kind: 'user' }, false));
    }
  }

  private *records(): Generator<EnqueueRecord> {
    const { memory } = this.device;
    const end = this.address + memory.i32[(this.address >>> 2) + ENQUEUE_REGION.used]!;
    for (let at = this.address + ENQUEUE_REGION.words * 4; at < end; ) {
      const record = new EnqueueRecord(memory, at);
      yield record;
      at += Math.max(16, record.word(ENQUEUE_RECORD.bytes));
    }
  }

  protected override destroy(): void {
    const { events, memory } = this.device;
    for (const record of this.records()) events.delete(record.address);
    memory.free(this.block);
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

/** What kernels see of a command that is complete. */
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
