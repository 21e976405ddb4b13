// SPDX-License-Identifier: MIT
//
// Packed values that truth values choose: selects, and truth values as numbers. A mask is all ones or zero, so most need no select.
import { Wasm } from '../../../wasm/opcodes';
import { constantAmount, constantOf } from '../../ir/build';
import { Op, Type, type Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import { cheaperOpposite, type Opposite } from '../arithmetic/comparisons';
import type { Context } from '../context';
import { selectPacked } from '../control/masks';
import { packedInstruction } from './instructions';
import { type PackedVector, packedConstant, pushMask, pushPacked } from './values';

export function packedSelect(c: Context, vector: PackedVector): void {
  if (pushMasked(c, vector)) return;
  const { inst, width, row, group, push } = vector;
  const condition = inst.operands[0]!;
  const opposite = narrowOpposite(c, condition, width);
  push(opposite ? 2 : 1);
  push(opposite ? 1 : 2);
  if (opposite) {
    emitOpposite(c, opposite, vector);
    selectPacked(c, width);
  } else pushChoice(c, condition, width, row, group);
}

/** Of conditions that are as narrow as the select. */
const narrowOpposite = (c: Context, condition: Value, width: PackedWidth): Opposite | undefined =>
  c.plan.packed.get(condition.id) === width ? cheaperOpposite(c, condition) : undefined;

function emitOpposite(c: Context, { op, operands }: Opposite, { width, row, group }: PackedVector): void {
  for (const o of operands) pushPacked(c, o, width, row, group);
  c.f.op(packedInstruction(op, width)!);
}

/** A select between a number and zero: the mask, or the number's bits in it. Returns whether it is one. */
function pushMasked(c: Context, vector: PackedVector): boolean {
  const { inst, width, row, group, push } = vector;
  const { operands } = inst;
  const { f } = c;
  const [condition, ...sides] = operands as [Value, Value, Value];
  const at = sides.findIndex((side) => Number(constantOf(side) ?? 1) === 0);
  if (at < 0 || !c.isVectorHere(condition)) return false;
  const isAll = Number(constantOf(sides[1 - at]!) ?? 0) === -1;
  const opposite = narrowOpposite(c, condition, width);
  const inverted = (at === 0) !== (opposite !== undefined);
  if (inverted) push(2 - at);
  if (opposite) emitOpposite(c, opposite, vector);
  else pushMask(c, condition, width, row, group);
  if (inverted) f.op(Wasm.v128_andnot);
  else if (!isAll) {
    push(2 - at);
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
  selectPacked(c, width);
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
