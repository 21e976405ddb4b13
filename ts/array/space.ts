// SPDX-License-Identifier: MIT
//
// The state that all arrays of a context share: the queue, the built kernels, the pool of memory, the device's profile.
import {
  type Buffer,
  type CommandQueue,
  type Context,
  type Device,
  ErrorCode,
  type Event,
  type Kernel,
  type KernelValue,
  type Program,
  type Range,
  type TypedArray,
} from '../api/public';
import { LIMIT_PROPERTIES } from '../base/limit-properties';
import { DTYPES, type DType } from './dtype';
import { fail } from './errors';
import { checkOptions } from './options';
import { BufferPool } from './pool';
import { type Profile, profileOf, subGroupOptions } from './profile';
import { type Request, type Task, wait } from './task';

/** Options of `arrays`. */
export interface SpaceOptions {
  /** The queue that all work goes to; it must be in order. Default: the context's own. */
  readonly queue?: CommandQueue;
  /**
   * Bytes of released memory that are kept for new arrays. Default: an eighth of the memory that the context may use, but at most 256 MB
   * of memory that is the host's too.
   */
  readonly poolBytes?: number;
  /** Overrides the profile of the device. */
  readonly profile?: Partial<Profile>;
}

/** Memory of the pool for an array, shared by all views of it. */
export class Storage {
  #users = 1;
  /** The launch that wrote it: commands that read it wait for that, so that its failure becomes theirs. */
  ready: Event | undefined;

  constructor(
    readonly space: Space,
    readonly dtype: DType,
    readonly buffer: Buffer,
    private readonly pooled: boolean,
  ) {}

  retain(): this {
    this.#users++;
    return this;
  }

  release(): void {
    if (--this.#users > 0) return;
    this.ready = undefined;
    if (this.pooled) this.space.pool.give(this.dtype, this.buffer);
  }
}

const MEGABYTE = 1 << 20;

/** The bytes that `open({ maxMemory })` allows a context. */
function memoryLimit(context: Context): number {
  const properties = context.info('PROPERTIES');
  const at = properties.findIndex((key, i) => i % 2 === 0 && key === BigInt(LIMIT_PROPERTIES.memory));
  return at < 0 ? Number.POSITIVE_INFINITY : Number(properties[at + 1]);
}

/** How much a pool keeps. A GPU's driver takes milliseconds to give hundreds of megabytes of the GPU's own memory. */
function keptBytes(context: Context, device: Device): number {
  const memory = Math.min(Number(device.info('GLOBAL_MEM_SIZE')), memoryLimit(context));
  const isOwn = device.type === 'gpu' && !device.info('HOST_UNIFIED_MEMORY');
  return Math.min(isOwn ? Number.POSITIVE_INFINITY : 256 * MEGABYTE, Math.floor(memory / 8));
}

/** Commands whose failure is looked up when another one reports that what it waited for has failed. */
const RECENT = 64;
/** Tables of constants that are kept. */
const TABLES = 16;

export class Space {
  readonly pool: BufferPool;
  readonly profile: Profile;
  readonly queue: CommandQueue;
  readonly #kernels = new Map<string, Kernel>();
  readonly #building = new Map<string, Promise<Kernel>>();
  /** What the last commands waited for. */
  readonly #recent = new Map<Event, readonly Event[]>();
  readonly #programs: Program[] = [];
  readonly #tables = new Map<string, Storage>();
  /** Build options of kernels that have sub-group functions. */
  readonly #subGroupOptions: string;

  constructor(
    readonly context: Context,
    options: SpaceOptions,
  ) {
    checkOptions(options, ['queue', 'poolBytes', 'profile'], 'arrays');
    this.queue = options.queue ?? context.defaultQueue;
    if (this.queue.outOfOrder)
      fail('arrays', 'the queue of arrays must be in order', ErrorCode.INVALID_COMMAND_QUEUE);
    const { device } = this.queue;
    this.pool = new BufferPool(context, options.poolBytes ?? keptBytes(context, device));
    this.profile = profileOf(device, options.profile);
    this.#subGroupOptions = subGroupOptions(device) ?? '';
    if (this.profile.subGroups && !this.#subGroupOptions)
      fail('arrays', `'${device.name}' has no sub-group functions`, ErrorCode.INVALID_OPERATION);
  }

  /** Refuses types that the device does not have. */
  checkDType(dtype: DType, functionName: string): void {
    if (dtype === 'float64' && !this.profile.doubles)
      fail(
        functionName,
        `'${this.queue.device.name}' has no doubles: use float32`,
        ErrorCode.INVALID_OPERATION,
      );
  }

  /** Refuses work after the end of the session. */
  #checkOpen(): void {
    if (this.context.released)
      fail('arrays', 'the session of these arrays was closed', ErrorCode.INVALID_CONTEXT);
  }

  allocate(dtype: DType, elements: number): Storage {
    this.#checkOpen();
    return new Storage(this, dtype, this.pool.take(dtype, elements), true);
  }

  /** Constants that a kernel reads, made on the host once and kept for the next time. The caller releases what it gets. */
  table(name: string, dtype: DType, make: () => TypedArray): Storage {
    const key = `${name} ${dtype}`;
    const known = this.#tables.get(key);
    const table = known ?? new Storage(this, dtype, this.pool.takeCopy(make()), true);
    // The least recently used table is the first.
    this.#tables.delete(key);
    this.#tables.set(key, table);
    for (const [oldest, storage] of this.#tables) {
      if (this.#tables.size <= TABLES) break;
      this.#tables.delete(oldest);
      storage.release();
    }
    return table.retain();
  }

  /** The kernel of a generated source, which has one, of the name `name`. */
  *kernel(source: string, name: string): Task<Kernel> {
    this.#checkOpen();
    this.#observer?.push(source);
    return this.#kernels.get(source) ?? (yield* wait(this.#build(source, name)));
  }

  #observer: string[] | undefined;

  /** From now on, the sources of all kernels that are used are added to a list. */
  observe(sources: string[] | undefined): void {
    this.#observer = sources;
  }

  #build(source: string, name: string): Request<Kernel> {
    const add = (program: Program): Kernel => {
      const kernel = program.createKernel(name);
      this.#kernels.set(source, kernel);
      this.#programs.push(program);
      return kernel;
    };
    const program = () => this.context.createProgram(source);
    const options = source.includes('sub_group_') ? this.#subGroupOptions : '';
    return {
      later: () => {
        const begun = this.#building.get(source);
        if (begun) return begun;
        const building = program()
          .build(options)
          .then(add)
          .finally(() => this.#building.delete(source));
        this.#building.set(source, building);
        return building;
      },
      now: () => add(program().buildSync(options)),
    };
  }

  /** All sources built so far. */
  get sources(): readonly string[] {
    return [...this.#kernels.keys()];
  }

  /** Runs a kernel: `values` are its arguments, those that are Storages as their buffers. It writes `outputs`. */
  launch(
    kernel: Kernel,
    range: Range,
    outputs: readonly Storage[],
    values: readonly (Storage | KernelValue)[],
  ): void {
    this.#checkOpen();
    const waitFor: Event[] = [];
    const args = values.map((value) => {
      if (!(value instanceof Storage)) return value;
      if (value.ready && !waitFor.includes(value.ready)) waitFor.push(value.ready);
      return value.buffer;
    });
    const options = waitFor.length === 0 ? range : { ...range, waitFor };
    const event = kernel.run({ ...options, queue: this.queue }, ...args);
    for (const output of outputs) output.ready = event;
    this.#note(event, waitFor);
  }

  #note(event: Event, waitFor: readonly Event[]): void {
    this.#recent.set(event, waitFor);
    if (this.#recent.size <= RECENT) return;
    for (const oldest of this.#recent.keys()) {
      this.#recent.delete(oldest);
      return;
    }
  }

  /** Fills memory with one value, of as many bytes as the elements have. */
  fill(storage: Storage, pattern: ArrayBufferView, elements: number): void {
    if (elements === 0) return;
    const size = elements * DTYPES[storage.dtype].bytes;
    storage.ready = this.queue.enqueueFill(storage.buffer, pattern, { size });
  }

  /** Copies the first elements of one memory to another. */
  copy(from: Storage, to: Storage, elements: number): void {
    if (elements === 0) return;
    const size = elements * DTYPES[to.dtype].bytes;
    const waitFor = from.ready ? [from.ready] : [];
    to.ready = this.queue.enqueueCopy(
      from.buffer,
      to.buffer,
      waitFor.length > 0 ? { size, waitFor } : { size },
    );
    this.#note(to.ready, waitFor);
  }

  /** Elements of a storage as the host's. */
  *read(storage: Storage, offset: number, length: number, target?: ArrayBufferView): Task<ArrayBufferView> {
    const { array: Elements, bytes } = DTYPES[storage.dtype];
    const into = target ?? new Elements(length);
    if (length === 0) return into;
    const waitFor = storage.ready ? [storage.ready] : [];
    const options = { offset: offset * bytes, ...(waitFor.length > 0 ? { waitFor } : {}) };
    const event = this.queue.enqueueRead(storage.buffer, into, options);
    yield* wait({
      later: async () => {
        try {
          await event;
        } catch (error) {
          throw (await this.#cause(waitFor)) ?? error;
        }
      },
      now: () => {
        try {
          event.waitSync();
        } catch (error) {
          throw this.#causeNow(waitFor) ?? error;
        }
      },
    });
    return into;
  }

  /** The error of the command that failed first among these and what they waited for: those after it only know that it did. */
  async #cause(events: readonly Event[]): Promise<unknown> {
    for (const event of events) {
      try {
        await event;
      } catch (error) {
        return (await this.#cause(this.#recent.get(event) ?? [])) ?? error;
      }
    }
    return undefined;
  }

  #causeNow(events: readonly Event[]): unknown {
    for (const event of events) {
      try {
        event.waitSync();
      } catch (error) {
        return this.#causeNow(this.#recent.get(event) ?? []) ?? error;
      }
    }
    return undefined;
  }

  release(): void {
    for (const table of this.#tables.values()) table.release();
    this.#tables.clear();
    this.pool.clear();
    for (const kernel of this.#kernels.values()) kernel.release();
    for (const program of this.#programs) program.release();
    this.#kernels.clear();
    this.#programs.length = 0;
  }
}
