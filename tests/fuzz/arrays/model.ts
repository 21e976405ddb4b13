// SPDX-License-Identifier: MIT
//
// Arrays as JavaScript has them: the reference of the array library. It shares no code with the library but its types.

import type { DType } from '../../../ts/array/dtype';
import { halfBits, halfValue } from '../../../ts/base/half';
import type { Chance } from '../chance';

export type Value = number | bigint;

/** An array whose elements are known, row after row. */
export interface Model {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: readonly Value[];
}

export const INTEGERS = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'] as const;
export const FLOATS = ['float16', 'float32', 'float64'] as const;

export const isFloat = (dtype: DType): boolean => dtype.startsWith('float');
const isSigned = (dtype: DType): boolean => dtype.startsWith('int');
const isBig = (dtype: DType): boolean => dtype.endsWith('64') && !isFloat(dtype);
export const bitsOf = (dtype: DType): number => Number(/\d+$/.exec(dtype)![0]);
export const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** The least and the greatest integer of a type. */
export function limits(dtype: DType): readonly [bigint, bigint] {
  const bits = BigInt(bitsOf(dtype));
  return isSigned(dtype) ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
}

/** An integer as an element of an integer type: the bits that fit. */
export function wrap(value: Value, dtype: DType): Value {
  const bits = bitsOf(dtype);
  const wide = isSigned(dtype) ? BigInt.asIntN(bits, BigInt(value)) : BigInt.asUintN(bits, BigInt(value));
  return isBig(dtype) ? wide : Number(wide);
}

/** A number as an element of a type of floats. */
export const round = (value: number, dtype: DType): number =>
  dtype === 'float64'
    ? value
    : dtype === 'float32'
      ? Math.fround(value)
      : halfValue(halfBits(Math.fround(value)));

/** An element of one type as another: floats towards zero, those out of range as the nearest integer there is. */
export function convert(value: Value, from: DType, to: DType): Value {
  if (!isFloat(to)) {
    if (!isFloat(from)) return wrap(value, to);
    const [least, most] = limits(to);
    const float = value as number;
    if (Number.isNaN(float)) return isBig(to) ? 0n : 0;
    if (float <= Number(least)) return isBig(to) ? least : Number(least);
    if (float >= Number(most)) return isBig(to) ? most : Number(most);
    return wrap(BigInt(Math.trunc(float)), to);
  }
  if (typeof value === 'bigint') return round(to === 'float64' ? Number(value) : nearestSingle(value), to);
  return round(value, to);
}

/** The nearest float32 of a large integer, rounded once. */
function nearestSingle(value: bigint): number {
  const size = value < 0n ? -value : value;
  const shift = Math.max(0, size.toString(2).length - 24);
  if (shift === 0) return Number(value);
  const unit = 1n << BigInt(shift);
  const [low, rest] = [size / unit, size % unit];
  const up = rest * 2n > unit || (rest * 2n === unit && low % 2n === 1n);
  return Number((value < 0n ? -1n : 1n) * (low + (up ? 1n : 0n)) * unit);
}

/** The type that elements of two types have together; undefined if there is none. */
export function common(a: DType, b: DType): DType | undefined {
  if (a === b) return a;
  if (isFloat(a) !== isFloat(b)) return isFloat(a) ? a : b;
  if (isFloat(a)) return bitsOf(a) > bitsOf(b) ? a : b;
  if (isSigned(a) === isSigned(b)) return bitsOf(a) > bitsOf(b) ? a : b;
  const [signed, other] = isSigned(a) ? [a, b] : [b, a];
  if (bitsOf(signed) > bitsOf(other)) return signed;
  return ({ 8: 'int16', 16: 'int32', 32: 'int64' } as Readonly<Record<number, DType>>)[bitsOf(other)];
}

/** The type of a sum. */
export const sumType = (dtype: DType): DType =>
  isFloat(dtype) || bitsOf(dtype) >= 32 ? dtype : isSigned(dtype) ? 'int32' : 'uint32';

export const stridesOf = (shape: readonly number[]): number[] =>
  shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));

/** The coordinates of each element, row after row. */
export function* places(shape: readonly number[]): Generator<readonly number[]> {
  const n = sizeOf(shape);
  const strides = stridesOf(shape);
  for (let k = 0; k < n; k++) yield strides.map((stride, axis) => Math.floor(k / stride) % shape[axis]!);
}

/** The shape of several together; undefined if they have none. */
export function broadcast(shapes: readonly (readonly number[])[]): number[] | undefined {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  const out: number[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const sizes = shapes.map((shape) => shape[axis - rank + shape.length] ?? 1);
    const wanted = sizes.find((n) => n !== 1) ?? 1;
    if (sizes.some((n) => n !== 1 && n !== wanted)) return undefined;
    out.push(wanted);
  }
  return out;
}

/** The elements of an array, repeated to a shape. */
export function expand({ shape, data }: Model, to: readonly number[]): readonly Value[] {
  if (shape.length === to.length && shape.every((n, axis) => n === to[axis])) return data;
  const strides = stridesOf(shape);
  const missing = to.length - shape.length;
  const out: Value[] = [];
  for (const at of places(to)) {
    let index = 0;
    for (let axis = 0; axis < shape.length; axis++)
      if (shape[axis] !== 1) index += at[axis + missing]! * strides[axis]!;
    out.push(data[index]!);
  }
  return out;
}

/** The lists of elements along the last axis. */
export function rowsOf({ shape, data }: Model): Value[][] {
  const n = shape.at(-1) ?? 1;
  const rows = sizeOf(shape.slice(0, -1));
  return Array.from({ length: rows }, (_, row) => data.slice(row * n, row * n + n));
}

/** The array with its axes in another order. */
export function permute(model: Model, order: readonly number[]): Model {
  const strides = stridesOf(model.shape);
  const shape = order.map((axis) => model.shape[axis]!);
  const data: Value[] = [];
  for (const at of places(shape)) {
    let index = 0;
    order.forEach((axis, k) => {
      index += at[k]! * strides[axis]!;
    });
    data.push(model.data[index]!);
  }
  return { ...model, shape, data };
}

/** The order of sorts: -0 before 0, NaN last. */
export function compare(a: Value, b: Value): number {
  if (a < b) return -1;
  if (a > b) return 1;
  const [first, second] = [Number.isNaN(a) ? 1 : 0, Number.isNaN(b) ? 1 : 0];
  if (first !== second) return first - second;
  return first === 0 && a === 0 && b === 0 ? (Object.is(a, -0) ? 0 : 1) - (Object.is(b, -0) ? 0 : 1) : 0;
}

const SPECIAL = [0, -0, Number.NaN, Infinity, -Infinity, 1, -1, 0.5, 1.5, -2.5] as const;

/** How the elements of an array are chosen. `small`: sums and products of a few are exact. */
export type Kind = 'small' | 'special' | 'wild';

/** A random element. */
export function element(chance: Chance, dtype: DType, kind: Kind): Value {
  if (isFloat(dtype)) {
    if (kind === 'special' && chance.with(0.5)) return chance.pick(SPECIAL);
    if (kind === 'wild')
      return round((chance.random() - 0.5) * 2 ** chance.integer(-20, dtype === 'float16' ? 15 : 40), dtype);
    return chance.integer(-16, 16) / (chance.with(0.3) ? 2 : 1);
  }
  const [least, most] = limits(dtype);
  if (kind === 'special' && chance.with(0.5))
    return wrap(chance.pick([least, most, least + 1n, most - 1n, 0n, 1n, 2n]), dtype);
  if (kind === 'wild')
    return wrap(
      (BigInt(chance.integer(0, 2 ** 32 - 1)) << 32n) | BigInt(chance.integer(0, 2 ** 32 - 1)),
      dtype,
    );
  return wrap(chance.integer(isSigned(dtype) ? -9 : 0, 9), dtype);
}

/** The typed array of a model's elements. */
export function typedArray({ dtype, data }: Model): ArrayBufferView {
  const numbers = data as number[];
  const words = data as bigint[];
  switch (dtype) {
    case 'int8':
      return Int8Array.from(numbers);
    case 'uint8':
      return Uint8Array.from(numbers);
    case 'int16':
      return Int16Array.from(numbers);
    case 'uint16':
      return Uint16Array.from(numbers);
    case 'int32':
      return Int32Array.from(numbers);
    case 'uint32':
      return Uint32Array.from(numbers);
    case 'int64':
      return BigInt64Array.from(words);
    case 'uint64':
      return BigUint64Array.from(words);
    case 'float64':
      return Float64Array.from(numbers);
    // Not every Node.js has an array of halves: the library gets floats, and converts them.
    default:
      return Float32Array.from(numbers);
  }
}
