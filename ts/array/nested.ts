// SPDX-License-Identifier: MIT
//
// Elements as lists of lists.
import type { TypedArray } from '../api/public';
import { fail } from './errors';
import { type Shape, sizeOf } from './shape';

/** Numbers in lists, one level for each axis. */
export type Nested = number | bigint | readonly Nested[];

export function flatten(data: Nested): { elements: (number | bigint)[]; shape: number[] } {
  const shape: number[] = [];
  for (let level: Nested | undefined = data; Array.isArray(level); level = level[0]) shape.push(level.length);
  const elements: (number | bigint)[] = [];
  const visit = (value: Nested, axis: number): void => {
    if (Array.isArray(value)) {
      if (value.length !== shape[axis])
        fail('array', `the lists along axis ${axis} are not all ${shape[axis]} long`);
      for (const each of value) visit(each, axis + 1);
    } else if (axis === shape.length && (typeof value === 'number' || typeof value === 'bigint'))
      elements.push(value);
    else {
      const shown = typeof value === 'string' ? `'${value as string}'` : String(value);
      fail('array', `the elements must be numbers in lists of equal depth, not ${shown}`);
    }
  };
  visit(data, 0);
  return { elements, shape };
}

/** Elements, row after row, as lists, one level for each axis; the element itself for none. */
export function nested(data: TypedArray, shape: Shape): unknown {
  const nest = (axis: number, from: number): unknown => {
    if (axis === shape.length) return data[from];
    const step = sizeOf(shape.slice(axis + 1));
    return Array.from({ length: shape[axis]! }, (_, k) => nest(axis + 1, from + k * step));
  };
  return nest(0, 0);
}
