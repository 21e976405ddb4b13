// SPDX-License-Identifier: MIT
//
// Facts about the kernel IR's scalar types, and the canonical form of constants.
import { Type } from './ir';

const BYTES: Record<Type, number> = {
  [Type.Void]: 0,
  [Type.I1]: 1,
  [Type.I8]: 1,
  [Type.I16]: 2,
  [Type.I32]: 4,
  [Type.I64]: 8,
  [Type.F16]: 2,
  [Type.F32]: 4,
  [Type.F64]: 8,
};

/** Bytes in memory. */
export function bytesOf(type: Type): number {
  return BYTES[type];
}

/** Bits of an integer or float type; 1 for I1. */
export function bitsOf(type: Type): number {
  return type === Type.I1 ? 1 : BYTES[type] * 8;
}

export function isFloat(type: Type): boolean {
  return type >= Type.F16;
}

/** I8 to I64, not I1. */
export function isInteger(type: Type): boolean {
  return type >= Type.I8 && type <= Type.I64;
}

export function integerOfBits(bits: number): Type | undefined {
  return bits === 8
    ? Type.I8
    : bits === 16
      ? Type.I16
      : bits === 32
        ? Type.I32
        : bits === 64
          ? Type.I64
          : undefined;
}

export function floatOfBits(bits: number): Type | undefined {
  return bits === 16 ? Type.F16 : bits === 32 ? Type.F32 : bits === 64 ? Type.F64 : undefined;
}

/** The integer type as wide as a float type, and an integer type itself. */
export function integerLike(type: Type): Type {
  return isFloat(type) ? integerOfBits(bitsOf(type))! : type;
}

/**
 * A constant's canonical representation, so that equal constants are equal: integers as signed values of their width,
 * I64 as bigint, I1 as 0 or 1, F32 rounded to its precision.
 */
export function canonical(type: Type, value: number | bigint): number | bigint {
  // As a number, a large bigint would lose its low bits.
  if (typeof value === 'bigint' && type <= Type.I32) return canonical(type, Number(BigInt.asIntN(32, value)));
  switch (type) {
    case Type.I1:
      return Number(value) & 1;
    case Type.I8:
      return (Number(value) << 24) >> 24;
    case Type.I16:
      return (Number(value) << 16) >> 16;
    case Type.I32:
      return Number(value) | 0;
    case Type.I64:
      return BigInt.asIntN(64, BigInt(value));
    case Type.F32:
      return Math.fround(Number(value));
    default:
      return Number(value);
  }
}
