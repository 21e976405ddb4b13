// SPDX-License-Identifier: MIT
//
// Shifts by divergent amounts. WebAssembly shifts all lanes by one amount; lane by lane, four lanes cost some forty instructions.
// A left shift is a product with a power of two, a right shift the upper half of such a product.
import { type Expr, emit, i8x16, i32, i32x4, i64x2, set, tee, v128 } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { constantOf } from '../../ir/build';
import { type Inst, Op, Type } from '../../ir/ir';
import type { Context } from '../context';
import { LOWER_LANE_THEN_UPPER, LOWER_WORDS, LOWEST_BYTES, UPPER_WORDS } from './shuffles';

type Vector = Expr<'v128'>;

/** For an index from 0 to 7 the byte with that bit set; 0 for any other. */
const BITS = Uint8Array.from({ length: 16 }, (_, i) => (i < 8 ? 1 << i : 0));
/** The bit at which each byte of a word begins. */
const FIRST_BITS = Uint8Array.from({ length: 16 }, (_, i) => (i & 3) * 8);

/**
 * Leaves one vector of a shift on the stack: `a` and `b` are locals with the numbers, extended as the operation requires, and the
 * amounts. False if it is done lane by lane.
 */
export function shiftByLanes(c: Context, inst: Inst, a: number, b: number, width: number): boolean {
  const shifted = width > 32 ? shiftPair(inst.op, a, b) : shiftWords(c, inst, a, b, width);
  if (!shifted) return false;
  emit(c.f, shifted);
  return true;
}

/** Shifts both 64-bit lanes by each of the two amounts, and keeps one lane of each result. */
function shiftPair(op: Op, a: number, b: number): Vector | undefined {
  const amount = (lane: number) => i32.wrap_i64(i64x2.extract_lane(b, lane));
  const shifted = (lane: number): Vector | undefined => {
    switch (op) {
      case Op.Shl:
        return i64x2.shl(a, amount(lane));
      case Op.LShr:
        return i64x2.shr_u(a, amount(lane));
      case Op.Rotl:
        return v128.or(i64x2.shl(a, amount(lane)), i64x2.shr_u(a, i32.sub(i32.const(0), amount(lane))));
      default:
        return undefined;
    }
  };
  const [low, high] = [shifted(0), shifted(1)];
  return low && high && v128.shuffle(low, high, LOWER_LANE_THEN_UPPER);
}

/** Numbers of up to 32 bits, in lanes of 32. */
function shiftWords(c: Context, inst: Inst, a: number, b: number, width: number): Vector | undefined {
  switch (inst.op) {
    case Op.Shl: {
      const power = powers(c, masked(c, b, width));
      return constantOf(inst.operands[0]!) === 1 ? power : i32x4.mul(power, a);
    }
    case Op.LShr:
      return width < 32 ? shiftShort(c, a, b, width, false) : shiftWord(c, a, b);
    case Op.AShr:
      return width < 32 ? shiftShort(c, a, b, width, true) : shiftSigned(c, a, b);
    case Op.Rotl:
      return width < 32 ? rotateShort(c, a, b, width) : rotateWord(c, a, b);
    default:
      return undefined;
  }
}

/** Amounts are modulo the width. */
function masked(c: Context, b: number, width: number): Vector {
  return v128.and(b, c.constants.splatExpr(Type.I32, width - 1));
}

/** Two to the power of lanes that are 0 to 31. */
function powers(c: Context, exponents: Vector): Vector {
  const bytes = c.bind(ValType.V128, exponents, (x) => v128.shuffle(x, x, LOWEST_BYTES));
  return i8x16.swizzle(
    () => c.constants.bytes(BITS),
    i8x16.sub(bytes, () => c.constants.bytes(FIRST_BITS)),
  );
}

/** The products of lanes of 32 bits, in two locals with vectors of 64. */
function withProducts(
  c: Context,
  a: number,
  factor: Vector,
  use: (low: number, high: number) => Vector,
): Vector {
  return c.bind(ValType.V128, factor, (local) => (f) => {
    c.withLocal(ValType.V128, (low) =>
      c.withLocal(ValType.V128, (high) => {
        set(f, low, i64x2.extmul_low_i32x4_u(a, local));
        set(f, high, i64x2.extmul_high_i32x4_u(a, local));
        emit(f, use(low, high));
      }),
    );
  });
}

/** x >> n is x * 2^(31 - n) >> 31. */
function shiftWord(c: Context, a: number, b: number): Vector {
  // 31 - n, modulo 32.
  const factor = powers(c, v128.andnot(c.constants.splatExpr(Type.I32, 31), b));
  return withProducts(c, a, factor, (low, high) =>
    v128.shuffle(i64x2.shr_u(low, i32.const(31)), i64x2.shr_u(high, i32.const(31)), LOWER_WORDS),
  );
}

/** For a negative number its complement is shifted. */
function shiftSigned(c: Context, a: number, b: number): Vector {
  return (f) =>
    c.withLocal(ValType.V128, (sign) =>
      c.withLocal(ValType.V128, (magnitude) => {
        set(f, magnitude, v128.xor(tee(sign, i32x4.shr_s(a, i32.const(31))), a));
        emit(f, v128.xor(shiftWord(c, magnitude, b), sign));
      }),
    );
}

/** Of numbers of 8 or 16 bits, x * 2^(16 - n) fits 32 bits. */
function shiftShort(c: Context, a: number, b: number, width: number, signed: boolean): Vector {
  const factor = powers(c, i32x4.sub(c.constants.splatExpr(Type.I32, 16), masked(c, b, width)));
  const product = i32x4.mul(factor, a);
  return (signed ? i32x4.shr_s : i32x4.shr_u)(product, i32.const(16));
}

/** The bits of the product above the width are rotated into its low end. */
function rotateWord(c: Context, a: number, b: number): Vector {
  return withProducts(c, a, powers(c, masked(c, b, 32)), (low, high) =>
    v128.or(v128.shuffle(low, high, LOWER_WORDS), v128.shuffle(low, high, UPPER_WORDS)),
  );
}

function rotateShort(c: Context, a: number, b: number, width: number): Vector {
  const rotated = i32x4.mul(powers(c, masked(c, b, width)), a);
  return c.bind(ValType.V128, rotated, (product) => v128.or(product, i32x4.shr_u(product, i32.const(width))));
}
