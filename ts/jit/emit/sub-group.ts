// SPDX-License-Identifier: MIT
//
// Sub-group operations. The lanes of a tile are a sub-group (ADR 16): their operations are done in registers, on the active
// lanes, and through the tile's frame where the source lanes are known only at run time. In the scalar variant a sub-group is one
// work-item.

import { invariant } from '../../base/invariant';
import { type Inst, Op, type Value } from '../ir/ir';
import { identityOf } from '../ir/reductions';
import type { Context } from './context';
import { broadcast, type Exchange, shuffle } from './sub-group/exchanges';
import { reduce, scan } from './sub-group/reductions';
import { ballot, elect, vote } from './sub-group/votes';

export function emitSubGroup(c: Context, inst: Inst, exchange: Exchange): void {
  if (c.lanes === 1) {
    emitForOneLane(c, inst);
    return;
  }
  invariant(c.rows === 1, 'a sub-group is a row of work-items');
  switch (inst.op) {
    case Op.GroupAll:
    case Op.GroupAny:
      vote(c, inst);
      return;
    case Op.SubGroupBallot:
      ballot(c, inst);
      return;
    case Op.SubGroupElect:
      elect(c, inst);
      return;
    case Op.GroupReduce:
      reduce(c, inst);
      return;
    case Op.GroupScanInclusive:
    case Op.GroupScanExclusive:
      scan(c, inst);
      return;
    case Op.GroupBroadcast:
      if (c.isVector(inst)) shuffle(c, inst, exchange);
      else broadcast(c, inst, exchange);
      return;
    default:
      shuffle(c, inst, exchange);
  }
}

function emitForOneLane(c: Context, inst: Inst): void {
  const { f } = c;
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
  f.set(c.registersOf(inst)[0]!);
}
