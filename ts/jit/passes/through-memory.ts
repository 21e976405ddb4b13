// SPDX-License-Identifier: MIT
//
// Repairs SSA form after edges were added.
import { type Leaves, makeInst } from '../ir/build';
import { dominatorsOf } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { mapUses } from '../ir/rewrite';
import { bytesOf } from '../ir/types';

/** Values whose definition no longer dominates a use are demoted to private memory, which `mem2reg` promotes again. */
export function passThroughMemory(func: Func, leaves: Leaves): void {
  const dominators = dominatorsOf(func);
  const broken = new Set<Value>();
  const elsewhere = new Map<Value, Set<Block>>();
  for (const block of func.blocks)
    mapUses(block, (value) => {
      if (value.block === block) return value;
      if (!dominators.dominates(value.block, block)) broken.add(value);
      const users = elsewhere.get(value);
      if (users) users.add(block);
      else elsewhere.set(value, new Set([block]));
      return value;
    });
  for (const value of broken) throughMemory(func, leaves, value, elsewhere.get(value)!);
}

/** `users`: the blocks other than the value's own that use it. */
function throughMemory(func: Func, leaves: Leaves, value: Value, users: ReadonlySet<Block>): void {
  const { type, block: home } = value;
  const truth = type === Type.I1;
  const stored = truth ? Type.I8 : type;
  const size = bytesOf(stored);
  const at = leaves.alloca(size, size);
  const facts = { space: 'private', align: size, offset: 0 } as const;
  const held = truth ? makeInst(func, home, Op.ZExt, Type.I8, [value]) : value;
  const store = makeInst(func, home, Op.Store, Type.Void, [at, held], { ...facts });
  const position = value.kind === 'param' ? 0 : home.insts.indexOf(value) + 1;
  home.insts.splice(position, 0, ...(held.kind === 'inst' && truth ? [held, store] : [store]));
  for (const block of users) {
    let read: Inst[] = [];
    mapUses(block, (used) => {
      if (used !== value) return used;
      if (read.length === 0) {
        const load = makeInst(func, block, Op.Load, stored, [at], facts);
        const zero = leaves.constant(Type.I8, 0);
        read = truth ? [load, makeInst(func, block, Op.Ne, Type.I1, [load, zero])] : [load];
      }
      return read[read.length - 1]!;
    });
    block.insts.unshift(...read);
  }
}
