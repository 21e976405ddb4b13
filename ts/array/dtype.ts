// SPDX-License-Identifier: MIT
//
// Types of elements: their form in JavaScript and in OpenCL C, and the common type of two.

import type { TypedArray, TypedArrayConstructor } from '../api/public';
import { halfValue } from '../base/half';
import { fail, shown } from './errors';

/** The typed array of each type of elements. Halves are a `Float16Array` where there is one (Node.js 24), else their bits. */
export interface ElementArrays {
  /** int8: 8 bits with sign. */
  readonly int8: Int8Array;
  /** uint8: 8 bits. */
  readonly uint8: Uint8Array;
  /** int16: 16 bits with sign. */
  readonly int16: Int16Array;
  /** uint16: 16 bits. */
  readonly uint16: Uint16Array;
  /** int32: 32 bits with sign. */
  readonly int32: Int32Array;
  /** uint32: 32 bits. */
  readonly uint32: Uint32Array;
  /** int64: 64 bits with sign, as bigints. */
  readonly int64: BigInt64Array;
  /** uint64: 64 bits, as bigints. */
  readonly uint64: BigUint64Array;
  /** float16: half precision. */
  readonly float16: typeof globalThis extends { Float16Array: { prototype: infer A extends TypedArray } }
    ? A
    : Uint16Array;
  /** float32: single precision. */
  readonly float32: Float32Array;
  /** float64: double precision, where the device has it. */
  readonly float64: Float64Array;
}

/** The name of a type of elements. */
export type DType = keyof ElementArrays;
/** What one element is in JavaScript. */
export type ElementOf<D extends DType> = D extends 'int64' | 'uint64' ? bigint : number;
/** Names of the typed arrays, which tell them apart whatever memory they are over. */
interface ArrayNames {
  readonly Int8Array: 'int8';
  readonly Uint8Array: 'uint8';
  readonly Uint8ClampedArray: 'uint8';
  readonly Int16Array: 'int16';
  readonly Uint16Array: 'uint16';
  readonly Int32Array: 'int32';
  readonly Uint32Array: 'uint32';
  readonly BigInt64Array: 'int64';
  readonly BigUint64Array: 'uint64';
  readonly Float16Array: 'float16';
  readonly Float32Array: 'float32';
  readonly Float64Array: 'float64';
}

/** The type of elements that a typed array holds. */
export type DTypeOf<T> = T extends { readonly [Symbol.toStringTag]: infer Name }
  ? Name extends keyof ArrayNames
    ? ArrayNames[Name]
    : never
  : never;

type Kind = 'signed' | 'unsigned' | 'float';

export interface DTypeTraits {
  readonly kind: Kind;
  readonly bytes: 1 | 2 | 4 | 8;
  /** The type in memory. */
  readonly memory: string;
  /** The type that is computed with: halves are computed as floats, which every device can. */
  readonly value: string;
  readonly array: TypedArrayConstructor;
}

const half = (globalThis as { Float16Array?: TypedArrayConstructor }).Float16Array ?? Uint16Array;

const row = (kind: Kind, bytes: 1 | 2 | 4 | 8, value: string, array: TypedArrayConstructor): DTypeTraits => ({
  kind,
  bytes,
  memory: value,
  value,
  array,
});

export const DTYPES: Readonly<Record<DType, DTypeTraits>> = {
  int8: row('signed', 1, 'char', Int8Array),
  uint8: row('unsigned', 1, 'uchar', Uint8Array),
  int16: row('signed', 2, 'short', Int16Array),
  uint16: row('unsigned', 2, 'ushort', Uint16Array),
  int32: row('signed', 4, 'int', Int32Array),
  uint32: row('unsigned', 4, 'uint', Uint32Array),
  int64: row('signed', 8, 'long', BigInt64Array),
  uint64: row('unsigned', 8, 'ulong', BigUint64Array),
  float16: { ...row('float', 2, 'float', half), memory: 'half' },
  float32: row('float', 4, 'float', Float32Array),
  float64: row('float', 8, 'double', Float64Array),
};

const isDType = (name: unknown): name is DType => typeof name === 'string' && Object.hasOwn(DTYPES, name);
export const isFloat = (dtype: DType): boolean => DTYPES[dtype].kind === 'float';

export function checkDType(name: unknown, functionName: string): DType {
  if (isDType(name)) return name;
  return fail(
    functionName,
    typeof name === 'string'
      ? `there is no dtype '${name}'; there are ${Object.keys(DTYPES).join(', ')}`
      : `the dtype must be a name, such as 'float32', not ${shown(name)}`,
  );
}

/** Elements as numbers: engines without arrays of halves read their bits. */
export const numbersOf = (data: TypedArray, dtype: DType): TypedArray =>
  dtype === 'float16' && data instanceof Uint16Array ? Float32Array.from(data, halfValue) : data;

/** The type of a typed array's elements. */
export function dtypeOfArray(array: ArrayBufferView, functionName: string): DType {
  const name = (array as Uint8Array)[Symbol.toStringTag] as string;
  const known = (Object.keys(DTYPES) as DType[]).find((dtype) => DTYPES[dtype].array.name === name);
  if (name === 'Uint8ClampedArray') return 'uint8';
  return (
    known ?? fail(functionName, `the elements of ${name || 'a DataView'} have no dtype; give a typed array`)
  );
}

/**
 * The common type of two types of elements: the wider of two integers, the next wider signed one if neither can represent the
 * other, and the float if one is a float. int64 and uint64 have none.
 */
const PROMOTED = {
  int8: { uint8: 'int16', int16: 'int16', uint16: 'int32', int32: 'int32', uint32: 'int64', int64: 'int64' },
  uint8: {
    int16: 'int16',
    uint16: 'uint16',
    int32: 'int32',
    uint32: 'uint32',
    int64: 'int64',
    uint64: 'uint64',
  },
  int16: { uint16: 'int32', int32: 'int32', uint32: 'int64', int64: 'int64' },
  uint16: { int32: 'int32', uint32: 'uint32', int64: 'int64', uint64: 'uint64' },
  int32: { uint32: 'int64', int64: 'int64' },
  uint32: { int64: 'int64', uint64: 'uint64' },
  int64: {},
  uint64: {},
  float16: { float32: 'float32', float64: 'float64' },
  float32: { float64: 'float64' },
  float64: {},
} as const satisfies Record<DType, Partial<Record<DType, DType>>>;

type Table = typeof PROMOTED;
type Entry<A extends DType, B extends DType> = B extends keyof Table[A] ? Table[A][B] : never;
type FloatName = 'float16' | 'float32' | 'float64';

/** The common type of `A` and `B`; `never` if one must be converted first. */
export type Promote<A extends DType, B extends DType> = [A] extends [B]
  ? A
  : A extends FloatName
    ? B extends FloatName
      ? Extract<Entry<A, B> | Entry<B, A>, DType>
      : A
    : B extends FloatName
      ? B
      : Extract<Entry<A, B> | Entry<B, A>, DType>;

function promote(a: DType, b: DType, functionName: string): DType {
  if (a === b) return a;
  if (isFloat(a) !== isFloat(b)) return isFloat(a) ? a : b;
  const table: Readonly<Record<DType, Partial<Record<DType, DType>>>> = PROMOTED;
  return (
    table[a][b] ??
    table[b][a] ??
    fail(functionName, `${a} and ${b} have no common dtype: convert one with .as('${a}') or .as('${b}')`)
  );
}

/** The type that a sum or product of elements has: eight and sixteen bits would soon be full. */
const SUMS = { int8: 'int32', int16: 'int32', uint8: 'uint32', uint16: 'uint32' } as const;
/** The type of a sum: small integers become 32 bits. */
export type SumOf<D extends DType> = D extends keyof typeof SUMS ? (typeof SUMS)[D] : D;
export const sumOf = (dtype: DType): DType => (SUMS as Partial<Record<DType, DType>>)[dtype] ?? dtype;

/** The type that functions such as `sqrt` give: floats stay as they are. */
export type FloatOf<D extends DType> = D extends FloatName ? D : 'float32';
export const floatOf = (dtype: DType): DType => (isFloat(dtype) ? dtype : 'float32');

/** A number that an element can be, checked: integers are whole and in range. */
export function checkElement(value: number | bigint, dtype: DType, functionName: string): void {
  if (isElement(value, dtype)) return;
  fail(
    functionName,
    `${value} is not a value of ${dtype}: convert the array first, with .as('float32') or the like`,
  );
}

/** Whether arrays of `dtype` can have this element: floats round all numbers. */
export function isElement(value: number | bigint, dtype: DType): boolean {
  const limits = limitsOf(dtype);
  if (!limits) return true;
  const whole = typeof value === 'bigint' || Number.isInteger(value);
  return whole && BigInt(value) >= limits[0] && BigInt(value) <= limits[1];
}

/** The least and the greatest number of an integer type; undefined for floats. */
export function limitsOf(dtype: DType): readonly [least: bigint, greatest: bigint] | undefined {
  const { kind, bytes } = DTYPES[dtype];
  if (kind === 'float') return undefined;
  const limit = 2n ** BigInt(8 * bytes - (kind === 'signed' ? 1 : 0));
  return [kind === 'signed' ? -limit : 0n, limit - 1n];
}

/** The common type of all of these. */
export const commonType = (dtypes: readonly DType[], functionName: string): DType =>
  dtypes.reduce((common, dtype) => promote(common, dtype, functionName));
