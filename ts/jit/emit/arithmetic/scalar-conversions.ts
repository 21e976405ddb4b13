// SPDX-License-Identifier: MIT
//
// Conversions of scalars. Operands are in locals, extended as operations.ts says.
import {
  type Expr,
  emit,
  f32,
  f64,
  floats,
  type Integer,
  i32,
  i64,
  integers,
  type Operand,
  select,
  set,
} from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { type Inst, Op, Type } from '../../ir/ir';
import { bitsOf } from '../../ir/types';
import type { Context } from '../context';
import { scalarFloatToHalf, scalarHalfToFloat } from './half';

interface Conversion {
  readonly c: Context;
  readonly from: Type;
  readonly to: Type;
  /** Local with the operand. */
  readonly a: number;
}

const CONVERSIONS: Partial<Record<Op, (conversion: Conversion) => Operand>> = {
  [Op.Trunc]: truncate,
  [Op.SExt]: (conversion) => extend(conversion, true),
  [Op.ZExt]: (conversion) => extend(conversion, false),
  [Op.FToS]: (conversion) => toInteger(conversion, true),
  [Op.FToU]: (conversion) => toInteger(conversion, false),
  [Op.SToF]: (conversion) => toFloat(conversion, true),
  [Op.UToF]: (conversion) => toFloat(conversion, false),
  [Op.FConvert]: betweenFloats,
  [Op.Bitcast]: reinterpret,
};

/** Leaves the scalar result on the stack; false if the operation is not a conversion. */
export function scalarConversion(c: Context, inst: Inst, t: readonly number[]): boolean {
  const conversion = CONVERSIONS[inst.op];
  if (!conversion) return false;
  emit(c.f, conversion({ c, from: inst.operands[0]!.type, to: inst.type, a: t[0]! }));
  return true;
}

// --- integers ---

function truncate({ from, to, a }: Conversion): Operand {
  const word = from === Type.I64 ? i32.wrap_i64(a) : a;
  return to === Type.I1 ? i32.and(word, i32.const(1)) : word;
}

function extend({ from, to, a }: Conversion, signed: boolean): Operand {
  if (from === Type.I1 && signed) {
    const extended = i64.mul(i64.extend_i32_u(a), i64.const(-1));
    return to === Type.I64 ? extended : i32.wrap_i64(extended);
  }
  if (to !== Type.I64 || from === Type.I64) return a;
  return signed ? i64.extend_i32_s(a) : i64.extend_i32_u(a);
}

// --- floats and integers ---

function toInteger({ c, from, to, a }: Conversion, signed: boolean): Expr {
  const int = integers(to === Type.I64);
  if (from === Type.F64)
    return saturate(c, to, signed, signed ? int.trunc_sat_f64_s(a) : int.trunc_sat_f64_u(a));
  const value = from === Type.F16 ? scalarHalfToFloat(c, a) : a;
  return saturate(c, to, signed, signed ? int.trunc_sat_f32_s(value) : int.trunc_sat_f32_u(value));
}

/** WebAssembly saturates to 32 and 64 bits. */
function saturate(c: Context, to: Type, signed: boolean, value: Expr<Integer>): Expr {
  const width = bitsOf(to);
  if (width >= 32) return value;
  const clamp = (x: Expr<Integer>, bound: number, isWithin: typeof i32.lt_s) =>
    c.bind(ValType.I32, x, (local) => select(local, i32.const(bound), isWithin(local, i32.const(bound))));
  if (!signed) return clamp(value, 2 ** width - 1, i32.lt_u);
  return clamp(clamp(value, 2 ** (width - 1) - 1, i32.lt_s), -(2 ** (width - 1)), i32.gt_s);
}

function toFloat({ c, from, to, a }: Conversion, signed: boolean): Expr {
  const float = floats(to === Type.F64);
  const converted =
    from === Type.I64
      ? (signed ? float.convert_i64_s : float.convert_i64_u)(a)
      : (signed ? float.convert_i32_s : float.convert_i32_u)(a);
  return to === Type.F16 ? scalarFloatToHalf(c, converted as Expr<'f32'>) : converted;
}

// --- between floats ---

function betweenFloats({ c, from, to, a }: Conversion): Operand {
  if (from === Type.F64) {
    if (to === Type.F16) return scalarFloatToHalf(c, demoteToOdd(c, a));
    return to === Type.F32 ? f32.demote_f64(a) : a;
  }
  const float = from === Type.F16 ? scalarHalfToFloat(c, a) : a;
  if (to === Type.F16) return scalarFloatToHalf(c, float);
  return to === Type.F64 ? f64.promote_f32(float) : float;
}

/** A double as a float, rounded to odd, so that a half made of it is rounded only once. */
function demoteToOdd(c: Context, value: Operand<'f64'>): Expr<'f32'> {
  return c.bind(ValType.F64, value, (x) => (f) => {
    c.withLocal(ValType.F32, (nearest) =>
      c.withLocal(ValType.F64, (error) => {
        set(f, nearest, f32.demote_f64(x));
        set(f, error, f64.sub(x, f64.promote_f32(nearest)));
        const zero = f64.const(0);
        const bits = i32.reinterpret_f32(nearest);
        // Towards the error where inexact and even: up where the signs agree.
        const signsDiffer = i32.xor(f64.lt(error, zero), f64.lt(x, zero));
        const step = select(i32.const(-1), i32.const(1), signsDiffer);
        const isBounded = f64.lt(f64.abs(error), f64.const(Number.POSITIVE_INFINITY));
        const isInexact = i32.and(f64.ne(error, zero), isBounded);
        const isEven = i32.eqz(i32.and(bits, i32.const(1)));
        const stepOrNone = select(step, i32.const(0), i32.and(isInexact, isEven));
        emit(f, f32.reinterpret_i32(i32.add(bits, stepOrNone)));
      }),
    );
  });
}

function reinterpret({ from, to, a }: Conversion): Operand {
  if (from === Type.F32 && to === Type.I32) return i32.reinterpret_f32(a);
  if (from === Type.I32 && to === Type.F32) return f32.reinterpret_i32(a);
  if (from === Type.F64 && to === Type.I64) return i64.reinterpret_f64(a);
  if (from === Type.I64 && to === Type.F64) return f64.reinterpret_i64(a);
  return a;
}
