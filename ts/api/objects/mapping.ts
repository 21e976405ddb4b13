// SPDX-License-Identifier: MIT

import type { BackendMapping } from '../../backend/command';
import { COMMANDS } from '../../backend/command-table';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import type { TypedArray } from '../data/typed-arrays';
import { handleFor, isCopy, owningContext, unmapOn } from '../internals';
import type { CommandOptions } from './command-options';
import { enqueue } from './enqueue';
import type { Event } from './event';
import { checkHost, type MemoryObject } from './memory-object';
import type { CommandQueue } from './queue';

/**
 * A mapped region: `data` is the memory itself if the runtime allows it.
 *
 * @example
 * ```ts
 * const memory = cl.buffer(Int32Array.of(1, 2, 3));
 * const mapping = await memory.map('read-write');
 * mapping.data[0] = 10;
 * await mapping.unmap();
 * console.log(await memory.read());                // Int32Array(3) [ 10, 2, 3 ]
 * ```
 */
export class Mapping<T extends TypedArray> {
  #mapped: BackendMapping | undefined;

  /** @internal */
  constructor(
    /** The buffer or image that is mapped. */
    readonly memory: MemoryObject,
    /** The queue that it was mapped on. */
    readonly queue: CommandQueue,
    mapped: BackendMapping,
    /** The mapped elements, until `unmap`. */
    readonly data: T,
  ) {
    this.#mapped = mapped;
  }

  /** @internal */
  get [owningContext](): object {
    return this.queue.context;
  }

  /** @internal */
  get [isCopy](): boolean {
    return this.#mapped?.isCopy === true;
  }

  /** Bytes from one row of a mapped image to the next; 0 for buffers. */
  get rowPitch(): number {
    return this.#mapped?.rowPitch ?? 0;
  }

  /** Bytes from one slice of a mapped image to the next; 0 for buffers. */
  get slicePitch(): number {
    return this.#mapped?.slicePitch ?? 0;
  }

  /** Unmaps the region. `data` must not be used afterwards. A second call throws INVALID_VALUE. */
  unmap(options: CommandOptions = {}): Event {
    return this.queue.enqueueUnmap(this, options);
  }

  /** @internal */
  [unmapOn](queue: CommandQueue, options: CommandOptions): Event {
    const mapped = this.#mapped;
    if (mapped === undefined) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clEnqueueUnmapMemObject',
        'this region was unmapped before',
      );
    }
    const functionName = COMMANDS.unmap.enqueuedBy;
    const command = { op: 'unmap', memory: this.memory[handleFor](functionName), mapping: mapped } as const;
    const event = enqueue(queue, command, options, () => checkHost(this.memory, functionName));
    this.#mapped = undefined;
    return event;
  }

  /** Unmaps the region if it is still mapped. */
  [Symbol.dispose](): void {
    if (this.#mapped !== undefined) this.unmap();
  }

  /** The same, and waits until it is unmapped. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#mapped !== undefined) await this.unmap();
  }
}

guard('Mapping', Mapping);
