// SPDX-License-Identifier: MIT
//
// Operations that are one WebAssembly instruction: on scalars by operand type, and on vectors by operand type. Narrow
// integers live in 32 bits with undefined upper bits; operations that can see those bits are marked.
import { Wasm } from '../../../wasm/opcodes';
import { Op, Type } from '../../ir/ir';

/** How operands must be extended to 32 bits first: not at all, by sign or by zeros. */
export enum Extend {
  None,
  Sign,
  Zero,
}

export interface Simple {
  readonly code: Wasm;
  readonly extend: Extend;
}

type Row = readonly [op: Op, i32: Wasm | 0, i64: Wasm | 0, i32x4: Wasm | 0, i64x2: Wasm | 0, extend: Extend];

const INTEGER: readonly Row[] = [
  [Op.Add, Wasm.i32_add, Wasm.i64_add, Wasm.i32x4_add, Wasm.i64x2_add, Extend.None],
  [Op.Sub, Wasm.i32_sub, Wasm.i64_sub, Wasm.i32x4_sub, Wasm.i64x2_sub, Extend.None],
  [Op.Mul, Wasm.i32_mul, Wasm.i64_mul, Wasm.i32x4_mul, Wasm.i64x2_mul, Extend.None],
  [Op.And, Wasm.i32_and, Wasm.i64_and, Wasm.v128_and, Wasm.v128_and, Extend.None],
  [Op.Or, Wasm.i32_or, Wasm.i64_or, Wasm.v128_or, Wasm.v128_or, Extend.None],
  [Op.Xor, Wasm.i32_xor, Wasm.i64_xor, Wasm.v128_xor, Wasm.v128_xor, Extend.None],
  [Op.SMin, 0, 0, Wasm.i32x4_min_s, 0, Extend.Sign],
  [Op.SMax, 0, 0, Wasm.i32x4_max_s, 0, Extend.Sign],
  [Op.UMin, 0, 0, Wasm.i32x4_min_u, 0, Extend.Zero],
  [Op.UMax, 0, 0, Wasm.i32x4_max_u, 0, Extend.Zero],
  [Op.Eq, Wasm.i32_eq, Wasm.i64_eq, Wasm.i32x4_eq, Wasm.i64x2_eq, Extend.Zero],
  [Op.Ne, Wasm.i32_ne, Wasm.i64_ne, Wasm.i32x4_ne, Wasm.i64x2_ne, Extend.Zero],
  [Op.SLt, Wasm.i32_lt_s, Wasm.i64_lt_s, Wasm.i32x4_lt_s, Wasm.i64x2_lt_s, Extend.Sign],
  [Op.SLe, Wasm.i32_le_s, Wasm.i64_le_s, Wasm.i32x4_le_s, Wasm.i64x2_le_s, Extend.Sign],
  [Op.SGt, Wasm.i32_gt_s, Wasm.i64_gt_s, Wasm.i32x4_gt_s, Wasm.i64x2_gt_s, Extend.Sign],
  [Op.SGe, Wasm.i32_ge_s, Wasm.i64_ge_s, Wasm.i32x4_ge_s, Wasm.i64x2_ge_s, Extend.Sign],
  [Op.ULt, Wasm.i32_lt_u, Wasm.i64_lt_u, Wasm.i32x4_lt_u, 0, Extend.Zero],
  [Op.ULe, Wasm.i32_le_u, Wasm.i64_le_u, Wasm.i32x4_le_u, 0, Extend.Zero],
  [Op.UGt, Wasm.i32_gt_u, Wasm.i64_gt_u, Wasm.i32x4_gt_u, 0, Extend.Zero],
  [Op.UGe, Wasm.i32_ge_u, Wasm.i64_ge_u, Wasm.i32x4_ge_u, 0, Extend.Zero],
  [Op.Neg, 0, 0, Wasm.i32x4_neg, Wasm.i64x2_neg, Extend.None],
  [Op.Abs, 0, 0, Wasm.i32x4_abs, Wasm.i64x2_abs, Extend.Sign],
  [Op.Not, 0, 0, Wasm.v128_not, Wasm.v128_not, Extend.None],
];

type FloatRow = readonly [op: Op, f32: Wasm | 0, f64: Wasm | 0, f32x4: Wasm | 0, f64x2: Wasm | 0];

const FLOAT: readonly FloatRow[] = [
  [Op.FAdd, Wasm.f32_add, Wasm.f64_add, Wasm.f32x4_add, Wasm.f64x2_add],
  [Op.FSub, Wasm.f32_sub, Wasm.f64_sub, Wasm.f32x4_sub, Wasm.f64x2_sub],
  [Op.FMul, Wasm.f32_mul, Wasm.f64_mul, Wasm.f32x4_mul, Wasm.f64x2_mul],
  [Op.FDiv, Wasm.f32_div, Wasm.f64_div, Wasm.f32x4_div, Wasm.f64x2_div],
  [Op.FNeg, Wasm.f32_neg, Wasm.f64_neg, Wasm.f32x4_neg, Wasm.f64x2_neg],
  [Op.FAbs, Wasm.f32_abs, Wasm.f64_abs, Wasm.f32x4_abs, Wasm.f64x2_abs],
  [Op.FSqrt, Wasm.f32_sqrt, Wasm.f64_sqrt, Wasm.f32x4_sqrt, Wasm.f64x2_sqrt],
  [Op.FFloor, Wasm.f32_floor, Wasm.f64_floor, Wasm.f32x4_floor, Wasm.f64x2_floor],
  [Op.FCeil, Wasm.f32_ceil, Wasm.f64_ceil, Wasm.f32x4_ceil, Wasm.f64x2_ceil],
  [Op.FTrunc, Wasm.f32_trunc, Wasm.f64_trunc, Wasm.f32x4_trunc, Wasm.f64x2_trunc],
  [Op.FRint, Wasm.f32_nearest, Wasm.f64_nearest, Wasm.f32x4_nearest, Wasm.f64x2_nearest],
  [Op.FCopySign, Wasm.f32_copysign, Wasm.f64_copysign, 0, 0],
  [Op.FEq, Wasm.f32_eq, Wasm.f64_eq, Wasm.f32x4_eq, Wasm.f64x2_eq],
  [Op.FNe, Wasm.f32_ne, Wasm.f64_ne, Wasm.f32x4_ne, Wasm.f64x2_ne],
  [Op.FLt, Wasm.f32_lt, Wasm.f64_lt, Wasm.f32x4_lt, Wasm.f64x2_lt],
  [Op.FLe, Wasm.f32_le, Wasm.f64_le, Wasm.f32x4_le, Wasm.f64x2_le],
  [Op.FGt, Wasm.f32_gt, Wasm.f64_gt, Wasm.f32x4_gt, Wasm.f64x2_gt],
  [Op.FGe, Wasm.f32_ge, Wasm.f64_ge, Wasm.f32x4_ge, Wasm.f64x2_ge],
];

const TYPES = 16;
const scalarTable: (Simple | undefined)[] = [];
const vectorTable: (Simple | undefined)[] = [];

function enter(table: (Simple | undefined)[], op: Op, type: Type, code: Wasm | 0, extend: Extend): void {
  if (code !== 0) table[op * TYPES + type] = { code, extend };
}

for (const [op, i32, i64, i32x4, i64x2, extend] of INTEGER) {
  for (const type of [Type.I8, Type.I16, Type.I32]) {
    const needed = type === Type.I32 ? Extend.None : extend;
    enter(scalarTable, op, type, i32, needed);
    enter(vectorTable, op, type, i32x4, needed);
  }
  enter(scalarTable, op, Type.I64, i64, Extend.None);
  enter(vectorTable, op, Type.I64, i64x2, Extend.None);
}
for (const op of [Op.And, Op.Or, Op.Xor]) {
  scalarTable[op * TYPES + Type.I1] = scalarTable[op * TYPES + Type.I32];
  vectorTable[op * TYPES + Type.I1] = vectorTable[op * TYPES + Type.I32];
}
enter(vectorTable, Op.Not, Type.I1, Wasm.v128_not, Extend.None);
enter(scalarTable, Op.Not, Type.I1, Wasm.i32_eqz, Extend.None);
enter(scalarTable, Op.Eq, Type.I1, Wasm.i32_eq, Extend.None);
enter(scalarTable, Op.Ne, Type.I1, Wasm.i32_ne, Extend.None);
enter(vectorTable, Op.Eq, Type.I1, Wasm.i32x4_eq, Extend.None);
enter(vectorTable, Op.Ne, Type.I1, Wasm.v128_xor, Extend.None);
for (const [op, f32, f64, f32x4, f64x2] of FLOAT) {
  enter(scalarTable, op, Type.F32, f32, Extend.None);
  enter(scalarTable, op, Type.F64, f64, Extend.None);
  enter(vectorTable, op, Type.F32, f32x4, Extend.None);
  enter(vectorTable, op, Type.F64, f64x2, Extend.None);
}

/** The one instruction for an operation on scalars whose first operand has this type. */
export function scalarInstruction(op: Op, type: Type): Simple | undefined {
  return scalarTable[op * TYPES + type];
}

export function vectorInstruction(op: Op, type: Type): Simple | undefined {
  return vectorTable[op * TYPES + type];
}
