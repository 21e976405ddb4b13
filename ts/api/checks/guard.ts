// SPDX-License-Identifier: MIT
//
// Wraps the methods of a class with the checks of its signatures (signatures/). Each class's own file calls `guard`, once. A
// method can then rely on the kinds of its arguments, also when a script without types calls it; the method checks what else
// must hold of their values.

import { OpenCLError } from '../../cl/opencl-error';
import { throwFrom, throwTidily } from '../errors/caller-stack';
import { illegalReceiver } from '../errors/refusals';
import { isConstructed, isReleased, releasedError } from '../internals';
import { addClass, type ClassName, isInstance, type PublicClass } from './classes';
import { hintFor } from './hints';
import { anything, contextOf, type Kind } from './kinds';
import { call, type Parameters, type Signature, type Signatures } from './signature';
import { SIGNATURES } from './signatures';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The error of a wrong argument of `method`. */
function argumentError(
  method: string,
  functionName: string,
  parameter: string,
  kind: Kind,
  value: unknown,
  context?: object,
): OpenCLError {
  const { part, detail, code } = kind.fault(value, context);
  const hint = part === '' ? hintFor(method, parameter, value) : '';
  return new OpenCLError(code, functionName, `${method}: \`${parameter}${part}\` ${detail}${hint}`);
}

/** Checks the arguments of a function that belongs to no class, and returns them: copies where a script could change them. */
export function checkArguments<A extends readonly unknown[]>(
  name: string,
  functionName: string,
  checked: Parameters,
  args: A,
): A {
  const own: unknown[] = [...args];
  Object.entries(checked).forEach(([parameter, kind], i) => {
    if (kind.copy) own[i] = kind.copy(own[i]);
    if (!kind.accepts(own[i])) throw argumentError(name, functionName, parameter, kind, own[i]);
  });
  return own as unknown as A;
}

/** Members named by symbols are internal to the API (internals.ts), except for those of the language. */
const isPublic = (key: PropertyKey): boolean =>
  typeof key === 'string' || key === Symbol.dispose || key === Symbol.asyncDispose;

/** A method without parameters has no signature. */
const NO_PARAMETERS: Signature = call('', {});

/**
 * Wraps the methods and getters that `type` declares: all check their receiver, and methods with a signature check their
 * arguments.
 */
export function guard(className: ClassName, type: PublicClass): void {
  addClass(className, type);
  const signatures: Signatures = SIGNATURES[className];
  for (const key of Reflect.ownKeys(type.prototype).filter(isPublic)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(type.prototype, key)!;
    if (descriptor.get)
      Object.defineProperty(type.prototype, key, {
        ...descriptor,
        get: guardedGetter(type, String(key), descriptor.get),
      });
    const method: unknown = descriptor.value;
    if (typeof method !== 'function' || key === 'constructor') continue;
    const signature = Object.hasOwn(signatures, key) ? signatures[key as string]! : NO_PARAMETERS;
    if (!signature.checksItself)
      replace(type.prototype, key, guarded(type, String(key), method as Method, signature));
  }
  for (const [key, signature] of Object.entries(signatures)) {
    if (!key.startsWith('static ')) continue;
    const name = key.slice('static '.length);
    replace(
      type,
      name,
      guarded(
        undefined,
        `${type.name}.${name}`,
        (type as unknown as Record<string, Method>)[name]!,
        signature,
      ),
    );
  }
}

/** An assignment keeps the property's attributes and is cheap; loading the package makes hundreds. */
function replace(target: object, key: PropertyKey, value: Method): void {
  (target as Record<PropertyKey, Method>)[key] = value;
}

/** A getter checks its receiver only after it has thrown: a legal receiver needs no check. */
function guardedGetter(type: PublicClass, key: string, getter: () => unknown): () => unknown {
  return function guardedGet(this: unknown): unknown {
    try {
      return getter.call(this);
    } catch (error) {
      throwFrom(guardedGet, isInstance(type, this) ? error : illegalReceiver(this, `${type.name}.${key}`));
    }
  };
}

/** An object over a backend's handle. */
interface Releasable {
  readonly [isReleased]: boolean;
  [releasedError](functionName: string): OpenCLError;
}

/** `type` is undefined for static methods. */
function guarded(type: PublicClass | undefined, key: string, method: Method, signature: Signature): Method {
  const { functionName, parameters, rejects, outlivesRelease } = signature;
  const where = type ? `${type.name}.${key}` : key;
  const names = Object.keys(parameters);
  const kinds = Object.values(parameters);
  const last = names.length - 1;
  const isOwn = type?.[isConstructed];
  const mustLive = isOwn !== undefined && functionName !== '' && !outlivesRelease;
  /** What is wrong with the receiver. */
  const problemOf = (object: unknown): Error | undefined => {
    if (type === undefined) return undefined;
    // As `isInstance`, in a form that V8 inlines.
    if (!(object instanceof (type as never)) || (isOwn && !isOwn(object)))
      return illegalReceiver(object, where);
    if (mustLive && (object as Releasable)[isReleased])
      return (object as Releasable)[releasedError](functionName);
    return undefined;
  };
  const wrongArgument = (i: number, value: unknown, context: object | undefined): OpenCLError =>
    argumentError(where, functionName, names[i]!, kinds[i]!, value, context);
  /** Throws or rejects, with a stack that begins at the script's call. */
  const fail = (wrapper: Method, error: unknown): unknown => {
    if (!rejects) throwFrom(wrapper, error);
    return Promise.reject(error).then(undefined, throwTidily);
  };
  const settled = (result: unknown): unknown =>
    rejects ? (result as Promise<unknown>).then(undefined, throwTidily) : result;

  const name = key.slice(key.lastIndexOf('.') + 1);
  if (names[last]?.startsWith('...')) {
    const rest = kinds[last]!;
    const { [name]: wrapper } = {
      [name](this: unknown, ...args: unknown[]): unknown {
        try {
          const problem = problemOf(this);
          if (problem) throw problem;
          const context = contextOf(this);
          for (let i = 0; i < Math.max(args.length, last); i++) {
            const kind = i < last ? kinds[i]! : rest;
            if (kind.copy) args[i] = kind.copy(args[i], context);
            if (kind.accepts(args[i], context)) continue;
            const parameter = i < last ? names[i]! : `${names[last]!.slice(3)}[${i - last}]`;
            throw argumentError(where, functionName, parameter, kind, args[i], context);
          }
          return settled(method.apply(this, args));
        } catch (error) {
          return fail(wrapper!, error);
        }
      },
    };
    return wrapper!;
  }
  const [first = anything, second = anything, third = anything, fourth = anything] = kinds;
  // Most methods have at most four parameters; these need no array.
  const { [name]: wrapper } = {
    [name](this: unknown, a?: unknown, b?: unknown, c?: unknown, d?: unknown): unknown {
      try {
        const problem = problemOf(this);
        if (problem) throw problem;
        const context = contextOf(this);
        if (first.copy) a = first.copy(a, context);
        if (!first.accepts(a, context)) throw wrongArgument(0, a, context);
        if (second.copy) b = second.copy(b, context);
        if (!second.accepts(b, context)) throw wrongArgument(1, b, context);
        if (third.copy) c = third.copy(c, context);
        if (!third.accepts(c, context)) throw wrongArgument(2, c, context);
        if (fourth.copy) d = fourth.copy(d, context);
        if (!fourth.accepts(d, context)) throw wrongArgument(3, d, context);
        return settled(method.call(this, a, b, c, d));
      } catch (error) {
        return fail(wrapper!, error);
      }
    },
  };
  return wrapper!;
}
