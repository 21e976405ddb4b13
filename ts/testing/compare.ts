// SPDX-License-Identifier: MIT
//
// Compares two results: integers exactly, floats by their distance in units in the last place.
import type { TypedArray } from '../api/public';
import { optionNames, unknownName, unknownNameDetail } from '../base/option-names';

/** How far floats may be apart. */
export interface Tolerance {
  /** Units in the last place of the wanted value's type; 0 by default. */
  readonly ulp?: number;
  /** An absolute distance that is always allowed. Needed for results near 0 that are differences of large numbers. */
  readonly absolute?: number;
}

/** The first element that differs, and how many do. */
export interface Difference {
  /** The position of the first difference. */
  readonly index: number;
  /** The value that was found. */
  readonly got: number | bigint;
  /** The value that the reference has. */
  readonly wanted: number | bigint;
  /** Units in the last place between them; undefined for integers, and where one is NaN. */
  readonly ulp?: number;
  /** How many elements differ. */
  readonly count: number;
}

/** Maps floats to integers in the same order: neighbours are 1 apart, and both zeros are 0. */
const ORDERED: Readonly<Record<string, (values: ArrayBufferView) => (index: number) => number | bigint>> = {
  Float16Array: (values) => {
    const bits = new Int16Array(values.buffer, values.byteOffset, values.byteLength / 2);
    return (index) => (bits[index]! < 0 ? -(bits[index]! & 0x7fff) : bits[index]!);
  },
  Float32Array: (values) => {
    const bits = new Int32Array(values.buffer, values.byteOffset, values.byteLength / 4);
    return (index) => (bits[index]! < 0 ? -(bits[index]! & 0x7fffffff) : bits[index]!);
  },
  Float64Array: (values) => {
    const bits = new BigInt64Array(values.buffer, values.byteOffset, values.byteLength / 8);
    return (index) => (bits[index]! < 0n ? -(bits[index]! & 0x7fffffffffffffffn) : bits[index]!);
  },
};

const TOLERANCES = optionNames('ulp', 'absolute');

/** Compares two arrays of one class and length; undefined if they are the same. NaN is the same as NaN. */
export function compare(
  got: TypedArray,
  wanted: TypedArray,
  tolerance: Tolerance = {},
): Difference | undefined {
  const name = got[Symbol.toStringTag];
  if (name !== wanted[Symbol.toStringTag] || got.length !== wanted.length)
    throw new TypeError(
      `${name} of ${got.length} elements cannot be compared with ${wanted[Symbol.toStringTag]} of ${wanted.length}`,
    );
  const unknown = unknownName(tolerance, TOLERANCES);
  if (unknown !== undefined)
    throw new TypeError(`compare: \`tolerance.${unknown}\` ${unknownNameDetail(unknown, TOLERANCES)}`);
  const { ulp: allowed = 0, absolute = 0 } = tolerance;
  const order = ORDERED[name];
  const [a, b] = order ? [order(got), order(wanted)] : [];
  let first: Omit<Difference, 'count'> | undefined;
  let count = 0;
  for (let index = 0; index < got.length; index++) {
    const [x, y] = [got[index]!, wanted[index]!];
    if (Object.is(x, y) || x === y) continue;
    let ulp: number | undefined;
    if (a && b && !Number.isNaN(x) && !Number.isNaN(y)) {
      ulp = Math.abs(Number(BigInt(a(index)) - BigInt(b(index))));
      if (ulp <= allowed || Math.abs(Number(x) - Number(y)) <= absolute) continue;
    }
    count++;
    first ??= { index, got: x, wanted: y, ...(ulp === undefined ? {} : { ulp }) };
  }
  return first && { ...first, count };
}
