// SPDX-License-Identifier: MIT
//
// Division of vectors of integers of up to 32 bits. A quotient of doubles, truncated, is exact for them: where it is not an
// integer, it differs from the nearest one by at least 2^-32.
import {
  type Expr,
  emit,
  f64,
  f64x2,
  i32,
  i32x4,
  type Operand,
  select,
  set,
  v128,
} from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import type { Context } from '../context';
import {
  INTERLEAVE_LOWER_WORDS,
  INTERLEAVE_UPPER_WORDS,
  LOWER_HALVES,
  LOWER_WORDS,
  UPPER_HALF,
} from './shuffles';
import { Extend } from './tables';

/** The upper half of the double 2^52; a 32-bit integer in its lower half is added to 2^52. */
const MAGIC_HIGH = 0x43300000;
const MAGIC = 2 ** 52;
/** The same for numbers with a sign. */
const SIGNED_MAGIC = 2 ** 52 + 2 ** 51;
const ABOVE_ONE = 1 + 2 ** -40;

/** Division of integers by one scalar. Many unsigned divisors are powers of two at run time, for which a shift suffices. */
export function divideByScalar(c: Context, inst: Inst, a: number, uniform: Value, row: number): boolean {
  const { f } = c;
  if (inst.op === Op.SDiv || inst.op === Op.SRem) {
    emit(f, divideBySigned(c, inst, a, uniform, row));
    return true;
  }
  const divisor = c.scalarOf(uniform, row, Extend.Zero);
  const byReciprocal = divideByReciprocal(c, inst, a, divisor, unsignedReciprocal(c, uniform, divisor));
  if (constantOf(uniform) !== undefined) {
    emit(f, byReciprocal);
    return true;
  }
  c.withLocal(ValType.V128, (result) => {
    emit(f, i32.eq(i32.popcnt(divisor), i32.const(1)));
    f.if_();
    const quotient = i32x4.shr_u(a, i32.ctz(divisor));
    const remainder = v128.and(a, i32x4.splat(i32.sub(divisor, i32.const(1))));
    set(f, result, inst.op === Op.UDiv ? quotient : remainder);
    f.else_();
    set(f, result, byReciprocal);
    f.end();
    f.get(result);
  });
  return true;
}

/**
 * (a + 1/2) times the divisor's reciprocal, rounded down. Adding 1/2 keeps quotients of multiples of the divisor from being
 * rounded down, since it exceeds the product's error. Division by zero gives an infinity, whose low bits are 0.
 */
function divideByReciprocal(
  c: Context,
  inst: Inst,
  a: number,
  divisor: Expr<'i32'>,
  reciprocal: Expr<'v128'>,
): Expr<'v128'> {
  const quotients = (words: readonly number[]) => {
    const biased = v128.shuffle(a, c.constants.splatExpr(Type.I32, MAGIC_HIGH), words);
    const dividends = f64x2.sub(biased, c.constants.splatExpr(Type.F64, MAGIC - 0.5));
    return f64x2.add(f64x2.floor(f64x2.mul(dividends, reciprocal)), c.constants.splatExpr(Type.F64, MAGIC));
  };
  const all = v128.shuffle(quotients(INTERLEAVE_LOWER_WORDS), quotients(INTERLEAVE_UPPER_WORDS), LOWER_WORDS);
  return inst.op === Op.UDiv ? all : remainderOf(c, a, all, divisor);
}

/**
 * The product with a reciprocal that is too large by a factor of 1 + 2^-40, truncated. The factor exceeds the errors of both roundings, so
 * that multiples of the divisor are not below their quotients. Any other quotient is at least 1 / |divisor| from the next integer, and a
 * product below 2^31 / |divisor| moves it by less. Sums with 2^52 + 2^51 wrap -2^31 / -1; those of infinities and NaNs, by a divisor
 * of 0, have low bits of 0.
 */
function divideBySigned(c: Context, inst: Inst, a: number, uniform: Value, row: number): Expr<'v128'> {
  const divisor = c.scalarOf(uniform, row, Extend.Sign);
  const reciprocal = reciprocalOf(
    c,
    uniform,
    f64.div(f64.const(ABOVE_ONE), f64.convert_i32_s(divisor)),
    'signed',
  );
  const magic = c.constants.splatExpr(Type.F64, SIGNED_MAGIC);
  const quotients = (words: Operand<'v128'>) =>
    f64x2.add(f64x2.trunc(f64x2.mul(f64x2.convert_low_i32x4_s(words), reciprocal)), magic);
  const all = v128.shuffle(quotients(a), quotients(v128.shuffle(a, a, UPPER_HALF)), LOWER_WORDS);
  return inst.op === Op.SDiv ? all : remainderOf(c, a, all, divisor);
}

/** The remainder by a quotient, 0 for a divisor of 0. */
function remainderOf(c: Context, a: number, all: Expr<'v128'>, divisor: Expr<'i32'>): Expr<'v128'> {
  return c.bind(ValType.V128, all, (quotient) =>
    select(
      i32x4.sub(a, i32x4.mul(quotient, i32x4.splat(divisor))),
      c.constants.splatExpr(Type.I32, 0),
      divisor,
    ),
  );
}

function unsignedReciprocal(c: Context, uniform: Value, divisor: Expr<'i32'>): Expr<'v128'> {
  return reciprocalOf(c, uniform, f64.div(f64.const(1), f64.convert_i32_u(divisor)), 'unsigned');
}

/** One of an argument is computed before the loops, where the engine does not do that by itself. */
function reciprocalOf(
  c: Context,
  uniform: Value,
  scalar: Expr<'f64'>,
  kind: 'signed' | 'unsigned',
): Expr<'v128'> {
  const reciprocal = f64x2.splat(scalar);
  const isArgument = uniform.kind === 'inst' && uniform.op === Op.Argument;
  if (c.engine.hoists || !isArgument) return reciprocal;
  return () =>
    c.invariants.push(`${kind} reciprocal ${uniform.id}`, ValType.V128, uniform, () => emit(c.f, reciprocal));
}

export function emulatedDivision(c: Context, inst: Inst, a: number, b: number): boolean {
  const { f } = c;
  const signed = inst.op === Op.SDiv || inst.op === Op.SRem;
  const divisor = constantOf(inst.operands[1]!);
  c.withLocal(ValType.V128, (quotient) => {
    set(f, quotient, quotientOfDoubles(a, b, signed));
    if (signed && divisor === undefined) {
      // INT_MIN / -1 has saturated, but must wrap.
      const isMinusOne = i32x4.eq(b, c.constants.splatExpr(Type.I32, -1));
      set(f, quotient, v128.bitselect(i32x4.neg(a), quotient, isMinusOne));
    }
    const isRemainder = inst.op === Op.SRem || inst.op === Op.URem;
    const result: Operand<'v128'> = isRemainder ? i32x4.sub(a, i32x4.mul(quotient, b)) : quotient;
    const mayBeZero = divisor === undefined || Number(divisor) === 0;
    emit(f, mayBeZero ? v128.and(result, i32x4.ne(b, c.constants.splatExpr(Type.I32, 0))) : result);
  });
  return true;
}

/** Quotients of four lanes, which saturate. */
function quotientOfDoubles(a: number, b: number, signed: boolean): Expr<'v128'> {
  const convert = signed ? f64x2.convert_low_i32x4_s : f64x2.convert_low_i32x4_u;
  const truncate = signed ? i32x4.trunc_sat_f64x2_s_zero : i32x4.trunc_sat_f64x2_u_zero;
  const upper = (x: number) => v128.shuffle(x, x, UPPER_HALF);
  return v128.shuffle(
    truncate(f64x2.div(convert(a), convert(b))),
    truncate(f64x2.div(convert(upper(a)), convert(upper(b)))),
    LOWER_HALVES,
  );
}
