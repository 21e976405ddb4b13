// SPDX-License-Identifier: MIT
//
// Conversions. Vectors of 64-bit lanes have half as many lanes as vectors of 32-bit lanes: part p of the former corresponds to
// the low or high half of part p >> 1 of the latter.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { type Inst, Op, Type } from '../ir/ir';
import { type Context, isWide } from './context';
import { eightHalvesToFloats, floatToHalf, halfToFloat, scalarFloatToHalf, scalarHalfToFloat } from './half';
import { Extend, LOWER_WORDS } from './tables';

const HIGH_TO_LOW = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/** Leaves the scalar result on the stack; false if the operation is not a conversion. */
export function scalarConversion(c: Context, inst: Inst, t: readonly number[]): boolean {
  const { f } = c;
  const from = inst.operands[0]!.type;
  const to = inst.type;
  const a = t[0]!;
  switch (inst.op) {
    case Op.Trunc:
      f.get(a);
      if (from === Type.I64) f.op(Wasm.i32_wrap_i64);
      if (to === Type.I1) {
        f.i32(1);
        f.op(Wasm.i32_and);
      }
      return true;
    case Op.SExt:
    case Op.ZExt:
      f.get(a);
      if (from === Type.I1 && inst.op === Op.SExt) {
        f.op(Wasm.i64_extend_i32_u);
        f.i64(-1n);
        f.op(Wasm.i64_mul);
        if (to !== Type.I64) f.op(Wasm.i32_wrap_i64);
      } else if (to === Type.I64 && from !== Type.I64)
        f.op(inst.op === Op.SExt ? Wasm.i64_extend_i32_s : Wasm.i64_extend_i32_u);
      return true;
    case Op.FToS:
    case Op.FToU:
      f.get(a);
      if (from === Type.F16) scalarHalfToFloat(c);
      scalarToInteger(c, inst.op === Op.FToS, from === Type.F64, to);
      return true;
    case Op.SToF:
    case Op.UToF: {
      const signed = inst.op === Op.SToF;
      f.get(a);
      if (to === Type.F64) {
        if (from === Type.I64) f.op(signed ? Wasm.f64_convert_i64_s : Wasm.f64_convert_i64_u);
        else f.op(signed ? Wasm.f64_convert_i32_s : Wasm.f64_convert_i32_u);
      } else if (from === Type.I64) f.op(signed ? Wasm.f32_convert_i64_s : Wasm.f32_convert_i64_u);
      else f.op(signed ? Wasm.f32_convert_i32_s : Wasm.f32_convert_i32_u);
      if (to === Type.F16) scalarFloatToHalf(c);
      return true;
    }
    case Op.FConvert:
      f.get(a);
      if (from === Type.F16) scalarHalfToFloat(c);
      if (to === Type.F16) {
        if (from === Type.F64) demoteToOdd(c);
        scalarFloatToHalf(c);
      } else if (to === Type.F64 && from !== Type.F64) f.op(Wasm.f64_promote_f32);
      else if (to === Type.F32 && from === Type.F64) f.op(Wasm.f32_demote_f64);
      return true;
    case Op.Bitcast:
      f.get(a);
      if (from === Type.F32 && to === Type.I32) f.op(Wasm.i32_reinterpret_f32);
      else if (from === Type.I32 && to === Type.F32) f.op(Wasm.f32_reinterpret_i32);
      else if (from === Type.F64 && to === Type.I64) f.op(Wasm.i64_reinterpret_f64);
      else if (from === Type.I64 && to === Type.F64) f.op(Wasm.f64_reinterpret_i64);
      return true;
    default:
      return false;
  }
}

/** Converts the double on the stack to a float, rounding to odd, so that a half made of it is rounded only once. */
function demoteToOdd(c: Context): void {
  const { f } = c;
  c.withTop(ValType.F64, (x) =>
    c.withLocal(ValType.F32, (s) =>
      c.withLocal(ValType.F64, (error) => {
        f.get(x);
        f.op(Wasm.f32_demote_f64);
        f.set(s);
        f.get(x);
        f.get(s);
        f.op(Wasm.f64_promote_f32);
        f.op(Wasm.f64_sub);
        f.set(error);
        f.get(s);
        f.op(Wasm.i32_reinterpret_f32);
        // Towards the error where inexact and even: up where the signs agree.
        f.i32(-1);
        f.i32(1);
        f.get(error);
        f.f64(0);
        f.op(Wasm.f64_lt);
        f.get(x);
        f.f64(0);
        f.op(Wasm.f64_lt);
        f.op(Wasm.i32_xor);
        f.op(Wasm.select);
        f.i32(0);
        f.get(error);
        f.f64(0);
        f.op(Wasm.f64_ne);
        f.get(error);
        f.op(Wasm.f64_abs);
        f.f64(Number.POSITIVE_INFINITY);
        f.op(Wasm.f64_lt);
        f.op(Wasm.i32_and);
        f.get(s);
        f.op(Wasm.i32_reinterpret_f32);
        f.i32(1);
        f.op(Wasm.i32_and);
        f.op(Wasm.i32_eqz);
        f.op(Wasm.i32_and);
        f.op(Wasm.select);
        f.op(Wasm.i32_add);
        f.op(Wasm.f32_reinterpret_i32);
      }),
    ),
  );
}

function scalarToInteger(c: Context, signed: boolean, double: boolean, to: Type): void {
  const { f } = c;
  if (to === Type.I64) {
    if (double) f.op(signed ? Wasm.i64_trunc_sat_f64_s : Wasm.i64_trunc_sat_f64_u);
    else f.op(signed ? Wasm.i64_trunc_sat_f32_s : Wasm.i64_trunc_sat_f32_u);
    return;
  }
  if (double) f.op(signed ? Wasm.i32_trunc_sat_f64_s : Wasm.i32_trunc_sat_f64_u);
  else f.op(signed ? Wasm.i32_trunc_sat_f32_s : Wasm.i32_trunc_sat_f32_u);
  const width = to === Type.I8 ? 8 : to === Type.I16 ? 16 : 32;
  if (width === 32) return;
  const bounds = signed
    ? ([
        [2 ** (width - 1) - 1, Wasm.i32_lt_s],
        [-(2 ** (width - 1)), Wasm.i32_gt_s],
      ] as const)
    : ([[2 ** width - 1, Wasm.i32_lt_u]] as const);
  for (const [bound, within] of bounds)
    c.withTop(ValType.I32, (x) => {
      f.get(x);
      f.i32(bound);
      f.get(x);
      f.i32(bound);
      f.op(within);
      f.op(Wasm.select);
    });
}

/** Leaves one vector of the result on the stack; false if there is no vector form. */
export function vectorConversion(c: Context, inst: Inst, row: number, part: number): boolean {
  const { f } = c;
  const a = inst.operands[0]!;
  const from = a.type;
  const to = inst.type;
  const high = (part & 1) === 1;
  switch (inst.op) {
    case Op.Trunc:
      if (from === Type.I64) {
        c.vector(a, row, part * 2);
        c.vector(a, row, part * 2 + 1);
        f.shuffle(LOWER_WORDS);
      } else c.vector(a, row, part);
      if (to === Type.I1) {
        f.i32(31);
        f.op(Wasm.i32x4_shl);
        f.i32(31);
        f.op(Wasm.i32x4_shr_s);
      }
      return true;
    case Op.SExt:
    case Op.ZExt: {
      const signed = inst.op === Op.SExt;
      c.vectorExtended(
        a,
        row,
        isWide(to) && !isWide(from) ? part >> 1 : part,
        signed ? Extend.Sign : Extend.Zero,
      );
      if (from === Type.I1 && !signed) {
        c.vectorConstant(Type.I32, 1);
        f.op(Wasm.v128_and);
      }
      if (to === Type.I64 && from !== Type.I64) {
        if (signed) f.op(high ? Wasm.i64x2_extend_high_i32x4_s : Wasm.i64x2_extend_low_i32x4_s);
        else f.op(high ? Wasm.i64x2_extend_high_i32x4_u : Wasm.i64x2_extend_low_i32x4_u);
      }
      return true;
    }
    case Op.FToS:
    case Op.FToU:
      return vectorToInteger(c, inst, row, part);
    case Op.SToF:
    case Op.UToF: {
      if (from === Type.I64) return false;
      const signed = inst.op === Op.SToF;
      c.vectorExtended(a, row, to === Type.F64 ? part >> 1 : part, signed ? Extend.Sign : Extend.Zero);
      if (to === Type.F64) {
        if (high) toLow(c);
        f.op(signed ? Wasm.f64x2_convert_low_i32x4_s : Wasm.f64x2_convert_low_i32x4_u);
        return true;
      }
      // Zero-extended narrow values are never negative; the signed form is the faster one.
      f.op(signed || from !== Type.I32 ? Wasm.f32x4_convert_i32x4_s : Wasm.f32x4_convert_i32x4_u);
      if (to === Type.F16) floatToHalf(c);
      return true;
    }
    case Op.FConvert:
      return vectorFloatConversion(c, inst, row, part);
    case Op.Bitcast:
      c.vectorExtended(a, row, part, Extend.Zero);
      return true;
    default:
      return false;
  }
}

function toLow(c: Context): void {
  c.withTop(ValType.V128, (x) => {
    c.f.get(x);
    c.f.get(x);
    c.f.shuffle(HIGH_TO_LOW);
  });
}

function vectorToInteger(c: Context, inst: Inst, row: number, part: number): boolean {
  const { f } = c;
  const a = inst.operands[0]!;
  const to = inst.type;
  const signed = inst.op === Op.FToS;
  if (to === Type.I64) return false;
  if (a.type === Type.F64) {
    for (const half of [0, 1]) {
      c.vector(a, row, part * 2 + half);
      f.op(signed ? Wasm.i32x4_trunc_sat_f64x2_s_zero : Wasm.i32x4_trunc_sat_f64x2_u_zero);
    }
    f.shuffle(LOW_HALVES);
  } else {
    c.vector(a, row, part);
    if (a.type === Type.F16) halfToFloat(c);
    f.op(signed ? Wasm.i32x4_trunc_sat_f32x4_s : Wasm.i32x4_trunc_sat_f32x4_u);
  }
  const width = to === Type.I8 ? 8 : to === Type.I16 ? 16 : 32;
  if (width === 32) return true;
  c.vectorConstant(Type.I32, signed ? 2 ** (width - 1) - 1 : 2 ** width - 1);
  f.op(signed ? Wasm.i32x4_min_s : Wasm.i32x4_min_u);
  if (signed) {
    c.vectorConstant(Type.I32, -(2 ** (width - 1)));
    f.op(Wasm.i32x4_max_s);
  }
  return true;
}

function vectorFloatConversion(c: Context, inst: Inst, row: number, part: number): boolean {
  const { f } = c;
  const a = inst.operands[0]!;
  const to = inst.type;
  if (a.type === Type.F64 && to === Type.F16) return false;
  if (a.type === Type.F64 && to === Type.F32) {
    for (const half of [0, 1]) {
      c.vector(a, row, part * 2 + half);
      f.op(Wasm.f32x4_demote_f64x2_zero);
    }
    f.shuffle(LOW_HALVES);
    return true;
  }
  const widen = isWide(to) && !isWide(a.type);
  const from = widen ? part >> 1 : part;
  if (c.plan.packed.has(a.id)) {
    c.packedVector(a, row, from >> 1);
    eightHalvesToFloats(c, (from & 1) === 1);
  } else {
    c.vector(a, row, from);
    if (a.type === Type.F16) halfToFloat(c);
  }
  if (to === Type.F16 && a.type !== Type.F16) floatToHalf(c);
  if (widen) {
    if (part & 1) toLow(c);
    f.op(Wasm.f64x2_promote_low_f32x4);
  }
  return true;
}
