// SPDX-License-Identifier: MIT
//
// What the device needs to know of a kernel to schedule it: the approximate time of a work-item, whether the kernel certainly
// terminates, and whether it depends on how work-items are grouped.
import { constantOf } from '../ir/build';
import { dominatorsOf } from '../ir/cfg';
import { type Block, type Func, type Inst, Op } from '../ir/ir';
import { calleesOf } from '../ir/rewrite';

export interface LaunchFacts {
  /** Roughly the nanoseconds of one work-item. */
  readonly scalarCost: number;
  readonly bounded: boolean;
  readonly groupsUnobservable: boolean;
}

/** The assumed trip count of a loop whose trip count is unknown. */
const GUESSED_TRIPS = 16;
/** The cost of one instruction for one work-item, before vectorization. */
const NANOSECONDS = 0.4;

const WEIGHTS: Partial<Record<Op, number>> = {
  [Op.Const]: 0,
  [Op.Undef]: 0,
  [Op.Argument]: 0,
  [Op.SDiv]: 8,
  [Op.UDiv]: 8,
  [Op.SRem]: 8,
  [Op.URem]: 8,
  [Op.FDiv]: 4,
  [Op.FSqrt]: 5,
  [Op.FRoundHalf]: 4,
  [Op.FRem]: 40,
  [Op.Load]: 2,
  [Op.Store]: 2,
  [Op.Fma]: 4,
  [Op.AtomicRmw]: 15,
  [Op.AtomicCmpXchg]: 15,
  [Op.Barrier]: 5,
  [Op.Copy]: 10,
  [Op.AsyncCopy]: 50,
  [Op.ReadClock]: 100,
  [Op.Printf]: 500,
  // A rare case, so its cost is estimated low.
  [Op.Call]: 10,
};

const SEES_GROUPS = new Set([
  Op.LocalBase,
  Op.ScratchBase,
  Op.ScratchEnd,
  Op.LocalId,
  Op.GroupId,
  Op.LocalSize,
  Op.NumGroups,
  Op.EnqueuedLocalSize,
  Op.LocalLinearId,
  Op.SubGroupSize,
  Op.SubGroupMaxSize,
  Op.NumSubGroups,
  Op.EnqueuedNumSubGroups,
  Op.SubGroupId,
  Op.SubGroupLocalId,
  Op.AsyncCopy,
  Op.Barrier,
  Op.GroupAll,
  Op.GroupAny,
  Op.GroupBroadcast,
  Op.GroupReduce,
  Op.GroupScanInclusive,
  Op.GroupScanExclusive,
  Op.SubGroupShuffle,
  Op.SubGroupShuffleXor,
  Op.SubGroupShuffleUp,
  Op.SubGroupShuffleDown,
  Op.SubGroupRotate,
  Op.SubGroupBallot,
  Op.SubGroupElect,
]);

/** Must be computed before code generation, which changes the function. */
export function launchFacts(func: Func): LaunchFacts {
  const depth = loopDepths(func);
  let cost = 0;
  let groupsUnobservable = true;
  for (const block of func.blocks) {
    let weight = 1;
    for (const inst of block.insts) {
      weight += WEIGHTS[inst.op] ?? 1;
      if (seesGroups(inst)) groupsUnobservable = false;
    }
    cost += weight * GUESSED_TRIPS ** Math.min(4, depth.get(block) ?? 0);
  }
  return {
    scalarCost: cost * NANOSECONDS,
    bounded: [func, ...calleesOf(func)].every(
      (each) => isAcyclic(each) && !each.blocks.some(copiesAnyNumber),
    ),
    groupsUnobservable,
  };
}

/** The cost with `lanes` work-items in a vector, assuming that memory and scalar work take half of the possible gain. */
export function costPerItem(facts: LaunchFacts, lanes: number): number {
  return Math.max(0.2, facts.scalarCost / Math.max(1, lanes / 2));
}

function seesGroups(inst: Inst): boolean {
  return SEES_GROUPS.has(inst.op) || inst.facts.space === 'local';
}

function loopDepths(func: Func): Map<Block, number> {
  const depth = new Map<Block, number>();
  for (const loop of dominatorsOf(func).loops) {
    for (const block of loop.blocks) depth.set(block, (depth.get(block) ?? 0) + 1);
  }
  return depth;
}

/** Whether a block copies a number of elements that is a value, which takes as long as a loop. */
function copiesAnyNumber({ insts }: Block): boolean {
  return insts.some(({ op, operands }) => op === Op.AsyncCopy && constantOf(operands[2]!) === undefined);
}

/** Natural loops do not include loops with several entries. */
function isAcyclic(func: Func): boolean {
  const { order, index } = dominatorsOf(func);
  return order.every((block, at) => block.targets.every(({ block: next }) => index.get(next)! > at));
}
