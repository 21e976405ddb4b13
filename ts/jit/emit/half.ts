// SPDX-License-Identifier: MIT
//
// Half floats by bit manipulation: a half's exponent and fraction, shifted to a float's place, are the float times 2^-112.
// Halves are held in 32 bits with zeros above. All of these take their operand from the stack.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { Type } from '../ir/ir';
import type { Context } from './context';

const SCALE_UP = 2 ** 112;
/** Halves from here on are infinite or NaN, shifted to a float's place. */
const FIRST_SPECIAL = 0x0f800000;
const FLOAT_EXPONENT = 0x7f800000;
/** As floats: the smallest normal half, and the first number that rounds to infinity. */
const SMALLEST_NORMAL = 0x38800000;
const FIRST_INFINITE = 0x477ff000;

/** What differs between scalars and vectors. */
interface Form {
  readonly type: ValType;
  constant(value: number): void;
  float(value: number): void;
  op(i32: Wasm, i32x4: Wasm): void;
  /** Takes yes, no, condition. */
  select(): void;
}

function scalarForm(c: Context): Form {
  return {
    type: ValType.I32,
    constant: (v) => c.f.i32(v),
    float: (v) => c.f.f32(v),
    op: (i32) => c.f.op(i32),
    select: () => c.f.op(Wasm.select),
  };
}

function vectorForm(c: Context): Form {
  return {
    type: ValType.V128,
    constant: (v) => c.vectorConstant(Type.I32, v),
    float: (v) => c.vectorConstant(Type.F32, v),
    op: (_, i32x4) => c.f.op(i32x4),
    select: () => c.f.op(Wasm.v128_bitselect),
  };
}

function shift(c: Context, form: Form, by: number, i32: Wasm, i32x4: Wasm): void {
  c.f.i32(by);
  form.op(i32, i32x4);
}

function toFloat(c: Context, form: Form): void {
  const { f } = c;
  c.withTop(form.type, (h) =>
    c.withLocal(form.type, (x) => {
      f.get(h);
      form.constant(0x7fff);
      form.op(Wasm.i32_and, Wasm.v128_and);
      shift(c, form, 13, Wasm.i32_shl, Wasm.i32x4_shl);
      f.set(x);
      f.get(x);
      if (form.type === ValType.I32) f.op(Wasm.f32_reinterpret_i32);
      form.float(SCALE_UP);
      form.op(Wasm.f32_mul, Wasm.f32x4_mul);
      if (form.type === ValType.I32) f.op(Wasm.i32_reinterpret_f32);
      f.get(h);
      form.constant(0x8000);
      form.op(Wasm.i32_and, Wasm.v128_and);
      shift(c, form, 16, Wasm.i32_shl, Wasm.i32x4_shl);
      form.op(Wasm.i32_or, Wasm.v128_or);
      // Infinity and NaN have the float's largest exponent.
      form.constant(FLOAT_EXPONENT);
      form.constant(0);
      f.get(x);
      form.constant(FIRST_SPECIAL);
      form.op(Wasm.i32_ge_u, Wasm.i32x4_ge_s);
      form.select();
      form.op(Wasm.i32_or, Wasm.v128_or);
    }),
  );
}

function fromFloat(c: Context, form: Form): void {
  const { f } = c;
  c.withTop(form.type, (x) =>
    c.withLocal(form.type, (a) => {
      f.get(x);
      form.constant(0x7fffffff);
      form.op(Wasm.i32_and, Wasm.v128_and);
      f.set(a);
      // Normal: re-bias the exponent and round to even by what is shifted out.
      f.get(a);
      form.constant(0xc8000fff | 0);
      form.op(Wasm.i32_add, Wasm.i32x4_add);
      f.get(a);
      shift(c, form, 13, Wasm.i32_shr_u, Wasm.i32x4_shr_u);
      form.constant(1);
      form.op(Wasm.i32_and, Wasm.v128_and);
      form.op(Wasm.i32_add, Wasm.i32x4_add);
      shift(c, form, 13, Wasm.i32_shr_u, Wasm.i32x4_shr_u);
      // Subnormal: adding 0.5, whose last place is 2^-24, rounds.
      f.get(a);
      if (form.type === ValType.I32) f.op(Wasm.f32_reinterpret_i32);
      form.float(0.5);
      form.op(Wasm.f32_add, Wasm.f32x4_add);
      if (form.type === ValType.I32) f.op(Wasm.i32_reinterpret_f32);
      form.constant(0x3f000000);
      form.op(Wasm.i32_sub, Wasm.i32x4_sub);
      f.get(a);
      form.constant(SMALLEST_NORMAL);
      form.op(Wasm.i32_ge_s, Wasm.i32x4_ge_s);
      form.select();
      // Too large: infinity, or a quiet NaN.
      form.constant(0x7c00);
      f.get(a);
      form.constant(FIRST_INFINITE);
      form.op(Wasm.i32_lt_s, Wasm.i32x4_lt_s);
      form.select();
      form.constant(0x7e00);
      f.get(a);
      form.constant(FLOAT_EXPONENT);
      form.op(Wasm.i32_le_s, Wasm.i32x4_le_s);
      form.select();
      f.get(x);
      shift(c, form, 16, Wasm.i32_shr_u, Wasm.i32x4_shr_u);
      form.constant(0x8000);
      form.op(Wasm.i32_and, Wasm.v128_and);
      form.op(Wasm.i32_or, Wasm.v128_or);
    }),
  );
}

/** Half bits (i32) to f32. */
export function scalarHalfToFloat(c: Context): void {
  toFloat(c, scalarForm(c));
  c.f.op(Wasm.f32_reinterpret_i32);
}

/** f32 to half bits (i32), to nearest even. */
export function scalarFloatToHalf(c: Context): void {
  c.f.op(Wasm.i32_reinterpret_f32);
  fromFloat(c, scalarForm(c));
}

export function halfToFloat(c: Context): void {
  toFloat(c, vectorForm(c));
}

export function floatToHalf(c: Context): void {
  fromFloat(c, vectorForm(c));
}
