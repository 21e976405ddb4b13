// SPDX-License-Identifier: MIT
//
// OpenCL C's scalar types in JavaScript.
import { halfBits, halfValue } from '../../base/half';
import type { ScalarName } from '../../base/kernel-abi';
import { HALF_ARRAY, isBigArray, type NumberArray, type TypedArrayConstructor } from './typed-arrays';

/** The scalar types of elements and arguments; `bool` has no size. */
export type ScalarTypeName = Exclude<ScalarName, 'bool'>;

export interface ScalarTraits {
  readonly bytes: number;
  readonly domain: 'integer' | 'float';
  /** The class of arrays of such elements. */
  readonly array: TypedArrayConstructor;
  /** The names of the classes whose elements may represent it; the first one is preferred. */
  readonly accepts: readonly string[];
  /** Reads one, little-endian: a number, or a bigint for 64 bits. */
  get(view: DataView, at: number): number | bigint;
  /** Writes one; `value` is what `get` gives. */
  set(view: DataView, at: number, value: number | bigint): void;
}

function row(
  domain: ScalarTraits['domain'],
  array: TypedArrayConstructor,
  accepts: readonly string[],
  get: ScalarTraits['get'],
  set: (view: DataView, at: number, value: never) => void,
): ScalarTraits {
  return { bytes: array.BYTES_PER_ELEMENT, domain, array, accepts, get, set: set as ScalarTraits['set'] };
}

export const SCALARS: Readonly<Record<ScalarTypeName, ScalarTraits>> = {
  char: row(
    'integer',
    Int8Array,
    ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Buffer'],
    (v, at) => v.getInt8(at),
    (v, at, x) => v.setInt8(at, x),
  ),
  uchar: row(
    'integer',
    Uint8Array,
    ['Uint8Array', 'Uint8ClampedArray', 'Int8Array', 'Buffer'],
    (v, at) => v.getUint8(at),
    (v, at, x) => v.setUint8(at, x),
  ),
  short: row(
    'integer',
    Int16Array,
    ['Int16Array', 'Uint16Array'],
    (v, at) => v.getInt16(at, true),
    (v, at, x) => v.setInt16(at, x, true),
  ),
  ushort: row(
    'integer',
    Uint16Array,
    ['Uint16Array', 'Int16Array'],
    (v, at) => v.getUint16(at, true),
    (v, at, x) => v.setUint16(at, x, true),
  ),
  int: row(
    'integer',
    Int32Array,
    ['Int32Array', 'Uint32Array'],
    (v, at) => v.getInt32(at, true),
    (v, at, x) => v.setInt32(at, x, true),
  ),
  uint: row(
    'integer',
    Uint32Array,
    ['Uint32Array', 'Int32Array'],
    (v, at) => v.getUint32(at, true),
    (v, at, x) => v.setUint32(at, x, true),
  ),
  long: row(
    'integer',
    BigInt64Array,
    ['BigInt64Array', 'BigUint64Array'],
    (v, at) => v.getBigInt64(at, true),
    (v, at, x) => v.setBigInt64(at, x, true),
  ),
  ulong: row(
    'integer',
    BigUint64Array,
    ['BigUint64Array', 'BigInt64Array'],
    (v, at) => v.getBigUint64(at, true),
    (v, at, x) => v.setBigUint64(at, x, true),
  ),
  half: row(
    'float',
    HALF_ARRAY,
    ['Float16Array', 'Uint16Array', 'Int16Array'],
    (v, at) => halfValue(v.getUint16(at, true)),
    (v, at, x) => v.setUint16(at, halfBits(x), true),
  ),
  float: row(
    'float',
    Float32Array,
    ['Float32Array'],
    (v, at) => v.getFloat32(at, true),
    (v, at, x) => v.setFloat32(at, x, true),
  ),
  double: row(
    'float',
    Float64Array,
    ['Float64Array'],
    (v, at) => v.getFloat64(at, true),
    (v, at, x) => v.setFloat64(at, x, true),
  ),
};

/** An array of one element that encodes a number as `scalar` when it is assigned; undefined for 64 bits and halves. */
export function numberArray(scalar: ScalarTypeName): NumberArray | undefined {
  const { array } = SCALARS[scalar];
  return scalar === 'half' || isBigArray(array) ? undefined : (new array(1) as NumberArray);
}

/**
 * The least and the greatest value of an integer type; undefined for other types, which accept all numbers and round.
 */
export function limitsOf(scalar: ScalarTypeName): readonly [low: bigint, high: bigint] | undefined {
  const { bytes, domain } = SCALARS[scalar];
  if (domain === 'float') return undefined;
  const values = 1n << BigInt(8 * bytes);
  return scalar.startsWith('u') ? [0n, values - 1n] : [-values / 2n, values / 2n - 1n];
}

/** The first of some numbers that a value of this type cannot hold without changing it; -1 if there is none. */
export function firstMisfit(scalar: ScalarTypeName, values: readonly (number | bigint)[]): number {
  const limits = limitsOf(scalar);
  if (limits === undefined) return -1;
  const whole = (value: number | bigint) => typeof value === 'bigint' || Number.isInteger(value);
  return values.findIndex((value) => !whole(value) || value < limits[0] || value > limits[1]);
}
