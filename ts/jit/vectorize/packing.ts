// SPDX-License-Identifier: MIT
//
// Which narrow values are held as they lie in memory, sixteen bytes or eight halves to a vector, instead of one to each
// 32 bits: what is read side by side, what is computed of that, and what is narrowed to be computed with or stored so.
import type { Divergence } from '../analyses/divergence';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { patternOf } from './access';

/** Bits of an element. */
export type PackedWidth = 8 | 16;

/** Operations on packed operands of the result's type. */
const ARITHMETIC = new Set([
  Op.Add,
  Op.Sub,
  Op.Mul,
  Op.And,
  Op.Or,
  Op.Xor,
  Op.Not,
  Op.Neg,
  Op.Abs,
  Op.SMin,
  Op.SMax,
  Op.UMin,
  Op.UMax,
  Op.SAddSat,
  Op.UAddSat,
  Op.SSubSat,
  Op.USubSat,
  Op.SAvgR,
  Op.UAvgR,
]);
const SHIFTS = new Set([Op.Shl, Op.LShr, Op.AShr]);

export function isComparison(op: Op): boolean {
  return op >= Op.Eq && op <= Op.UGe;
}

/** The width at which values of a type are packed in tiles of so many lanes, if they are. */
export function packedWidth(type: Type, lanes: number): PackedWidth | undefined {
  if (type === Type.I8 && lanes >= 16) return 8;
  return type === Type.I16 && lanes >= 8 ? 16 : undefined;
}

/** By value id: the widths of packed values. `excluded`: values that other code expects in 32 bits. */
export function choosePacked(
  func: Func,
  divergence: Divergence,
  interleavedBytes: (access: Inst) => number | undefined,
  lanes: number,
  excluded: (v: Value) => boolean,
): Map<number, PackedWidth> {
  const packed = new Map<number, PackedWidth>();
  const users = new Map<number, { user: Inst; block: Block }[]>();
  const isVector = (v: Value) => Number.isNaN(divergence.stride[v.id]!);
  const sideBySide = (access: Inst, block: Block) => {
    if (access.facts.volatile) return false;
    const pattern = patternOf(divergence, access, block);
    return pattern === (interleavedBytes(access) === undefined ? 'contiguous' : 'uniform');
  };
  const isPackedOperand = (v: Value, block: Block, width: PackedWidth) =>
    isVector(v) ? packed.get(v.id) === width : !divergence.escapes(v, block);
  /** Whether an operation only takes packed operands and such that all lanes share, and at least one packed one. */
  const fits = (operands: readonly Value[], block: Block, width: PackedWidth) =>
    operands.every((o) => isPackedOperand(o, block, width)) && operands.some((o) => packed.has(o.id));
  const isPackable = (inst: Inst, block: Block, width: PackedWidth): boolean => {
    const { op, operands } = inst;
    if (op === Op.Load) return sideBySide(inst, block);
    if (ARITHMETIC.has(op)) return fits(operands, block, width);
    if (op === Op.Select)
      return (
        operands.slice(1).every((o) => isPackedOperand(o, block, width)) &&
        operands.some((o) => packed.has(o.id))
      );
    if (op === Op.ZExt && operands[0]!.type === Type.I1) return packed.has(operands[0]!.id);
    if (SHIFTS.has(op))
      return (
        packed.get(operands[0]!.id) === width &&
        !isVector(operands[1]!) &&
        !divergence.escapes(operands[1]!, block)
      );
    const extends8 = (op === Op.ZExt || op === Op.SExt) && operands[0]!.type === Type.I8;
    if (extends8 && packed.get(operands[0]!.id) === 8) return true;
    if (!extends8 && op !== Op.Trunc && op !== Op.FToS && op !== Op.FToU) return false;
    if (!extends8 && packed.has(operands[0]!.id)) return true;
    return (users.get(inst.id) ?? []).every(
      ({ user, block: at }) =>
        (user.op === Op.Store && user.operands[0] !== inst && sideBySide(user, at)) ||
        ARITHMETIC.has(user.op),
    );
  };

  /** The width of the masks that a comparison of packed values gives, or a combination of such. */
  const truthWidth = (inst: Inst, block: Block): PackedWidth | undefined => {
    const { op, operands } = inst;
    if (isComparison(op)) {
      const width = packedWidth(operands[0]!.type, lanes);
      return width && fits(operands, block, width) ? width : undefined;
    }
    if (op !== Op.And && op !== Op.Or && op !== Op.Xor && op !== Op.Not) return undefined;
    let width: PackedWidth | undefined;
    for (const o of operands) {
      if (!isVector(o) && !divergence.escapes(o, block)) continue;
      const own = packed.get(o.id);
      if (!own) return undefined;
      if (!width || own > width) width = own;
    }
    return width;
  };

  const blocks = func.blocks;
  if (!blocks.some((b) => b.insts.some((i) => packedWidth(i.type, lanes)))) return packed;
  for (const block of blocks) {
    for (const inst of block.insts)
      for (const o of inst.operands) {
        const list = users.get(o.id);
        if (list) list.push({ user: inst, block });
        else users.set(o.id, [{ user: inst, block }]);
      }
  }
  for (const block of blocks)
    for (const inst of block.insts) {
      if (!isVector(inst) || excluded(inst)) continue;
      if (inst.type === Type.I1) {
        const width = truthWidth(inst, block);
        if (width) packed.set(inst.id, width);
        continue;
      }
      const width = packedWidth(inst.type, lanes);
      if (width && isPackable(inst, block, width)) packed.set(inst.id, width);
    }
  return packed;
}

/** Whether an instruction of sixteen lanes is one on packed bytes, as far as can be said of it alone. */
export function isOfBytes(block: Block, inst: Inst, divergence: Divergence): boolean {
  const type =
    inst.op === Op.Store
      ? inst.operands[1]!.type
      : isComparison(inst.op)
        ? inst.operands[0]!.type
        : inst.type;
  if (type !== Type.I8) return false;
  if (inst.op === Op.Load || inst.op === Op.Store)
    return !inst.facts.volatile && patternOf(divergence, inst, block) === 'contiguous';
  return ARITHMETIC.has(inst.op) || SHIFTS.has(inst.op) || inst.op === Op.Select || isComparison(inst.op);
}
