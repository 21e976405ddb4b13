// SPDX-License-Identifier: MIT
//
// Padding in private memory: it is copied with structs, but needed only if something reads it that is not such a copy itself.
import { blankTable } from '../../base/table';
import { reversePostorder } from '../ir/cfg';
import { type Func, type Inst, Op } from '../ir/ir';

/** The stores of padding to a function's typed allocations. */
export interface PrivatePadding {
  isStore(inst: Inst): boolean;
  /** The stores whose contents a load may read. */
  storesReadBy(load: Inst): readonly Inst[];
}

/** Undefined for functions without such stores. */
export function privatePadding(func: Func): PrivatePadding | undefined {
  const allocations = func.entry.insts.filter((inst) => inst.op === Op.PrivateAlloca && inst.facts.isTyped);
  if (allocations.length === 0) return undefined;
  const roots = blankTable<Inst>(func.idBound);
  for (const inst of allocations) roots[inst.id] = inst;
  const stores = new Map<Inst, Inst[]>();
  const isStore = new Set<Inst>();
  for (const block of reversePostorder(func))
    for (const inst of block.insts) {
      const { op, operands, facts } = inst;
      if (op === Op.Add) roots[inst.id] = roots[operands[0]!.id] ?? roots[operands[1]!.id];
      const root = op === Op.Store && facts.isPadding && !facts.volatile ? roots[operands[0]!.id] : undefined;
      if (!root) continue;
      isStore.add(inst);
      const list = stores.get(root);
      if (list) list.push(inst);
      else stores.set(root, [inst]);
    }
  if (isStore.size === 0) return undefined;
  return {
    isStore: (inst) => isStore.has(inst),
    storesReadBy({ op, operands, facts }) {
      const root = op === Op.Load && facts.isPadding ? roots[operands[0]!.id] : undefined;
      return (root && stores.get(root)) ?? [];
    },
  };
}
