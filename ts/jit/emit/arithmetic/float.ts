// SPDX-License-Identifier: MIT
//
// Float operations that take several instructions. Operands are in locals.
import {
  type Expr,
  emit,
  type Float,
  type FloatOps,
  f32x4,
  floats,
  floatVectors,
  i32,
  v128,
} from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { type Inst, Op, Type } from '../../ir/ir';
import type { Context } from '../context';
import { laneSelect } from '../control/masks';
import { remainder } from './float-remainder';
import { fusedFloat, fusedFloats, fusedMultiplyAdd, PAIR, SCALAR } from './fused-multiply-add';
import { roundToHalf, scalarFloatToHalf, scalarHalfToFloat } from './half';

/** An operation and the locals with its operands. */
interface Operands {
  readonly c: Context;
  readonly inst: Inst;
  readonly wide: boolean;
  readonly a: number;
  readonly b: number;
  readonly d: number;
}

interface Scalars extends Operands {
  /** Instructions of the operands' type. */
  readonly float: FloatOps<Float>;
}

const SCALAR_SEQUENCES: Partial<Record<Op, (scalars: Scalars) => Expr>> = {
  [Op.FMin]: scalarExtreme,
  [Op.FMax]: scalarExtreme,
  [Op.FUnordered]: ({ float, a, b }) => i32.or(float.ne(a, a), float.ne(b, b)),
  [Op.MulAdd]: scalarMulAdd,
  [Op.Fma]: scalarFma,
  [Op.FRoundHalf]: ({ c, a }) => scalarHalfToFloat(c, scalarFloatToHalf(c, a)),
  [Op.FRem]: ({ c, a, b }) => remainder(c, a, b),
};

const VECTOR_SEQUENCES: Partial<Record<Op, (operands: Operands) => Expr<'v128'> | undefined>> = {
  [Op.FMin]: ({ c, inst, a, b }) => vectorExtreme(c, inst, a, b),
  [Op.FMax]: ({ c, inst, a, b }) => vectorExtreme(c, inst, a, b),
  [Op.FUnordered]: ({ wide, a, b }) => (wide ? undefined : v128.or(f32x4.ne(a, a), f32x4.ne(b, b))),
  [Op.FCopySign]: ({ c, wide, a, b }) => v128.bitselect(b, a, signBits(c, wide)),
  [Op.Fma]: vectorFma,
  [Op.FRoundHalf]: ({ c, a }) => roundToHalf(c, a),
};

function operandsOf(c: Context, inst: Inst, t: readonly number[]): Operands | undefined {
  const { type } = inst.operands[0]!;
  if (type !== Type.F32 && type !== Type.F64) return undefined;
  const [a, b, d] = t as [number, number, number];
  return { c, inst, wide: type === Type.F64, a, b, d };
}

/** Leaves the scalar result on the stack; false if the operation is not one of these. */
export function scalarFloat(c: Context, inst: Inst, t: readonly number[]): boolean {
  const operands = operandsOf(c, inst, t);
  const sequence = operands && SCALAR_SEQUENCES[inst.op];
  if (!sequence) return false;
  emit(c.f, sequence({ ...operands, float: floats(operands.wide) }));
  return true;
}

/** Leaves one vector of the result on the stack; false if there is no vector instruction. */
export function vectorFloat(c: Context, inst: Inst, t: readonly number[]): boolean {
  const operands = operandsOf(c, inst, t);
  const result = operands && VECTOR_SEQUENCES[inst.op]?.(operands);
  if (!result) return false;
  emit(c.f, result);
  return true;
}

/** Checked kernels run one work-item at a time, and round as the vectors of unchecked ones do. */
function scalarMulAdd({ c, float, wide, a, b, d }: Scalars): Expr {
  if (!c.relaxedSimd || c.plan.kernel.checkCalls.size === 0) return float.add(float.mul(a, b), d);
  const vector = floatVectors(wide);
  return vector.extract_lane(vector.relaxed_madd(vector.splat(a), vector.splat(b), vector.splat(d)), 0);
}

function scalarFma({ c, wide, a, b, d }: Scalars): Expr {
  if (c.engine.fusedMultiplyAdd) {
    const vector = floatVectors(wide);
    const sum = vector.relaxed_madd(vector.splat(a), vector.splat(b), vector.splat(d));
    return vector.extract_lane(sum, 0);
  }
  return wide ? fusedMultiplyAdd(c, SCALAR, a, b, d) : fusedFloat(c, a, b, d);
}

function vectorFma({ c, wide, a, b, d }: Operands): Expr<'v128'> {
  if (c.engine.fusedMultiplyAdd) return floatVectors(wide).relaxed_madd(a, b, d);
  return wide ? fusedMultiplyAdd(c, PAIR, a, b, d) : fusedFloats(c, a, b, d);
}

/** As vectors, because V8 compiles a select of scalar floats to a jump. */
function scalarExtreme({ c, inst, wide, a, b }: Scalars): Expr {
  const vector = floatVectors(wide);
  return (f) => {
    c.withLocal(ValType.V128, (x) =>
      c.withLocal(ValType.V128, (y) => {
        emit(f, vector.splat(a));
        f.set(x);
        emit(f, vector.splat(b));
        f.set(y);
        emit(f, vector.extract_lane(vectorExtreme(c, inst, x, y), 0));
      }),
    );
  };
}

/** The minimum or maximum of two vectors; if one operand is a NaN, the other one is the result. */
function vectorExtreme(c: Context, inst: Inst, a: number, b: number): Expr<'v128'> {
  const vector = floatVectors(inst.type === Type.F64);
  // The result is a unless b is less (FMin) or greater (FMax).
  const extreme = inst.op === Op.FMin ? vector.pmin(a, b) : vector.pmax(a, b);
  if (inst.facts.byComparison || inst.facts.fast?.noNaN) return extreme;
  return laneSelect(c, inst.type, extreme, b, vector.eq(a, a));
}

function signBits(c: Context, wide: boolean): Expr<'v128'> {
  return wide ? c.constants.splatExpr(Type.I64, -(2n ** 63n)) : c.constants.splatExpr(Type.I32, -(2 ** 31));
}
