// SPDX-License-Identifier: MIT
//
// Device memory that scripts forget to release. A buffer of 16 MB is an object of some hundred bytes to the garbage
// collector, which sees no reason to run; a loop that makes one in each turn would exhaust the device first. So the bytes
// are counted here. Where they have grown much since the last collection the host is asked for one; commands that are
// awaited meanwhile complete a turn of the event loop later, because V8 calls finalizers between turns only. An
// allocation that fails collects at once, and is tried again.

import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { illegalReceiver } from '../errors/refusals';
import { host } from '../runtime';
import { checkConstructor, disown, Handle } from './handle';

/** What holds device memory until it is released. */
interface Holding {
  /** Bytes; 0 where the memory is another object's. */
  readonly bytes: number;
  /** Of the object that a script has; only of large ones. */
  readonly owner: WeakRef<object> | undefined;
  /** Undefined once it is released. */
  handle: { release(): void } | undefined;
}

/** Bytes that may be forgotten before a collection, at the least. */
const LEAST_GROWTH = 256 << 20;
/** Forgotten objects below this are left to V8, which comes across them in time. */
const LARGE = 64 << 10;

const FAILURES: ReadonlySet<number> = new Set([
  ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE,
  ErrorCode.OUT_OF_RESOURCES,
  ErrorCode.OUT_OF_HOST_MEMORY,
]);

class MemoryPressure {
  /** Bytes of all objects that were not released. */
  #used = 0;
  /** Collects when so many are used. */
  #limit = LEAST_GROWTH;
  #turn: Promise<void> | undefined;
  readonly #large = new Set<Holding>();
  readonly #forgotten = new FinalizationRegistry<Holding>((holding) => {
    try {
      this.release(holding);
    } catch {
      // Nobody called this, and nobody could catch it: the process would end.
    }
  });

  /** Ends when the finalizers of a collection have run; undefined while none is under way. */
  get turn(): Promise<void> | undefined {
    return this.#turn;
  }

  /** From now on `owner` holds the memory; `handle` is released when it is collected. */
  hold(owner: object, handle: { release(): void }, bytes: number): Holding {
    const large = bytes >= LARGE;
    const holding: Holding = { bytes, owner: large ? new WeakRef(owner) : undefined, handle };
    this.#forgotten.register(owner, holding, holding);
    if (large) this.#large.add(holding);
    this.#used += bytes;
    if (this.#used > this.#limit && this.#turn === undefined) this.#turn = this.#collectSoon();
    return holding;
  }

  /** Gives the memory back; the second time does nothing. */
  release(holding: Holding): void {
    const { handle } = holding;
    this.disown(holding);
    handle?.release();
  }

  /** A command has taken over the handle. */
  disown(holding: Holding): void {
    if (holding.handle === undefined) return;
    holding.handle = undefined;
    this.#used -= holding.bytes;
    this.#large.delete(holding);
    this.#forgotten.unregister(holding);
  }

  /** Makes what takes device memory; once more after a collection if there was none left. */
  allocate<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (!isExhausted(error)) throw error;
      this.#collectNow();
      try {
        return make();
      } catch (again) {
        throw isExhausted(again) ? this.#advised(again) : again;
      }
    }
  }

  async #collectSoon(): Promise<void> {
    await host().nextTurn();
    const heap = host().collectGarbage();
    await host().nextTurn();
    this.#sweep();
    this.#turn = undefined;
    // In proportion to what a collection has to go through, so that collecting stays a small part of the work.
    this.#limit = this.#used + Math.max(LEAST_GROWTH, this.#used / 2, heap);
  }

  /** Within a call: finalizers do not run in here, so that large objects are looked through instead. */
  #collectNow(): void {
    host().collectGarbage();
    this.#sweep();
  }

  #sweep(): void {
    for (const holding of this.#large) if (holding.owner!.deref() === undefined) this.release(holding);
  }

  #advised(error: OpenCLError): OpenCLError {
    const held = `${this.#large.size} buffers, images and the like hold ${this.#used} bytes`;
    const detail = error.message.split(': ').slice(2).join(': ');
    const advice = `${held}: give back what is no longer needed with release(), or declare it with \`using\``;
    return new OpenCLError(error.code, error.functionName, detail ? `${detail}; ${advice}` : advice);
  }
}

const isExhausted = (error: unknown): error is OpenCLError =>
  error instanceof OpenCLError && FAILURES.has(error.code);

export const memoryPressure = new MemoryPressure();

/** A command has taken over the handle: as after `release`, but it is not given back here. */
export let disownMemory: (memory: MemoryHandle<{ release(): void }>) => void;

/** An API object over so many bytes of a device's memory. */
export abstract class MemoryHandle<H extends { release(): void }> extends Handle<H> {
  readonly #holding: Holding;

  /** @internal */
  protected constructor(handle: H, invalidCode: number, bytes: number) {
    checkConstructor(handle, new.target);
    super(handle, invalidCode, false);
    this.#holding = memoryPressure.hold(this, handle, bytes);
  }

  override release(): void {
    if (!(#holding in Object(this))) throw illegalReceiver(this, 'release');
    memoryPressure.disown(this.#holding);
    super.release();
  }

  static {
    disownMemory = (memory) => {
      memoryPressure.disown(memory.#holding);
      disown(memory);
    };
  }
}

guard('MemoryHandle', MemoryHandle);
