// SPDX-License-Identifier: MIT
//
// Puts the checks of a class's signatures in front of its methods: once, when the package is loaded. A method can then
// rely on the kinds of its arguments, also when a script without types calls it; what more must hold of their values it
// checks itself.
import { OpenCLError } from '../../cl/opencl-error';
import { throwFrom, throwTidily } from '../errors/caller-stack';
import { Handle, illegalReceiver, releasedError } from '../objects/lifetime';
import { anything, contextOf, type Kind } from './kinds';

/** Parameters by name, in order; the name of a rest parameter begins with three dots. */
export type Parameters = Readonly<Record<string, Kind>>;

export interface Signature {
  /** The function of OpenCL that the method is for, and that errors name. */
  readonly functionName: string;
  readonly parameters: Parameters;
  /** The method returns a Promise: that is rejected, and nothing thrown. */
  readonly rejects: boolean;
  /** The method checks by itself: scripts call it by the million, and what is in front of it would cost a tenth. */
  readonly checksItself: boolean;
  /** It works on objects that were released, too. */
  readonly outlivesRelease: boolean;
}

export const call = (functionName: string, parameters: Parameters): Signature => ({
  functionName,
  parameters,
  rejects: false,
  checksItself: false,
  outlivesRelease: false,
});

export const lasting = (signature: Signature): Signature => ({ ...signature, outlivesRelease: true });

export const itself = (functionName: string, parameters: Parameters): Signature => ({
  ...call(functionName, parameters),
  checksItself: true,
});

export const promise = (functionName: string, parameters: Parameters): Signature => ({
  ...call(functionName, parameters),
  rejects: true,
});

export interface GuardedClass {
  readonly name: string;
  readonly prototype: object;
}
type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The error that a wrong argument of `method` is refused with. */
export function argumentError(
  method: string,
  functionName: string,
  parameter: string,
  fault: ReturnType<Kind['fault']>,
): OpenCLError {
  const { part, detail, code } = fault;
  return new OpenCLError(code, functionName, `${method}: \`${parameter}${part}\` ${detail}`);
}

/** Checks the arguments of a function that belongs to no class. */
export function checkArguments(
  name: string,
  functionName: string,
  checked: Parameters,
  args: unknown[],
): void {
  Object.entries(checked).forEach(([parameter, kind], i) => {
    if (!kind.accepts(args[i])) throw argumentError(name, functionName, parameter, kind.fault(args[i]));
  });
}

/** A class's signatures; those of static methods begin with `static `. */
export type Signatures = Readonly<Record<string, Signature>>;
/** A class, and the signatures of the methods that it has itself. */
export type SignatureTable = readonly (readonly [GuardedClass, Signatures])[];

/** Wraps the methods of `type`: those in the table are checked for their arguments, all for what they are called on. */
export function guard(type: GuardedClass, signatures: Signatures, except: ReadonlySet<string>): void {
  for (const key of Reflect.ownKeys(type.prototype)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(type.prototype, key)!;
    if (descriptor.get)
      Object.defineProperty(type.prototype, key, {
        ...descriptor,
        get: guardedGetter(type, String(key), descriptor.get),
      });
    const method: unknown = descriptor.value;
    if (typeof method !== 'function' || key === 'constructor' || except.has(key as string)) continue;
    const signature = Object.hasOwn(signatures, key) ? signatures[key as string]! : call('', {});
    if (!signature.checksItself)
      replace(type.prototype, key, guarded(type, String(key), method as Method, signature));
  }
  for (const [key, signature] of Object.entries(signatures)) {
    if (!key.startsWith('static ')) continue;
    const name = key.slice('static '.length) as keyof GuardedClass;
    replace(
      type,
      name,
      guarded(undefined, `${type.name}.${name}`, type[name] as unknown as Method, signature),
    );
  }
}

/** In the place of a method, which passes its attributes on: hundreds of these are made at each start. */
function replace(target: object, key: PropertyKey, value: Method): void {
  (target as Record<PropertyKey, Method>)[key] = value;
}

const isHandleClass = (type: GuardedClass): boolean =>
  type.prototype === Handle.prototype || type.prototype instanceof Handle;

/** Getters of a right object have nothing to check: what they are read of is looked at only when they fail. */
function guardedGetter(type: GuardedClass, key: string, getter: () => unknown): () => unknown {
  const isHandle = isHandleClass(type);
  return function guardedGet(this: unknown): unknown {
    try {
      return getter.call(this);
    } catch (error) {
      const right = this instanceof (type as never) && (!isHandle || Handle.is(this));
      throwFrom(guardedGet, right ? error : illegalReceiver(this, `${type.name}.${key}`));
    }
  };
}

/** `type` is undefined for what is not called on an object. */
function guarded(type: GuardedClass | undefined, key: string, method: Method, signature: Signature): Method {
  const { functionName, parameters, rejects, outlivesRelease } = signature;
  const where = type ? `${type.name}.${key}` : key;
  const names = Object.keys(parameters);
  const kinds = Object.values(parameters);
  const last = names.length - 1;
  const isHandle = type !== undefined && isHandleClass(type);
  const mustLive = isHandle && functionName !== '' && !outlivesRelease;
  /** What is wrong with the object itself. */
  const problemOf = (object: unknown): Error | undefined => {
    if (type === undefined) return undefined;
    if (!(object instanceof (type as never)) || (isHandle && !Handle.is(object)))
      return illegalReceiver(object, where);
    if (mustLive && (object as Handle<never>).released)
      return releasedError(object as Handle<never>, functionName);
    return undefined;
  };
  const wrongArgument = (i: number, value: unknown, context: object | undefined): OpenCLError =>
    argumentError(where, functionName, names[i]!, kinds[i]!.fault(value, context));
  /** Throws or rejects at the script's door. */
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
            if (kind.accepts(args[i], context)) continue;
            const parameter = i < last ? names[i]! : `${names[last]!.slice(3)}[${i - last}]`;
            throw argumentError(where, functionName, parameter, kind.fault(args[i], context));
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
  // Most methods have few parameters: no array is made of these.
  const { [name]: wrapper } = {
    [name](this: unknown, a?: unknown, b?: unknown, c?: unknown, d?: unknown): unknown {
      try {
        const problem = problemOf(this);
        if (problem) throw problem;
        const context = contextOf(this);
        if (!first.accepts(a, context)) throw wrongArgument(0, a, context);
        if (!second.accepts(b, context)) throw wrongArgument(1, b, context);
        if (!third.accepts(c, context)) throw wrongArgument(2, c, context);
        if (!fourth.accepts(d, context)) throw wrongArgument(3, d, context);
        return settled(method.call(this, a, b, c, d));
      } catch (error) {
        return fail(wrapper!, error);
      }
    },
  };
  return wrapper!;
}
