// SPDX-License-Identifier: MIT
//
// Annotates each access with facts: its address space, the `restrict` argument it belongs to, and whether this kernel never
// writes the memory of a load. Changes facts only; returns whether there are new ones.
import type { KernelSignature } from '../../base/kernel-abi';
import { type Func, type Inst, Op } from '../ir/ir';
import { type Access, MemoryRoots, spaceOfRoot } from './memory-roots';

/** With more distinct written places than this, a write is assumed anywhere. */
const MAX_WRITES = 64;

export function annotateMemory(func: Func, signature: KernelSignature): boolean {
  const roots = new MemoryRoots(func, signature);
  const writes = new Map<unknown, Access>();
  const accesses: Inst[] = [];
  const anywhere: Access = { root: undefined, space: 'generic' };
  for (const block of func.blocks)
    for (const inst of block.insts) {
      const { op } = inst;
      if (op === Op.Load || op === Op.Store || (op >= Op.AtomicLoad && op <= Op.AtomicCmpXchg)) {
        accesses.push(inst);
        if (op === Op.Load || op === Op.AtomicLoad) continue;
        const { root, space } = roots.access(inst);
        writes.set(root ?? space, { root, space });
      } else if (op === Op.Copy || op === Op.AsyncCopy) {
        const root = roots.rootOf(inst.operands[0]!);
        writes.set(root ?? 'generic', { root, space: spaceOfRoot(root) ?? 'generic' });
      }
    }
  let changed = false;
  const written = writes.size > MAX_WRITES ? [anywhere] : [...writes.values()];
  for (const inst of accesses) {
    const access = roots.access(inst);
    if (inst.facts.space === 'generic' && access.space !== 'generic') {
      inst.facts = { ...inst.facts, space: access.space };
      changed = true;
    }
    if (roots.isRestrict(access.root) && inst.facts.restrictRoot !== access.root!.facts.index) {
      inst.facts = { ...inst.facts, restrictRoot: access.root!.facts.index! };
      changed = true;
    }
    if (inst.op !== Op.Load || inst.facts.volatile || inst.facts.invariant === true) continue;
    // Private and local memory is undefined initially, so the fact is useless for a load without an earlier store.
    if (access.space === 'private' || access.space === 'local') continue;
    const invariant = inst.facts.space === 'constant' || unwritten(roots, access, written);
    if (invariant && inst.facts.invariant !== invariant) {
      inst.facts = { ...inst.facts, invariant };
      changed = true;
    }
  }
  return changed;
}

/** Whether none of the writes reach the object of an access. */
function unwritten(
  roots: MemoryRoots,
  { root, space }: Access,
  writes: readonly Access[],
): boolean | 'ifSeparate' {
  let result: boolean | 'ifSeparate' = true;
  for (const write of writes) {
    const aliasing = roots.aliasing({ root, space }, write);
    if (aliasing === 'maybe') return false;
    if (aliasing === 'if overlapping') result = 'ifSeparate';
  }
  return result;
}
