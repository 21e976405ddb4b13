// SPDX-License-Identifier: MIT

import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { illegalReceiver, throwIllegalConstructor } from '../errors/refusals';
import {
  argumentFor,
  handleFor,
  isConstructed,
  isReleased,
  owningContext,
  releasedError,
} from '../internals';

interface Releasable {
  release(): void;
}

/** Releases the handles of garbage-collected objects. */
const forgotten = new FinalizationRegistry<Releasable>((handle) => {
  try {
    handle.release();
  } catch {
    // An error in a finalizer would end the process.
  }
});

/** Throws unless `handle` is a backend's object: scripts cannot construct objects with `new`. */
export function checkConstructor(handle: Releasable | undefined, type: { readonly name: string }): void {
  if (typeof handle?.release === 'function' && !(handle instanceof Handle)) return;
  throwIllegalConstructor(type);
}

/** Ends the object's ownership of its handle without releasing the handle. */
export let disown: (object: Handle<Releasable>) => void;

/**
 * An API object over a backend's handle. `release()` (or `using`) releases the handle at once. The garbage collector
 * releases other objects. Any use after release throws OpenCLError with `invalidCode`.
 */
export abstract class Handle<H extends Releasable> {
  #handle: H | undefined;
  readonly #invalidCode: number;

  /**
   * `register`: release the handle when the object is garbage-collected. Classes that pass false check their
   * constructor and release their handles themselves.
   */
  protected constructor(handle: H, invalidCode: number, register = true) {
    this.#handle = handle;
    this.#invalidCode = invalidCode;
    if (register) {
      checkConstructor(handle, new.target);
      forgotten.register(this, handle, this);
    }
  }

  /** Whether it was released; any other use then throws. */
  get released(): boolean {
    return this[isReleased];
  }

  /** @internal */
  get [isReleased](): boolean {
    return this.#handle === undefined;
  }

  /** @internal */
  static [isConstructed](value: unknown): value is Handle<Releasable> {
    return typeof value === 'object' && value !== null && #handle in value;
  }

  /** @internal */
  get [owningContext](): object | undefined {
    return (this as { readonly context?: object }).context;
  }

  /** @internal */
  [handleFor](functionName: string): H {
    const handle = this.#handle;
    if (handle === undefined) throw this[releasedError](functionName);
    return handle;
  }

  /** @internal */
  [releasedError](functionName: string): OpenCLError {
    return new OpenCLError(this.#invalidCode, functionName, `this ${this.constructor.name} was released`);
  }

  /** @internal */
  [argumentFor](_functionName: string): unknown {
    return undefined;
  }

  /** Releases the handle; a second call has no effect. */
  release(): void {
    if (!(#handle in Object(this))) throw illegalReceiver(this, 'release');
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    forgotten.unregister(this);
    handle.release();
  }

  /** As `release`, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  static {
    disown = (object) => {
      object.#handle = undefined;
      forgotten.unregister(object);
    };
  }
}

guard('Handle', Handle);
