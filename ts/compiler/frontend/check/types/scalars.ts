// SPDX-License-Identifier: MIT
//
// Scalar types: bytes, rank, signedness, and which types C makes of two of them.
import { type ScalarKind, scalarOf } from '../../types';

export const INT = scalarOf('int');

export const INTEGER_RANK: Readonly<Record<ScalarKind, number>> = {
  bool: 1,
  char: 2,
  uchar: 2,
  short: 3,
  ushort: 3,
  int: 4,
  uint: 4,
  long: 5,
  ulong: 5,
  half: 0,
  float: 0,
  double: 0,
};

const FLOAT_RANK: Readonly<Record<ScalarKind, number>> = {
  bool: 0,
  char: 0,
  uchar: 0,
  short: 0,
  ushort: 0,
  int: 0,
  uint: 0,
  long: 0,
  ulong: 0,
  half: 1,
  float: 2,
  double: 3,
};

export const SIZE: Readonly<Record<ScalarKind, number>> = {
  bool: 1,
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  long: 8,
  ulong: 8,
  half: 2,
  float: 4,
  double: 8,
};

const UNSIGNED: Readonly<Record<ScalarKind, boolean>> = {
  bool: true,
  char: false,
  uchar: true,
  short: false,
  ushort: true,
  int: false,
  uint: true,
  long: false,
  ulong: true,
  half: false,
  float: false,
  double: false,
};

export const integerRank = (kind: ScalarKind): number => INTEGER_RANK[kind];

export const floatRank = (kind: ScalarKind): number => FLOAT_RANK[kind];

export const isUnsigned = (kind: ScalarKind): boolean => UNSIGNED[kind];

export const isFloatKind = (kind: ScalarKind): boolean => FLOAT_RANK[kind] > 0;

export const scalarSize = (kind: ScalarKind): number => SIZE[kind];

export const unsignedOf = (kind: ScalarKind): ScalarKind =>
  INTEGER_RANK[kind] >= 2 && !UNSIGNED[kind] ? (`u${kind}` as ScalarKind) : kind;

/** Integer of the given size, signed. */
export function signedOfSize(size: number): ScalarKind {
  return size === 1 ? 'char' : size === 2 ? 'short' : size === 4 ? 'int' : 'long';
}

export function promoted(kind: ScalarKind): ScalarKind {
  const rank = INTEGER_RANK[kind];
  return rank > 0 && rank < 4 ? 'int' : kind;
}

/** C's usual arithmetic conversions of two scalars. */
export function commonScalar(a: ScalarKind, b: ScalarKind): ScalarKind {
  if (a === b) return promoted(a);
  if (FLOAT_RANK[a] > 0 || FLOAT_RANK[b] > 0) return FLOAT_RANK[a] >= FLOAT_RANK[b] ? a : b;
  const left = promoted(a);
  const right = promoted(b);
  if (left === right) return left;
  if (INTEGER_RANK[left] === INTEGER_RANK[right]) return UNSIGNED[left] ? left : right;
  return INTEGER_RANK[left] > INTEGER_RANK[right] ? left : right;
}
