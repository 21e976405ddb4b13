// SPDX-License-Identifier: MIT
//
// Integer operations that take several instructions. Operands are in the locals `t`, extended as operations.ts says.
// Nothing traps: division by zero gives 0, overflow wraps.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { constantAmount, constantOf } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import type { Context } from './context';
import { divideByScalar, emulatedDivision } from './integer-division';
import { shiftByLanes } from './varying-shift';

function widthOf(type: Type): number {
  return type === Type.I8 ? 8 : type === Type.I16 ? 16 : type === Type.I64 ? 64 : 32;
}

/** Leaves the scalar result on the stack; false if the operation is not one of these. */
export function scalarInteger(c: Context, inst: Inst, t: readonly number[]): boolean {
  const { f } = c;
  const wide = inst.operands[0]!.type === Type.I64;
  const width = widthOf(inst.operands[0]!.type);
  const op = (i32: Wasm, i64: Wasm) => f.op(wide ? i64 : i32);
  const number = (value: number | bigint) => (wide ? f.i64(BigInt(value)) : f.i32(Number(value)));
  const [a, b] = t as [number, number];
  const pick = (i32: Wasm, i64: Wasm) => {
    f.get(a);
    f.get(b);
    f.get(a);
    f.get(b);
    op(i32, i64);
    f.op(Wasm.select);
    return true;
  };
  switch (inst.op) {
    case Op.Shl:
    case Op.LShr:
    case Op.AShr:
      f.get(a);
      f.get(b);
      if (width < 32) {
        f.i32(width - 1);
        f.op(Wasm.i32_and);
      }
      if (inst.op === Op.Shl) op(Wasm.i32_shl, Wasm.i64_shl);
      else if (inst.op === Op.LShr) op(Wasm.i32_shr_u, Wasm.i64_shr_u);
      else op(Wasm.i32_shr_s, Wasm.i64_shr_s);
      return true;
    case Op.Rotl:
      f.get(a);
      f.get(b);
      if (width >= 32) {
        op(Wasm.i32_rotl, Wasm.i64_rotl);
        return true;
      }
      f.i32(width - 1);
      f.op(Wasm.i32_and);
      f.op(Wasm.i32_shl);
      f.get(a);
      f.i32(width);
      f.get(b);
      f.i32(width - 1);
      f.op(Wasm.i32_and);
      f.op(Wasm.i32_sub);
      f.op(Wasm.i32_shr_u);
      f.op(Wasm.i32_or);
      return true;
    case Op.SDiv:
    case Op.SRem:
    case Op.UDiv:
    case Op.URem:
      return scalarDivision(c, inst, a, b);
    case Op.SMin:
      return pick(Wasm.i32_lt_s, Wasm.i64_lt_s);
    case Op.SMax:
      return pick(Wasm.i32_gt_s, Wasm.i64_gt_s);
    case Op.UMin:
      return pick(Wasm.i32_lt_u, Wasm.i64_lt_u);
    case Op.UMax:
      return pick(Wasm.i32_gt_u, Wasm.i64_gt_u);
    case Op.SAddSat:
    case Op.UAddSat:
    case Op.SSubSat:
    case Op.USubSat:
      return scalarSaturating(c, inst.op, width, a, b);
    case Op.SMulHi:
    case Op.UMulHi:
      return scalarMulHigh(c, inst.op === Op.SMulHi, width, a, b);
    case Op.SAvgR:
    case Op.UAvgR:
      // (a | b) - ((a ^ b) >> 1) does not overflow.
      f.get(a);
      f.get(b);
      op(Wasm.i32_or, Wasm.i64_or);
      f.get(a);
      f.get(b);
      op(Wasm.i32_xor, Wasm.i64_xor);
      number(1);
      if (inst.op === Op.SAvgR) op(Wasm.i32_shr_s, Wasm.i64_shr_s);
      else op(Wasm.i32_shr_u, Wasm.i64_shr_u);
      op(Wasm.i32_sub, Wasm.i64_sub);
      return true;
    case Op.Not:
      f.get(a);
      number(-1);
      op(Wasm.i32_xor, Wasm.i64_xor);
      return true;
    case Op.Neg:
      number(0);
      f.get(a);
      op(Wasm.i32_sub, Wasm.i64_sub);
      return true;
    case Op.Abs:
      number(0);
      f.get(a);
      op(Wasm.i32_sub, Wasm.i64_sub);
      f.get(a);
      f.get(a);
      number(0);
      op(Wasm.i32_lt_s, Wasm.i64_lt_s);
      f.op(Wasm.select);
      return true;
    case Op.Clz:
      f.get(a);
      op(Wasm.i32_clz, Wasm.i64_clz);
      if (width < 32) {
        f.i32(32 - width);
        f.op(Wasm.i32_sub);
      }
      return true;
    case Op.Ctz:
      f.get(a);
      if (width < 32) {
        f.i32(1 << width);
        f.op(Wasm.i32_or);
      }
      op(Wasm.i32_ctz, Wasm.i64_ctz);
      return true;
    case Op.PopCount:
      f.get(a);
      op(Wasm.i32_popcnt, Wasm.i64_popcnt);
      return true;
    default:
      return false;
  }
}

function scalarDivision(c: Context, inst: Inst, a: number, b: number): boolean {
  const { f } = c;
  const wide = inst.type === Type.I64;
  const op = (i32: Wasm, i64: Wasm) => f.op(wide ? i64 : i32);
  const divide = () => {
    if (inst.op === Op.SDiv) op(Wasm.i32_div_s, Wasm.i64_div_s);
    else if (inst.op === Op.SRem) op(Wasm.i32_rem_s, Wasm.i64_rem_s);
    else if (inst.op === Op.UDiv) op(Wasm.i32_div_u, Wasm.i64_div_u);
    else op(Wasm.i32_rem_u, Wasm.i64_rem_u);
  };
  const divisor = constantOf(inst.operands[1]!);
  if (divisor !== undefined && Number(divisor) !== 0 && Number(divisor) !== -1) {
    f.get(a);
    f.get(b);
    divide();
    return true;
  }
  const type = wide ? ValType.I64 : ValType.I32;
  const number = (value: number) => (wide ? f.i64(BigInt(value)) : f.i32(value));
  c.withLocal(type, (result) => {
    // A divisor of 0, and for signed division of -1, is replaced by 1, so that nothing traps; the result is corrected afterwards.
    const signedDivision = inst.op === Op.SDiv;
    number(1);
    f.get(b);
    f.get(b);
    if (signedDivision) {
      number(1);
      op(Wasm.i32_add, Wasm.i64_add);
      number(1);
      op(Wasm.i32_le_u, Wasm.i64_le_u);
    } else op(Wasm.i32_eqz, Wasm.i64_eqz);
    f.op(Wasm.select);
    f.set(result);
    f.get(a);
    f.get(result);
    divide();
    f.set(result);
    number(0);
    if (signedDivision) {
      number(0);
      f.get(a);
      op(Wasm.i32_sub, Wasm.i64_sub);
      f.get(result);
      f.get(b);
      number(-1);
      op(Wasm.i32_eq, Wasm.i64_eq);
      f.op(Wasm.select);
    } else f.get(result);
    f.get(b);
    op(Wasm.i32_eqz, Wasm.i64_eqz);
    f.op(Wasm.select);
  });
  return true;
}

function scalarSaturating(c: Context, op: Op, width: number, a: number, b: number): boolean {
  const { f } = c;
  const add = op === Op.SAddSat || op === Op.UAddSat;
  const signed = op === Op.SAddSat || op === Op.SSubSat;
  if (width === 64) {
    c.withLocal(ValType.I64, (sum) => {
      f.get(a);
      f.get(b);
      f.op(add ? Wasm.i64_add : Wasm.i64_sub);
      f.set(sum);
      if (!signed) {
        f.i64(add ? -1n : 0n);
        f.get(sum);
        f.get(add ? sum : a);
        f.get(add ? a : b);
        f.op(Wasm.i64_lt_u);
        f.op(Wasm.select);
        return;
      }
      // Overflow: the result's sign differs from a's. In addition, for a sum it differs from b's, and for a difference a's
      // differs from b's.
      f.get(a);
      f.i64(63n);
      f.op(Wasm.i64_shr_s);
      f.i64(2n ** 63n - 1n);
      f.op(Wasm.i64_xor);
      f.get(sum);
      f.get(a);
      f.get(sum);
      f.op(Wasm.i64_xor);
      f.get(b);
      f.get(add ? sum : a);
      f.op(Wasm.i64_xor);
      f.op(Wasm.i64_and);
      f.i64(0n);
      f.op(Wasm.i64_lt_s);
      f.op(Wasm.select);
    });
    return true;
  }
  // Narrower ones fit 64 bits exactly.
  const low = signed ? -(2n ** BigInt(width - 1)) : 0n;
  const high = signed ? 2n ** BigInt(width - 1) - 1n : 2n ** BigInt(width) - 1n;
  const extend = signed ? Wasm.i64_extend_i32_s : Wasm.i64_extend_i32_u;
  c.withLocal(ValType.I64, (sum) => {
    f.get(a);
    f.op(extend);
    f.get(b);
    f.op(extend);
    f.op(add ? Wasm.i64_add : Wasm.i64_sub);
    f.set(sum);
    for (const [bound, compare] of [
      [low, Wasm.i64_lt_s],
      [high, Wasm.i64_gt_s],
    ] as const) {
      f.i64(bound);
      f.get(sum);
      f.get(sum);
      f.i64(bound);
      f.op(compare);
      f.op(Wasm.select);
      f.set(sum);
    }
    f.get(sum);
    f.op(Wasm.i32_wrap_i64);
  });
  return true;
}

function scalarMulHigh(c: Context, signed: boolean, width: number, a: number, b: number): boolean {
  const { f } = c;
  if (width < 64) {
    f.get(a);
    f.op(signed ? Wasm.i64_extend_i32_s : Wasm.i64_extend_i32_u);
    f.get(b);
    f.op(signed ? Wasm.i64_extend_i32_s : Wasm.i64_extend_i32_u);
    f.op(Wasm.i64_mul);
    f.i64(BigInt(width));
    f.op(Wasm.i64_shr_u);
    f.op(Wasm.i32_wrap_i64);
    return true;
  }
  // By halves: a = a1 * 2^32 + a0, and the same for b.
  const low = (x: number) => {
    f.get(x);
    f.i64(0xffffffffn);
    f.op(Wasm.i64_and);
  };
  const high = (x: number) => {
    f.get(x);
    f.i64(32n);
    f.op(signed ? Wasm.i64_shr_s : Wasm.i64_shr_u);
  };
  c.withLocal(ValType.I64, (t) =>
    c.withLocal(ValType.I64, (u) => {
      high(a);
      low(b);
      f.op(Wasm.i64_mul);
      low(a);
      low(b);
      f.op(Wasm.i64_mul);
      f.i64(32n);
      f.op(Wasm.i64_shr_u);
      f.op(Wasm.i64_add);
      f.set(t);
      low(a);
      high(b);
      f.op(Wasm.i64_mul);
      low(t);
      f.op(Wasm.i64_add);
      f.set(u);
      high(a);
      high(b);
      f.op(Wasm.i64_mul);
      high(t);
      f.op(Wasm.i64_add);
      high(u);
      f.op(Wasm.i64_add);
    }),
  );
  return true;
}

/** Leaves one vector of the result on the stack. `amount`: a shift's amount or an
 * unsigned division's divisor where it is one scalar. */
export function vectorInteger(
  c: Context,
  inst: Inst,
  t: readonly number[],
  amount: Value | undefined,
  row: number,
): boolean {
  const { f } = c;
  const width = widthOf(inst.type);
  const wide = width === 64;
  const [a, b] = t as [number, number];
  const op = (i32: Wasm, i64: Wasm) => f.op(wide ? i64 : i32);
  const binary = (x: number, y: number, code: Wasm) => {
    f.get(x);
    f.get(y);
    f.op(code);
  };
  switch (inst.op) {
    case Op.Shl:
    case Op.LShr:
    case Op.AShr:
      if (!amount) return shiftByLanes(c, inst, a, b, width);
      f.get(a);
      pushAmount(c, amount, row, width);
      if (inst.op === Op.Shl) op(Wasm.i32x4_shl, Wasm.i64x2_shl);
      else if (inst.op === Op.LShr) op(Wasm.i32x4_shr_u, Wasm.i64x2_shr_u);
      else op(Wasm.i32x4_shr_s, Wasm.i64x2_shr_s);
      return true;
    case Op.Rotl:
      if (!amount) return shiftByLanes(c, inst, a, b, width);
      return width >= 32 && vectorRotate(c, a, amount, row, wide);
    case Op.SDiv:
    case Op.UDiv:
    case Op.SRem:
    case Op.URem:
      if (wide) return false;
      if (amount && (inst.op === Op.UDiv || inst.op === Op.URem))
        return divideByScalar(c, inst, a, amount, row);
      return emulatedDivision(c, inst, a, b);
    case Op.SAvgR:
    case Op.UAvgR:
      binary(a, b, Wasm.v128_or);
      binary(a, b, Wasm.v128_xor);
      f.i32(1);
      if (inst.op === Op.SAvgR) op(Wasm.i32x4_shr_s, Wasm.i64x2_shr_s);
      else op(Wasm.i32x4_shr_u, Wasm.i64x2_shr_u);
      op(Wasm.i32x4_sub, Wasm.i64x2_sub);
      return true;
    case Op.SMin:
    case Op.SMax:
    case Op.UMin:
    case Op.UMax:
      return wide && wideMinimum(c, inst.op, a, b);
    case Op.ULt:
    case Op.ULe:
    case Op.UGt:
    case Op.UGe:
      return false;
    default:
      return !wide && vectorNarrow(c, inst.op, width, a, b);
  }
}

function pushAmount(c: Context, amount: Value, row: number, width: number): void {
  const { f } = c;
  c.scalar(amount, row);
  if (width === 64) f.op(Wasm.i32_wrap_i64);
  if (width < 32) {
    f.i32(width - 1);
    f.op(Wasm.i32_and);
  }
}

function vectorRotate(c: Context, a: number, amount: Value, row: number, wide: boolean): boolean {
  const { f } = c;
  const by = constantAmount(amount);
  if (by !== undefined && by % 8 === 0) {
    const size = wide ? 8 : 4;
    f.get(a);
    f.get(a);
    f.shuffle(Array.from({ length: 16 }, (_, i) => i - (i % size) + (((i % size) - by / 8 + size) % size)));
    return true;
  }
  f.get(a);
  pushAmount(c, amount, row, wide ? 64 : 32);
  f.op(wide ? Wasm.i64x2_shl : Wasm.i32x4_shl);
  f.get(a);
  if (by !== undefined) f.i32((wide ? 64 : 32) - by);
  else {
    f.i32(0);
    pushAmount(c, amount, row, wide ? 64 : 32);
    f.op(Wasm.i32_sub);
  }
  f.op(wide ? Wasm.i64x2_shr_u : Wasm.i32x4_shr_u);
  f.op(Wasm.v128_or);
  return true;
}

function wideMinimum(c: Context, op: Op, a: number, b: number): boolean {
  const { f } = c;
  const unsigned = op === Op.UMin || op === Op.UMax;
  const flipped = (x: number) => {
    f.get(x);
    if (!unsigned) return;
    c.vectorConstant(Type.I64, -(2n ** 63n));
    f.op(Wasm.v128_xor);
  };
  f.get(a);
  f.get(b);
  flipped(a);
  flipped(b);
  f.op(op === Op.SMin || op === Op.UMin ? Wasm.i64x2_lt_s : Wasm.i64x2_gt_s);
  f.op(Wasm.v128_bitselect);
  return true;
}

/** On lanes of 32 bits. */
function vectorNarrow(c: Context, op: Op, width: number, a: number, b: number): boolean {
  const { f } = c;
  const splat = (value: number) => c.vectorConstant(Type.I32, value);
  const get2 = (x: number, y: number, code: Wasm) => {
    f.get(x);
    f.get(y);
    f.op(code);
  };
  switch (op) {
    case Op.SAddSat:
    case Op.SSubSat: {
      const add = op === Op.SAddSat;
      if (width < 32) {
        get2(a, b, add ? Wasm.i32x4_add : Wasm.i32x4_sub);
        splat(-(2 ** (width - 1)));
        f.op(Wasm.i32x4_max_s);
        splat(2 ** (width - 1) - 1);
        f.op(Wasm.i32x4_min_s);
        return true;
      }
      c.withLocal(ValType.V128, (sum) => {
        get2(a, b, add ? Wasm.i32x4_add : Wasm.i32x4_sub);
        f.set(sum);
        f.get(a);
        f.i32(31);
        f.op(Wasm.i32x4_shr_s);
        splat(0x7fffffff);
        f.op(Wasm.v128_xor);
        f.get(sum);
        get2(a, sum, Wasm.v128_xor);
        get2(b, add ? sum : a, Wasm.v128_xor);
        f.op(Wasm.v128_and);
        f.i32(31);
        f.op(Wasm.i32x4_shr_s);
        f.op(Wasm.v128_bitselect);
      });
      return true;
    }
    case Op.UAddSat:
      if (width < 32) {
        get2(a, b, Wasm.i32x4_add);
        splat(2 ** width - 1);
        f.op(Wasm.i32x4_min_u);
        return true;
      }
      f.get(a);
      f.get(b);
      f.get(a);
      f.op(Wasm.v128_not);
      f.op(Wasm.i32x4_min_u);
      f.op(Wasm.i32x4_add);
      return true;
    case Op.USubSat:
      get2(a, b, Wasm.i32x4_max_u);
      f.get(b);
      f.op(Wasm.i32x4_sub);
      return true;
    case Op.SMulHi:
    case Op.UMulHi: {
      if (width < 32) {
        get2(a, b, Wasm.i32x4_mul);
        f.i32(width);
        f.op(op === Op.SMulHi ? Wasm.i32x4_shr_s : Wasm.i32x4_shr_u);
        return true;
      }
      const signed = op === Op.SMulHi;
      get2(a, b, signed ? Wasm.i64x2_extmul_low_i32x4_s : Wasm.i64x2_extmul_low_i32x4_u);
      get2(a, b, signed ? Wasm.i64x2_extmul_high_i32x4_s : Wasm.i64x2_extmul_high_i32x4_u);
      f.shuffle([4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]);
      return true;
    }
    case Op.PopCount:
      f.get(a);
      popcount(c);
      return true;
    case Op.Ctz:
      // Counts the bits below the lowest set bit; the type's width is the upper bound.
      f.get(a);
      if (width < 32) {
        splat(1 << width);
        f.op(Wasm.v128_or);
        f.set(a);
        f.get(a);
      }
      splat(1);
      f.op(Wasm.i32x4_sub);
      f.get(a);
      f.op(Wasm.v128_andnot);
      popcount(c);
      return true;
    case Op.Clz:
      for (const by of [1, 2, 4, 8, 16].filter((s) => s < width)) {
        f.get(a);
        f.get(a);
        f.i32(by);
        f.op(Wasm.i32x4_shr_u);
        f.op(Wasm.v128_or);
        f.set(a);
      }
      splat(width);
      f.get(a);
      popcount(c);
      f.op(Wasm.i32x4_sub);
      return true;
    default:
      return false;
  }
}

function popcount(c: Context): void {
  c.f.op(Wasm.i8x16_popcnt);
  c.f.op(Wasm.i16x8_extadd_pairwise_i8x16_u);
  c.f.op(Wasm.i32x4_extadd_pairwise_i16x8_s);
}
