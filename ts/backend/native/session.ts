// SPDX-License-Identifier: MIT
//
// One thread's use of the addon: the memory both sides share, what is waiting for completions, and the registry that
// releases native objects when their JavaScript owners are collected.
import { isMainThread } from 'node:worker_threads';
import { OpenCLError } from '../../cl/opencl-error';
import type { Addon, Handle, Ticket } from './addon';
import {
  scratchBytes as byteCount,
  scratchCompletions as completionCount,
  scratchOperands as operandCount,
  scratchWords as wordCount,
} from './interface.gen';

type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array;

/** The base of every native object. The API passes a backend only its own objects; the addon checks the number. */
export const handleOf = (object: unknown): Handle => (object as { readonly handle: Handle }).handle;

/**
 * There are hundreds of thousands of events, too many to register each one. A group of events shares one registered token,
 * which its members refer to. When the last member is garbage-collected, the group's remaining handles are released.
 */
export class EventGroup {
  static readonly size = 64;
  constructor(readonly handles: Handle[]) {}
}

const sessions = new WeakMap<Addon, Session>();

export class Session {
  readonly words: Float64Array;
  /** The same memory as bytes. */
  readonly wordBytes: Uint8Array;
  static readonly capacity = wordCount;
  private batcher: { queue: object; execute: () => void } | undefined;
  /** The driver's last message about a context. */
  lastMessage: string | undefined;
  private readonly completions: Float64Array;
  private readonly quick: Pick<
    Addon,
    'release' | 'submit' | 'flush' | 'finishSync' | 'setArgBytes' | 'setArgObject'
  >;
  /** Parameters and result of a quick call of the addon. */
  private readonly operands: Float64Array;
  private readonly bytes: Uint8Array;
  private readonly floats: Float32Array;
  private readonly ints: Int32Array;
  private readonly uints: Uint32Array;
  private readonly doubles: Float64Array;
  private readonly callbacks = new Map<Ticket, (status: number) => void>();
  /** Kept here, because the addon does not keep it. */
  private readonly dispatcher: (finished: number | string) => void;
  private readonly collected: FinalizationRegistry<Handle>;
  private readonly collectedGroups: FinalizationRegistry<readonly Handle[]>;
  private group: EventGroup;

  /** One session for each addon, which has one set of callbacks: backends over different libraries share it. */
  static of(addon: Addon): Session {
    let session = sessions.get(addon);
    if (!session) {
      session = new Session(addon);
      sessions.set(addon, session);
    }
    return session;
  }

  private constructor(readonly addon: Addon) {
    const { release, submit, flush, finishSync, setArgBytes, setArgObject } = addon;
    this.quick = { release, submit, flush, finishSync, setArgBytes, setArgObject };
    const bytesAt = wordCount * 8 + completionCount * 16;
    const operandsAt = bytesAt + byteCount;
    this.dispatcher = (finished) => this.dispatch(finished);
    const scratch = addon.attach(this.dispatcher, OpenCLError, isMainThread);
    this.words = new Float64Array(scratch, 0, wordCount);
    this.wordBytes = new Uint8Array(scratch, 0, wordCount * 8);
    this.completions = new Float64Array(scratch, wordCount * 8, completionCount * 2);
    this.operands = new Float64Array(scratch, operandsAt, operandCount);
    this.bytes = new Uint8Array(scratch, bytesAt, byteCount);
    this.floats = new Float32Array(scratch, bytesAt, byteCount / 4);
    this.ints = new Int32Array(scratch, bytesAt, byteCount / 4);
    this.uints = new Uint32Array(scratch, bytesAt, byteCount / 4);
    this.doubles = new Float64Array(scratch, bytesAt, byteCount / 8);
    this.collected = new FinalizationRegistry((handle) => this.releaseQuietly(handle));
    this.collectedGroups = new FinalizationRegistry((handles) => {
      for (const handle of handles) if (handle !== 0) this.releaseQuietly(handle);
    });
    this.group = this.nextGroup();
  }

  /** Releases `handle` when `owner` is garbage-collected. */
  own(owner: object, handle: Handle): void {
    this.collected.register(owner, handle, owner);
  }

  /** Puts an event into a group, at the end of its `handles`; the event must keep the group. */
  ownInGroup(handle: Handle): EventGroup {
    if (this.group.handles.length === EventGroup.size) this.group = this.nextGroup();
    this.group.handles.push(handle);
    return this.group;
  }

  private nextGroup(): EventGroup {
    const handles: Handle[] = [];
    const group = new EventGroup(handles);
    this.collectedGroups.register(group, handles);
    return group;
  }

  /** Releases the handle now instead of when the owner is garbage-collected. */
  release(owner: object, handle: Handle): void {
    this.collected.unregister(owner);
    this.releaseHandle(handle);
  }

  // Quick calls: most operands are in the shared scratch memory, because converting an operand is expensive. So is looking up
  // a method of the addon, an object with a hundred properties.

  /** Releases handles that no finalizer releases. */
  releaseHandle(handle: Handle): void {
    this.operands[0] = handle;
    this.quick.release();
  }

  flush(queue: Handle): void {
    this.operands[0] = queue;
    this.quick.flush();
  }

  finishSync(queue: Handle): void {
    this.operands[0] = queue;
    this.quick.finishSync();
  }

  /** Executes commands that take no host memory; the last one's event, or 0. */
  execute(queue: Handle, words: number): Handle {
    const { operands } = this;
    operands[0] = queue;
    operands[1] = words;
    this.quick.submit();
    return operands[0]!;
  }

  /** `putBytes` has written the argument's bytes. */
  setArgBytes(kernel: Handle, index: number, size: number): void {
    this.putArgument(kernel, index, size);
    this.quick.setArgBytes();
  }

  /** 0 for `object` means no buffer. */
  setArgObject(kernel: Handle, index: number, object: Handle): void {
    this.putArgument(kernel, index, object);
    this.quick.setArgObject();
  }

  private putArgument(kernel: Handle, index: number, value: number): void {
    const { operands } = this;
    operands[0] = kernel;
    operands[1] = index;
    operands[2] = value;
  }

  /** The handle was released already. */
  disown(owner: object): void {
    this.collected.unregister(owner);
  }

  when(ticket: Ticket, callback: (status: number) => void): void {
    this.callbacks.set(ticket, callback);
  }

  /** The status with which the ticket finishes. */
  done(ticket: Ticket): Promise<number> {
    return new Promise((resolve) => this.when(ticket, resolve));
  }

  /** The ticket will not finish, or its result is not needed. */
  cancel(ticket: Ticket): void {
    this.callbacks.delete(ticket);
  }

  /** Calls back at once, and not when the ticket finishes. */
  abandon(ticket: Ticket, status: number): void {
    const callback = this.callbacks.get(ticket);
    this.callbacks.delete(ticket);
    if (callback) queueMicrotask(() => callback(status));
  }

  /** From now on `queue` collects commands in the words; those of another queue are executed first. */
  batch(queue: object, execute: () => void): void {
    this.settleBatch();
    this.batcher = { queue, execute };
  }

  endBatch(queue: object): void {
    if (this.batcher?.queue === queue) this.batcher = undefined;
  }

  /** Called before anything else uses the words, or changes the effect of a collected command. */
  settleBatch(queue?: object): void {
    if (this.batcher && this.batcher.queue !== queue) this.batcher.execute();
  }

  /** Writes a kernel argument's bytes to the scratch memory; false if there are too many. */
  putBytes(value: ArrayBufferView): boolean {
    const size = value.byteLength;
    if (size > byteCount) return false;
    const target = this.targetFor(value);
    if (target) {
      const numbers = value as Numbers;
      // For the few elements that an argument has, a loop is faster than a call of `set`.
      if (numbers.length <= 4) for (let i = 0; i < numbers.length; i++) target[i] = numbers[i]!;
      else target.set(numbers);
    } else {
      this.bytes.set(new Uint8Array(value.buffer, value.byteOffset, size));
    }
    return true;
  }

  /** The scratch bytes as elements of the same kind; this saves creating a view. */
  private targetFor(value: ArrayBufferView): Numbers | Uint8Array | undefined {
    switch (value.constructor) {
      case Float32Array:
        return this.floats;
      case Int32Array:
        return this.ints;
      case Uint32Array:
        return this.uints;
      case Float64Array:
        return this.doubles;
      case Uint8Array:
        return this.bytes;
      default:
        return undefined;
    }
  }

  private releaseQuietly(handle: Handle): void {
    try {
      this.releaseHandle(handle);
    } catch {
      // Released already, together with its owner.
    }
  }

  private dispatch(finished: number | string): void {
    if (typeof finished === 'string') {
      this.lastMessage = finished;
      return;
    }
    // A callback may cause the next batch, which reuses the memory, so this batch is copied first.
    const batch = this.completions.slice(0, finished * 2);
    for (let i = 0; i < batch.length; i += 2) {
      const callback = this.callbacks.get(batch[i]!);
      this.callbacks.delete(batch[i]!);
      try {
        callback?.(batch[i + 1]!);
      } catch (error) {
        // Like an exception in any other callback of the event loop: the later callbacks still run.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
