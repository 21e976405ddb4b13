// SPDX-License-Identifier: MIT

import type { BackendMapping } from '../../backend/command';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { FUNCTIONS } from '../commands/functions';
import type { TypedArray } from '../data/element-types';
import { handleFor, owningContext } from '../internals';
import type { CommandOptions } from './command-options';
import { enqueue } from './enqueue';
import type { Event } from './event';
import type { MemoryObject } from './memory-object';
import type { CommandQueue } from './queue';

/** A mapped region: `data` is the memory itself if the runtime allows it. */
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

  /** @internal */
  get [owningContext](): object {
    return this.queue.context;
  }

  /** Bytes from one row of a mapped image to the next; 0 for buffers. */
  get rowPitch(): number {
    return this.#mapped?.rowPitch ?? 0;
  }

  get slicePitch(): number {
    return this.#mapped?.slicePitch ?? 0;
  }

  /** Unmaps the region. `data` must not be used afterwards. A second call throws INVALID_VALUE. */
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
    const command = { op: 'unmap', memory: this.memory[handleFor](functionName), mapping: mapped } as const;
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

guard('Mapping', Mapping);
