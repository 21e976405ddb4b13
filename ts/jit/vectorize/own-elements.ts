// SPDX-License-Identifier: MIT
//
// Stores to elements that the work-item has read before, in kernels without synchronization whose stores to global memory are all
// of this kind. If another work-item, kernel or the host wrote such an element meanwhile, that would be a data race with the load
// (OpenCL C 3.0, 3.3.4: undefined). So inactive lanes may write back the old contents.
import type { Analysis } from '../analyses/analyses';
import { DIVERGENCE, type Divergence } from '../analyses/divergence';
import { type Block, type Func, type Inst, Op } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { patternOf } from './access';

export const OWN_ELEMENTS: Analysis<ReadonlyMap<Inst, Block>> = {
  name: 'own elements',
  compute: (func, analyses) => ownElementStores(func, analyses.get(DIVERGENCE)),
};

/** By store: the block of the load. Work-items that have executed the load may write the element back. */
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
    const bytes = bytesOf(store.operands[1]!.type);
    if (
      bytes < 4 ||
      patternOf(divergence, store, block) !== 'contiguous' ||
      store.facts.memoryOrder !== undefined
    )
      continue;
    for (const from of func.blocks) {
      if (from !== block && !dominators.dominates(from, block)) continue;
      const reading = from.insts.findIndex(
        (i) =>
          i.op === Op.Load &&
          i.operands[0] === address &&
          !i.facts.volatile &&
          (i.facts.offset ?? 0) === (store.facts.offset ?? 0) &&
          bytesOf(i.type) === bytes,
      );
      if (reading < 0 || (from === block && reading > block.insts.indexOf(store))) continue;
      result.set(store, from);
      break;
    }
  }
  return result;
}
