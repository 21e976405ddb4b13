// SPDX-License-Identifier: MIT
//
// Streams through a device: chunks of data pass through stages of kernels. While one chunk is computed, the next is written to the
// device and the one before is read back, each on a queue of its own (docs/adr/0033-streams-and-several-devices.md).
import { checkArguments } from '../api/checks/guard';
import type { TypedArray, TypedArrayConstructor } from '../api/data/typed-arrays';
import type { Buffer } from '../api/objects/buffer';
import type { Event } from '../api/objects/event';
import type { Kernel } from '../api/objects/kernel';
import type { KernelValue } from '../api/objects/kernel-values';
import type { Mapping } from '../api/objects/mapping';
import type { CommandQueue } from '../api/objects/queue';
import type { Session } from '../api/open';
import type { Range } from '../api/options/range';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import { Channel, Pool } from './channel';
import * as kinds from './checks';
import { gainsByPinned, Pinned } from './pinned';
import { createQueues } from './queues';
import { regroupInto, type Source } from './regroup';
import { Results, StoppableSource } from './results';

/** A chunk on its way through a stage. */
export interface StageChunk {
  /** The buffer of the input. */
  readonly input: Buffer;
  /** The input itself if the stage works in place. */
  readonly output: Buffer;
  /** Elements of the input. */
  readonly length: number;
  /** The chunk's number, from 0. */
  readonly index: number;
}

/** One kernel of a flow. */
export interface FlowStage {
  /** The kernel. Its arguments are set for each chunk: use another kernel object (`kernel.clone()`) elsewhere meanwhile. */
  readonly kernel: Kernel;
  /** The kernel's arguments for a chunk. Default: input and output; the input alone where the stage works in place. */
  readonly args?: (chunk: StageChunk) => readonly KernelValue[];
  /** Default: a work-item for each element of the input. */
  readonly range?: (length: number) => Range;
  /** What the stage writes to. Left out, it works in place. */
  readonly output?: {
    readonly type: TypedArrayConstructor<TypedArray>;
    /** Elements for an input of `length`; default: as many. */
    readonly length?: (length: number) => number;
  };
}

/** What a flow is made of. */
export interface FlowOptions<In extends TypedArray> {
  /** The class of typed array whose elements go in. */
  readonly input: TypedArrayConstructor<In>;
  /** Elements of a chunk. */
  readonly chunk: number;
  /** The kernels, in their order. */
  readonly stages: readonly FlowStage[];
  /** Chunks that are on their way at a time, at most; default 3: one is written, one computed, one read. */
  readonly depth?: number;
  /**
   * Whether results are lent: each is a view of the device's mapped memory, or of pinned memory that it writes to, which is valid until
   * the next result is requested. This saves a copy and a new array for each chunk. Default: each result is an array of its own.
   */
  readonly lend?: boolean;
}

/** Data that goes through a flow: pieces of any size. */
export type FlowSource = Source<ArrayBufferView>;

/**
 * A flow is a function from data to data, as node:stream's `pipeline` takes them: `pipeline(createReadStream(a), flow,
 * createWriteStream(b))`. Each call uses buffers and queues of its own, which it releases at its end.
 */
export type Flow<Out extends TypedArray> = (source: FlowSource) => AsyncGenerator<Out, void, undefined>;

/** The buffers of one chunk: its input, then each stage's output. */
interface Slot {
  readonly buffers: readonly Buffer[];
  /** Where the chunk is put together, if it comes in pieces. New memory for each would cost more than the copies. */
  staging: Uint8Array | undefined;
  /** What the chunk and then its result go through, where the device gains by that. */
  pinned: Pinned | undefined;
}

/** The result of a chunk, in an array of its own or lent. */
interface Result<Out extends TypedArray> {
  readonly slot: Slot;
  readonly array: Out;
  readonly mapping: Mapping<Out> | undefined;
}

/**
 * Makes a flow: a pipeline of kernels over chunks of data that may be larger than the device. Results come in order. No more than
 * `depth` chunks are on their way; when the results are not taken, no more data is requested from the source.
 * @throws OpenCLError INVALID_VALUE for options that cannot be
 */
export function flow<In extends TypedArray, Out extends TypedArray = In>(
  session: Session,
  options: FlowOptions<In>,
): Flow<Out> {
  const checks = { session: kinds.session, options: kinds.flowOptions };
  const [, own] = checkArguments('flow', 'flow', checks, [session, options] as const);
  checkOptions(own);
  return (source) => {
    checkArguments('flow', 'flow', { source: kinds.source }, [source]);
    return new Results(() => new Run<In, Out>(session, own, source));
  };
}

/** Checks that required options are present. */
function checkOptions({ chunk, stages, input }: Partial<FlowOptions<TypedArray>> = {}): void {
  const refuse = (detail: string): never => {
    throw new OpenCLError(ErrorCode.INVALID_VALUE, 'flow', detail);
  };
  if (chunk === undefined) refuse('`options.chunk` is missing: the elements of a chunk');
  if (input === undefined) refuse('`options.input` is missing: a class of typed arrays');
  if (stages === undefined || stages.length === 0) refuse('`options.stages` must have at least one stage');
  if (stages?.some((each) => each?.kernel === undefined))
    refuse('`options.stages`: each stage needs a `kernel`');
}

class Run<In extends TypedArray, Out extends TypedArray> {
  private readonly upload: CommandQueue;
  private readonly compute: CommandQueue;
  private readonly download: CommandQueue;
  private readonly slots: readonly Slot[];
  private readonly pool: Pool<Slot>;
  private readonly done = new Channel<Result<Out>>();
  /** Mappings that the consumer has, or will get next. */
  private readonly lent = new Set<Mapping<Out>>();
  /** Chunks in flight. */
  private readonly running = new Set<Promise<unknown>>();
  private readonly source: StoppableSource;
  private isStopped = false;
  /** The chunk before the next one can be enqueued. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly options: FlowOptions<In>,
    source: FlowSource,
  ) {
    this.source = new StoppableSource(source);
    const { context } = session;
    const { chunk, input, stages, depth = 3 } = options;
    const made: { release(): void }[] = [];
    const keep = <T extends { release(): void }>(object: T): T => {
      made.push(object);
      return object;
    };
    try {
      [this.upload, this.compute, this.download] = createQueues(context);
      made.push(this.upload, this.compute, this.download);
      this.slots = Array.from({ length: depth }, () => {
        const buffers: Buffer[] = [keep(session.buffer(input, chunk))];
        let length = chunk;
        for (const { output } of stages) {
          if (output) {
            length = outputLength(output, length);
            buffers.push(keep(session.buffer(output.type, length)));
          } else buffers.push(buffers.at(-1)!);
        }
        return { buffers, staging: undefined, pinned: undefined };
      });
    } catch (error) {
      for (const object of made) object.release();
      throw error;
    }
    this.pool = new Pool(this.slots);
  }

  /** Requests nothing more, and ends the waits for results, also if the source does not answer. */
  stop(): void {
    this.isStopped = true;
    this.pool.close();
    this.done.end();
    this.source.stop();
  }

  async *results(): AsyncGenerator<Out, void, undefined> {
    try {
      await this.pin();
      // Not awaited: a source that does not answer must not block a consumer that is done.
      void this.pump();
      for (;;) {
        const next = await this.done.receive();
        if (!next || this.isStopped) break;
        const { slot, array, mapping } = next.item;
        yield array;
        // The slot's next commands are on other queues, so they must not be enqueued before.
        if (mapping) await this.takeBack(mapping);
        this.pool.give(slot);
      }
    } finally {
      this.stop();
      await this.release();
    }
  }

  /** Requests data while there are free slots. A failure is delivered in place of its chunk's result. */
  private async pump(): Promise<void> {
    let index = 0;
    try {
      for await (const { data, slot } of this.whenFree()) {
        const result = this.process(data, slot, index++);
        this.running.add(result);
        const end = () => this.running.delete(result);
        result.then(end, end);
        this.done.send(result);
      }
    } catch (error) {
      this.done.send(Promise.reject(error));
    }
    this.done.end();
  }

  /** Gives the slots pinned memory, if the device gains by it. */
  private async pin(): Promise<void> {
    const { session, slots, upload } = this;
    for (const slot of slots) {
      const bytes = Math.max(slot.buffers[0]!.size, slot.buffers.at(-1)!.size);
      if (!gainsByPinned(session.device, bytes)) return;
      slot.pinned = await Pinned.allocate(session, upload, bytes);
      slot.staging = slot.pinned?.bytes;
    }
  }

  /** Chunks and their slots. A slot is taken before data is requested, so that no chunk waits in memory. */
  private async *whenFree() {
    const { input, chunk } = this.options;
    let slot: Slot | undefined;
    const chunks = regroupInto(this.source, input, chunk, () => {
      slot!.staging ??= new Uint8Array(chunk * input.BYTES_PER_ELEMENT);
      return slot!.staging;
    });
    try {
      for (;;) {
        slot = await this.pool.take();
        if (!slot || this.isStopped) return;
        const next = await chunks.next();
        if (next.done || this.isStopped) return;
        yield { slot, data: next.value };
      }
    } finally {
      await chunks.return();
    }
  }

  /** The chunk in pinned memory, when those before it are enqueued. */
  private async inPinned(data: In, pinned: Pinned): Promise<In> {
    const before = this.turn;
    const put = pinned.put(data);
    this.turn = Promise.allSettled([before, put]);
    await this.turn;
    return put;
  }

  /** Enqueues all commands of a chunk at once. The queues run them beside those of other chunks. */
  private async process(data: In, slot: Slot, index: number): Promise<Result<Out>> {
    const { buffers, pinned } = slot;
    const given = pinned ? await this.inPinned(data, pinned) : data;
    const events: Event<unknown>[] = [];
    const step = <E extends Event<unknown>>(event: E): E => {
      events.push(event);
      return event;
    };
    try {
      step(this.upload.enqueueWrite(buffers[0]!, given));
      this.upload.flush();
      let { length } = data;
      for (const [i, stage] of this.options.stages.entries()) {
        const [input, output] = [buffers[i]!, buffers[i + 1]!];
        const chunk = { input, output, length, index };
        const args = stage.args?.(chunk) ?? (stage.output ? [input, output] : [input]);
        stage.kernel.setArgs(...args);
        const range = stage.range?.(length) ?? { global: length };
        step(this.compute.enqueueNDRange(stage.kernel, range, { waitFor: [events.at(-1)!] }));
        if (stage.output) length = outputLength(stage.output, length);
      }
      this.compute.flush();
      return await this.result(slot, length, [events.at(-1)!], step);
    } catch (error) {
      // The first failed command has the reason; later ones fail only because it did.
      for (const event of events) await event;
      throw error;
    } finally {
      for (const event of events) event.release();
    }
  }

  /** Reads a chunk's result, or maps it if results are lent. */
  private async result(
    slot: Slot,
    length: number,
    waitFor: readonly Event<unknown>[],
    step: <E extends Event<unknown>>(event: E) => E,
  ): Promise<Result<Out>> {
    const { download } = this;
    const { lend } = this.options;
    const { pinned } = slot;
    const last = slot.buffers.at(-1)! as unknown as Buffer<Out>;
    if (pinned) {
      const array = pinned.elements(last.type, length);
      const read = step(download.enqueueRead(last, array, { waitFor }));
      download.flush();
      await read;
      return { slot, array: lend ? array : await pinned.take(last.type, length), mapping: undefined };
    }
    if (lend) {
      const size = length * last.type.BYTES_PER_ELEMENT;
      const map = step(download.enqueueMap(last, 'read', { size, waitFor }));
      download.flush();
      const mapping = await map;
      this.lent.add(mapping);
      return { slot, array: mapping.data, mapping };
    }
    const read = step(last.read({ length, queue: download, waitFor }));
    download.flush();
    return { slot, array: await read, mapping: undefined };
  }

  private async takeBack(mapping: Mapping<Out>): Promise<void> {
    this.lent.delete(mapping);
    await mapping.unmap();
  }

  private async release(): Promise<void> {
    await Promise.allSettled(this.running);
    for (const mapping of this.lent) await this.takeBack(mapping).catch(() => {});
    for (const { pinned } of this.slots) await pinned?.release().catch(() => {});
    for (const queue of [this.upload, this.compute, this.download]) {
      await queue.finish().catch(() => {});
      queue.release();
    }
    for (const buffer of new Set(this.slots.flatMap(({ buffers }) => buffers))) buffer.release();
  }
}

const outputLength = (output: NonNullable<FlowStage['output']>, length: number): number =>
  output.length?.(length) ?? length;

/** The two ends of a flow for web streams: `readable.pipeThrough(throughFlow(flow))`. */
export function throughFlow<Out extends TypedArray>(
  through: Flow<Out>,
): { readonly writable: WritableStream; readonly readable: ReadableStream } {
  checkArguments('throughFlow', 'throughFlow', { flow: kinds.flowFunction }, [through]);
  let input: { error(reason: unknown): void } | undefined;
  const { writable, readable } = new TransformStream({
    start(controller: { error(reason: unknown): void }) {
      input = controller;
    },
  });
  const results = through(readable as unknown as AsyncIterable<ArrayBufferView>);
  /** The writer hears of the end, also while the flow waits for it. */
  const refuse = (reason: unknown): void => input!.error(reason);
  return {
    writable,
    readable: new ReadableStream(
      {
        async pull(controller: { enqueue(chunk: Out): void; close(): void }) {
          try {
            const { done, value } = await results.next();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            refuse(error);
            throw error;
          }
        },
        async cancel(reason: unknown) {
          const returned = results.return();
          refuse(reason);
          await returned;
        },
      },
      { highWaterMark: 0 },
    ),
  };
}
