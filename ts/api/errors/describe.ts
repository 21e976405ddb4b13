// SPDX-License-Identifier: MIT
//
// Values and nouns as error messages name them.
import { type ClassName, classNamed, isInstance } from '../checks/classes';

/** A value: its class, or its type and value. */
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
      return describeObject(value);
    }
    default:
      return String(value);
  }
}

const TYPED_ARRAY = /^(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array$/;

function describeObject(object: object): string {
  const given: unknown = object.constructor?.name;
  // Bundlers name a class that refers to itself _Name.
  const name = typeof given === 'string' && given ? given.replace(/^_(?=[A-Z])/, '') : 'object';
  const isView = ArrayBuffer.isView(object);
  if (name === 'Buffer' && isView) return 'a Buffer of Node.js';
  if (TYPED_ARRAY.test(name) && !isView) return `a Proxy of ${withArticle(name)}`;
  const noun = withArticle(name);
  const known = classNamed(name as ClassName);
  return known && !isInstance(known, object) ? `${noun} of another copy of anycl, or a Proxy` : noun;
}

/** `an int*`, `a uint` */
export const withArticle = (noun: string): string =>
  `${/^([aeio]|un)/i.test(noun) || /^ND[A-Z]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** `1 argument`, `2 arguments` */
export const pluralize = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** The message about an object of another context. */
export const ofAnotherContext = (type: string): string =>
  `is ${withArticle(type)} of another context: objects of different contexts cannot be used together`;
