// SPDX-License-Identifier: MIT
//
// Memory of the host that a GPU transfers by itself: pinned memory. Its driver copies all other memory on the thread that enqueues
// the command, one copy of a context at a time, so the writes and reads of a flow do not overlap. Through pinned memory they do; the
// copies between it and the program's arrays have threads of their own.
import type { TypedArray, TypedArrayConstructor } from '../api/data/typed-arrays';
import { isCopy } from '../api/internals';
import type { Buffer } from '../api/objects/buffer';
import { copyMemory } from '../api/objects/copy-apart';
import type { Device } from '../api/objects/device';
import type { Mapping } from '../api/objects/mapping';
import type { CommandQueue } from '../api/objects/queue';
import type { Session } from '../api/open';
import { OpenCLError } from '../cl/opencl-error';

/** Bytes from which on transfers gain more than the additional copy costs. */
const LEAST = 1 << 20;

/** Whether the device's driver copies memory that is not pinned, and there is enough of it for that to matter. */
export const gainsByPinned = (device: Device, bytes: number): boolean =>
  bytes >= LEAST && device.type === 'gpu' && !device.remote && !device.info('HOST_UNIFIED_MEMORY');

export class Pinned {
  private constructor(
    private readonly buffer: Buffer<Uint8Array>,
    private readonly mapping: Mapping<Uint8Array>,
    private readonly queue: CommandQueue,
  ) {}

  /** Undefined if the driver has no such memory left, or JavaScript cannot see it: a flow does without. */
  static async allocate(session: Session, queue: CommandQueue, bytes: number): Promise<Pinned | undefined> {
    let buffer: Buffer<Uint8Array> | undefined;
    try {
      buffer = session.buffer(bytes, { allocHost: true });
      const mapping = await queue.enqueueMap(buffer, 'read-write');
      const pinned = new Pinned(buffer, mapping, queue);
      if (!mapping[isCopy]) return pinned;
      await pinned.release();
    } catch (error) {
      if (buffer && !buffer.released) buffer.release();
      if (!(error instanceof OpenCLError)) throw error;
    }
    return undefined;
  }

  get bytes(): Uint8Array {
    return this.mapping.data;
  }

  /** Its first elements. */
  elements<T extends TypedArray>(type: TypedArrayConstructor<T>, length: number): T {
    return new type(this.bytes.buffer as ArrayBuffer, this.bytes.byteOffset, length);
  }

  /** Puts a chunk into it, which may be there already. */
  async put<T extends TypedArray>(data: T): Promise<T> {
    const own = this.elements(data.constructor as TypedArrayConstructor<T>, data.length);
    if (data.buffer !== own.buffer) await copyMemory(this.queue, data, own);
    return own;
  }

  /** Its first elements, in an array of their own. */
  async take<T extends TypedArray>(type: TypedArrayConstructor<T>, length: number): Promise<T> {
    const result = new type(length);
    await copyMemory(this.queue, this.elements(type, length), result);
    return result;
  }

  async release(): Promise<void> {
    try {
      await this.mapping.unmap();
    } finally {
      this.buffer.release();
    }
  }
}
