// SPDX-License-Identifier: MIT

import type { BackendMemory } from '../../backend/backend-objects';
import type { BackendMapping } from '../../backend/command';
import { ErrorCode, MemFlags } from '../../cl/constants.gen';
import { memInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { FUNCTIONS } from '../commands/functions';
import { mayStandFor, type TypedArray, type TypedArrayConstructor } from '../data/element-types';
import type { CommandOptions } from '../enqueue/command-options';
import { enqueue } from '../enqueue/enqueue';
import { type InfoOf, queryInfo } from '../info/info';
import type { ExternalMemory } from '../interop/external-memory';
import { unlessAborted, type Waiting } from '../options/abort';
import type { Context } from './context';
import type { Event } from './event';
import { describe, pluralize, withArticle } from './lifetime';
import { MemoryHandle } from './memory-pressure';
import type { CommandQueue } from './queue';

/** Properties by name, without `CL_MEM_`. */
export type MemoryInfo = InfoOf<typeof memInfo, { CONTEXT: Context }>;

/** How kernels and the host may use a memory object. */
export interface MemoryOptions {
  /** What kernels do with it: default both. */
  readonly access?: 'read-write' | 'read-only' | 'write-only';
  /** What the host does with it: default all. */
  readonly hostAccess?: 'read-write' | 'read-only' | 'write-only' | 'none';
  /** Let the driver place it in memory that the host can map quickly (CL_MEM_ALLOC_HOST_PTR: pinned memory). */
  readonly allocHost?: boolean;
  /** Use the given array as the memory itself (CL_MEM_USE_HOST_PTR); it must not be touched but through map. */
  readonly useHost?: boolean;
  /** Memory of another API, by the operating system's handle (cl_khr_external_memory). */
  readonly external?: ExternalMemory;
}

export interface BufferOptions extends MemoryOptions {
  /** Give it an address that stays the same, its `DEVICE_ADDRESS_EXT` (cl_ext_buffer_device_address). */
  readonly deviceAddress?: boolean;
}

const ACCESS = {
  'read-write': MemFlags.READ_WRITE,
  'read-only': MemFlags.READ_ONLY,
  'write-only': MemFlags.WRITE_ONLY,
} as const;
const ACCESS_MASK =
  MemFlags.READ_WRITE |
  MemFlags.READ_ONLY |
  MemFlags.WRITE_ONLY |
  MemFlags.HOST_READ_ONLY |
  MemFlags.HOST_WRITE_ONLY |
  MemFlags.HOST_NO_ACCESS;
const HOST_ACCESS = {
  'read-write': 0,
  'read-only': MemFlags.HOST_READ_ONLY,
  'write-only': MemFlags.HOST_WRITE_ONLY,
  none: MemFlags.HOST_NO_ACCESS,
} as const;

/** cl_mem_flags of the options; `hasData` says whether there are contents to take over. */
export function memoryFlags(options: MemoryOptions, hasData: boolean, functionName: string): number {
  const access = ACCESS[options.access ?? 'read-write'];
  const host = HOST_ACCESS[options.hostAccess ?? 'read-write'];
  if (options.useHost && !hasData) {
    throw new OpenCLError(ErrorCode.INVALID_HOST_PTR, functionName, 'useHost needs an array to use');
  }
  const data = hasData ? (options.useHost ? MemFlags.USE_HOST_PTR : MemFlags.COPY_HOST_PTR) : 0;
  return access | host | data | (options.allocHost ? MemFlags.ALLOC_HOST_PTR : 0);
}

/** What buffers, images and pipes have in common. */
export abstract class MemoryObject extends MemoryHandle<BackendMemory> {
  /** @internal */
  protected constructor(
    handle: BackendMemory,
    readonly context: Context,
    /** Bytes. */
    readonly size: number,
    /** cl_mem_flags */
    readonly flags: number,
    /** Bytes of the device's memory that are given back with it. */
    ownBytes: number,
  ) {
    super(handle, ErrorCode.INVALID_MEM_OBJECT, ownBytes);
  }

  memoryInfo<K extends keyof MemoryInfo>(key: K): MemoryInfo[K];
  memoryInfo(key: number): Uint8Array;
  /** A property of all memory objects (clGetMemObjectInfo). */
  memoryInfo(key: keyof MemoryInfo | number): unknown {
    const read = (param: number) => this.handleFor('clGetMemObjectInfo').info(param);
    return queryInfo(memInfo, key, 'clGetMemObjectInfo', read, { CONTEXT: this.context });
  }

  /** @internal */
  override argumentFor(functionName: string): BackendMemory {
    return this.handleFor(functionName);
  }

  /** Calls back when the memory is given back for good (clSetMemObjectDestructorCallback). */
  onDestroy(listener: () => void): void {
    this.handleFor('clSetMemObjectDestructorCallback').onDestroy(listener);
  }
}

/** A mapped region: `data` is the memory itself where the runtime allows it. */
export class Mapping<T extends TypedArray> {
  #mapped: BackendMapping | undefined;

  /** @internal */
  constructor(
    readonly memory: MemoryObject,
    readonly queue: CommandQueue,
    mapped: BackendMapping,
    readonly data: T,
  ) {
    this.#mapped = mapped;
  }

  /** Bytes from one row of a mapped image to the next; 0 for buffers. */
  get rowPitch(): number {
    return this.#mapped?.rowPitch ?? 0;
  }

  get slicePitch(): number {
    return this.#mapped?.slicePitch ?? 0;
  }

  /** Gives the region back to the device. `data` must not be used afterwards. Throws INVALID_VALUE the second time. */
  unmap(options: CommandOptions = {}): Event {
    const mapped = this.#mapped;
    if (mapped === undefined) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clEnqueueUnmapMemObject',
        'this region was unmapped before',
      );
    }
    const functionName = FUNCTIONS.unmap;
    const command = { op: 'unmap', memory: this.memory.handleFor(functionName), mapping: mapped } as const;
    const event = enqueue(this.queue, command, options);
    this.#mapped = undefined;
    return event;
  }

  [Symbol.dispose](): void {
    if (this.#mapped !== undefined) this.unmap();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#mapped !== undefined) await this.unmap();
  }
}

/** Of the options, what the queue's own method takes. */
const waitFor = (options: CommandOptions): CommandOptions =>
  options.waitFor === undefined ? {} : { waitFor: options.waitFor };

/** What elements of `T` are written from; a view of bytes is taken as it is. */
export type Elements<T extends TypedArray> =
  | T
  | readonly number[]
  | readonly bigint[]
  | Uint8Array
  | DataView
  | (T extends Uint8Array ? ArrayBufferView : never);

/**
 * Device memory, seen by the host as elements of `T`. Offsets and lengths of its methods count elements; those of the
 * queue's commands are bytes.
 */
export class Buffer<T extends TypedArray = TypedArray> extends MemoryObject {
  /** @internal */
  constructor(
    handle: BackendMemory,
    context: Context,
    size: number,
    flags: number,
    readonly type: TypedArrayConstructor<T>,
    /** Where this one lies in the buffer that it is a part of, in bytes; 0 for whole buffers. */
    readonly origin = 0,
    readonly parent?: Buffer,
  ) {
    super(handle, context, size, flags, parent || flags & MemFlags.USE_HOST_PTR ? 0 : size);
  }

  /** Elements. */
  get length(): number {
    return Math.floor(this.size / this.type.BYTES_PER_ELEMENT);
  }

  /** A property by its name without `CL_MEM_`, or by number as bytes (clGetMemObjectInfo). */
  info<K extends keyof MemoryInfo>(key: K): MemoryInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof MemoryInfo | number): unknown {
    return this.memoryInfo(key as number);
  }

  /**
   * Copies elements to the host: all of them, or `length` from element `offset` on, into a new array or `into`.
   * Throws INVALID_VALUE beyond the end.
   */
  read(
    options: { offset?: number; length?: number; into?: T; queue?: CommandQueue } & CommandOptions = {},
  ): Event<T> {
    const step = this.type.BYTES_PER_ELEMENT;
    const offset = options.offset ?? 0;
    const length = options.length ?? options.into?.length ?? Math.max(0, this.length - offset);
    const into = options.into ?? new this.type(this.#roomFor(length, 'clEnqueueReadBuffer'));
    this.#checkElements('into', into, 'clEnqueueReadBuffer');
    return this.#queue(options).enqueueRead(this, into, {
      ...waitFor(options),
      offset: offset * step,
    });
  }

  /** The same, blocking the thread until the data is there. */
  readSync(options: { offset?: number; length?: number; into?: T; queue?: CommandQueue } = {}): T {
    const event = this.read(options);
    try {
      return event.waitSync();
    } finally {
      event.release();
    }
  }

  /**
   * Copies `data` into the buffer from element `offset` on. The array must not change until the event is complete. A
   * Uint8Array or DataView is taken as bytes; elements of any other class than the buffer's are refused.
   */
  write(data: Elements<T>, options: { offset?: number; queue?: CommandQueue } & CommandOptions = {}): Event {
    const from = ArrayBuffer.isView(data) ? data : this.#convert(data, 'clEnqueueWriteBuffer');
    this.#checkElements('data', from, 'clEnqueueWriteBuffer');
    return this.#queue(options).enqueueWrite(this, from, {
      ...waitFor(options),
      offset: (options.offset ?? 0) * this.type.BYTES_PER_ELEMENT,
    });
  }

  /** Fills with one value, or with `offset` and `length` (in elements) a part. */
  fill(
    value: number | bigint | TypedArray,
    options: { offset?: number; length?: number; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const step = this.type.BYTES_PER_ELEMENT;
    const pattern = ArrayBuffer.isView(value) ? value : this.#convert([value], 'clEnqueueFillBuffer');
    this.#checkElements('value', pattern, 'clEnqueueFillBuffer');
    const offset = options.offset ?? 0;
    const length = options.length ?? this.length - offset;
    return this.#queue(options).enqueueFill(this, pattern, {
      ...waitFor(options),
      offset: offset * step,
      size: length * step,
    });
  }

  /**
   * Copies elements to another buffer: all of them, or `length` from element `offset` on. They arrive at element
   * `targetOffset` of the target, which counts its own elements.
   */
  copyTo(
    target: Buffer,
    options: {
      offset?: number;
      targetOffset?: number;
      length?: number;
      queue?: CommandQueue;
    } & CommandOptions = {},
  ): Event {
    const { offset = 0, targetOffset = 0, length } = options;
    const step = this.type.BYTES_PER_ELEMENT;
    return this.#queue(options).enqueueCopy(this, target, {
      ...waitFor(options),
      offset: offset * step,
      targetOffset: targetOffset * target.type.BYTES_PER_ELEMENT,
      ...(length === undefined ? {} : { size: length * step }),
    });
  }

  /** Makes elements visible to the host without copying, where the device can; see Mapping.unmap. */
  async map(
    mode: 'read' | 'write' | 'read-write' | 'write-invalidate' = 'read-write',
    options: { offset?: number; length?: number; queue?: CommandQueue } & CommandOptions & Waiting = {},
  ): Promise<Mapping<T>> {
    const step = this.type.BYTES_PER_ELEMENT;
    const offset = options.offset ?? 0;
    const length = options.length ?? this.length - offset;
    const map = () =>
      this.#queue(options).enqueueMap(this, mode, {
        ...waitFor(options),
        offset: offset * step,
        size: length * step,
      });
    return await unlessAborted(map, options.signal, (mapping) => void mapping.unmap());
  }

  /** A part of this buffer that kernels can use as a buffer. Its origin must suit the device's MEM_BASE_ADDR_ALIGN. */
  sub(offset: number, length: number, options: Pick<MemoryOptions, 'access' | 'hostAccess'> = {}): Buffer<T> {
    const step = this.type.BYTES_PER_ELEMENT;
    const origin = offset * step;
    const size = length * step;
    const functionName = 'clCreateSubBuffer';
    if (this.parent) {
      throw new OpenCLError(
        ErrorCode.INVALID_MEM_OBJECT,
        functionName,
        'a sub-buffer cannot be divided further',
      );
    }
    if (size === 0)
      throw new OpenCLError(ErrorCode.INVALID_BUFFER_SIZE, functionName, 'a sub-buffer cannot be empty');
    if (origin + size > this.size) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `bytes ${origin} to ${origin + size} reach beyond the buffer's ${this.size}`,
      );
    }
    const align = this.context.subBufferAlign;
    if (origin % align !== 0) {
      throw new OpenCLError(
        ErrorCode.MISALIGNED_SUB_BUFFER_OFFSET,
        functionName,
        `byte offset ${origin} is no multiple of the ${align} that the device needs`,
      );
    }
    const accessFlags =
      options.access || options.hostAccess
        ? memoryFlags(options, false, functionName)
        : this.flags & ACCESS_MASK;
    const handle = this.handleFor(functionName).createSubBuffer(accessFlags, origin, size);
    return new Buffer<T>(handle, this.context, size, accessFlags, this.type, origin, this as Buffer);
  }

  /** Elements of another class would be taken for this one's, bit by bit; a view of bytes says that it means bytes. */
  #checkElements(parameter: string, given: ArrayBufferView, functionName: string): void {
    if (mayStandFor(given, this.type.name)) return;
    const detail = `\`${parameter}\` is ${describe(given)}, and this buffer holds the elements of ${withArticle(this.type.name)}: convert it (${this.type.name}.from), or give its bytes as a Uint8Array`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }

  #queue(options: { queue?: CommandQueue | undefined }): CommandQueue {
    return options.queue ?? this.context.defaultQueue;
  }

  /** A new array is made for no more than there is: its size is the script's mistake, not the machine's. */
  #roomFor(length: number, functionName: string): number {
    if (length <= this.length) return length;
    const detail = `\`options.length\` is ${length}, the buffer has ${pluralize(this.length, 'element')}`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }

  #convert(values: readonly (number | bigint)[], functionName: string): T {
    const array = new this.type(values.length);
    const type = this.type.name.startsWith('Big') ? 'bigint' : 'number';
    const rounds = this.type.name.startsWith('Float');
    for (let i = 0; i < values.length; i++) {
      if (typeof values[i] !== type)
        throw new OpenCLError(
          ErrorCode.INVALID_VALUE,
          functionName,
          `the buffer's elements, of ${this.type.name}, are each a ${type}, not ${describe(values[i])}`,
        );
      array[i] = values[i] as never;
      if (array[i] !== values[i] && !rounds)
        throw new OpenCLError(
          ErrorCode.INVALID_VALUE,
          functionName,
          `the buffer's elements, of ${this.type.name}, cannot be ${describe(values[i])}; a typed array would be taken as it is`,
        );
    }
    return array;
  }
}
