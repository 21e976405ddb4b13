// SPDX-License-Identifier: MIT
//
// Stores to elements that the work-item has read or written before, in kernels without synchronization whose stores to global memory
// all begin at one address. If another work-item, kernel or the host wrote such an element meanwhile, that would be a data race with
// the earlier access (OpenCL C 3.0, 3.3.4: undefined). So inactive lanes may write back the old contents: of their own elements only,
// of which a vector of any element type consists. The accesses have to be the source's own: a load that a pass has moved out
// of its condition says nothing about what the source reads.

import type { Analysis } from '../analyses/analyses';
import { DIVERGENCE, type Divergence } from '../analyses/divergence';
import { accessedType } from '../ir/accesses';
import { type Block, type Func, type Inst, Op } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { patternOf } from './access';

export const OWN_ELEMENTS: Analysis<ReadonlyMap<Inst, Block>> = {
  name: 'own elements',
  compute: (func, analyses) => ownElementStores(func, analyses.get(DIVERGENCE)),
};

/** By store: the block of the earlier access. Work-items that have executed it may write the element back. */
export function ownElementStores(func: Func, divergence: Divergence): ReadonlyMap<Inst, Block> {
  const none = new Map<Inst, Block>();
  const stores: { store: Inst; block: Block }[] = [];
  for (const block of func.blocks)
    for (const inst of block.insts) {
      if (inst.op === Op.Store) {
        const { space } = inst.facts;
        if (space === 'private' || space === 'local') continue;
        if (inst.facts.volatile) return none;
        stores.push({ store: inst, block });
      } else if (inst.op >= Op.AtomicLoad && inst.op !== Op.Printf) return none;
    }
  const address = stores[0]?.store.operands[0];
  if (!address || stores.some(({ store }) => store.operands[0] !== address)) return none;
  const result = new Map<Inst, Block>();
  const { dominators } = divergence.flow;
  for (const { store, block } of stores) {
    if (patternOf(divergence, store, block) !== 'contiguous' || store.facts.memoryOrder !== undefined)
      continue;
    for (const from of func.blocks) {
      if (from !== block && !dominators.dominates(from, block)) continue;
      const before = from === block ? block.insts.slice(0, block.insts.indexOf(store)) : from.insts;
      if (!before.some((access) => isOfElement(access, store))) continue;
      result.set(store, from);
      break;
    }
  }
  return result;
}

/** Whether an access is to the element that a store writes, and to no less of it. */
function isOfElement(access: Inst, store: Inst): boolean {
  if (access.op !== Op.Load && access.op !== Op.Store) return false;
  const { offset = 0, volatile, speculative, memoryOrder } = access.facts;
  return (
    access.operands[0] === store.operands[0] &&
    offset === (store.facts.offset ?? 0) &&
    !volatile &&
    !speculative &&
    memoryOrder === undefined &&
    bytesOf(accessedType(access)) === bytesOf(accessedType(store))
  );
}
