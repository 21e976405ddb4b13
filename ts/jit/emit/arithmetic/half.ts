// SPDX-License-Identifier: MIT
//
// Half floats by bit manipulation: a half's exponent and fraction, shifted to a float's place, are the float times 2^-112. Halves
// are held in 32 bits with zero upper bits, or eight to a vector between memory and a conversion.
import {
  type Expr,
  emit,
  f32,
  f32x4,
  i16x8,
  i32,
  i32x4,
  type Operand,
  select,
  set,
  tee,
  v128,
} from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Type } from '../../ir/ir';
import type { Context } from '../context';
import { INTERLEAVE_LOWER_SHORTS, INTERLEAVE_UPPER_SHORTS } from './shuffles';

const SCALE_UP = 2 ** 112;
const HALF_EXPONENT = 0x7c00;
/** The sign, exponent and fraction of a half, in the upper 16 bits of a float, whose exponent has three more bits. */
const SIGN_AND_NUMBER = 0x8fffffff | 0;
/** Changes the exponent of infinity and NaN to a float's. */
const SPECIAL = 0x70000000;
const FLOAT_EXPONENT = 0x7f800000;
/** Floats from this one on are infinite as halves. */
const FIRST_INFINITE = 65536;
const FIRST_INFINITE_BITS = 0x47800000;
/** Added to a float's exponent: 2^13 times as much. */
const THIRTEEN = 0x06800000;
/** The number 0.5, whose last place is that of subnormal halves. */
const ONE_HALF = 0x3f000000;
/** Its exponent, at the position of a half's. */
const OFFSET = 126 << 10;
const QUIET_NAN = 0x7e00;
const SIGN_BIT = -(2 ** 31);

// --- halves to floats ---

/** The bits of a half as a float. */
export function scalarHalfToFloat(c: Context, bits: Operand<'i32'>): Expr<'f32'> {
  const scaled = c.bind(ValType.I32, bits, (half) => {
    const moved = i32.and(i32.shr_s(i32.shl(half, i32.const(16)), i32.const(3)), i32.const(SIGN_AND_NUMBER));
    const exponent = i32.and(half, i32.const(HALF_EXPONENT));
    // All ones if the exponent is that of infinity or NaN.
    const isSpecial = i32.sub(i32.ne(exponent, i32.const(HALF_EXPONENT)), i32.const(1));
    return i32.or(moved, i32.and(isSpecial, i32.const(SPECIAL)));
  });
  return f32.mul(f32.reinterpret_i32(scaled), f32.const(SCALE_UP));
}

/** The same of four. */
export function halfToFloat(c: Context, bits: Operand<'v128'>): Expr<'v128'> {
  const splat = (value: number) => c.constants.splatExpr(Type.I32, value);
  const scaled = c.bind(ValType.V128, bits, (half) => {
    const moved = v128.and(i32x4.shr_s(i32x4.shl(half, i32.const(16)), i32.const(3)), splat(SIGN_AND_NUMBER));
    const isSpecial = i32x4.eq(v128.and(half, splat(HALF_EXPONENT)), splat(HALF_EXPONENT));
    return v128.or(moved, v128.and(isSpecial, splat(SPECIAL)));
  });
  return f32x4.mul(scaled, c.constants.splatExpr(Type.F32, SCALE_UP));
}

/** The low or high four floats of eight halves. V8 computes the common part of both once. */
export function eightHalvesToFloats(c: Context, eight: Operand<'v128'>, high: boolean): Expr<'v128'> {
  const splat = (value: number) => () => c.constants.shorts(value);
  return c.bind(ValType.V128, eight, (halves) => {
    const lower = i16x8.shl(halves, i32.const(13));
    const moved = v128.and(i16x8.shr_s(halves, i32.const(3)), splat(SIGN_AND_NUMBER >>> 16));
    const isSpecial = i16x8.eq(v128.and(halves, splat(HALF_EXPONENT)), splat(HALF_EXPONENT));
    const upper = v128.or(moved, v128.and(isSpecial, splat(SPECIAL >>> 16)));
    const scaled = v128.shuffle(lower, upper, high ? INTERLEAVE_UPPER_SHORTS : INTERLEAVE_LOWER_SHORTS);
    return f32x4.mul(scaled, c.constants.splatExpr(Type.F32, SCALE_UP));
  });
}

// --- floats to halves ---

/**
 * The bits of a float as a half. A number plus 2^13 times its power of two keeps ten fraction bits, rounded to even. The sum's
 * exponent plus its fraction is the half's bits. Subnormal halves are rounded by adding 0.5.
 */
export function scalarFloatToHalf(c: Context, value: Operand<'f32'>): Expr<'i32'> {
  return c.bind(ValType.I32, i32.reinterpret_f32(value), (x) => (f) => {
    c.withLocal(ValType.I32, (magnitude) =>
      c.withLocal(ValType.I32, (sum) => {
        const infinite = i32.const(FIRST_INFINITE_BITS);
        const bounded = select(
          tee(magnitude, i32.and(x, i32.const(0x7fffffff))),
          infinite,
          i32.lt_s(magnitude, infinite),
        );
        set(f, sum, bounded);
        const power = i32.add(i32.and(sum, i32.const(FLOAT_EXPONENT)), i32.const(THIRTEEN));
        const rounding = f32.max(f32.reinterpret_i32(power), f32.const(0.5));
        const rounded = tee(sum, i32.reinterpret_f32(f32.add(f32.reinterpret_i32(sum), rounding)));
        const exponent = i32.shr_u(rounded, i32.const(13));
        const number = i32.sub(i32.add(exponent, i32.and(sum, i32.const(0xfff))), i32.const(OFFSET));
        const isNumber = i32.le_u(magnitude, i32.const(FLOAT_EXPONENT));
        const sign = i32.and(i32.shr_u(x, i32.const(16)), i32.const(0x8000));
        emit(f, i32.or(select(number, i32.const(QUIET_NAN), isNumber), sign));
      }),
    );
  });
}

/** Four halves without their signs, in 32 bits each; for NaN, something greater than QUIET_NAN. */
function magnitudes(c: Context, floats: number): Expr<'v128'> {
  const splat = (value: number) => c.constants.splatExpr(Type.I32, value);
  return (f) =>
    c.withLocal(ValType.V128, (bounded) => {
      // The second operand if it is less, so a NaN is kept.
      const infinite = c.constants.splatExpr(Type.F32, FIRST_INFINITE);
      set(f, bounded, f32x4.pmin(v128.and(floats, splat(0x7fffffff)), infinite));
      const power = i32x4.add(v128.and(bounded, splat(FLOAT_EXPONENT)), splat(THIRTEEN));
      const sum = f32x4.add(bounded, i32x4.max_s(power, splat(ONE_HALF)));
      // The upper 16 bits times 8, which moves the exponent to a half's place, plus the lower 16 bits with the fraction.
      emit(f, i32x4.sub(i32x4.dot_i16x8_s(sum, splat(0x00080001)), splat(OFFSET)));
    });
}

/** The bits of four floats as halves. */
export function floatToHalf(c: Context, floats: Operand<'v128'>): Expr<'v128'> {
  const splat = (value: number) => c.constants.splatExpr(Type.I32, value);
  return c.bind(ValType.V128, floats, (x) => {
    const number = i32x4.min_s(magnitudes(c, x), splat(QUIET_NAN));
    return v128.or(number, v128.and(i32x4.shr_u(x, i32.const(16)), splat(0x8000)));
  });
}

/** 1.5 times the power of two in whose sum with a float the last place is a half's: added to a float's exponent. */
const PLACE = THIRTEEN + 0x00400000;
/** The same for subnormal halves. */
const LEAST_PLACE = 0.75;

/**
 * Four floats, rounded to halves. A sum with a number whose last place is that of a half is rounded there. Where that number's bits
 * overflow, in large numbers, infinities and NaNs, they are negative or a NaN, and the least place serves: it changes nothing.
 */
export function roundToHalf(c: Context, floats: number): Expr<'v128'> {
  const splat = (value: number) => c.constants.splatExpr(Type.I32, value);
  const power = i32x4.add(v128.and(floats, splat(FLOAT_EXPONENT)), splat(PLACE));
  return c.bind(ValType.V128, f32x4.pmax(c.constants.splatExpr(Type.F32, LEAST_PLACE), power), (place) => {
    const rounded = f32x4.sub(f32x4.add(floats, place), place);
    // Halves are bounded as floats that are 2^112 times as large are.
    const scaled = f32x4.mul(rounded, c.constants.splatExpr(Type.F32, SCALE_UP));
    const bounded = f32x4.mul(scaled, c.constants.splatExpr(Type.F32, 1 / SCALE_UP));
    // The sign of zero.
    return v128.or(bounded, v128.and(floats, splat(SIGN_BIT)));
  });
}

/** Eight halves of two locals with four floats each. */
export function floatsToEightHalves(c: Context, low: number, high: number): Expr<'v128'> {
  const splat = (value: number) => () => c.constants.shorts(value);
  const number = i16x8.min_s(i16x8.narrow_i32x4_s(magnitudes(c, low), magnitudes(c, high)), splat(QUIET_NAN));
  const signs = i16x8.narrow_i32x4_s(i32x4.shr_s(low, i32.const(16)), i32x4.shr_s(high, i32.const(16)));
  return v128.or(number, v128.and(signs, splat(0x8000)));
}
