// SPDX-License-Identifier: MIT
//
// Half floats by bit manipulation: a half's exponent and fraction, shifted to a float's place, are the float times 2^-112. Halves
// are held in 32 bits with zero upper bits, or eight to a vector between memory and a conversion. Functions that take their
// operand from the stack say so.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { Type } from '../ir/ir';
import type { Context } from './context';

const SCALE_UP = 2 ** 112;
const HALF_EXPONENT = 0x7c00;
/** Makes the exponent of infinity and NaN a float's. */
const SPECIAL = 0x70000000;
const FLOAT_EXPONENT = 0x7f800000;
/** Floats from here on are infinite as halves. */
const FIRST_INFINITE = 65536;
const FIRST_INFINITE_BITS = 0x47800000;
/** Added to a float's exponent: 2^13 times as much. */
const THIRTEEN = 0x06800000;
/** The number 0.5, whose last place is that of subnormal halves. */
const ONE_HALF = 0x3f000000;
/** Its exponent, where a half's is. */
const OFFSET = 126 << 10;
const QUIET_NAN = 0x7e00;
/** Interleave the low or high four of two vectors of 16 bits. */
const LOW_HALVES = [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23];
const HIGH_HALVES = [8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31];

/** What differs between scalars and vectors. */
interface Form {
  readonly type: ValType;
  constant(value: number): void;
  op(i32: Wasm, i32x4: Wasm): void;
  /** Takes an integer from the stack; gives all ones where it equals the constant. */
  isEqual(constant: number): void;
}

function scalarForm(c: Context): Form {
  return {
    type: ValType.I32,
    constant: (v) => c.f.i32(v),
    op: (i32) => c.f.op(i32),
    isEqual: (v) => {
      c.f.i32(v);
      c.f.op(Wasm.i32_ne);
      c.f.i32(1);
      c.f.op(Wasm.i32_sub);
    },
  };
}

function vectorForm(c: Context): Form {
  return {
    type: ValType.V128,
    constant: (v) => c.vectorConstant(Type.I32, v),
    op: (_, i32x4) => c.f.op(i32x4),
    isEqual: (v) => {
      c.vectorConstant(Type.I32, v);
      c.f.op(Wasm.i32x4_eq);
    },
  };
}

/** The bits of the float times 2^-112, with the sign, infinite or NaN where the half is. */
function toScaledFloat(c: Context, form: Form): void {
  const { f } = c;
  c.withTop(form.type, (half) => {
    f.get(half);
    f.i32(16);
    form.op(Wasm.i32_shl, Wasm.i32x4_shl);
    f.i32(3);
    form.op(Wasm.i32_shr_s, Wasm.i32x4_shr_s);
    form.constant(0x8fffffff | 0);
    form.op(Wasm.i32_and, Wasm.v128_and);
    f.get(half);
    form.constant(HALF_EXPONENT);
    form.op(Wasm.i32_and, Wasm.v128_and);
    form.isEqual(HALF_EXPONENT);
    form.constant(SPECIAL);
    form.op(Wasm.i32_and, Wasm.v128_and);
    form.op(Wasm.i32_or, Wasm.v128_or);
  });
}

/** Half bits (i32) on the stack to f32. */
export function scalarHalfToFloat(c: Context): void {
  toScaledFloat(c, scalarForm(c));
  c.f.op(Wasm.f32_reinterpret_i32);
  c.f.f32(SCALE_UP);
  c.f.op(Wasm.f32_mul);
}

/** The same for four. */
export function halfToFloat(c: Context): void {
  toScaledFloat(c, vectorForm(c));
  c.vectorConstant(Type.F32, SCALE_UP);
  c.f.op(Wasm.f32x4_mul);
}

/** Eight halves on the stack to the low or high four floats. V8 computes the common part of both once. */
export function eightHalvesToFloats(c: Context, high: boolean): void {
  const { f } = c;
  c.withTop(ValType.V128, (halves) => {
    f.get(halves);
    f.i32(13);
    f.op(Wasm.i16x8_shl);
    f.get(halves);
    f.i32(3);
    f.op(Wasm.i16x8_shr_s);
    c.shortConstant(0x8fff);
    f.op(Wasm.v128_and);
    f.get(halves);
    c.shortConstant(HALF_EXPONENT);
    f.op(Wasm.v128_and);
    c.shortConstant(HALF_EXPONENT);
    f.op(Wasm.i16x8_eq);
    c.shortConstant(SPECIAL >>> 16);
    f.op(Wasm.v128_and);
    f.op(Wasm.v128_or);
    f.shuffle(high ? HIGH_HALVES : LOW_HALVES);
    c.vectorConstant(Type.F32, SCALE_UP);
    f.op(Wasm.f32x4_mul);
  });
}

/**
 * A number plus 2^13 times its power of two keeps ten fraction bits, rounded to even. The sum's exponent plus its fraction is the
 * half's bits. Subnormal halves are rounded by adding 0.5.
 */
export function scalarFloatToHalf(c: Context): void {
  const { f } = c;
  f.op(Wasm.i32_reinterpret_f32);
  c.withTop(ValType.I32, (x) =>
    c.withLocal(ValType.I32, (a) =>
      c.withLocal(ValType.I32, (sum) => {
        f.get(x);
        f.i32(0x7fffffff);
        f.op(Wasm.i32_and);
        f.tee(a);
        f.i32(FIRST_INFINITE_BITS);
        f.get(a);
        f.i32(FIRST_INFINITE_BITS);
        f.op(Wasm.i32_lt_s);
        f.op(Wasm.select);
        f.set(sum);
        f.get(sum);
        f.op(Wasm.f32_reinterpret_i32);
        f.get(sum);
        f.i32(FLOAT_EXPONENT);
        f.op(Wasm.i32_and);
        f.i32(THIRTEEN);
        f.op(Wasm.i32_add);
        f.op(Wasm.f32_reinterpret_i32);
        f.f32(0.5);
        f.op(Wasm.f32_max);
        f.op(Wasm.f32_add);
        f.op(Wasm.i32_reinterpret_f32);
        f.tee(sum);
        f.i32(13);
        f.op(Wasm.i32_shr_u);
        f.get(sum);
        f.i32(0xfff);
        f.op(Wasm.i32_and);
        f.op(Wasm.i32_add);
        f.i32(OFFSET);
        f.op(Wasm.i32_sub);
        // Or a quiet NaN.
        f.i32(QUIET_NAN);
        f.get(a);
        f.i32(FLOAT_EXPONENT);
        f.op(Wasm.i32_le_u);
        f.op(Wasm.select);
        f.get(x);
        f.i32(16);
        f.op(Wasm.i32_shr_u);
        f.i32(0x8000);
        f.op(Wasm.i32_and);
        f.op(Wasm.i32_or);
      }),
    ),
  );
}

/** Leaves four halves without their signs, in 32 bits each; of NaN, something greater than QUIET_NAN. */
function magnitudes(c: Context, x: number): void {
  const { f } = c;
  c.withLocal(ValType.V128, (a) => {
    f.get(x);
    c.vectorConstant(Type.I32, 0x7fffffff);
    f.op(Wasm.v128_and);
    c.vectorConstant(Type.F32, FIRST_INFINITE);
    // Gives the second operand where it is less, so a NaN stays.
    f.op(Wasm.f32x4_pmin);
    f.set(a);
    f.get(a);
    f.get(a);
    c.vectorConstant(Type.I32, FLOAT_EXPONENT);
    f.op(Wasm.v128_and);
    c.vectorConstant(Type.I32, THIRTEEN);
    f.op(Wasm.i32x4_add);
    c.vectorConstant(Type.I32, ONE_HALF);
    f.op(Wasm.i32x4_max_s);
    f.op(Wasm.f32x4_add);
    // The upper 16 bits times 8, which moves the exponent to a half's place, plus the lower 16 bits with the fraction.
    c.vectorConstant(Type.I32, 0x00080001);
    f.op(Wasm.i32x4_dot_i16x8_s);
    c.vectorConstant(Type.I32, OFFSET);
    f.op(Wasm.i32x4_sub);
  });
}

/** Four floats on the stack to half bits. */
export function floatToHalf(c: Context): void {
  const { f } = c;
  c.withTop(ValType.V128, (x) => {
    magnitudes(c, x);
    c.vectorConstant(Type.I32, QUIET_NAN);
    f.op(Wasm.i32x4_min_s);
    f.get(x);
    f.i32(16);
    f.op(Wasm.i32x4_shr_u);
    c.vectorConstant(Type.I32, 0x8000);
    f.op(Wasm.v128_and);
    f.op(Wasm.v128_or);
  });
}

/** Two locals with four floats each to eight halves. */
export function floatsToEightHalves(c: Context, low: number, high: number): void {
  const { f } = c;
  magnitudes(c, low);
  magnitudes(c, high);
  f.op(Wasm.i16x8_narrow_i32x4_s);
  c.shortConstant(QUIET_NAN);
  f.op(Wasm.i16x8_min_s);
  for (const x of [low, high]) {
    f.get(x);
    f.i32(16);
    f.op(Wasm.i32x4_shr_s);
  }
  f.op(Wasm.i16x8_narrow_i32x4_s);
  c.shortConstant(0x8000);
  f.op(Wasm.v128_and);
  f.op(Wasm.v128_or);
}
