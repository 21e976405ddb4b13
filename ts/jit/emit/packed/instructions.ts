// SPDX-License-Identifier: MIT
//
// Operations on packed values that are one WebAssembly instruction.
import { Wasm } from '../../../wasm/opcodes';
import { Op } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';

type Codes = readonly [bytes: Wasm, halves: Wasm];

const INSTRUCTIONS: Partial<Record<Op, Codes>> = {
  [Op.Add]: [Wasm.i8x16_add, Wasm.i16x8_add],
  [Op.Sub]: [Wasm.i8x16_sub, Wasm.i16x8_sub],
  [Op.And]: [Wasm.v128_and, Wasm.v128_and],
  [Op.Or]: [Wasm.v128_or, Wasm.v128_or],
  [Op.Xor]: [Wasm.v128_xor, Wasm.v128_xor],
  [Op.Not]: [Wasm.v128_not, Wasm.v128_not],
  [Op.Neg]: [Wasm.i8x16_neg, Wasm.i16x8_neg],
  [Op.Abs]: [Wasm.i8x16_abs, Wasm.i16x8_abs],
  [Op.SMin]: [Wasm.i8x16_min_s, Wasm.i16x8_min_s],
  [Op.SMax]: [Wasm.i8x16_max_s, Wasm.i16x8_max_s],
  [Op.UMin]: [Wasm.i8x16_min_u, Wasm.i16x8_min_u],
  [Op.UMax]: [Wasm.i8x16_max_u, Wasm.i16x8_max_u],
  [Op.SAddSat]: [Wasm.i8x16_add_sat_s, Wasm.i16x8_add_sat_s],
  [Op.UAddSat]: [Wasm.i8x16_add_sat_u, Wasm.i16x8_add_sat_u],
  [Op.SSubSat]: [Wasm.i8x16_sub_sat_s, Wasm.i16x8_sub_sat_s],
  [Op.USubSat]: [Wasm.i8x16_sub_sat_u, Wasm.i16x8_sub_sat_u],
  [Op.UAvgR]: [Wasm.i8x16_avgr_u, Wasm.i16x8_avgr_u],
  [Op.Eq]: [Wasm.i8x16_eq, Wasm.i16x8_eq],
  [Op.Ne]: [Wasm.i8x16_ne, Wasm.i16x8_ne],
  [Op.SLt]: [Wasm.i8x16_lt_s, Wasm.i16x8_lt_s],
  [Op.SLe]: [Wasm.i8x16_le_s, Wasm.i16x8_le_s],
  [Op.SGt]: [Wasm.i8x16_gt_s, Wasm.i16x8_gt_s],
  [Op.SGe]: [Wasm.i8x16_ge_s, Wasm.i16x8_ge_s],
  [Op.ULt]: [Wasm.i8x16_lt_u, Wasm.i16x8_lt_u],
  [Op.ULe]: [Wasm.i8x16_le_u, Wasm.i16x8_le_u],
  [Op.UGt]: [Wasm.i8x16_gt_u, Wasm.i16x8_gt_u],
  [Op.UGe]: [Wasm.i8x16_ge_u, Wasm.i16x8_ge_u],
  [Op.Shl]: [Wasm.i8x16_shl, Wasm.i16x8_shl],
  [Op.LShr]: [Wasm.i8x16_shr_u, Wasm.i16x8_shr_u],
  [Op.AShr]: [Wasm.i8x16_shr_s, Wasm.i16x8_shr_s],
};

/** The one instruction for an operation on packed values. */
export function packedInstruction(op: Op, width: PackedWidth): Wasm | undefined {
  return INSTRUCTIONS[op]?.[width === 8 ? 0 : 1];
}
