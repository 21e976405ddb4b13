// SPDX-License-Identifier: MIT
//
// What the device needs to know of a kernel to schedule it: the approximate time of a work-item, whether the kernel certainly
// terminates, and whether it depends on how work-items are grouped.
import { constantOf } from '../ir/build';
import { dominatorsOf, type Loop } from '../ir/cfg';
import { type Block, type Func, type Inst, Op } from '../ir/ir';
import { calleesOf } from '../ir/rewrite';
import { executions } from './trip-counts';

export interface LaunchFacts {
  /** Roughly the nanoseconds of one work-item. */
  readonly scalarCost: number;
  /** Whether each loop has a constant trip count. */
  readonly bounded: boolean;
  /** Whether `scalarCost` is a guess, because there are loops. */
  readonly hasLoops: boolean;
  readonly groupsUnobservable: boolean;
}

/** The assumed trip count of a loop whose trip count is unknown. */
const GUESSED_TRIPS = 16;
/** Loops with more iterations are like ones without a constant trip count. */
const MOST_TRIPS = 1024;
/** A block that is executed more often than this is no different. */
const MOST_WEIGHT = GUESSED_TRIPS ** 4;
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
  const trips = tripsOfLoops(func);
  const weights = weightsOfBlocks(trips);
  let cost = 0;
  let groupsUnobservable = true;
  for (const block of func.blocks) {
    let weight = 1;
    for (const inst of block.insts) {
      weight += WEIGHTS[inst.op] ?? 1;
      if (seesGroups(inst)) groupsUnobservable = false;
    }
    cost += weight * (weights.get(block) ?? 1);
  }
  const callees = [...calleesOf(func)].map((callee) => ({ func: callee, trips: tripsOfLoops(callee) }));
  const all = [{ func, trips }, ...callees];
  return {
    scalarCost: cost * NANOSECONDS,
    bounded: all.every((each) => isBounded(each.func, each.trips) && !each.func.blocks.some(copiesAnyNumber)),
    hasLoops: all.some((each) => each.trips.size > 0),
    groupsUnobservable,
  };
}

/** The cost with `lanes` work-items in a vector, assuming that memory and scalar work take half of the possible gain. */
export function costPerItem(facts: LaunchFacts, lanes: number): number {
  return Math.max(0.2, facts.scalarCost / Math.max(1, lanes / 2));
}

/** Whether an instruction depends on how work-items are grouped. */
export function seesGroups(inst: Inst): boolean {
  return SEES_GROUPS.has(inst.op) || inst.facts.space === 'local';
}

/** The constant trip count of each loop that has one. */
type Trips = ReadonlyMap<Loop, number | undefined>;

function tripsOfLoops(func: Func): Trips {
  const dominators = dominatorsOf(func);
  return new Map(
    dominators.loops.map((loop) => {
      const count = executions(loop, dominators, MOST_TRIPS);
      return [loop, count !== undefined && count <= MOST_TRIPS ? count : undefined];
    }),
  );
}

/** How often blocks in loops are executed, as far as that is known. */
function weightsOfBlocks(trips: Trips): Map<Block, number> {
  const weights = new Map<Block, number>();
  for (const [loop, count] of trips) {
    // A loop with other exits may be left sooner.
    const weight = hasOneExit(loop)
      ? (count ?? GUESSED_TRIPS)
      : Math.min(count ?? GUESSED_TRIPS, GUESSED_TRIPS);
    for (const block of loop.blocks)
      weights.set(block, Math.min(MOST_WEIGHT, (weights.get(block) ?? 1) * weight));
  }
  return weights;
}

function hasOneExit({ blocks }: Loop): boolean {
  let exits = 0;
  for (const { targets } of blocks) for (const { block } of targets) if (!blocks.has(block)) exits++;
  return exits === 1;
}

/** Whether a block copies a number of elements that is a value, which takes as long as a loop. */
function copiesAnyNumber({ insts }: Block): boolean {
  return insts.some(({ op, operands }) => op === Op.AsyncCopy && constantOf(operands[2]!) === undefined);
}

/** Whether all loops are known, with their trip counts: natural loops do not include those with several entries. */
function isBounded(func: Func, trips: Trips): boolean {
  const headers = new Set<Block>();
  for (const [loop, count] of trips) if (count !== undefined) headers.add(loop.header);
  const { order, index } = dominatorsOf(func);
  return order.every((block, at) =>
    block.targets.every(({ block: next }) => index.get(next)! > at || headers.has(next)),
  );
}
