// SPDX-License-Identifier: MIT
//
// Shifts by divergent amounts. WebAssembly shifts all lanes by one amount; lane by lane, four lanes cost some forty instructions.
// A left shift is a product with a power of two, a right shift the upper half of such a product.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { constantOf } from '../ir/build';
import { type Inst, Op, Type } from '../ir/ir';
import type { Context } from './context';
import { LOWER_WORDS } from './tables';

/** Copies the lowest byte of each lane to all of its bytes. */
const LOWEST_BYTES = [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12];
const UPPER_WORDS = LOWER_WORDS.map((byte) => byte + 4);
const LOWER_LANE_THEN_UPPER = Array.from({ length: 16 }, (_, byte) => (byte < 8 ? byte : byte + 16));
/** For an index from 0 to 7 the byte with that bit set; 0 for any other. */
const BITS = Uint8Array.from({ length: 16 }, (_, i) => (i < 8 ? 1 << i : 0));
/** The bit at which each byte of a word begins. */
const FIRST_BITS = Uint8Array.from({ length: 16 }, (_, i) => (i & 3) * 8);

/**
 * Leaves one vector of a shift of numbers of up to 32 bits in lanes of 32: `a` and `b` are locals with the numbers, extended as
 * the operation wants them, and the amounts.
 */
export function shiftByLanes(c: Context, inst: Inst, a: number, b: number, width: number): boolean {
  if (width > 32) return shiftPair(c, inst.op, a, b);
  switch (inst.op) {
    case Op.Shl:
      powers(c, () => masked(c, b, width));
      if (constantOf(inst.operands[0]!) !== 1) {
        c.f.get(a);
        c.f.op(Wasm.i32x4_mul);
      }
      return true;
    case Op.LShr:
    case Op.AShr:
      if (width < 32) shiftShort(c, a, b, width, inst.op === Op.AShr);
      else if (inst.op === Op.LShr) shiftWord(c, a, b);
      else shiftSigned(c, a, b);
      return true;
    case Op.Rotl:
      if (width < 32) rotateShort(c, a, b, width);
      else rotateWord(c, a, b);
      return true;
    default:
      return false;
  }
}

/** Shifts both 64-bit lanes by each of the two amounts, and keeps one lane of each result. */
function shiftPair(c: Context, op: Op, a: number, b: number): boolean {
  const { f } = c;
  const by = (lane: number, code: Wasm, negative = false) => {
    f.get(a);
    if (negative) f.i32(0);
    f.get(b);
    f.lane(Wasm.i64x2_extract_lane, lane);
    f.op(Wasm.i32_wrap_i64);
    if (negative) f.op(Wasm.i32_sub);
    f.op(code);
  };
  for (const lane of [0, 1])
    switch (op) {
      case Op.Shl:
        by(lane, Wasm.i64x2_shl);
        break;
      case Op.LShr:
        by(lane, Wasm.i64x2_shr_u);
        break;
      case Op.Rotl:
        by(lane, Wasm.i64x2_shl);
        by(lane, Wasm.i64x2_shr_u, true);
        f.op(Wasm.v128_or);
        break;
      default:
        return false;
    }
  f.shuffle(LOWER_LANE_THEN_UPPER);
  return true;
}

/** Amounts count modulo the width. */
function masked(c: Context, b: number, width: number): void {
  c.f.get(b);
  c.vectorConstant(Type.I32, width - 1);
  c.f.op(Wasm.v128_and);
}

/** Two to the power of the lanes that `push` leaves, which are 0 to 31. */
function powers(c: Context, push: () => void): void {
  const { f } = c;
  c.bytesConstant(BITS);
  push();
  c.withTop(ValType.V128, (exponents) => {
    f.get(exponents);
    f.get(exponents);
  });
  f.shuffle(LOWEST_BYTES);
  c.bytesConstant(FIRST_BITS);
  f.op(Wasm.i8x16_sub);
  f.op(Wasm.i8x16_swizzle);
}

/** The products of lanes of 32 bits, in two vectors of 64. */
function products(c: Context, a: number, factor: number, use: (low: number, high: number) => void): void {
  const { f } = c;
  c.withLocal(ValType.V128, (low) =>
    c.withLocal(ValType.V128, (high) => {
      for (const [to, code] of [
        [low, Wasm.i64x2_extmul_low_i32x4_u],
        [high, Wasm.i64x2_extmul_high_i32x4_u],
      ] as const) {
        f.get(a);
        f.get(factor);
        f.op(code);
        f.set(to);
      }
      use(low, high);
    }),
  );
}

/** x >> n is x * 2^(31 - n) >> 31. */
function shiftWord(c: Context, a: number, b: number): void {
  const { f } = c;
  powers(c, () => {
    // 31 - n, modulo 32.
    c.vectorConstant(Type.I32, 31);
    f.get(b);
    f.op(Wasm.v128_andnot);
  });
  c.withTop(ValType.V128, (factor) =>
    products(c, a, factor, (low, high) => {
      for (const half of [low, high]) {
        f.get(half);
        f.i32(31);
        f.op(Wasm.i64x2_shr_u);
      }
      f.shuffle(LOWER_WORDS);
    }),
  );
}

/** For a negative number its complement is shifted. */
function shiftSigned(c: Context, a: number, b: number): void {
  const { f } = c;
  c.withLocal(ValType.V128, (sign) =>
    c.withLocal(ValType.V128, (magnitude) => {
      f.get(a);
      f.i32(31);
      f.op(Wasm.i32x4_shr_s);
      f.tee(sign);
      f.get(a);
      f.op(Wasm.v128_xor);
      f.set(magnitude);
      shiftWord(c, magnitude, b);
      f.get(sign);
      f.op(Wasm.v128_xor);
    }),
  );
}

/** Of numbers of 8 or 16 bits, x * 2^(16 - n) fits 32 bits. */
function shiftShort(c: Context, a: number, b: number, width: number, signed: boolean): void {
  const { f } = c;
  powers(c, () => {
    c.vectorConstant(Type.I32, 16);
    masked(c, b, width);
    f.op(Wasm.i32x4_sub);
  });
  f.get(a);
  f.op(Wasm.i32x4_mul);
  f.i32(16);
  f.op(signed ? Wasm.i32x4_shr_s : Wasm.i32x4_shr_u);
}

/** The bits of the product above the width are rotated into its low end. */
function rotateWord(c: Context, a: number, b: number): void {
  const { f } = c;
  powers(c, () => masked(c, b, 32));
  c.withTop(ValType.V128, (factor) =>
    products(c, a, factor, (low, high) => {
      for (const words of [LOWER_WORDS, UPPER_WORDS]) {
        f.get(low);
        f.get(high);
        f.shuffle(words);
      }
      f.op(Wasm.v128_or);
    }),
  );
}

function rotateShort(c: Context, a: number, b: number, width: number): void {
  const { f } = c;
  powers(c, () => masked(c, b, width));
  f.get(a);
  f.op(Wasm.i32x4_mul);
  c.withTop(ValType.V128, (product) => {
    f.get(product);
    f.get(product);
    f.i32(width);
    f.op(Wasm.i32x4_shr_u);
    f.op(Wasm.v128_or);
  });
}
