// SPDX-License-Identifier: MIT
//
// Kinds of arguments. A kind accepts or refuses a value without an allocation; only after a refusal does it find the reason.

import { type OptionNames, unknownName, unknownNameDetail } from '../../base/option-names';
import { ErrorCode } from '../../cl/constants.gen';
import { describe, ofAnotherContext, withArticle } from '../errors/describe';
import { owningContext } from '../internals';
import { isPlain } from '../options/plain-object';
import { type ClassName, classNamed, isInstance, type PublicClass } from './classes';

/** What is wrong with a value, and the path of the wrong part: `.waitFor[1]`; empty for the value itself. */
export interface Fault {
  readonly part: string;
  readonly detail: string;
  readonly code: number;
}

/** `context` is the receiver's context; objects that are passed must belong to the same one. */
export interface Kind {
  /** The name in messages: `a function`. */
  readonly what: string;
  /** For an object that is checked member by member. */
  readonly members?: Readonly<Record<string, Kind>>;
  /**
   * A copy for the method, where a value has members: a script's getter or Proxy may answer differently each time, so that only
   * the copy is checked and used. It keeps what `accepts` refuses.
   */
  readonly copy?: (value: unknown, context?: object) => unknown;
  accepts(value: unknown, context?: object): boolean;
  /** Called for a value that was not accepted. */
  fault(value: unknown, context?: object): Fault;
}

type Test = (value: unknown, context?: object) => boolean;

/** A kind without members. */
export function kind(what: string, accepts: Test, code: number = ErrorCode.INVALID_VALUE): Kind {
  return {
    what,
    accepts,
    fault: (value) => ({ part: '', detail: `must be ${what}, not ${describe(value)}`, code }),
  };
}

export const text = kind('a string', (value) => typeof value === 'string');
export const flag = kind('true or false', (value) => typeof value === 'boolean');
const whole = (range: string, low: number, high: number): Kind =>
  kind(
    `a whole number ${range}`,
    (value) => Number.isInteger(value) && (value as number) >= low && (value as number) <= high,
  );
/** A `size_t`, or a 64-bit field. */
export const size = whole('from 0 to 2^53 - 1', 0, Number.MAX_SAFE_INTEGER);
/** A non-zero count. */
export const count = whole('from 1 to 2^53 - 1', 1, Number.MAX_SAFE_INTEGER);
export const iterations = whole('from 1 to 2^32 - 1', 1, 2 ** 32 - 1);
export const uint = whole('from 0 to 2^32 - 1', 0, 2 ** 32 - 1);
export const int = whole('from -2^31 to 2^31 - 1', -(2 ** 31), 2 ** 31 - 1);
export const failure = whole('from -2^31 to -1', -(2 ** 31), -1);
const fitsWord = (value: bigint): boolean =>
  BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value;
/** An address, or a handle of another API. */
export const address = kind('a bigint of 64 bits', (value) => typeof value === 'bigint' && fitsWord(value));
/** A 64-bit value of the operating system or of another API. */
export const handle = kind(
  'a whole number or a bigint of 64 bits',
  (value) => Number.isSafeInteger(value) || (typeof value === 'bigint' && fitsWord(value)),
);
export const func = kind('a function', (value) => typeof value === 'function');
/** The name of a view's class, of any realm; undefined for other values. */
const viewClass = (value: unknown): string | undefined =>
  ArrayBuffer.isView(value) ? (value as unknown as Uint8Array)[Symbol.toStringTag] : undefined;
export const bytes = kind('a Uint8Array', (value) => viewClass(value) === 'Uint8Array');
export const view = kind('a typed array, a Buffer of Node.js or a DataView', (value) =>
  ArrayBuffer.isView(value),
);
export const typedArray = kind(
  'a typed array',
  (value) => ArrayBuffer.isView(value) && viewClass(value) !== 'DataView',
);
export const signal = kind(
  'an AbortSignal',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as AbortSignal).addEventListener === 'function' &&
    typeof (value as AbortSignal).throwIfAborted === 'function',
);
/** A property's name, or its number. */
export const infoKey = kind(
  'the name of a property or its number',
  (value) => typeof value === 'string' || (Number.isSafeInteger(value) && (value as number) >>> 0 === value),
);

/** The same kind with another error code. */
export const withCode = (code: number, inner: Kind): Kind => ({
  ...inner,
  fault: (value, context) => ({ ...inner.fault(value, context), code }),
});

/** One of a set of names. */
export function oneOf(...names: readonly string[]): Kind {
  return kind(names.map((name) => `'${name}'`).join(' or '), (value) => names.includes(value as string));
}

/** Not checked here: the method checks it, because it is called often or the check depends on other values. */
export const anything = kind('anything', () => true);

/** The context that an object belongs to, if objects of several contexts must not be combined. */
export const contextOf = (object: unknown): object | undefined =>
  (object as { readonly [owningContext]?: object })[owningContext];

/** A live object of one of the API's classes, of the same context. `what` says how to get one. */
export function instance(className: ClassName, what: string, code?: number): Kind {
  let type: PublicClass | undefined;
  const ofType = (value: unknown): boolean => {
    type ??= classNamed(className);
    return type !== undefined && isInstance(type, value);
  };
  const alive = (value: unknown): boolean => !(value as { readonly released?: boolean }).released;
  const here = (value: unknown, context: object | undefined): boolean => {
    const own = contextOf(value);
    return context === undefined || own === undefined || own === context;
  };
  return {
    what,
    accepts: (value, context) => ofType(value) && alive(value) && here(value, context),
    fault(value) {
      const fault = (detail: string, otherCode: number = ErrorCode.INVALID_VALUE) => ({
        part: '',
        detail,
        code: code ?? otherCode,
      });
      if (!ofType(value)) return fault(`must be ${what}, not ${describe(value)}`);
      if (!alive(value)) return fault(`is ${withArticle(className)} that was released`);
      return { ...fault(ofAnotherContext(className)), code: ErrorCode.INVALID_CONTEXT };
    },
  };
}

export function optional(inner: Kind): Kind {
  const { copy } = inner;
  return {
    ...inner,
    ...(copy && { copy: (value, context) => (value === undefined ? value : copy(value, context)) }),
    accepts: (value, context) => value === undefined || inner.accepts(value, context),
    fault: (value, context) => inner.fault(value, context),
  };
}

/** A value of one of the kinds. */
export function either(what: string, ...kinds: readonly Kind[]): Kind {
  const accepts: Test = (value, context) => kinds.some((one) => one.accepts(value, context));
  const simple = kind(what, accepts);
  // Arrays of numbers are not copied: they may be long, and methods convert them themselves.
  const copy = kinds.find(({ members }) => members)?.copy;
  return {
    ...simple,
    ...(copy && { copy }),
    fault(value, context) {
      // A value of the right class that was released, or has a wrong member: that kind's own message is the best.
      const inner = kinds.map((one) => one.fault(value, context));
      return (
        inner.find(({ part, detail }) => part !== '' || !detail.startsWith('must be')) ?? simple.fault(value)
      );
    },
  };
}

/** An array without holes. */
export function list(inner: Kind, code?: number): Kind {
  const firstWrong = (values: readonly unknown[], context: object | undefined): number => {
    for (let i = 0; i < values.length; i++) if (!inner.accepts(values[i], context)) return i;
    return -1;
  };
  const array = kind('an array', Array.isArray, code);
  return {
    what: `an array, each ${inner.what}`,
    copy(value, context) {
      if (!Array.isArray(value)) return value;
      const own: unknown[] = [];
      // Ends with the first wrong element: an array of 2^32 - 1 holes needs no memory.
      for (let i = 0; i < value.length; i++) {
        own.push(value[i]);
        if (!inner.accepts(own[i], context)) break;
      }
      return own;
    },
    accepts: (value, context) => Array.isArray(value) && firstWrong(value, context) < 0,
    fault(value, context) {
      if (!Array.isArray(value)) return array.fault(value);
      const wrong = firstWrong(value, context);
      const fault = inner.fault(value[wrong], context);
      const ofContext = fault.code === ErrorCode.INVALID_CONTEXT;
      return {
        ...fault,
        part: `[${wrong}]${fault.part}`,
        code: ofContext ? fault.code : (code ?? fault.code),
      };
    },
  };
}

/** An object with members of these kinds, and no others; missing members must be optional. */
export function fields(kinds: Readonly<Record<string, Kind>>): Kind {
  const names = Object.keys(kinds);
  const inner = Object.values(kinds);
  // Without a prototype, because its names would count as known.
  const members: Readonly<Record<string, Kind>> = Object.assign(Object.create(null), kinds);
  const known: OptionNames = { list: names, has: (name) => name in members };
  const firstWrong = (value: Readonly<Record<string, unknown>>, context: object | undefined) => {
    for (let i = 0; i < names.length; i++) if (!inner[i]!.accepts(value[names[i]!], context)) return names[i];
    return undefined;
  };
  const object = kind(`an object with ${names.map((name) => `\`${name}\``).join(', ')}`, isPlain);
  return {
    what: object.what,
    members,
    copy(value, context) {
      if (!isPlain(value)) return value;
      const own: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) {
        const member = value[names[i]!];
        if (member !== undefined) own[names[i]!] = inner[i]!.copy?.(member, context) ?? member;
      }
      const unknown = unknownName(value, known);
      if (unknown !== undefined) own[unknown] = value[unknown];
      return own;
    },
    accepts: (value, context) =>
      isPlain(value) && unknownName(value, known) === undefined && firstWrong(value, context) === undefined,
    fault(value, context) {
      if (!isPlain(value)) return object.fault(value);
      const unknown = unknownName(value, known);
      if (unknown !== undefined)
        return {
          part: `.${unknown}`,
          detail: unknownNameDetail(unknown, known),
          code: ErrorCode.INVALID_VALUE,
        };
      const name = firstWrong(value, context)!;
      const fault = members[name]!.fault(value[name], context);
      return { ...fault, part: `.${name}${fault.part}` };
    },
  };
}

/** The same kind without a copy, for methods that read each member once and check it again. */
export function uncopied({ copy: _, ...inner }: Kind): Kind {
  return inner;
}

/** Options: undefined, or an object of optional members. */
export function options(members: Readonly<Record<string, Kind>>): Kind {
  const all = Object.entries(members).map(([name, member]) => [name, optional(member)] as const);
  return optional(fields(Object.fromEntries(all)));
}

/** An object with any keys, and values of one kind. */
export function record(inner: Kind): Kind {
  const values = list(inner);
  const object = kind(`an object, each value ${inner.what}`, isPlain);
  return {
    what: object.what,
    copy: (value) => (isPlain(value) ? { ...value } : value),
    accepts: (value, context) => isPlain(value) && values.accepts(Object.values(value), context),
    fault(value, context) {
      if (!isPlain(value)) return object.fault(value);
      const [name, wrong] = Object.entries(value).find(([, member]) => !inner.accepts(member, context))!;
      const fault = inner.fault(wrong, context);
      return { ...fault, part: `.${name}${fault.part}` };
    },
  };
}
