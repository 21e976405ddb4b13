// SPDX-License-Identifier: MIT
//
// The elementwise methods of arrays. Each makes a node (node.ts) and computes nothing yet.
import type { Common, NDArray, Other } from '../array';
import type { DType, FloatOf } from '../dtype';
import { OPERATORS, type Operator } from './operators';

/** The type of a function of floats, of an array of `D` and another operand. */
type FloatCommon<D extends DType, O> = FloatOf<Common<D, O>>;

/** Operations on each element. */
export abstract class ElementwiseMethods<D extends DType> {
  /** @internal The array of an operation's results. */
  protected abstract apply<R extends DType>(operator: Operator, others?: readonly Other[]): NDArray<R>;

  /** The sum. Signed integers wrap around. */
  add<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.add, [other]);
  }

  /** The difference. */
  sub<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.sub, [other]);
  }

  /** The product. */
  mul<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.mul, [other]);
  }

  /** The quotient; of integers, towards zero, and 0 for a division by 0. */
  div<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.div, [other]);
  }

  /** The remainder, with the sign of the dividend; 0 for integers modulo 0. */
  mod<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.mod, [other]);
  }

  /** The lesser of each two elements; NaN if one of them is NaN. */
  minimum<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.min, [other]);
  }

  /** The greater of each two elements; NaN if one of them is NaN. */
  maximum<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.max, [other]);
  }

  /** Bitwise AND. Integers only. */
  and<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.and, [other]);
  }

  /** Bitwise OR. Integers only. */
  or<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.or, [other]);
  }

  /** Bitwise exclusive OR. Integers only. */
  xor<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.xor, [other]);
  }

  /** Shift to the left; 0 where the shift is as wide as the type. Integers only. */
  shl<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.shl, [other]);
  }

  /** Shift to the right, arithmetic for signed integers. Integers only. */
  shr<O extends Other>(other: O): NDArray<Common<D, O>> {
    return this.apply(OPERATORS.shr, [other]);
  }

  /** This to the power of the other. Integers are computed as float32. */
  pow<O extends Other>(other: O): NDArray<FloatCommon<D, O>> {
    return this.apply(OPERATORS.pow, [other]);
  }

  /** The angle of the point (other, this). Integers are computed as float32. */
  atan2<O extends Other>(other: O): NDArray<FloatCommon<D, O>> {
    return this.apply(OPERATORS.atan2, [other]);
  }

  /** The length of the vector (this, other). Integers are computed as float32. */
  hypot<O extends Other>(other: O): NDArray<FloatCommon<D, O>> {
    return this.apply(OPERATORS.hypot, [other]);
  }

  /** 1 where an element is less than the other, else 0. */
  lt(other: Other): NDArray<'uint8'> {
    return this.apply(OPERATORS.lt, [other]);
  }

  /** 1 where an element is at most the other, else 0. */
  le(other: Other): NDArray<'uint8'> {
    return this.apply(OPERATORS.le, [other]);
  }

  /** 1 where an element is greater than the other, else 0. */
  gt(other: Other): NDArray<'uint8'> {
    return this.apply(OPERATORS.gt, [other]);
  }

  /** 1 where an element is at least the other, else 0. */
  ge(other: Other): NDArray<'uint8'> {
    return this.apply(OPERATORS.ge, [other]);
  }

  /** 1 where an element is equal to the other, else 0. */
  eq(other: Other): NDArray<'uint8'> {
    return this.apply(OPERATORS.eq, [other]);
  }

  /** 1 where an element is different from the other, else 0. */
  ne(other: Other): NDArray<'uint8'> {
    return this.apply(OPERATORS.ne, [other]);
  }

  /** 1 where an element is 0, else 0. */
  not(): NDArray<'uint8'> {
    return this.apply(OPERATORS.not);
  }

  /** 1 where an element is NaN, else 0. */
  isNaN(): NDArray<'uint8'> {
    return this.apply(OPERATORS.isNaN);
  }

  /** This times `factor` plus `addend`, rounded once. */
  fma<O extends Other, P extends Other>(factor: O, addend: P): NDArray<FloatCommon<Common<D, O>, P>> {
    return this.apply(OPERATORS.fma, [factor, addend]);
  }

  /** The negated value. Signed integers wrap around. */
  neg(): NDArray<D> {
    return this.apply(OPERATORS.neg);
  }

  /** The absolute value. */
  abs(): NDArray<D> {
    return this.apply(OPERATORS.abs);
  }

  /** -1, 0 or 1 by the sign; NaN for NaN. */
  sign(): NDArray<D> {
    return this.apply(OPERATORS.sign);
  }

  /** The largest whole number that is not greater. */
  floor(): NDArray<D> {
    return this.apply(OPERATORS.floor);
  }

  /** The smallest whole number that is not less. */
  ceil(): NDArray<D> {
    return this.apply(OPERATORS.ceil);
  }

  /** The integer part: rounds towards zero. */
  trunc(): NDArray<D> {
    return this.apply(OPERATORS.trunc);
  }

  /** The nearest whole number; ties round to even. */
  round(): NDArray<D> {
    return this.apply(OPERATORS.round);
  }

  /** The square root. */
  sqrt(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.sqrt);
  }

  /** One over the square root. */
  rsqrt(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.rsqrt);
  }

  /** The cube root. */
  cbrt(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.cbrt);
  }

  /** e to the power of each element. */
  exp(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.exp);
  }

  /** 2 to the power of each element. */
  exp2(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.exp2);
  }

  /** e to the power of each element, minus 1. */
  expm1(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.expm1);
  }

  /** The natural logarithm. */
  log(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.log);
  }

  /** The logarithm to base 2. */
  log2(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.log2);
  }

  /** The logarithm to base 10. */
  log10(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.log10);
  }

  /** The natural logarithm of each element plus 1. */
  log1p(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.log1p);
  }

  /** The sine. */
  sin(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.sin);
  }

  /** The cosine. */
  cos(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.cos);
  }

  /** The tangent. */
  tan(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.tan);
  }

  /** The arc sine. */
  asin(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.asin);
  }

  /** The arc cosine. */
  acos(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.acos);
  }

  /** The arc tangent. */
  atan(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.atan);
  }

  /** The hyperbolic sine. */
  sinh(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.sinh);
  }

  /** The hyperbolic cosine. */
  cosh(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.cosh);
  }

  /** The hyperbolic tangent. */
  tanh(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.tanh);
  }

  /** The inverse hyperbolic sine. */
  asinh(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.asinh);
  }

  /** The inverse hyperbolic cosine. */
  acosh(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.acosh);
  }

  /** The inverse hyperbolic tangent. */
  atanh(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.atanh);
  }

  /** The error function. */
  erf(): NDArray<FloatOf<D>> {
    return this.apply(OPERATORS.erf);
  }
}
