// SPDX-License-Identifier: MIT
//
// Arithmetic on constants, exact in each type.
import { singleOf } from '../../../../base/single';
import type { ScalarKind } from '../../types';
import { isUnsigned, scalarSize } from '../types/scalars';

/** `value` modulo the type's range. */
export function wrapInteger(value: bigint, kind: ScalarKind): bigint {
  if (kind === 'bool') return value === 0n ? 0n : 1n;
  const bits = scalarSize(kind) * 8;
  return isUnsigned(kind) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
}

function toHalf(value: number): number {
  const magnitude = Math.abs(value);
  if (!Number.isFinite(value) || magnitude === 0) return value;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const unit = 2 ** (exponent - 10);
  const scaled = magnitude / unit;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  const up = rest > 0.5 || (rest === 0.5 && below % 2 === 1);
  const rounded = (up ? below + 1 : below) * unit;
  return Math.sign(value) * (rounded > 65504 ? Number.POSITIVE_INFINITY : rounded);
}

export function roundFloat(value: number, kind: ScalarKind): number {
  return kind === 'float' ? Math.fround(value) : kind === 'half' ? toHalf(value) : value;
}

/** Rounded once to the type. */
export function integerToFloat(value: bigint, kind: ScalarKind): number {
  // What a half can hold a double can hold.
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
