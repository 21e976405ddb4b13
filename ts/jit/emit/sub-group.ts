// SPDX-License-Identifier: MIT
//
// Sub-group operations of kernels that run one work-item at a time: a sub-group is one work-item.
import { invariant } from '../../base/invariant';
import { type Inst, Op, type Value } from '../ir/ir';
import { identityOf } from '../ir/reductions';
import type { Context } from './context';

/** Whether a kernel with this instruction is compiled for single work-items. */
export function needsSubGroup(inst: Inst): boolean {
  if (inst.op >= Op.SubGroupSize && inst.op <= Op.SubGroupLocalId) return true;
  return inst.op >= Op.GroupAll && inst.op <= Op.SubGroupElect && inst.facts.scope !== 'work-group';
}

export function emitSubGroup(c: Context, inst: Inst): void {
  invariant(c.lanes === 1 && c.rows === 1, 'sub-group operations are compiled for single work-items');
  const { f } = c;
  const local = c.registersOf(inst)[0]!;
  const value: Value | undefined = inst.operands[0];
  switch (inst.op) {
    case Op.GroupScanExclusive:
      c.constant(inst.type, identityOf(inst.facts.reduction!, inst.type));
      break;
    case Op.SubGroupBallot:
      if ((inst.facts.component ?? 0) === 0) c.scalar(value!, 0);
      else f.i32(0);
      break;
    case Op.SubGroupElect:
      f.i32(1);
      break;
    default:
      c.scalar(value!, 0);
  }
  f.set(local);
}
