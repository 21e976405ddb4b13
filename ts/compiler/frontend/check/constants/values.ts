// SPDX-License-Identifier: MIT
//
// Arithmetic on constants, exact in each type.
import { halfBits, halfValue } from '../../../../base/half';
import { wrapBits } from '../../../../base/integer-arithmetic';
import { singleOf } from '../../../../base/single';
import { isUnsigned, scalarSize } from '../../scalars';
import type { ScalarKind } from '../../types';

/** `value` modulo the type's range. */
export function wrapInteger(value: bigint, kind: ScalarKind): bigint {
  if (kind === 'bool') return value === 0n ? 0n : 1n;
  return wrapBits(value, scalarSize(kind) * 8, isUnsigned(kind));
}

export function roundFloat(value: number, kind: ScalarKind): number {
  return kind === 'float' ? Math.fround(value) : kind === 'half' ? halfValue(halfBits(value)) : value;
}

/** Rounded once to the type. */
export function integerToFloat(value: bigint, kind: ScalarKind): number {
  // A double represents every half exactly.
  return kind === 'float' ? singleOf(value) : roundFloat(Number(value), kind);
}

/** Towards zero; out of range as saturation, NaN as 0. */
export function floatToInteger(value: number, kind: ScalarKind): bigint {
  if (kind === 'bool') return value === 0 ? 0n : 1n;
  if (Number.isNaN(value)) return 0n;
  const bits = BigInt(scalarSize(kind) * 8);
  const low = isUnsigned(kind) ? 0n : -(1n << (bits - 1n));
  const high = isUnsigned(kind) ? (1n << bits) - 1n : (1n << (bits - 1n)) - 1n;
  if (value === Number.POSITIVE_INFINITY) return high;
  if (value === Number.NEGATIVE_INFINITY) return low;
  const whole = BigInt(Math.trunc(value));
  return whole < low ? low : whole > high ? high : whole;
}
