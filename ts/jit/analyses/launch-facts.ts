// SPDX-License-Identifier: MIT
//
// What the device wants to know of a kernel before it schedules it: about how long a work-item takes, whether it ends
// for certain, and whether anything in it depends on how work-items are grouped.
import { constantOf } from '../ir/build';
import { dominatorsOf, reversePostorder } from '../ir/cfg';
import { type Block, type Func, type Inst, Op } from '../ir/ir';
import { calleesOf } from '../ir/rewrite';

export interface LaunchFacts {
  /** Nanoseconds of one work-item by itself, roughly. */
  readonly scalarCost: number;
  readonly bounded: boolean;
  readonly groupsUnobservable: boolean;
}

/** How often a loop is taken to run where nobody knows. */
const GUESSED_TRIPS = 16;
/** Of one instruction on one work-item, before vectorization. */
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
  // Of a rare case: nobody expects it.
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

/** To be asked before code is generated, which changes the function. */
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

/** With `lanes` work-items in a vector; half of what they could save goes to memory and to work that stays scalar. */
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

/** Copies as many elements as a value says: that takes as long as a loop. */
function copiesAnyNumber({ insts }: Block): boolean {
  return insts.some(({ op, operands }) => op === Op.AsyncCopy && constantOf(operands[2]!) === undefined);
}

/** Natural loops leave out those with several entries. */
function isAcyclic(func: Func): boolean {
  const order = new Map(reversePostorder(func).map((block, i) => [block, i]));
  for (const [block, at] of order)
    for (const { block: next } of block.targets) if (order.get(next)! <= at) return false;
  return true;
}
