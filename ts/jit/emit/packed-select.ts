// SPDX-License-Identifier: MIT
//
// Packed values that truth values choose: selects, and truth values as numbers. A mask is all ones or zero, so most need no select.
import { Wasm } from '../../wasm/opcodes';
import { constantAmount, constantOf } from '../ir/build';
import { Op, Type, type Value } from '../ir/ir';
import type { PackedWidth } from '../vectorize/plan';
import type { Context } from './context';
import { type PackedVector, packedConstant, pushMask } from './packed-values';

export function packedSelect(c: Context, vector: PackedVector): void {
  if (pushMasked(c, vector)) return;
  const { inst, width, row, group, push } = vector;
  push(1);
  push(2);
  pushChoice(c, inst.operands[0]!, width, row, group);
}

/** A select between a constant and zero: the mask, or some of its bits. Returns whether it is one. */
function pushMasked(c: Context, { inst: { operands }, width, row, group }: PackedVector): boolean {
  const { f } = c;
  const [condition, yes, no] = operands as [Value, Value, Value];
  const numbers = [constantOf(yes), constantOf(no)].map((n) => (n === undefined ? n : Number(n)));
  const at = numbers.indexOf(0);
  const other = numbers[1 - at];
  if (at < 0 || other === undefined || !c.isVectorHere(condition)) return false;
  const inverted = at === 0;
  if (inverted) packedConstant(c, width, other);
  pushMask(c, condition, width, row, group);
  if (inverted) f.op(Wasm.v128_andnot);
  else if (other !== -1) {
    packedConstant(c, width, other);
    f.op(Wasm.v128_and);
  }
  return true;
}

/** Chooses between the two vectors on the stack. */
function pushChoice(c: Context, condition: Value, width: PackedWidth, row: number, group: number): void {
  const { f } = c;
  if (!c.isVectorHere(condition)) {
    c.scalar(condition, row);
    f.op(Wasm.select);
    return;
  }
  pushMask(c, condition, width, row, group);
  if (!c.relaxedSimd) f.op(Wasm.v128_bitselect);
  else f.op(width === 8 ? Wasm.i8x16_relaxed_laneselect : Wasm.i16x8_relaxed_laneselect);
}

/** A truth value that is shifted to a bit: this bit of its mask. Returns whether it is one. */
export function pushShiftedTruth(
  c: Context,
  { inst: { op, operands }, width, row, group }: PackedVector,
): boolean {
  const [bit, amount] = operands as [Value, Value];
  const by = constantAmount(amount);
  if (op !== Op.Shl || by === undefined || bit.kind !== 'inst' || bit.op !== Op.ZExt || !c.isInline(bit))
    return false;
  const [truth] = bit.operands as [Value];
  if (truth.type !== Type.I1) return false;
  pushMask(c, truth, width, row, group);
  packedConstant(c, width, 1 << by);
  c.f.op(Wasm.v128_and);
  return true;
}
