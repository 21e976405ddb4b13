// SPDX-License-Identifier: MIT

import type { HostData } from '../../backend/backend';
import type { BackendMemory } from '../../backend/backend-objects';
import { ErrorCode, MemFlags, MemProperty } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { bufferContents } from '../data/buffer-contents';
import { mayStandFor } from '../data/element-types';
import type { TypedArray, TypedArrayConstructor } from '../data/typed-arrays';
import { describe, pluralize, withArticle } from '../errors/describe';
import { handleFor, hostView, limits } from '../internals';
import { externalMemoryProperties } from '../interop/external-memory';
import { unlessAborted, type Waiting } from '../options/abort';
import type { CommandOptions } from './command-options';
import type { Context } from './context';
import { enqueueReadNew } from './enqueue';
import type { Event } from './event';
import type { Mapping } from './mapping';
import {
  ACCESS_MASK,
  checkHost,
  type MemoryInfo,
  MemoryObject,
  type MemoryOptions,
  memoryFlags,
} from './memory-object';
import { memoryPressure } from './memory-pressure';
import type { CommandQueue } from './queue';

/** Options of buffers: those of all memory, and what only buffers have. */
export interface BufferOptions extends MemoryOptions {
  /** Give it a fixed device address, its `DEVICE_ADDRESS_EXT` (cl_ext_buffer_device_address). */
  readonly deviceAddress?: boolean;
}

/** A part of a buffer, in elements. */
interface ElementRange {
  readonly offset?: number;
  readonly length?: number;
}

/** The part of the options that the queue's method accepts. */
const waitFor = (options: CommandOptions): CommandOptions =>
  options.waitFor === undefined ? {} : { waitFor: options.waitFor };

/** The sources of elements of `T`; a view of bytes is copied unchanged. */
export type Elements<T extends TypedArray> =
  | T
  | readonly number[]
  | readonly bigint[]
  | Uint8Array
  | DataView
  | (T extends Uint8Array ? ArrayBufferView : never);

/**
 * Device memory, which the host sees as elements of `T`. Offsets and lengths of its methods count elements; those of
 * the queue's commands are bytes.
 *
 * @example
 * ```ts
 * const numbers = cl.buffer(Float32Array.of(1, 2, 3, 4));
 * await numbers.write(Float32Array.of(9), { offset: 1 });
 * console.log(await numbers.read());               // Float32Array(4) [ 1, 9, 3, 4 ]
 * numbers.release();
 * ```
 */
export class Buffer<T extends TypedArray = TypedArray> extends MemoryObject {
  /** @internal */
  constructor(
    handle: BackendMemory,
    context: Context,
    size: number,
    flags: number,
    /** The class of typed array that the host sees the memory as. */
    readonly type: TypedArrayConstructor<T>,
    /** The offset of a sub-buffer in its parent, in bytes; 0 for other buffers. */
    readonly origin = 0,
    /** The buffer that this one is a part of (`sub`); undefined for others. */
    readonly parent?: Buffer,
  ) {
    super(handle, context, size, flags, parent || flags & MemFlags.USE_HOST_PTR ? 0 : size);
  }

  /** The number of elements. */
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
    const { into, offset = 0 } = options;
    const queue = this.#queue(options);
    if (!into) return enqueueReadNew(queue, this, offset, this.#lengthOf(options), waitFor(options));
    this.#checkElements('into', into, 'clEnqueueReadBuffer');
    return queue.enqueueRead(this, into, {
      ...waitFor(options),
      offset: offset * this.type.BYTES_PER_ELEMENT,
    });
  }

  /** The same, blocking the thread until the data has arrived. */
  readSync(options: { offset?: number; length?: number; into?: T; queue?: CommandQueue } = {}): T {
    const into = options.into ?? new this.type(this.#lengthOf(options));
    const event = this.read({ ...options, into });
    try {
      return event.waitSync();
    } finally {
      event.release();
    }
  }

  /**
   * Copies `data` into the buffer from element `offset` on. The array must not change until the event is complete. A
   * Uint8Array or DataView is copied as bytes; arrays of any other class than the buffer's are refused.
   */
  write(data: Elements<T>, options: { offset?: number; queue?: CommandQueue } & CommandOptions = {}): Event {
    const from = ArrayBuffer.isView(data) ? data : this.#convert(data, 'clEnqueueWriteBuffer');
    this.#checkElements('data', from, 'clEnqueueWriteBuffer');
    return this.#queue(options).enqueueWrite(this, from, {
      ...waitFor(options),
      offset: (options.offset ?? 0) * this.type.BYTES_PER_ELEMENT,
    });
  }

  /** Fills the buffer with one value, or the part from element `offset` with `length` elements. */
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
   * Copies elements to another buffer: all of them, or `length` from element `offset` on. The copy starts at element
   * `targetOffset` of the target, counted in the target's elements.
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

  /** Makes elements visible to the host, without a copy if the device can; see Mapping.unmap. */
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

  /**
   * A part of this buffer that kernels can use as a buffer. Its origin must have the device's alignment
   * MEM_BASE_ADDR_ALIGN.
   */
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
    const align = this.context[limits].subBufferAlign;
    if (origin % align !== 0) {
      throw new OpenCLError(
        ErrorCode.MISALIGNED_SUB_BUFFER_OFFSET,
        functionName,
        `byte offset ${origin} is not a multiple of the ${align} that the device needs`,
      );
    }
    const accessFlags =
      options.access || options.hostAccess
        ? memoryFlags(options, undefined, functionName)
        : this.flags & ACCESS_MASK;
    checkHost(this, functionName);
    const handle = this[handleFor](functionName).createSubBuffer(accessFlags, origin, size);
    const part = new Buffer<T>(handle, this.context, size, accessFlags, this.type, origin, this as Buffer);
    part[hostView] = this[hostView];
    return part;
  }

  /** Elements of another class would be copied bit by bit; a view of bytes asks for that explicitly. */
  #checkElements(parameter: string, given: ArrayBufferView, functionName: string): void {
    if (mayStandFor(given, this.type.name)) return;
    const detail = `\`${parameter}\` is ${describe(given)}, and this buffer holds the elements of ${withArticle(this.type.name)}: convert it (${this.type.name}.from), or give its bytes as a Uint8Array`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }

  #queue(options: { queue?: CommandQueue | undefined }): CommandQueue {
    return options.queue ?? this.context.defaultQueue;
  }

  /**
   * The length is checked before the array is allocated: a length beyond the buffer is an error of the script, not of
   * the machine.
   */
  #lengthOf({ offset = 0, length = Math.max(0, this.length - offset) }: ElementRange): number {
    if (length <= this.length) return length;
    const detail = `\`options.length\` is ${length}, the buffer has ${pluralize(this.length, 'element')}`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clEnqueueReadBuffer', detail);
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

guard('Buffer', Buffer);

/** @internal `context.createBuffer` */
export function newBuffer(
  context: Context,
  what: TypedArray | TypedArrayConstructor | number,
  lengthOrOptions: number | BufferOptions | undefined,
  more: BufferOptions | undefined,
): Buffer {
  const functionName = 'clCreateBuffer';
  const options = (typeof lengthOrOptions === 'object' ? lengthOrOptions : more) ?? {};
  const backend = context[handleFor](functionName);
  const { data, type, size } = bufferContents(what, lengthOrOptions, functionName);
  const limit = context[limits].maxAllocation;
  if (size > limit) {
    const hint = backend.whereMoreFits?.();
    throw new OpenCLError(
      ErrorCode.INVALID_BUFFER_SIZE,
      functionName,
      `${size} bytes are more than the ${limit} that the device allocates at once${hint ? `; ${hint}` : ''}`,
    );
  }
  const flags = memoryFlags(options, data, functionName);
  const properties = bufferProperties(context, options, functionName);
  const handle = memoryPressure.allocate(() =>
    backend.createBuffer(flags, size, data as HostData | undefined, properties),
  );
  const buffer = new Buffer(handle, context, size, flags, type);
  if (flags & MemFlags.USE_HOST_PTR) buffer[hostView] = data;
  return buffer;
}

function bufferProperties(
  { devices }: Context,
  { external, deviceAddress }: BufferOptions,
  functionName: string,
): bigint[] {
  const properties = externalMemoryProperties(external, functionName);
  if (!deviceAddress) return properties;
  const extension = 'cl_ext_buffer_device_address';
  if (!devices.every((device) => device.extensions.includes(extension)))
    throw new OpenCLError(
      ErrorCode.INVALID_PROPERTY,
      functionName,
      `\`options.deviceAddress\` needs ${extension}`,
    );
  return [...properties, BigInt(MemProperty.DEVICE_PRIVATE_ADDRESS_EXT), 1n];
}
