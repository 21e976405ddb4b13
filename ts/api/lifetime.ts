// SPDX-License-Identifier: MIT
import { ErrorCode } from '../backend/cl.gen';
import { OpenCLError } from '../backend/opencl-error';

interface Handle {
  release(): void;
}

/** Gives back what a script forgot: runs when the wrapper has been collected. */
const forgotten = new FinalizationRegistry<Handle>((handle) => handle.release());

/**
 * An API object over a backend's handle. `release()` (or `using`) gives the handle back at once; without it the
 * garbage collector does in its own time. Any use after release throws OpenCLError with `invalidCode`.
 */
export abstract class Owned<H extends Handle> {
  #handle: H | undefined;
  readonly #invalidCode: number;
  readonly #registered: boolean;

  /** `register`: whether the garbage collector is to release the handle; false where the backend sees to that. */
  protected constructor(handle: H, invalidCode: number, register = true) {
    this.#handle = handle;
    this.#invalidCode = invalidCode;
    this.#registered = register;
    if (register) forgotten.register(this, handle, this);
  }

  get released(): boolean {
    return this.#handle === undefined;
  }

  /** The backend's object, for the rest of the API. Throws if this object was released. */
  handleFor(functionName: string): H {
    const handle = this.#handle;
    if (handle === undefined) {
      throw new OpenCLError(this.#invalidCode, functionName, `this ${this.constructor.name} was released`);
    }
    return handle;
  }

  /** Releasing twice is harmless. */
  release(): void {
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    if (this.#registered) forgotten.unregister(this);
    handle.release();
  }

  /** A command has taken over the handle: as after `release`, but it is not given back here. */
  protected disown(): void {
    this.#handle = undefined;
    if (this.#registered) forgotten.unregister(this);
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/** For arguments that must be such an object and alive. */
export function liveHandle<H extends Handle>(
  object: Owned<H>,
  type: abstract new (...args: never[]) => Owned<H>,
  functionName: string,
  code: number = ErrorCode.INVALID_VALUE,
  what = 'argument',
): H {
  if (!(object instanceof type)) {
    throw new OpenCLError(code, functionName, `${what} must be a ${type.name}, not ${describe(object)}`);
  }
  return object.handleFor(functionName);
}

/** Names a value for an error message: its class, or its type and value. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'object') return `a ${value.constructor?.name ?? 'object'}`;
  if (typeof value === 'function') return `the function ${value.name || '(anonymous)'}`;
  return `${typeof value} ${String(value)}`;
}

/** What a backend that has no such function is refused with: its extension, or what else the device lacks. */
export function lacks(functionName: string, needed: string): OpenCLError {
  return new OpenCLError(
    ErrorCode.INVALID_OPERATION,
    functionName,
    `it needs ${needed}, which this device does not have`,
  );
}
