// SPDX-License-Identifier: MIT
//
// Fused multiplication and addition, which WebAssembly lacks: a * b + d, rounded once. The sequences on doubles are the same for
// scalars and for pairs.
import {
  type Expr,
  emit,
  f32,
  f32x4,
  f64,
  f64x2,
  i32,
  i64,
  i64x2,
  type Operand,
  select,
  set,
  v128,
} from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Type } from '../../ir/ir';
import type { Context } from '../context';
import { LOWER_HALVES, UPPER_HALF } from './shuffles';

type Binary<T extends 'f64' | 'v128'> = (a: Operand<T>, b: Operand<T>) => Expr<T>;

/** Arithmetic on doubles, one at a time or in pairs. */
export interface Doubles<T extends 'f64' | 'v128'> {
  readonly type: ValType;
  readonly add: Binary<T>;
  readonly sub: Binary<T>;
  readonly mul: Binary<T>;
  constant(c: Context, value: number): Expr<T>;
  /** The value, or the other one if it is a NaN. */
  unlessNaN(value: number, other: number): Expr<T>;
  /** The odd neighbour of an inexact, even sum on the side of its error. */
  toOdd(c: Context, sum: number, error: number): Expr<T>;
}

export const SCALAR: Doubles<'f64'> = {
  type: ValType.F64,
  add: f64.add,
  sub: f64.sub,
  mul: f64.mul,
  constant: (_, value) => f64.const(value),
  unlessNaN: (value, other) => select<'f64'>(value, other, f64.eq(value, value)),
  toOdd: scalarToOdd,
};

export const PAIR: Doubles<'v128'> = {
  type: ValType.V128,
  add: f64x2.add,
  sub: f64x2.sub,
  mul: f64x2.mul,
  constant: (c, value) => c.constants.splatExpr(Type.F64, value),
  unlessNaN: (value, other) => v128.bitselect(value, other, f64x2.eq(value, value)),
  toOdd: pairToOdd,
};

/** Of floats: their product is exact as a double. */
export function fusedFloat(c: Context, a: number, b: number, d: number): Expr<'f32'> {
  const product = f64.mul(f64.promote_f32(a), f64.promote_f32(b));
  return f32.demote_f64(sumToOdd(c, SCALAR, product, f64.promote_f32(d)));
}

/** The same of four. */
export function fusedFloats(c: Context, a: number, b: number, d: number): Expr<'v128'> {
  const two = (half: (x: number) => Operand<'v128'>) => {
    const double = (x: number) => f64x2.promote_low_f32x4(half(x));
    const product = f64x2.mul(double(a), double(b));
    return f32x4.demote_f64x2_zero(sumToOdd(c, PAIR, product, double(d)));
  };
  return v128.shuffle(
    two((x) => x),
    two((x) => v128.shuffle(x, x, UPPER_HALF)),
    LOWER_HALVES,
  );
}

/** A sum of doubles, rounded to odd: rounding it again to a lower precision is then correct. */
function sumToOdd<T extends 'f64' | 'v128'>(
  c: Context,
  o: Doubles<T>,
  a: Operand<T>,
  b: Operand<T>,
): Expr<T> {
  return (f) => {
    emit(f, a);
    emit(f, b);
    const [x, y, sum, error] = [0, 1, 2, 3].map(() => c.allocate(o.type)) as [number, number, number, number];
    f.set(y);
    f.set(x);
    set(f, sum, o.add(x, y));
    // The error of the sum (Knuth): (x - (s - t)) + (y - t) with t = s - x.
    set(f, error, o.sub(sum, x));
    set(f, error, o.add(o.sub(x, o.sub(sum, error)), o.sub(y, error)));
    emit(f, o.toOdd(c, sum, error));
    for (const local of [error, sum, y, x]) c.release(local);
  };
}

/** The sum's bits plus 1 where its sign and the error's agree, minus 1 where they do not. */
function scalarToOdd(_: Context, sum: number, error: number): Expr<'f64'> {
  const bits = i64.reinterpret_f64;
  const signs = i64.shr_s(i64.xor(bits(sum), bits(error)), i64.const(63));
  const step = i64.or(signs, i64.const(1));
  const isInexact = i32.and(f64.ne(error, f64.const(0)), f64.eq(error, error));
  const isEven = i32.eqz(i32.and(i32.wrap_i64(bits(sum)), i32.const(1)));
  const stepOrNone = select(step, i64.const(0), i32.and(isInexact, isEven));
  return f64.reinterpret_i64(i64.add(bits(sum), stepOrNone));
}

/** The same of two sums. */
function pairToOdd(c: Context, sum: number, error: number): Expr<'v128'> {
  const one = c.constants.splatExpr(Type.I64, 1n);
  const signs = i64x2.shr_s(v128.xor(sum, error), i32.const(63));
  const step = v128.or(signs, one);
  const isNotZero = f64x2.ne(error, c.constants.splatExpr(Type.F64, 0));
  const isNumber = f64x2.eq(error, error);
  const isEven = i64x2.eq(v128.and(sum, one), c.constants.splatExpr(Type.I64, 0n));
  return i64x2.add(sum, v128.and(v128.and(v128.and(step, isNotZero), isNumber), isEven));
}

/** Splits a double's 53 bits (Dekker): the upper ones are those of x * c - (x * c - x). */
const SPLITTER = 2 ** 27 + 1;

/** a * b + d on doubles, rounded once (Boldo and Melquiond), where no intermediate overflows. */
export function fusedMultiplyAdd<T extends 'f64' | 'v128'>(
  c: Context,
  o: Doubles<T>,
  a: number,
  b: number,
  d: number,
): Expr<T> {
  const { add, sub, mul } = o;
  return (f) => {
    const locals = Array.from({ length: 7 }, () => c.allocate(o.type));
    const [product, error, aHigh, aLow, bHigh, bLow, sum] = locals as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const split = (x: number, high: number, low: number) => {
      set(f, high, mul(x, o.constant(c, SPLITTER)));
      set(f, high, sub(high, sub(high, x)));
      set(f, low, sub(x, high));
    };
    set(f, product, mul(a, b));
    split(a, aHigh, aLow);
    split(b, bHigh, bLow);
    // The product's error: ((ah * bh - p) + ah * bl + al * bh) + al * bl.
    const highError = sub(mul(aHigh, bHigh), product);
    set(f, error, add(add(add(highError, mul(aHigh, bLow)), mul(aLow, bHigh)), mul(aLow, bLow)));
    // sum + sumError = product + d exactly.
    const [temp, sumError, result] = [aLow, aHigh, bHigh];
    set(f, sum, add(product, d));
    set(f, temp, sub(sum, product));
    set(f, sumError, add(sub(product, sub(sum, temp)), sub(d, temp)));
    set(f, result, add(sum, sumToOdd(c, o, sumError, error)));
    // Infinities and NaNs make the error terms NaN; then the plain sum is the result.
    emit(f, o.unlessNaN(result, sum));
    for (const local of locals) c.release(local);
  };
}
