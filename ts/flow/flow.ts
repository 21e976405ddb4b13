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
import type { CommandQueue } from '../api/objects/queue';
import type { Session } from '../api/open';
import type { Range } from '../api/options/range';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import { Channel, Pool } from './channel';
import * as kinds from './checks';
import { regroup, type Source } from './regroup';

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
  checkArguments('flow', 'flow', { session: kinds.session, options: kinds.flowOptions }, [session, options]);
  checkOptions(options);
  return (source) => {
    checkArguments('flow', 'flow', { source: kinds.source }, [source]);
    return new Run<In, Out>(session, options).results(source);
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
  private readonly done = new Channel<{ readonly slot: Slot; readonly result: Out }>();
  private isStopped = false;

  constructor(
    session: Session,
    private readonly options: FlowOptions<In>,
  ) {
    const { context } = session;
    const { chunk, input, stages, depth = 3 } = options;
    const made: { release(): void }[] = [];
    const keep = <T extends { release(): void }>(object: T): T => {
      made.push(object);
      return object;
    };
    try {
      this.upload = keep(context.createQueue());
      this.compute = keep(context.createQueue());
      this.download = keep(context.createQueue());
      this.slots = Array.from({ length: depth }, () => {
        const buffers: Buffer[] = [keep(session.buffer(input, chunk))];
        let length = chunk;
        for (const { output } of stages) {
          if (output) {
            length = outputLength(output, length);
            buffers.push(keep(session.buffer(output.type, length)));
          } else buffers.push(buffers.at(-1)!);
        }
        return { buffers };
      });
    } catch (error) {
      for (const object of made) object.release();
      throw error;
    }
    this.pool = new Pool(this.slots);
  }

  async *results(source: FlowSource): AsyncGenerator<Out, void, undefined> {
    // Not awaited: a source that does not answer must not block a consumer that is done.
    void this.pump(source);
    try {
      for (;;) {
        const next = await this.done.receive();
        if (!next) break;
        const { slot, result } = next.item;
        yield result;
        this.pool.give(slot);
      }
    } finally {
      this.isStopped = true;
      this.pool.close();
      await this.release();
    }
  }

  /** Takes data as long as there are free slots. A failure takes the place of its chunk's result. */
  private async pump(source: FlowSource): Promise<void> {
    const { input, chunk } = this.options;
    let index = 0;
    try {
      // A slot before the data, so that no chunk waits in memory for a slot.
      for await (const data of this.whenFree(regroup(source, input, chunk))) {
        const { slot } = data;
        this.done.send(this.process(data.chunk, slot, index++).then((result) => ({ slot, result })));
      }
    } catch (error) {
      this.done.send(Promise.reject(error));
    }
    this.done.end();
  }

  private async *whenFree(chunks: AsyncGenerator<In, void, undefined>) {
    try {
      for (;;) {
        const slot = await this.pool.take();
        if (!slot || this.isStopped) return;
        const next = await chunks.next();
        if (next.done || this.isStopped) return;
        yield { slot, chunk: next.value };
      }
    } finally {
      await chunks.return();
    }
  }

  /** Enqueues all commands of a chunk at once. The queues run them beside those of other chunks. */
  private async process(data: In, { buffers }: Slot, index: number): Promise<Out> {
    const events: Event<unknown>[] = [];
    const step = <E extends Event<unknown>>(event: E): E => {
      events.push(event);
      return event;
    };
    try {
      step(this.upload.enqueueWrite(buffers[0]!, data));
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
      const last = buffers.at(-1)!;
      const into = new (last.type as TypedArrayConstructor<TypedArray>)(length) as Out;
      const read = step(this.download.enqueueRead(last, into, { waitFor: [events.at(-1)!] }));
      this.download.flush();
      await read;
      return into;
    } catch (error) {
      // The first failed command has the reason; later ones fail only because it did.
      for (const event of events) await event;
      throw error;
    } finally {
      for (const event of events) event.release();
    }
  }

  private async release(): Promise<void> {
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
  const { writable, readable } = new TransformStream();
  const results = through(readable as unknown as AsyncIterable<ArrayBufferView>);
  return {
    writable,
    readable: new ReadableStream(
      {
        async pull(controller: { enqueue(chunk: Out): void; close(): void }) {
          const { done, value } = await results.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        async cancel() {
          await results.return();
        },
      },
      { highWaterMark: 0 },
    ),
  };
}
