// SPDX-License-Identifier: MIT
//
// Device memory that arrays no longer need, kept for the next array of the same type and size. Queues are in order: memory can be
// used again as soon as the last command that uses it is enqueued.
import { type Buffer, type Context, ErrorCode, OpenCLError, type TypedArray } from '../api/public';
import { DTYPES, type DType } from './dtype';

/** What a pool holds and has done. */
export interface PoolUse {
  /** Bytes that arrays use. */
  readonly used: number;
  /** Bytes that are kept for the next arrays. */
  readonly kept: number;
  /** At most this many bytes are kept. */
  readonly limit: number;
  /** How many buffers were made. */
  readonly made: number;
  /** How often one was used again. */
  readonly reused: number;
}

const EXHAUSTED: ReadonlySet<number> = new Set([
  ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE,
  ErrorCode.OUT_OF_RESOURCES,
  ErrorCode.OUT_OF_HOST_MEMORY,
]);

export class BufferPool {
  /** By type and length; in a Map, the first key is the one that was used longest ago. */
  readonly #free = new Map<string, Buffer[]>();
  #used = 0;
  #kept = 0;
  #made = 0;
  #reused = 0;

  constructor(
    private readonly context: Context,
    private readonly limit: number,
  ) {}

  get use(): PoolUse {
    return { used: this.#used, kept: this.#kept, limit: this.limit, made: this.#made, reused: this.#reused };
  }

  /** Memory for this many elements, its contents undefined. No buffer is empty. */
  take(dtype: DType, elements: number): Buffer {
    const length = Math.max(1, elements);
    const list = this.#free.get(`${dtype}:${length}`);
    const found = list?.pop();
    if (list?.length === 0) this.#free.delete(`${dtype}:${length}`);
    if (found) {
      this.#kept -= found.size;
      this.#reused++;
    }
    const buffer = found ?? this.#make(() => this.context.createBuffer(DTYPES[dtype].array, length));
    this.#used += buffer.size;
    return buffer;
  }

  /** Memory with the contents of `data`, which may change afterwards. */
  takeCopy(data: TypedArray): Buffer {
    const buffer = this.#make(() => this.context.createBuffer(data));
    this.#used += buffer.size;
    return buffer;
  }

  /** Takes memory back. */
  give(dtype: DType, buffer: Buffer): void {
    this.#used -= buffer.size;
    if (buffer.released || this.context.released) return;
    if (buffer.size > this.limit) {
      buffer.release();
      return;
    }
    const key = `${dtype}:${buffer.length}`;
    const list = this.#free.get(key) ?? [];
    list.push(buffer);
    // Last, as the one that was used just now.
    this.#free.delete(key);
    this.#free.set(key, list);
    this.#kept += buffer.size;
    for (const [oldest, buffers] of this.#free) {
      while (this.#kept > this.limit && buffers.length > 0) this.#drop(buffers);
      if (buffers.length === 0) this.#free.delete(oldest);
      if (this.#kept <= this.limit) return;
    }
  }

  /** Releases all that is kept. */
  clear(): void {
    for (const buffers of this.#free.values()) while (buffers.length > 0) this.#drop(buffers);
    this.#free.clear();
  }

  #drop(buffers: Buffer[]): void {
    const buffer = buffers.shift()!;
    this.#kept -= buffer.size;
    buffer.release();
  }

  /** If the device's memory is exhausted, tries again without the buffers that are kept. */
  #make(make: () => Buffer): Buffer {
    this.#made++;
    try {
      return make();
    } catch (error) {
      if (!(error instanceof OpenCLError && EXHAUSTED.has(error.code)) || this.#kept === 0) throw error;
      this.clear();
      return make();
    }
  }
}
