// SPDX-License-Identifier: MIT
//
// Half floats by bit manipulation: a half's exponent and fraction, shifted to a float's place, are the float times 2^-112.
// Halves are held in 32 bits with zeros above. All of these take their operand from the stack.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { Type } from '../ir/ir';
import type { Context } from './context';

const SCALE_UP = 2 ** 112;
/** What halves from the first infinite one on are, times 2^112. */
const FIRST_SPECIAL = 65536;
const FLOAT_EXPONENT = 0x7f800000;
/** Together these multiply by 4, but make infinite what no half can hold. */
const TO_INFINITY = 2 ** 112;
const AND_BACK = 2 ** -110;
/** Added to a float's exponent: 2^15 times as much. */
const FIFTEEN = 0x07800000;
/** The number 2, whose last place is that of subnormal halves times 4. */
const TWO = 0x40000000;

/** What differs between scalars and vectors. */
interface Form {
  readonly type: ValType;
  constant(value: number): void;
  float(value: number): void;
  op(i32: Wasm, i32x4: Wasm): void;
  /** Between bits and floats, where they have types of their own. */
  asFloat(): void;
  asBits(): void;
  /** Takes yes, no, condition. */
  select(): void;
  /** Takes two integers. */
  max(): void;
}

function scalarForm(c: Context): Form {
  return {
    type: ValType.I32,
    constant: (v) => c.f.i32(v),
    float: (v) => c.f.f32(v),
    op: (i32) => c.f.op(i32),
    asFloat: () => c.f.op(Wasm.f32_reinterpret_i32),
    asBits: () => c.f.op(Wasm.i32_reinterpret_f32),
    select: () => c.f.op(Wasm.select),
    max: () =>
      c.withTop(ValType.I32, (b) =>
        c.withTop(ValType.I32, (a) => {
          for (const local of [a, b, a, b]) c.f.get(local);
          c.f.op(Wasm.i32_gt_s);
          c.f.op(Wasm.select);
        }),
      ),
  };
}

function vectorForm(c: Context): Form {
  return {
    type: ValType.V128,
    constant: (v) => c.vectorConstant(Type.I32, v),
    float: (v) => c.vectorConstant(Type.F32, v),
    op: (_, i32x4) => c.f.op(i32x4),
    asFloat: () => {},
    asBits: () => {},
    select: () => c.f.op(Wasm.v128_bitselect),
    max: () => c.f.op(Wasm.i32x4_max_s),
  };
}

function shift(c: Context, form: Form, by: number, i32: Wasm, i32x4: Wasm): void {
  c.f.i32(by);
  form.op(i32, i32x4);
}

/** The sign travels with the number; only what is infinite or NaN needs a correction. */
function toFloat(c: Context, form: Form): void {
  const { f } = c;
  shift(c, form, 16, Wasm.i32_shl, Wasm.i32x4_shl);
  shift(c, form, 3, Wasm.i32_shr_s, Wasm.i32x4_shr_s);
  form.constant(0x8fffffff | 0);
  form.op(Wasm.i32_and, Wasm.v128_and);
  form.asFloat();
  form.float(SCALE_UP);
  form.op(Wasm.f32_mul, Wasm.f32x4_mul);
  form.asBits();
  c.withTop(form.type, (x) => {
    // Infinity and NaN have the float's largest exponent.
    f.get(x);
    const isSpecial = () => {
      f.get(x);
      form.asFloat();
      form.op(Wasm.f32_abs, Wasm.f32x4_abs);
      form.float(FIRST_SPECIAL);
      form.op(Wasm.f32_ge, Wasm.f32x4_ge);
    };
    if (form.type === ValType.V128) {
      isSpecial();
      form.constant(FLOAT_EXPONENT);
      f.op(Wasm.v128_and);
    } else {
      form.constant(FLOAT_EXPONENT);
      form.constant(0);
      isSpecial();
      form.select();
    }
    form.op(Wasm.i32_or, Wasm.v128_or);
  });
}

/**
 * Adding 2^15 times the number's power of two leaves ten bits behind the point, rounded to even; the sum's exponent and
 * fraction, added, are the half's. Subnormal halves are rounded by adding 2.
 */
function fromFloat(c: Context, form: Form): void {
  const { f } = c;
  c.withTop(form.type, (x) =>
    c.withLocal(form.type, (a) => {
      f.get(x);
      form.constant(0x7fffffff);
      form.op(Wasm.i32_and, Wasm.v128_and);
      f.set(a);
      f.get(a);
      form.asFloat();
      form.float(TO_INFINITY);
      form.op(Wasm.f32_mul, Wasm.f32x4_mul);
      form.float(AND_BACK);
      form.op(Wasm.f32_mul, Wasm.f32x4_mul);
      f.get(a);
      form.constant(FLOAT_EXPONENT);
      form.op(Wasm.i32_and, Wasm.v128_and);
      form.constant(FIFTEEN);
      form.op(Wasm.i32_add, Wasm.i32x4_add);
      form.constant(TWO);
      form.max();
      form.asFloat();
      form.op(Wasm.f32_add, Wasm.f32x4_add);
      form.asBits();
      f.set(a);
      f.get(a);
      shift(c, form, 13, Wasm.i32_shr_u, Wasm.i32x4_shr_u);
      form.constant(0x7c00);
      form.op(Wasm.i32_and, Wasm.v128_and);
      f.get(a);
      form.constant(0xfff);
      form.op(Wasm.i32_and, Wasm.v128_and);
      form.op(Wasm.i32_add, Wasm.i32x4_add);
      // Or a quiet NaN.
      form.constant(0x7e00);
      f.get(x);
      form.asFloat();
      f.get(x);
      form.asFloat();
      form.op(Wasm.f32_eq, Wasm.f32x4_eq);
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
