// SPDX-License-Identifier: MIT
//
// Division of vectors of integers of up to 32 bits. A quotient of doubles, truncated, is exact for them: where it is not an
// integer, it differs from the nearest one by at least 2^-32.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { constantOf } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import type { Context } from './context';
import { Extend } from './tables';

/** The upper half of the double 2^52; a 32-bit integer in its lower half is added to 2^52. */
const MAGIC_HIGH = 0x43300000;
const MAGIC = 2 ** 52;

/** Division of unsigned integers by one scalar. Many divisors turn out to be powers of two, for which a shift is enough. */
export function divideByScalar(c: Context, inst: Inst, a: number, divisor: Value, row: number): boolean {
  const { f } = c;
  if (constantOf(divisor) !== undefined) {
    divideByReciprocal(c, inst, a, divisor, row);
    return true;
  }
  c.withLocal(ValType.V128, (result) => {
    c.scalarExtended(divisor, row, Extend.Zero);
    f.op(Wasm.i32_popcnt);
    f.i32(1);
    f.op(Wasm.i32_eq);
    f.if_();
    f.get(a);
    c.scalarExtended(divisor, row, Extend.Zero);
    if (inst.op === Op.UDiv) {
      f.op(Wasm.i32_ctz);
      f.op(Wasm.i32x4_shr_u);
    } else {
      f.i32(1);
      f.op(Wasm.i32_sub);
      f.op(Wasm.i32x4_splat);
      f.op(Wasm.v128_and);
    }
    f.set(result);
    f.else_();
    divideByReciprocal(c, inst, a, divisor, row);
    f.set(result);
    f.end();
    f.get(result);
  });
  return true;
}

/**
 * (a + 1/2) times the divisor's reciprocal, rounded down. Adding 1/2 keeps quotients of multiples of the divisor from being
 * rounded down, since it exceeds the product's error. Division by zero gives an infinity, whose low bits are 0.
 */
function divideByReciprocal(c: Context, inst: Inst, a: number, divisor: Value, row: number): void {
  const { f } = c;
  const reciprocal = () => {
    f.f64(1);
    c.scalarExtended(divisor, row, Extend.Zero);
    f.op(Wasm.f64_convert_i32_u);
    f.op(Wasm.f64_div);
    f.op(Wasm.f64x2_splat);
  };
  for (const high of [false, true]) {
    f.get(a);
    c.vectorConstant(Type.I32, MAGIC_HIGH);
    f.shuffle(
      high
        ? [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31]
        : [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23],
    );
    c.vectorConstant(Type.F64, MAGIC - 0.5);
    f.op(Wasm.f64x2_sub);
    reciprocal();
    f.op(Wasm.f64x2_mul);
    f.op(Wasm.f64x2_floor);
    c.vectorConstant(Type.F64, MAGIC);
    f.op(Wasm.f64x2_add);
  }
  f.shuffle([0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]);
  if (inst.op === Op.UDiv) return;
  // The remainder, 0 for a divisor of 0.
  c.withTop(ValType.V128, (quotient) => {
    f.get(a);
    f.get(quotient);
    c.scalarExtended(divisor, row, Extend.Zero);
    f.op(Wasm.i32x4_splat);
    f.op(Wasm.i32x4_mul);
    f.op(Wasm.i32x4_sub);
    c.vectorConstant(Type.I32, 0);
    c.scalarExtended(divisor, row, Extend.Zero);
    f.op(Wasm.select);
  });
}

export function emulatedDivision(c: Context, inst: Inst, a: number, b: number): boolean {
  const { f } = c;
  const signed = inst.op === Op.SDiv || inst.op === Op.SRem;
  const remainder = inst.op === Op.SRem || inst.op === Op.URem;
  const divisor = constantOf(inst.operands[1]!);
  const toDouble = (x: number, high: boolean) => {
    f.get(x);
    if (high) {
      f.get(x);
      f.shuffle([8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);
    }
    f.op(signed ? Wasm.f64x2_convert_low_i32x4_s : Wasm.f64x2_convert_low_i32x4_u);
  };
  c.withLocal(ValType.V128, (quotient) => {
    for (const high of [false, true]) {
      toDouble(a, high);
      toDouble(b, high);
      f.op(Wasm.f64x2_div);
      f.op(signed ? Wasm.i32x4_trunc_sat_f64x2_s_zero : Wasm.i32x4_trunc_sat_f64x2_u_zero);
    }
    f.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
    f.set(quotient);
    if (signed && divisor === undefined) {
      // INT_MIN / -1 saturated; it must wrap.
      f.get(a);
      f.op(Wasm.i32x4_neg);
      f.get(quotient);
      f.get(b);
      c.vectorConstant(Type.I32, -1);
      f.op(Wasm.i32x4_eq);
      f.op(Wasm.v128_bitselect);
      f.set(quotient);
    }
    if (remainder) {
      f.get(a);
      f.get(quotient);
      f.get(b);
      f.op(Wasm.i32x4_mul);
      f.op(Wasm.i32x4_sub);
    } else f.get(quotient);
    if (divisor === undefined || Number(divisor) === 0) {
      f.get(b);
      c.vectorConstant(Type.I32, 0);
      f.op(Wasm.i32x4_ne);
      f.op(Wasm.v128_and);
    }
  });
  return true;
}
