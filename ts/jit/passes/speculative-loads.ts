// SPDX-License-Identifier: MIT
//
// Loads that may be executed although the source executes them only under a condition, such as that of a left neighbour in
// `x > 0 ? a[x - 1] : 0` where a[x] is read anyway.
import type { Block, Inst } from '../ir/ir';
import { Op } from '../ir/ir';
import { bytesOf } from '../ir/types';

/** How far below and above an accessed byte the memory is readable: nothing is allocated below FIRST_ADDRESS nor in the last READABLE_BEYOND bytes. */
const BELOW = 4096;
const ABOVE = 64;
/** How many blocks are searched for an access. */
const MOST_BLOCKS = 4;
const MOST_INSTRUCTIONS = 64;

/** Whether each execution of `block` has accessed memory beside the place of `load`. */
export function isLoadedAnyway(
  load: Inst,
  block: Block,
  predecessors: ReadonlyMap<Block, readonly Block[]>,
): boolean {
  const { space, volatile } = load.facts;
  if (volatile || (space !== 'global' && space !== 'constant')) return false;
  const offset = load.facts.offset ?? 0;
  let at: Block | undefined = block;
  for (let blocks = 0; at && blocks < MOST_BLOCKS; blocks++) {
    for (const inst of at.insts.slice(-MOST_INSTRUCTIONS)) {
      if ((inst.op !== Op.Load && inst.op !== Op.Store) || inst.operands[0] !== load.operands[0]) continue;
      const distance = offset - (inst.facts.offset ?? 0);
      if (distance >= -BELOW && distance + bytesOf(load.type) <= ABOVE) return true;
    }
    const before: readonly Block[] = predecessors.get(at)!;
    at = before.length === 1 ? before[0] : undefined;
  }
  return false;
}
