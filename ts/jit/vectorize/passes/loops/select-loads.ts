// SPDX-License-Identifier: MIT
//
// Loads under a condition on what an iteration has loaded, in code for one work-item at a time:
//
//     for (e = first; e < end; e++) { d = dist[to[e]]; if (d != FAR) best = min(best, d + weight[e]); }
//
// The processor mispredicts such a branch as often as the data are in no order, and an iteration is much shorter than what that costs.
// The load reads its own address or, where the condition does not hold, one that the block has read already; then the branch is a select
// (if-conversion).
import { dominatorsOf } from '../../../ir/cfg';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { bytesOf } from '../../../ir/types';
import { convertBranchesWithLoads } from '../../../passes/if-conversion';

/** How many operations a condition may be from the load that it tests. */
const DEEPEST = 4;

/** Returns whether it changed the function, which invalidates the analyses. */
export function selectLoads(func: Func): boolean {
  const { loops } = dominatorsOf(func);
  if (loops.length === 0) return false;
  const isInLoop = (block: Block) => loops.some(({ blocks }) => blocks.has(block));
  return convertBranchesWithLoads(func, (load, block) =>
    isInLoop(block) && testsLoaded(block) ? readBefore(load, block) : undefined,
  );
}

/** Whether the condition of a block's branch is on what the block has loaded. */
function testsLoaded(block: Block): boolean {
  const depends = (value: Value, depth: number): boolean =>
    value.kind === 'inst' &&
    value.block === block &&
    (value.op === Op.Load ||
      (depth > 0 && isPure(value.op) && value.operands.some((operand) => depends(operand, depth - 1))));
  return depends(block.terminator.operands[0]!, DEEPEST);
}

/** What the block has read last, at least as many bytes as the load. */
function readBefore(load: Inst, block: Block): Inst | undefined {
  if (!isPlain(load)) return undefined;
  const isEnough = (inst: Inst) =>
    inst.op === Op.Load && isPlain(inst) && bytesOf(inst.type) >= bytesOf(load.type);
  return block.insts.findLast(isEnough);
}

function isPlain({ facts, operands }: Inst): boolean {
  return (
    !facts.volatile &&
    facts.space !== 'private' &&
    facts.space !== 'generic' &&
    operands[0]!.type === Type.I32
  );
}
