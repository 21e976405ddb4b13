// SPDX-License-Identifier: MIT
//
// Integer operations on scalars that take several instructions. Operands are in locals, extended as operations.ts says. Nothing
// traps: division by zero gives 0, overflow wraps.
import {
  type Expr,
  emit,
  type Integer,
  type IntegerOps,
  i32,
  i64,
  integers,
  type Operand,
  select,
  set,
} from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { constantOf } from '../../ir/build';
import { type Inst, Op, Type } from '../../ir/ir';
import { bitsOf } from '../../ir/types';
import type { Context } from '../context';

/** An operation and the locals with its operands. */
interface Scalars {
  readonly c: Context;
  readonly inst: Inst;
  /** Instructions of the operands' WebAssembly type. */
  readonly int: IntegerOps<Integer>;
  /** Bits of the operands' type. */
  readonly width: number;
  readonly a: number;
  readonly b: number;
}

type Sequence = (scalars: Scalars) => Expr;

const SEQUENCES: Partial<Record<Op, Sequence>> = {
  [Op.Shl]: (s) => s.int.shl(s.a, shiftAmount(s)),
  [Op.LShr]: (s) => s.int.shr_u(s.a, shiftAmount(s)),
  [Op.AShr]: (s) => s.int.shr_s(s.a, shiftAmount(s)),
  [Op.Rotl]: rotate,
  [Op.SDiv]: (s) => divide(s, s.int.div_s),
  [Op.SRem]: (s) => divide(s, s.int.rem_s),
  [Op.UDiv]: (s) => divide(s, s.int.div_u),
  [Op.URem]: (s) => divide(s, s.int.rem_u),
  [Op.SMin]: ({ int, a, b }) => select(a, b, int.lt_s(a, b)),
  [Op.SMax]: ({ int, a, b }) => select(a, b, int.gt_s(a, b)),
  [Op.UMin]: ({ int, a, b }) => select(a, b, int.lt_u(a, b)),
  [Op.UMax]: ({ int, a, b }) => select(a, b, int.gt_u(a, b)),
  [Op.SAddSat]: (s) => saturating(s, true, true),
  [Op.UAddSat]: (s) => saturating(s, true, false),
  [Op.SSubSat]: (s) => saturating(s, false, true),
  [Op.USubSat]: (s) => saturating(s, false, false),
  [Op.SMulHi]: (s) => highProduct(s, true),
  [Op.UMulHi]: (s) => highProduct(s, false),
  // (a | b) - ((a ^ b) >> 1) does not overflow.
  [Op.SAvgR]: ({ int, a, b }) => int.sub(int.or(a, b), int.shr_s(int.xor(a, b), int.const(1))),
  [Op.UAvgR]: ({ int, a, b }) => int.sub(int.or(a, b), int.shr_u(int.xor(a, b), int.const(1))),
  [Op.Not]: ({ int, a }) => int.xor(a, int.const(-1)),
  [Op.Neg]: ({ int, a }) => int.sub(int.const(0), a),
  [Op.Abs]: ({ int, a }) => select(int.sub(int.const(0), a), a, int.lt_s(a, int.const(0))),
  [Op.Clz]: ({ int, a, width }) => (width < 32 ? i32.sub(i32.clz(a), i32.const(32 - width)) : int.clz(a)),
  // A bit above the type's bounds the count.
  [Op.Ctz]: ({ int, a, width }) => (width < 32 ? i32.ctz(i32.or(a, i32.const(1 << width))) : int.ctz(a)),
  [Op.PopCount]: ({ int, a }) => int.popcnt(a),
};

/** Leaves the scalar result on the stack; false if the operation is not one of these. */
export function scalarInteger(c: Context, inst: Inst, t: readonly number[]): boolean {
  const sequence = SEQUENCES[inst.op];
  if (!sequence) return false;
  const { type } = inst.operands[0]!;
  const [a, b] = t as [number, number];
  const int = integers(type === Type.I64);
  emit(c.f, sequence({ c, inst, int, width: bitsOf(type), a, b }));
  return true;
}

/** Amounts are modulo the width, as in WebAssembly for its own types. */
function shiftAmount({ b, width }: Scalars): Operand<Integer> {
  return width < 32 ? i32.and(b, i32.const(width - 1)) : b;
}

function rotate(s: Scalars): Expr {
  const { int, a, b, width } = s;
  if (width >= 32) return int.rotl(a, b);
  const by = i32.and(b, i32.const(width - 1));
  return i32.or(i32.shl(a, by), i32.shr_u(a, i32.sub(i32.const(width), by)));
}

// --- division ---

function divide(s: Scalars, code: IntegerOps<Integer>['div_s']): Expr {
  const divisor = constantOf(s.inst.operands[1]!);
  const cannotTrap = divisor !== undefined && Number(divisor) !== 0 && Number(divisor) !== -1;
  if (cannotTrap) return code(s.a, s.b);
  return s.inst.op === Op.SDiv ? signedQuotient(s) : quotientOrRemainder(s, code);
}

/**
 * A divisor of 0 is replaced by 1, so that nothing traps; the result is corrected afterwards. WebAssembly's signed remainder does
 * not trap where the quotient overflows.
 */
function quotientOrRemainder({ c, int, a, b }: Scalars, code: IntegerOps<Integer>['div_s']): Expr {
  return (f) =>
    c.withLocal(typeOf(int), (result) => {
      set(f, result, select(int.const(1), b, int.eqz(b)));
      set(f, result, code(a, result));
      emit(f, select(int.const(0), result, int.eqz(b)));
    });
}

/** Likewise; a divisor of -1 is replaced too, because the most negative number has no negation. */
function signedQuotient({ c, int, a, b }: Scalars): Expr {
  return (f) =>
    c.withLocal(typeOf(int), (result) => {
      const isZeroOrMinusOne = int.le_u(int.add(b, int.const(1)), int.const(1));
      set(f, result, select(int.const(1), b, isZeroOrMinusOne));
      set(f, result, int.div_s(a, result));
      const negated = int.sub(int.const(0), a);
      const quotient = select(negated, result, int.eq(b, int.const(-1)));
      emit(f, select(int.const(0), quotient, int.eqz(b)));
    });
}

function typeOf(int: IntegerOps<Integer>): ValType {
  return int === (i64 as IntegerOps<Integer>) ? ValType.I64 : ValType.I32;
}

// --- saturation ---

function saturating(s: Scalars, add: boolean, signed: boolean): Expr {
  if (s.width < 64) return saturatingNarrow(s, add, signed);
  return signed ? saturatingSigned(s, add) : saturatingUnsigned(s, add);
}

function saturatingUnsigned({ c, a, b }: Scalars, add: boolean): Expr {
  return (f) =>
    c.withLocal(ValType.I64, (sum) => {
      set(f, sum, add ? i64.add(a, b) : i64.sub(a, b));
      const overflows = add ? i64.lt_u(sum, a) : i64.lt_u(a, b);
      emit(f, select(i64.const(add ? -1 : 0), sum, overflows));
    });
}

/**
 * The result overflows where its sign differs from a's; and in addition for a sum from b's, for a difference where a's sign
 * differs from b's.
 */
function saturatingSigned({ c, a, b }: Scalars, add: boolean): Expr {
  return (f) =>
    c.withLocal(ValType.I64, (sum) => {
      set(f, sum, add ? i64.add(a, b) : i64.sub(a, b));
      const bound = i64.xor(i64.shr_s(a, i64.const(63)), i64.const(2n ** 63n - 1n));
      const signs = i64.and(i64.xor(a, sum), i64.xor(b, add ? sum : a));
      emit(f, select(bound, sum, i64.lt_s(signs, i64.const(0))));
    });
}

/** Narrower results fit 64 bits exactly. */
function saturatingNarrow({ c, a, b, width }: Scalars, add: boolean, signed: boolean): Expr {
  const low = i64.const(signed ? -(2n ** BigInt(width - 1)) : 0n);
  const high = i64.const(signed ? 2n ** BigInt(width - 1) - 1n : 2n ** BigInt(width) - 1n);
  const extend = signed ? i64.extend_i32_s : i64.extend_i32_u;
  const code = add ? i64.add : i64.sub;
  return (f) =>
    c.withLocal(ValType.I64, (sum) => {
      set(f, sum, code(extend(a), extend(b)));
      set(f, sum, select(low, sum, i64.lt_s(sum, low)));
      set(f, sum, select(high, sum, i64.gt_s(sum, high)));
      emit(f, i32.wrap_i64(sum));
    });
}

// --- the upper half of a product ---

function highProduct(s: Scalars, signed: boolean): Expr {
  const { a, b, width } = s;
  if (width === 64) return highProductByHalves(s, signed);
  const extend = signed ? i64.extend_i32_s : i64.extend_i32_u;
  const product = i64.mul(extend(a), extend(b));
  return i32.wrap_i64(i64.shr_u(product, i64.const(width)));
}

/** a = a1 * 2^32 + a0, and the same for b. */
function highProductByHalves({ c, a, b }: Scalars, signed: boolean): Expr {
  const low = (x: number) => i64.and(x, i64.const(0xffffffffn));
  const high = (x: number) => (signed ? i64.shr_s : i64.shr_u)(x, i64.const(32));
  return (f) =>
    c.withLocal(ValType.I64, (t) =>
      c.withLocal(ValType.I64, (u) => {
        const carry = i64.shr_u(i64.mul(low(a), low(b)), i64.const(32));
        set(f, t, i64.add(i64.mul(high(a), low(b)), carry));
        set(f, u, i64.add(i64.mul(low(a), high(b)), low(t)));
        emit(f, i64.add(i64.add(i64.mul(high(a), high(b)), high(t)), high(u)));
      }),
    );
}
