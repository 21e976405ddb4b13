// SPDX-License-Identifier: MIT
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { mistake, throwFrom } from '../errors/caller-stack';

interface Releasable {
  release(): void;
}

/** Gives back what a script forgot: runs when the wrapper has been collected. */
const forgotten = new FinalizationRegistry<Releasable>((handle) => {
  try {
    handle.release();
  } catch {
    // Nobody called this, and nobody could catch it: the process would end.
  }
});

/** Scripts make no objects with `new`: those would have nothing behind them. */
export function checkConstructor(handle: Releasable | undefined, type: { readonly name: string }): void {
  if (typeof handle?.release === 'function' && !(handle instanceof Handle)) return;
  const detail = `a ${type.name} is not made with \`new\`, but by the methods of the objects that it belongs to`;
  throwFrom(type as never, mistake(new TypeError(detail)));
}

function releaseOnceForgotten(object: object, handle: Releasable, type: { readonly name: string }): void {
  checkConstructor(handle, type);
  forgotten.register(object, handle, object);
}

/** Forgets the handle without giving it back. */
export let disown: (object: Handle<Releasable>) => void;
/** The error of any use of an object that was released. */
export let releasedError: (object: Handle<Releasable>, functionName: string) => OpenCLError;

/**
 * An API object over a backend's handle. `release()` (or `using`) gives the handle back at once; without it the
 * garbage collector does in its own time. Any use after release throws OpenCLError with `invalidCode`.
 */
export abstract class Handle<H extends Releasable> {
  #handle: H | undefined;
  readonly #invalidCode: number;

  /**
   * `register`: the garbage collector is to release the handle. False where the class has seen that it was made rightly,
   * releases by itself, and leaves what is forgotten to its backend.
   */
  protected constructor(handle: H, invalidCode: number, register = true) {
    this.#handle = handle;
    this.#invalidCode = invalidCode;
    if (register) releaseOnceForgotten(this, handle, new.target);
  }

  get released(): boolean {
    return this.#handle === undefined;
  }

  /** @internal Whether a value is such an object indeed, and not only one that looks or inherits like it. */
  static is(value: unknown): value is Handle<Releasable> {
    return typeof value === 'object' && value !== null && #handle in value;
  }

  /** @internal The backend's object, for the rest of the API. Throws if this object was released. */
  handleFor(functionName: string): H {
    const handle = this.#handle;
    if (handle === undefined) throw releasedError(this, functionName);
    return handle;
  }

  /** @internal What a kernel's argument gets for this object; undefined for objects that are no arguments. */
  argumentFor(_functionName: string): unknown {
    return undefined;
  }

  /** Releasing twice is harmless. */
  release(): void {
    if (!(#handle in Object(this))) throw illegalReceiver(this, 'release');
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    forgotten.unregister(this);
    handle.release();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  static {
    disown = (object) => {
      object.#handle = undefined;
      forgotten.unregister(object);
    };
    releasedError = (object, functionName) =>
      new OpenCLError(object.#invalidCode, functionName, `this ${object.constructor.name} was released`);
  }
}

/** Names a value for an error message: its class, or its type and value. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
    case 'number':
    case 'bigint':
      return `${typeof value} ${value}`;
    case 'function':
      return `the function ${typeof value.name === 'string' && value.name ? value.name : '(anonymous)'}`;
    case 'object': {
      if (value === null) return 'null';
      const name: unknown = value.constructor?.name;
      return withArticle(typeof name === 'string' && name ? name : 'object');
    }
    default:
      return String(value);
  }
}

/** What is wrong with an object that OpenCL does not let be used here, however right it is. */
export const ofAnotherContext = (type: string): string =>
  `is ${withArticle(type)} of another context: objects of different contexts cannot be used together`;

/** `an int*`, `a uint` */
export const withArticle = (noun: string): string => `${/^([aeio]|un)/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** An object as options are: no array, no view, none of the API's. */
export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value) &&
  !(value instanceof Handle);

/** `1 argument`, `2 arguments` */
export const pluralize = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** The error of a method, `Class.method` or one that all have, that was called on something else. */
export function illegalReceiver(object: unknown, method: string): TypeError {
  const [type, name] = method.split('.');
  const right = name === undefined ? 'an object of the API' : `a ${type}`;
  return mistake(new TypeError(`${method} was called on ${describe(object)}: it must be called on ${right}`));
}

/** What a backend that has no such function is refused with: its extension, or what else the device lacks. */
export function unsupported(functionName: string, needed: string): OpenCLError {
  return new OpenCLError(
    ErrorCode.INVALID_OPERATION,
    functionName,
    `it needs ${needed}, which this device does not have`,
  );
}
