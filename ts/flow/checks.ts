// SPDX-License-Identifier: MIT
//
// The kinds of arguments of this folder's functions, as ts/api/checks/ has them for the API's methods.
import { count, either, flag, func, kind, list, oneOf, options, text, typedArray } from '../api/checks/kinds';
import { anyDevice, kernel, range } from '../api/checks/parameters';
import { Session } from '../api/open';

export { count, func, options, typedArray };

export const session = kind('a Session (of open)', (value) => value instanceof Session);

export const source = kind(
  'something to iterate over: an array, a generator or a stream',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value),
);

/** Classes are functions too, and cannot be called. */
export const flowFunction = kind(
  'a flow (of flow), or another function from data to data',
  (value) =>
    typeof value === 'function' && Object.getOwnPropertyDescriptor(value, 'prototype')?.writable !== false,
);

export const arrayType = kind(
  'a class of typed arrays, such as Float32Array',
  (value) =>
    typeof value === 'function' &&
    Number.isInteger((value as { BYTES_PER_ELEMENT?: unknown }).BYTES_PER_ELEMENT),
);

const stage = options({
  kernel,
  args: func,
  range: func,
  output: options({ type: arrayType, length: func }),
});

export const flowOptions = options({
  input: arrayType,
  chunk: count,
  stages: list(stage),
  depth: count,
  lend: flag,
});

export const teamOptions = options({
  over: list(either('a Device or a Session', anyDevice, session)),
  remote: list(text),
});

export const splitRange = options({
  global: range.global,
  local: range.local,
  ids: oneOf('range', 'slice'),
});
