// SPDX-License-Identifier: MIT
//
// `x > y ? y : x` and its like as FMin and FMax by comparison: one instruction of a vector for two, and no mask, which
// doubles would have to narrow and widen. Last of all, as those operations treat NaN otherwise without the fact.
import { type Func, type Inst, Op, Type } from '../ir/ir';

export function selectExtremes(func: Func): boolean {
  let changed = false;
  for (const block of func.blocks)
    for (const inst of block.insts) {
      if (inst.op !== Op.Select || (inst.type !== Type.F32 && inst.type !== Type.F64)) continue;
      const extreme = extremeOf(inst);
      if (!extreme) continue;
      inst.op = extreme.op;
      inst.operands = extreme.operands;
      inst.facts = { ...inst.facts, byComparison: true };
      changed = true;
    }
  return changed;
}

/** The result unless the comparison holds comes first: FMin gives `operands[1] < operands[0] ? operands[1] : operands[0]`. */
function extremeOf(select: Inst): { op: Op; operands: Inst['operands'] } | undefined {
  const [condition, then, otherwise] = select.operands;
  if (condition?.kind !== 'inst' || (condition.op !== Op.FLt && condition.op !== Op.FGt)) return undefined;
  const [left, right] = condition.operands;
  const isLeast = then === left && otherwise === right;
  if (!isLeast && !(then === right && otherwise === left)) return undefined;
  const op = isLeast === (condition.op === Op.FLt) ? Op.FMin : Op.FMax;
  return { op, operands: [otherwise!, then!] };
}
