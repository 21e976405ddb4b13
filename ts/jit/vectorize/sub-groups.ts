// SPDX-License-Identifier: MIT
//
// Whether a kernel observes sub-groups. If so, the lanes of a tile are a sub-group, and the cost model does not choose their
// number.
import { type Func, type Inst, Op } from '../ir/ir';

export function usesSubGroups(func: Func): boolean {
  return func.blocks.some((block) => block.insts.some(needsSubGroup));
}

function needsSubGroup(inst: Inst): boolean {
  if (inst.op >= Op.SubGroupSize && inst.op <= Op.SubGroupLocalId) return true;
  if (inst.op === Op.Barrier) return inst.facts.scope === 'sub-group';
  return inst.op >= Op.GroupAll && inst.op <= Op.SubGroupElect && inst.facts.scope !== 'work-group';
}
