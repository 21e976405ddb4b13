// SPDX-License-Identifier: MIT
//
// Device memory that scripts forget to release. A buffer of 16 MB is an object of some hundred bytes to the garbage
// collector, which sees no reason to run; a loop that makes one in each turn would exhaust the device first. So the bytes
// are counted here. Where they have grown much since the last collection the host is asked for one; commands that are
// awaited meanwhile complete a turn of the event loop later, because V8 calls finalizers between turns only. An
// allocation that fails collects at once, takes released arguments from kernels, and is tried again.

import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { illegalReceiver } from '../errors/refusals';
import { host } from '../runtime';
import { checkConstructor, disown, Handle } from './handle';

/** An object that owns device memory until it is released. */
interface Holding {
  /** Bytes; 0 if the memory belongs to another object. */
  readonly bytes: number;
  /** A reference to the script's object; only for large ones. */
  readonly owner: WeakRef<object> | undefined;
  /** Undefined once it is released. */
  handle: { release(): void } | undefined;
}

/** The least number of unreferenced bytes that triggers a collection. */
const LEAST_GROWTH = 256 << 20;
/** V8 finds unreferenced objects smaller than this in time. */
const LARGE = 64 << 10;

const FAILURES: ReadonlySet<number> = new Set([
  ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE,
  ErrorCode.OUT_OF_RESOURCES,
  ErrorCode.OUT_OF_HOST_MEMORY,
]);

class MemoryPressure {
  /** Bytes of all objects that were not released. */
  #used = 0;
  /** The number of used bytes that triggers a collection. */
  #limit = LEAST_GROWTH;
  #turn: Promise<void> | undefined;
  readonly #large = new Set<Holding>();
  readonly #forgotten = new FinalizationRegistry<Holding>((holding) => {
    try {
      this.release(holding);
    } catch {
      // No script called this, so none could catch the error: the process would end.
    }
  });

  readonly #freers: (() => void)[] = [];

  /** Calls `free`, which releases memory that scripts can do without, before an allocation fails. */
  beforeFailure(free: () => void): void {
    this.#freers.push(free);
  }

  /** Settles when the finalizers of a collection have run; undefined if no collection is running. */
  get turn(): Promise<void> | undefined {
    return this.#turn;
  }

  /** Registers `owner` as the owner of the memory; `handle` is released when `owner` is garbage-collected. */
  hold(owner: object, handle: { release(): void }, bytes: number): Holding {
    const large = bytes >= LARGE;
    const holding: Holding = { bytes, owner: large ? new WeakRef(owner) : undefined, handle };
    this.#forgotten.register(owner, holding, holding);
    if (large) this.#large.add(holding);
    this.#used += bytes;
    if (this.#used > this.#limit && this.#turn === undefined) this.#turn = this.#collectSoon();
    return holding;
  }

  /** Releases the memory; a second call has no effect. */
  release(holding: Holding): void {
    const { handle } = holding;
    this.disown(holding);
    handle?.release();
  }

  /** A command owns the handle now. */
  disown(holding: Holding): void {
    if (holding.handle === undefined) return;
    holding.handle = undefined;
    this.#used -= holding.bytes;
    this.#large.delete(holding);
    this.#forgotten.unregister(holding);
  }

  /** Allocates device memory; if there is none left, again after a collection. */
  allocate<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (!isExhausted(error)) throw error;
      this.#collectNow();
      for (const free of this.#freers) free();
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
    // Proportional to the heap, which a collection has to traverse, so that collecting remains a small part of the work.
    this.#limit = this.#used + Math.max(LEAST_GROWTH, this.#used / 2, heap);
  }

  /** Finalizers do not run within a call, so this checks the large objects instead. */
  #collectNow(): void {
    host().collectGarbage();
    this.#sweep();
  }

  #sweep(): void {
    for (const holding of this.#large) if (holding.owner!.deref() === undefined) this.release(holding);
  }

  #advised(error: OpenCLError): OpenCLError {
    if (this.#used === 0) return error;
    const held = `${this.#large.size} buffers, images and the like hold ${this.#used} bytes`;
    const detail = error.message.split(': ').slice(2).join(': ');
    const advice = `${held}: release unused objects with release(), or declare them with \`using\``;
    return new OpenCLError(error.code, error.functionName, detail ? `${detail}; ${advice}` : advice);
  }
}

const isExhausted = (error: unknown): error is OpenCLError =>
  error instanceof OpenCLError && FAILURES.has(error.code);

export const memoryPressure = new MemoryPressure();

/** A command owns the handle now: as after `release`, but the handle is not released here. */
export let disownMemory: (memory: MemoryHandle<{ release(): void }>) => void;

/** An API object that owns device memory. */
export abstract class MemoryHandle<H extends { release(): void }> extends Handle<H> {
  readonly #holding: Holding;

  /** @internal */
  protected constructor(handle: H, invalidCode: number, bytes: number) {
    checkConstructor(handle, new.target);
    super(handle, invalidCode, false);
    this.#holding = memoryPressure.hold(this, handle, bytes);
  }

  /** Releases the memory at once; commands that use it run to their end. */
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
