// SPDX-License-Identifier: MIT
//
// Interchange of x and y, as of two nested loops. In programs that were loops over i and j, `i = get_global_id(0)` often counts rows:
// `out[i * n + j]`. Lanes along x would access one cache line each; along y they are neighbours. The kernel then reads each id of
// the other dimension, and launches exchange their sizes (`KernelBinary.interchanged`).

import type { Analyses } from '../../../analyses/analyses';
import { DIVERGENCE, type Divergence, X } from '../../../analyses/divergence';
import { seesGroups } from '../../../analyses/launch-facts';
import { isPrologueOp } from '../../../ir/build';
import { type Block, type Func, type Inst, Op } from '../../../ir/ir';
import { calleesOf } from '../../../ir/rewrite';
import { patternOf } from '../../access';

/** An access of neighbours to one vector, to several vectors that share cache lines, and to a cache line each. */
const COST = { vector: 1, near: 2, apart: 8 } as const;
/** Bytes from one work-item to the next, so that several share a cache line. */
const NEAR = 16;
/** The least gain. Where some accesses gain and others lose, two-dimensional blocks serve both (vectorize/column-major.ts). */
const LEAST_GAIN = 3;
const LOOP_WEIGHT = 8;
const DEEPEST = 4;

/** Operations that tell of one dimension, which the interchange changes. */
const OF_DIMENSION: ReadonlySet<Op> = new Set([Op.GlobalId, Op.GlobalSize, Op.GlobalOffset]);
/** Operations whose order, or whose number, a program can observe. */
const OBSERVABLE: ReadonlySet<Op> = new Set([
  Op.GlobalLinearId,
  Op.Printf,
  Op.EnqueueRegion,
  Op.CheckBlock,
  Op.Counters,
  Op.Bounds,
]);

export function interchange(func: Func, _: unknown, analyses: Analyses): boolean {
  if (!canInterchange(func)) return false;
  const before = costOf(func, analyses.get(DIVERGENCE));
  if (before.accesses === 0) return false;
  exchange(func);
  const after = costOf(func, DIVERGENCE.compute(func, analyses));
  const pays =
    after.accesses * LEAST_GAIN <= before.accesses && after.divergentLoops <= before.divergentLoops;
  if (!pays) exchange(func);
  func.interchanged = pays;
  return pays;
}

function canInterchange(func: Func): boolean {
  const used = new Set<number>();
  for (const { insts } of func.blocks)
    for (const inst of insts) {
      if (seesGroups(inst) || OBSERVABLE.has(inst.op)) return false;
      if (inst.op === Op.GlobalId) used.add(inst.facts.dimension!);
    }
  const isOfPlace = ({ op }: Inst) => isPrologueOp(op) && (OF_DIMENSION.has(op) || OBSERVABLE.has(op));
  return (
    used.has(0) &&
    used.has(1) &&
    ![...calleesOf(func)].some((f) => f.blocks.some((b) => b.insts.some(isOfPlace)))
  );
}

function exchange(func: Func): void {
  for (const { insts } of func.blocks)
    for (const inst of insts) {
      const { dimension } = inst.facts;
      if (!OF_DIMENSION.has(inst.op) || dimension === undefined || dimension > 1) continue;
      inst.facts = { ...inst.facts, dimension: dimension === 0 ? 1 : 0 };
    }
}

function costOf(func: Func, divergence: Divergence): { accesses: number; divergentLoops: number } {
  let accesses = 0;
  for (const block of func.blocks) {
    const weight = weightOf(block, divergence);
    for (const inst of block.insts)
      if (isAccess(inst)) accesses += weight * costOfAccess(inst, block, divergence);
  }
  const divergentLoops = [...divergence.divergentLoops.values()].filter((dims) => dims & X).length;
  return { accesses, divergentLoops };
}

const isAccess = ({ op, facts: { space } }: Inst): boolean =>
  (op === Op.Load || op === Op.Store) && space !== 'private' && space !== 'local';

function costOfAccess(inst: Inst, block: Block, divergence: Divergence): number {
  const pattern = patternOf(divergence, inst, block);
  // Work-items that all write to one place gain nothing by being neighbours.
  if (pattern === 'uniform') return inst.op === Op.Store ? COST.vector : 0;
  if (pattern === 'scattered') return COST.apart;
  if (pattern !== 'strided') return COST.vector;
  return Math.abs(divergence.strideAt(inst.operands[0]!, block)) <= NEAR ? COST.near : COST.apart;
}

const weightOf = (block: Block, { flow }: Divergence): number =>
  LOOP_WEIGHT ** Math.min(flow.loopOf(block)?.depth ?? 0, DEEPEST);
