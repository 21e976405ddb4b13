// SPDX-License-Identifier: MIT
//
// Shapes, strides, broadcasting and slices: arithmetic on lists of numbers, which knows no device.
import { fail, shown } from './errors';

/** Elements along each axis. An empty list is a single value. */
export type Shape = readonly number[];

/** How an array's elements are located in its memory, in elements. */
export interface Layout {
  readonly shape: Shape;
  /** From one element to the next along each axis; 0 where one element stands for all. */
  readonly strides: readonly number[];
  readonly offset: number;
}

/** A part of an axis: `from` to before `to`, each `step`-th. Negative numbers count from the end, as in `Array.slice`. */
export interface Slice {
  /** The first index; default: the first of the axis. */
  readonly from?: number;
  /** The index before which it ends; default: after the last one. */
  readonly to?: number;
  /** The distance of the indices; default 1. */
  readonly step?: number;
}

/** Elements are counted with 31 bits in kernels. */
const MOST_ELEMENTS = 2 ** 31 - 65536;

export const sizeOf = (shape: Shape): number => shape.reduce((product, n) => product * n, 1);

export const shapeText = (shape: Shape): string => `[${shape.join(', ')}]`;

export function checkShape(shape: number | Shape, functionName: string): Shape {
  const given: unknown = shape;
  if (typeof given !== 'number' && !(typeof given === 'object' && given !== null && Symbol.iterator in given))
    fail(functionName, `a shape must be a number or a list of numbers, not ${shown(given)}`);
  const list = typeof shape === 'number' ? [shape] : [...shape];
  if (!list.every((n) => Number.isSafeInteger(n) && n >= 0))
    fail(functionName, `a shape must be a list of whole numbers, not ${shapeText(list)}`);
  const size = sizeOf(list);
  if (size > MOST_ELEMENTS)
    fail(
      functionName,
      `an array of shape ${shapeText(list)} has ${size} elements; at most ${MOST_ELEMENTS} can be`,
    );
  return list;
}

function contiguousStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis]!;
  }
  return strides;
}

export const contiguous = (shape: Shape): Layout => ({ shape, strides: contiguousStrides(shape), offset: 0 });

/** Whether the elements follow each other in memory, in the order of rows, from the first element of the memory on. */
export const isContiguous = (layout: Layout): boolean => layout.offset === 0 && isDense(layout);

/** Whether the elements follow each other in memory, in the order of rows. */
export function isDense({ shape, strides }: Layout): boolean {
  const plain = contiguousStrides(shape);
  return shape.every((n, axis) => n === 1 || strides[axis] === plain[axis]);
}

/** The common shape of arrays of these shapes: axes of one element are repeated, missing first axes are added. */
export function broadcastShapes(shapes: readonly Shape[], functionName: string): Shape {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const sizes = shapes.map((shape) => shape[axis - rank + shape.length] ?? 1);
    const wanted = sizes.find((n) => n !== 1) ?? 1;
    if (sizes.every((n) => n === 1 || n === wanted)) return wanted;
    return fail(
      functionName,
      `shapes ${shapes.map(shapeText).join(' and ')} do not broadcast: axis ${axis} has ${[...new Set(sizes)].join(' and ')} elements`,
    );
  });
}

export function broadcastTo(layout: Layout, shape: Shape, functionName: string): Layout {
  const missing = shape.length - layout.shape.length;
  const strides = shape.map((n, axis) => {
    const own = layout.shape[axis - missing] ?? 1;
    if (missing < 0 || (own !== 1 && own !== n))
      fail(
        functionName,
        `an array of shape ${shapeText(layout.shape)} cannot be broadcast to ${shapeText(shape)}`,
      );
    return own === 1 ? 0 : layout.strides[axis - missing]!;
  });
  return { shape, strides, offset: layout.offset };
}

export function checkAxis(axis: number, rank: number, functionName: string): number {
  if (Number.isInteger(axis) && axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  return fail(functionName, `there is no axis ${axis} in an array with ${rank} axes`);
}

/** A permutation of the axes; by default their reverse. */
export function transposed(
  layout: Layout,
  axes: readonly number[] | undefined,
  functionName: string,
): Layout {
  const rank = layout.shape.length;
  if (axes !== undefined && !Array.isArray(axes))
    fail(functionName, `the axes must be a list of numbers, such as [1, 0], not ${shown(axes)}`);
  const order =
    axes?.map((axis) => checkAxis(axis, rank, functionName)) ?? layout.shape.map((_, i) => rank - 1 - i);
  if (order.length !== rank || new Set(order).size !== rank)
    fail(functionName, `${shapeText(axes ?? [])} must name each of the ${rank} axes once`);
  return {
    shape: order.map((axis) => layout.shape[axis]!),
    strides: order.map((axis) => layout.strides[axis]!),
    offset: layout.offset,
  };
}

const clampTo = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** A part: for each axis a slice, `undefined` for all of it, or a number, which takes one element and drops the axis. */
export function sliced(
  layout: Layout,
  parts: readonly (Slice | number | undefined)[],
  functionName: string,
): Layout {
  const rank = layout.shape.length;
  if (parts.length > rank) {
    // As the slice of a typed array: from one index to another.
    const [from, to] = parts;
    const isRange = rank === 1 && typeof from === 'number' && typeof to === 'number';
    const hint = isRange ? `: each has one, as slice({ from: ${from}, to: ${to} })` : '';
    fail(
      functionName,
      `${parts.length} slices for an array with ${rank} ${rank === 1 ? 'axis' : 'axes'}${hint}`,
    );
  }
  const shape: number[] = [];
  const strides: number[] = [];
  let { offset } = layout;
  layout.shape.forEach((n, axis) => {
    const part = parts[axis] ?? {};
    if (typeof part !== 'number' && typeof part !== 'object')
      fail(functionName, `a slice must be a number or { from, to, step }, not ${shown(part)}`);
    const stride = layout.strides[axis]!;
    if (typeof part === 'number') {
      if (!Number.isInteger(part) || part < -n || part >= n)
        fail(functionName, `there is no element ${part} along axis ${axis}, which has ${n}`);
      offset += (part < 0 ? part + n : part) * stride;
      return;
    }
    const step = part.step ?? 1;
    if (![step, part.from ?? 0, part.to ?? 0].every(Number.isInteger) || step === 0)
      fail(
        functionName,
        `a slice must have whole numbers, and a step other than 0, not ${JSON.stringify(part)}`,
      );
    const place = (at: number) => (at < 0 ? at + n : at);
    const [low, high] = step > 0 ? [0, n] : [-1, n - 1];
    const from = clampTo(part.from === undefined ? (step > 0 ? 0 : n - 1) : place(part.from), low, high);
    const to = clampTo(part.to === undefined ? (step > 0 ? n : -1) : place(part.to), low, high);
    const count = Math.max(0, Math.ceil((to - from) / step));
    offset += count === 0 ? 0 : from * stride;
    shape.push(count);
    strides.push(stride * step);
  });
  return { shape, strides, offset };
}

/** The shape of a reshape: one axis may be -1, and gets what remains. */
export function reshaped(shape: Shape, wanted: readonly number[], functionName: string): Shape {
  const size = sizeOf(shape);
  const open = wanted.indexOf(-1);
  const known = sizeOf(wanted.filter((n) => n !== -1));
  const list = wanted.map((n, axis) => (axis === open && known > 0 ? size / known : n));
  if (list.every((n) => Number.isInteger(n) && n >= 0) && sizeOf(list) === size) return list;
  return fail(functionName, `an array of shape ${shapeText(shape)} cannot become ${shapeText(wanted)}`);
}

/**
 * The fewest axes by which all these strides can be followed: neighbouring axes that are one run in each array become one. The
 * lists of strides belong to arrays of the same shape.
 */
export function collapse(
  shape: Shape,
  strides: readonly (readonly number[])[],
): { shape: Shape; strides: number[][] } {
  const outShape: number[] = [];
  const out: number[][] = strides.map(() => []);
  shape.forEach((n, axis) => {
    if (n === 1) return;
    const last = outShape.length - 1;
    const joins = last >= 0 && strides.every((list, k) => out[k]![last] === list[axis]! * n);
    if (joins) outShape[last] = outShape[last]! * n;
    else outShape.push(n);
    const at = outShape.length - 1;
    strides.forEach((list, k) => {
      out[k]![at] = list[axis]!;
    });
  });
  return { shape: outShape, strides: out };
}
