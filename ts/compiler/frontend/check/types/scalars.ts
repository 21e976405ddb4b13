// SPDX-License-Identifier: MIT
//
// C's rules for scalar types: promotions and the usual arithmetic conversions (C99, 6.3.1).
import { floatRank, integerRank, isFloatKind, isUnsigned } from '../../scalars';
import { type ScalarKind, scalarOf } from '../../types';

export const INT = scalarOf('int');
const INT_RANK = integerRank('int');

/** The signed integer type of a size in bytes. */
export function signedOfSize(size: number): ScalarKind {
  return size === 1 ? 'char' : size === 2 ? 'short' : size === 4 ? 'int' : 'long';
}

/** The type after the integer promotions. */
export function promoted(kind: ScalarKind): ScalarKind {
  const rank = integerRank(kind);
  return rank > 0 && rank < INT_RANK ? 'int' : kind;
}

/** The usual arithmetic conversions of two scalars. */
export const commonScalar = (a: ScalarKind, b: ScalarKind): ScalarKind =>
  isFloatKind(a) || isFloatKind(b) ? commonUnpromoted(a, b) : commonUnpromoted(promoted(a), promoted(b));

/** The usual arithmetic conversions without the integer promotions. */
export function commonUnpromoted(left: ScalarKind, right: ScalarKind): ScalarKind {
  if (left === right) return left;
  if (isFloatKind(left) || isFloatKind(right)) return floatRank(left) >= floatRank(right) ? left : right;
  const difference = integerRank(left) - integerRank(right);
  if (difference === 0) return isUnsigned(left) ? left : right;
  return difference > 0 ? left : right;
}

/** The unsigned type of a signed integer; any other type itself. */
export const unsignedOf = (kind: ScalarKind): ScalarKind =>
  kind === 'char' || kind === 'short' || kind === 'int' || kind === 'long' ? `u${kind}` : kind;
