// SPDX-License-Identifier: MIT
//
// The scalar types of OpenCL C (6.1.1): one table of what is known of each.

interface ScalarFacts {
  readonly bytes: 1 | 2 | 4 | 8;
  /** The conversion rank (C99, 6.3.1.1); 0 for floating-point types. */
  readonly integerRank: number;
  /** The order of floating-point types; 0 for integers. */
  readonly floatRank: number;
  readonly isUnsigned: boolean;
}

const integer = (bytes: ScalarFacts['bytes'], integerRank: number, isUnsigned: boolean): ScalarFacts => ({
  bytes,
  integerRank,
  floatRank: 0,
  isUnsigned,
});
const floating = (bytes: ScalarFacts['bytes'], floatRank: number): ScalarFacts => ({
  bytes,
  integerRank: 0,
  floatRank,
  isUnsigned: false,
});

const FACTS = {
  bool: integer(1, 1, true),
  char: integer(1, 2, false),
  uchar: integer(1, 2, true),
  short: integer(2, 3, false),
  ushort: integer(2, 3, true),
  int: integer(4, 4, false),
  uint: integer(4, 4, true),
  long: integer(8, 5, false),
  ulong: integer(8, 5, true),
  half: floating(2, 1),
  float: floating(4, 2),
  double: floating(8, 3),
} satisfies Record<string, ScalarFacts>;

export type ScalarKind = keyof typeof FACTS;
export type FloatKind = 'half' | 'float' | 'double';

export const SCALAR_KINDS = Object.keys(FACTS) as readonly ScalarKind[];

export const scalarSize = (kind: ScalarKind): 1 | 2 | 4 | 8 => FACTS[kind].bytes;
export const integerRank = (kind: ScalarKind): number => FACTS[kind].integerRank;
export const floatRank = (kind: ScalarKind): number => FACTS[kind].floatRank;
export const isFloatKind = (kind: ScalarKind): kind is FloatKind => FACTS[kind].floatRank > 0;
export const isUnsigned = (kind: ScalarKind): boolean => FACTS[kind].isUnsigned;
export const isSigned = (kind: ScalarKind): boolean => !FACTS[kind].isUnsigned && !isFloatKind(kind);
