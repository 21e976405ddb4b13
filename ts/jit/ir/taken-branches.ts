// SPDX-License-Identifier: MIT
//
// The branches that control has taken where a block is executed.
import type { Dominators } from './cfg';
import { type Block, Op, type Target, type Value } from './ir';

export interface TakenBranch {
  readonly condition: Value;
  /** What the condition was. */
  readonly holds: boolean;
  /** The block that ends with the branch, and the one that it led to. */
  readonly from: Block;
  readonly to: Block;
}

/** The edge by which control enters a block, if there is one: others are back edges to it. */
export function entryEdge(
  dominators: Dominators,
  block: Block,
): { readonly from: Block; readonly target: Target } | undefined {
  const entries = (dominators.preds.get(block) ?? []).filter((from) => !dominators.dominates(block, from));
  const [from] = entries;
  // A block both of whose edges lead here is in the list twice.
  if (!from || entries.length !== 1) return undefined;
  return { from, target: from.targets.find((target) => target.block === block)! };
}

/**
 * The branches one side of which leads to a block, so that it is executed only after control has taken that side. The nearest
 * comes first. `most`: how many dominators are searched.
 */
export function* takenBranches(
  dominators: Dominators,
  block: Block,
  most = Number.POSITIVE_INFINITY,
): Generator<TakenBranch> {
  let at: Block | undefined = block;
  for (let i = 0; at && i < most; i++, at = dominators.idomOf(at)) {
    const entry = entryEdge(dominators, at);
    if (entry?.from.terminator.op !== Op.Branch) continue;
    const { from, target } = entry;
    yield { condition: from.terminator.operands[0]!, holds: target === from.targets[0], from, to: at };
  }
}
