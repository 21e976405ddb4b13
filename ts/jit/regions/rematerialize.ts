// SPDX-License-Identifier: MIT
//
// Rematerialization: values that are cheaper to recompute in each region than to keep for every work-item. These are short
// integer arithmetic on ids and arguments, mostly addresses.
import { isPrologueOp } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';

const DEEPEST = 6;

function isCheap(inst: Inst): boolean {
  if (inst.type !== Type.I32 && inst.type !== Type.I1) return false;
  switch (inst.op) {
    case Op.Add:
    case Op.Sub:
    case Op.Mul:
    case Op.And:
    case Op.Or:
    case Op.Xor:
    case Op.Shl:
    case Op.LShr:
    case Op.AShr:
    case Op.Neg:
    case Op.Not:
    case Op.Trunc:
    case Op.ZExt:
    case Op.SExt:
      return true;
    default:
      return inst.op >= Op.Eq && inst.op <= Op.UGe;
  }
}

export class Rematerializer {
  private readonly depths = new Map<Value, number>();

  canCompute(value: Value): boolean {
    return this.depthOf(value) <= DEEPEST;
  }

  private depthOf(value: Value): number {
    if (value.kind !== 'inst') return Number.POSITIVE_INFINITY;
    if (isPrologueOp(value.op)) return 0;
    const known = this.depths.get(value);
    if (known !== undefined) return known;
    let depth = isCheap(value) ? 1 : Number.POSITIVE_INFINITY;
    if (depth === 1) for (const o of value.operands) depth = Math.max(depth, this.depthOf(o) + 1);
    this.depths.set(value, depth);
    return depth;
  }

  /** The instructions that compute the values, operands first. */
  chainOf(values: Iterable<Value>): Inst[] {
    const result = new Set<Inst>();
    const visit = (value: Value) => {
      if (value.kind !== 'inst' || isPrologueOp(value.op) || result.has(value)) return;
      for (const o of value.operands) visit(o);
      result.add(value);
    };
    for (const value of values) visit(value);
    return [...result];
  }
}
