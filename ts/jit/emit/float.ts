// SPDX-License-Identifier: MIT
//
// Float operations that take several instructions.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { type Inst, Op, Type } from '../ir/ir';
import type { Context } from './context';
import { type Expression, Expressions } from './expressions';

/** Leaves the scalar result on the stack; false if the operation is not one of these. */
export function scalarFloat(c: Context, inst: Inst, t: readonly number[]): boolean {
  const { f } = c;
  const type = inst.operands[0]!.type;
  const wide = type === Type.F64;
  if (type !== Type.F32 && !wide) return false;
  const op = (f32: Wasm, f64: Wasm) => f.op(wide ? f64 : f32);
  const get2 = (x: number, y: number) => {
    f.get(x);
    f.get(y);
  };
  const [a, b, d] = t as [number, number, number];
  switch (inst.op) {
    case Op.FMin:
    case Op.FMax:
      // As vectors, because V8 compiles a select of scalar floats to a jump.
      c.withLocal(ValType.V128, (x) =>
        c.withLocal(ValType.V128, (y) => {
          for (const [from, to] of [
            [a, x],
            [b, y],
          ] as const) {
            f.get(from);
            c.splat(type);
            f.set(to);
          }
          vectorExtreme(c, inst, x, y);
        }),
      );
      f.lane(wide ? Wasm.f64x2_extract_lane : Wasm.f32x4_extract_lane, 0);
      return true;
    case Op.FUnordered:
      get2(a, a);
      op(Wasm.f32_ne, Wasm.f64_ne);
      get2(b, b);
      op(Wasm.f32_ne, Wasm.f64_ne);
      f.op(Wasm.i32_or);
      return true;
    case Op.MulAdd:
      get2(a, b);
      op(Wasm.f32_mul, Wasm.f64_mul);
      f.get(d);
      op(Wasm.f32_add, Wasm.f64_add);
      return true;
    case Op.Fma:
      if (wide) fusedDouble(c, SCALAR, a, b, d);
      else {
        for (const x of [a, b]) {
          f.get(x);
          f.op(Wasm.f64_promote_f32);
        }
        f.op(Wasm.f64_mul);
        f.get(d);
        f.op(Wasm.f64_promote_f32);
        addToOdd(c, SCALAR);
        f.op(Wasm.f32_demote_f64);
      }
      return true;
    case Op.FRem:
      return scalarRemainder(c, wide, a, b);
    default:
      return false;
  }
}

/**
 * Exact fmod: subtracts the largest |b| * 2^n that does not exceed the rest, until the rest is below |b|. Each difference is
 * exact.
 */
function scalarRemainder(c: Context, wide: boolean, a: number, b: number): boolean {
  const { f } = c;
  const double = (x: number) => {
    f.get(x);
    if (!wide) f.op(Wasm.f64_promote_f32);
    f.op(Wasm.f64_abs);
  };
  c.withLocal(ValType.F64, (rest) =>
    c.withLocal(ValType.F64, (divisor) =>
      c.withLocal(ValType.F64, (step) => {
        double(a);
        f.set(rest);
        double(b);
        f.set(divisor);
        // An infinite or NaN dividend, or a zero or NaN divisor, gives NaN.
        f.get(rest);
        f.f64(Number.POSITIVE_INFINITY);
        f.op(Wasm.f64_lt);
        f.get(divisor);
        f.f64(0);
        f.op(Wasm.f64_gt);
        f.op(Wasm.i32_and);
        f.if_();
        const outer = f.loop();
        f.get(rest);
        f.get(divisor);
        f.op(Wasm.f64_ge);
        f.if_();
        f.get(divisor);
        f.set(step);
        // The divisor times 2^k, with k from the difference of the exponents, at least 0, so that it does not exceed the rest.
        exponentStep(c, rest, divisor, step);
        f.get(rest);
        f.get(step);
        f.op(Wasm.f64_sub);
        f.set(rest);
        f.br(outer);
        f.end();
        f.end();
        f.else_();
        f.f64(Number.NaN);
        f.set(rest);
        f.end();
        f.get(rest);
        f.get(a);
        if (!wide) f.op(Wasm.f64_promote_f32);
        f.op(Wasm.f64_copysign);
        if (!wide) f.op(Wasm.f32_demote_f64);
      }),
    ),
  );
  return true;
}

function exponentStep(c: Context, rest: number, divisor: number, step: number): void {
  const { f } = c;
  const EXPONENT = 0x7ff0000000000000n;
  const exponent = (x: number) => {
    f.get(x);
    f.op(Wasm.i64_reinterpret_f64);
    f.i64(EXPONENT);
    f.op(Wasm.i64_and);
  };
  // Normal numbers: give the divisor the exponent of the rest, and halve it if it exceeds the rest.
  exponent(divisor);
  f.i64(0n);
  f.op(Wasm.i64_ne);
  f.if_();
  f.get(divisor);
  f.op(Wasm.i64_reinterpret_f64);
  exponent(rest);
  f.op(Wasm.i64_add);
  exponent(divisor);
  f.op(Wasm.i64_sub);
  f.op(Wasm.f64_reinterpret_i64);
  f.set(step);
  f.else_();
  // A subnormal divisor: double it while that fits.
  const again = f.loop();
  f.get(step);
  f.get(step);
  f.op(Wasm.f64_add);
  f.get(rest);
  f.op(Wasm.f64_le);
  f.if_();
  f.get(step);
  f.get(step);
  f.op(Wasm.f64_add);
  f.set(step);
  f.br(again);
  f.end();
  f.end();
  f.end();
  f.get(step);
  f.get(rest);
  f.op(Wasm.f64_gt);
  f.if_();
  f.get(step);
  f.f64(0.5);
  f.op(Wasm.f64_mul);
  f.set(step);
  f.end();
}

/** Arithmetic on doubles, as scalars or in pairs: the sequences for fused operations are the same for both. */
interface DoubleOps {
  readonly type: ValType;
  readonly add: Wasm;
  readonly sub: Wasm;
  readonly mul: Wasm;
  readonly vector: boolean;
}

const SCALAR: DoubleOps = {
  type: ValType.F64,
  add: Wasm.f64_add,
  sub: Wasm.f64_sub,
  mul: Wasm.f64_mul,
  vector: false,
};

const PAIR: DoubleOps = {
  type: ValType.V128,
  add: Wasm.f64x2_add,
  sub: Wasm.f64x2_sub,
  mul: Wasm.f64x2_mul,
  vector: true,
};

/** Adds the two doubles on the stack, rounding to odd: rounding the result again to less precision is then right. */
function addToOdd(c: Context, o: DoubleOps): void {
  const { op, set, push } = new Expressions(c.f);
  const [x, y, sum, error] = [0, 1, 2, 3].map(() => c.allocate(o.type)) as [number, number, number, number];
  c.f.set(y);
  c.f.set(x);
  set(sum, op(o.add, x, y));
  // The error of the sum (Knuth): (x - (s - t)) + (y - t) with t = s - x.
  set(error, op(o.sub, sum, x));
  set(error, op(o.add, op(o.sub, x, op(o.sub, sum, error)), op(o.sub, y, error)));
  push(o.vector ? pairToOdd(c, sum, error) : scalarToOdd(c, sum, error));
  for (const local of [error, sum, y, x]) c.release(local);
}

/**
 * A sum's odd neighbour on the side of its error, where it is inexact and even: its bits plus 1 where the signs agree, minus 1
 * where they do not.
 */
function scalarToOdd(c: Context, sum: number, error: number): Expression {
  const { op, i32, i64, f64 } = new Expressions(c.f);
  const bits = (local: number) => op(Wasm.i64_reinterpret_f64, local);
  const signs = op(Wasm.i64_shr_s, op(Wasm.i64_xor, bits(sum), bits(error)), i64(63n));
  const step = op(Wasm.i64_or, signs, i64(1n));
  const isInexact = op(Wasm.i32_and, op(Wasm.f64_ne, error, f64(0)), op(Wasm.f64_eq, error, error));
  const isEven = op(Wasm.i32_eqz, op(Wasm.i32_and, op(Wasm.i32_wrap_i64, bits(sum)), i32(1)));
  const stepOrNone = op(Wasm.select, step, i64(0n), op(Wasm.i32_and, isInexact, isEven));
  return op(Wasm.f64_reinterpret_i64, op(Wasm.i64_add, bits(sum), stepOrNone));
}

/** The same of two sums. */
function pairToOdd(c: Context, sum: number, error: number): Expression {
  const { op, i32 } = new Expressions(c.f);
  const constant = (type: Type, value: number | bigint) => () => c.vectorConstant(type, value);
  const signs = op(Wasm.i64x2_shr_s, op(Wasm.v128_xor, sum, error), i32(63));
  const step = op(Wasm.v128_or, signs, constant(Type.I64, 1n));
  const isNotZero = op(Wasm.f64x2_ne, error, constant(Type.F64, 0));
  const isNumber = op(Wasm.f64x2_eq, error, error);
  const lowestBit = op(Wasm.v128_and, sum, constant(Type.I64, 1n));
  const isEven = op(Wasm.i64x2_eq, lowestBit, constant(Type.I64, 0n));
  const and = (a: Expression, b: Expression) => op(Wasm.v128_and, a, b);
  return op(Wasm.i64x2_add, sum, and(and(and(step, isNotZero), isNumber), isEven));
}

/** a * b + d on doubles, rounded once (Boldo and Melquiond), where no intermediate overflows. */
function fusedDouble(c: Context, o: DoubleOps, a: number, b: number, d: number): void {
  const { f } = c;
  const locals = Array.from({ length: 7 }, () => c.allocate(o.type));
  const [p, e, ah, al, bh, bl, s] = locals as [number, number, number, number, number, number, number];
  const get2 = (x: number, y: number, code: Wasm) => {
    f.get(x);
    f.get(y);
    f.op(code);
  };
  const split = (x: number, high: number, low: number) => {
    f.get(x);
    if (o.vector) c.vectorConstant(Type.F64, 134217729);
    else f.f64(134217729);
    f.op(o.mul);
    f.set(high);
    f.get(high);
    get2(high, x, o.sub);
    f.op(o.sub);
    f.set(high);
    get2(x, high, o.sub);
    f.set(low);
  };
  get2(a, b, o.mul);
  f.set(p);
  split(a, ah, al);
  split(b, bh, bl);
  // e = ((ah * bh - p) + ah * bl + al * bh) + al * bl: the product's error.
  get2(ah, bh, o.mul);
  f.get(p);
  f.op(o.sub);
  get2(ah, bl, o.mul);
  f.op(o.add);
  get2(al, bh, o.mul);
  f.op(o.add);
  get2(al, bl, o.mul);
  f.op(o.add);
  f.set(e);
  // s + ah = p + d exactly.
  get2(p, d, o.add);
  f.set(s);
  get2(s, p, o.sub);
  f.set(al);
  f.get(p);
  get2(s, al, o.sub);
  f.op(o.sub);
  get2(d, al, o.sub);
  f.op(o.add);
  f.set(ah);
  f.get(s);
  get2(ah, e, o.add);
  f.set(bl);
  f.get(ah);
  f.get(e);
  addToOdd(c, o);
  f.op(o.add);
  f.set(bh);
  // Infinities and NaNs make the error terms NaN; the plain sum is the result then.
  if (o.vector) {
    f.get(bh);
    f.get(s);
    get2(bh, bh, Wasm.f64x2_eq);
    f.op(Wasm.v128_bitselect);
  } else {
    f.get(bh);
    f.get(s);
    get2(bh, bh, Wasm.f64_eq);
    f.op(Wasm.select);
  }
  for (const l of locals) c.release(l);
}

/** The minimum or maximum of two vectors; of a NaN and a number, the number is the result. */
function vectorExtreme(c: Context, inst: Inst, a: number, b: number): void {
  const { f } = c;
  const wide = inst.type === Type.F64;
  f.get(a);
  f.get(b);
  // Gives a unless b is less (FMin) or greater (FMax).
  if (inst.op === Op.FMin) f.op(wide ? Wasm.f64x2_pmin : Wasm.f32x4_pmin);
  else f.op(wide ? Wasm.f64x2_pmax : Wasm.f32x4_pmax);
  if (inst.facts.byComparison || inst.facts.fast?.noNaN) return;
  f.get(b);
  f.get(a);
  f.get(a);
  f.op(wide ? Wasm.f64x2_eq : Wasm.f32x4_eq);
  c.selectLanes(inst.type);
}

/** Leaves one vector of the result on the stack. */
export function vectorFloat(c: Context, inst: Inst, t: readonly number[]): boolean {
  const { f } = c;
  const type = inst.operands[0]!.type;
  const wide = type === Type.F64;
  if (type !== Type.F32 && !wide) return false;
  const op = (f32: Wasm, f64: Wasm) => f.op(wide ? f64 : f32);
  const [a, b, d] = t as [number, number, number];
  const get2 = (x: number, y: number) => {
    f.get(x);
    f.get(y);
  };
  switch (inst.op) {
    case Op.FMin:
    case Op.FMax:
      vectorExtreme(c, inst, a, b);
      return true;
    case Op.FUnordered:
      if (wide) return false;
      get2(a, a);
      op(Wasm.f32x4_ne, Wasm.f64x2_ne);
      get2(b, b);
      op(Wasm.f32x4_ne, Wasm.f64x2_ne);
      f.op(Wasm.v128_or);
      return true;
    case Op.FCopySign:
      f.get(b);
      f.get(a);
      c.vectorConstant(wide ? Type.I64 : Type.I32, wide ? -(2n ** 63n) : -(2 ** 31));
      f.op(Wasm.v128_bitselect);
      return true;
    case Op.Fma:
      if (wide) fusedDouble(c, PAIR, a, b, d);
      else {
        for (const high of [false, true]) {
          for (const x of [a, b, d]) {
            f.get(x);
            if (high) {
              f.get(x);
              f.shuffle([8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);
            }
            f.op(Wasm.f64x2_promote_low_f32x4);
            if (x === b) f.op(Wasm.f64x2_mul);
          }
          addToOdd(c, PAIR);
          f.op(Wasm.f32x4_demote_f64x2_zero);
        }
        f.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
      }
      return true;
    default:
      return false;
  }
}
