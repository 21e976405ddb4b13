// SPDX-License-Identifier: MIT
//
// Leading zeros of packed numbers, from tables for four bits.
import { type Expr, i8x16, i16x8, i32, v128 } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Type } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import { permutation } from '../arithmetic/shuffles';
import type { Context } from '../context';
import { packedSplat } from './values';

type Vector = Expr<'v128'>;

/** What the tables have for four bits that are zeros: at least as many as the number has. */
const NONE = { 8: 8, 16: 16 } as const;
/** By the upper four bits of a byte: its leading zeros, if one of these bits is set. Otherwise the lower ones decide, which give less. */
const byUpper = (none: number) =>
  Uint8Array.from({ length: 16 }, (_, bits) => (bits === 0 ? none : Math.clz32(bits) - 28));
/** By the lower four bits, if the upper ones are 0. */
const byLower = (none: number) =>
  Uint8Array.from({ length: 16 }, (_, bits) => (bits === 0 ? none : Math.clz32(bits) - 24));

export function leadingZerosOfPacked(c: Context, width: PackedWidth, numbers: Vector): Vector {
  const ofBytes = leadingZerosOfBytes(c, numbers, NONE[width]);
  if (width === 8) return ofBytes;
  const splat = (bits: number) => c.constants.splatExpr(Type.I32, Math.imul(bits, 0x10001));
  // An upper byte of zeros has 16, which is more than those of a lower byte that has ones, and eight more.
  return c.bind(ValType.V128, ofBytes, (bytes) =>
    i16x8.min_u(i16x8.shr_u(bytes, i32.const(8)), i16x8.add(v128.and(bytes, splat(0xff)), splat(8))),
  );
}

function leadingZerosOfBytes(c: Context, numbers: Vector, none: number): Vector {
  const splat = (byte: number) => packedSplat(c, 8, byte);
  return c.bind(ValType.V128, numbers, (x) =>
    i8x16.min_u(
      permutation(c, byUpper(none), i16x8.shr_u(v128.and(x, splat(0xf0)), i32.const(4))),
      permutation(c, byLower(none), v128.and(x, splat(0xf))),
    ),
  );
}
