// SPDX-License-Identifier: MIT
//
// fmod of doubles, which is exact: subtracts the largest |b| * 2^n that does not exceed the rest, until the rest is below |b|. Each
// difference is exact.
import { type Expr, emit, f64, i32, i64, set } from '../../../wasm/expressions';
import { type FunctionBuilder, ValType } from '../../../wasm/function-builder';
import type { Context } from '../context';

/** a - trunc(a / b) * b. */
export function remainder(c: Context, a: number, b: number): Expr<'f64'> {
  return (f) =>
    c.withLocal(ValType.F64, (rest) =>
      c.withLocal(ValType.F64, (divisor) =>
        c.withLocal(ValType.F64, (step) => {
          set(f, rest, f64.abs(a));
          set(f, divisor, f64.abs(b));
          // An infinite or NaN dividend, or a zero or NaN divisor, gives NaN.
          const hasRemainder = f64.lt(rest, f64.const(Number.POSITIVE_INFINITY));
          emit(f, i32.and(hasRemainder, f64.gt(divisor, f64.const(0))));
          f.if_();
          reduce(f, rest, divisor, step);
          f.else_();
          set(f, rest, f64.const(Number.NaN));
          f.end();
          emit(f, f64.copysign(rest, a));
        }),
      ),
    );
}

/** while (rest >= divisor) rest -= the divisor times a power of two */
function reduce(f: FunctionBuilder, rest: number, divisor: number, step: number): void {
  const again = f.loop();
  emit(f, f64.ge(rest, divisor));
  f.if_();
  set(f, step, divisor);
  scaleToRest(f, rest, divisor, step);
  set(f, rest, f64.sub(rest, step));
  f.br(again);
  f.end();
  f.end();
}

const EXPONENT = 0x7ff0000000000000n;

/** Multiplies `step`, which is the divisor, by the largest power of two with which it does not exceed the rest. */
function scaleToRest(f: FunctionBuilder, rest: number, divisor: number, step: number): void {
  const exponent = (x: number) => i64.and(i64.reinterpret_f64(x), i64.const(EXPONENT));
  // Normal numbers: give the divisor the exponent of the rest, and halve it if it exceeds the rest.
  emit(f, i64.ne(exponent(divisor), i64.const(0)));
  f.if_();
  const scaled = i64.sub(i64.add(i64.reinterpret_f64(divisor), exponent(rest)), exponent(divisor));
  set(f, step, f64.reinterpret_i64(scaled));
  f.else_();
  // A subnormal divisor is doubled while the result fits.
  const again = f.loop();
  emit(f, f64.le(f64.add(step, step), rest));
  f.if_();
  set(f, step, f64.add(step, step));
  f.br(again);
  f.end();
  f.end();
  f.end();
  emit(f, f64.gt(step, rest));
  f.if_();
  set(f, step, f64.mul(step, f64.const(0.5)));
  f.end();
}
