// SPDX-License-Identifier: MIT
//
// Whether a kernel observes sub-groups, or groups. If sub-groups, the lanes of a tile are a sub-group, and the cost model does not choose their
// number.
import { type Func, type Inst, Op } from '../ir/ir';
import { hasBarriers } from '../regions/split';

export function usesSubGroups(func: Func): boolean {
  return func.blocks.some((block) => block.insts.some(needsSubGroup));
}

function needsSubGroup(inst: Inst): boolean {
  if (inst.op >= Op.SubGroupSize && inst.op <= Op.SubGroupLocalId) return true;
  if (inst.op === Op.Barrier) return inst.facts.scope === 'sub-group';
  return inst.op >= Op.GroupAll && inst.op <= Op.SubGroupElect && inst.facts.scope !== 'work-group';
}

/** Whether work-items run group by group, so that no code runs them one at a time. */
export function runsByGroups(func: Func): boolean {
  return hasBarriers(func) || usesSubGroups(func);
}
