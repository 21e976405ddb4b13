// SPDX-License-Identifier: MIT
import { isPrologueOp } from '../ir/build';
import type { Block, Func, Value } from '../ir/ir';

function isLeaf(value: Value): boolean {
  return value.kind === 'inst' && isPrologueOp(value.op);
}

/** The live-in values of each block, without leaves (constants, the environment). */
export function liveIn(func: Func): Map<Block, Set<Value>> {
  const live = new Map<Block, Set<Value>>();
  for (const block of func.blocks) {
    const mine = new Set<Value>();
    const use = (values: readonly Value[]) => {
      for (const v of values) if (v.block !== block && !isLeaf(v)) mine.add(v);
    };
    for (const inst of block.insts) use(inst.operands);
    use(block.terminator.operands);
    for (const target of block.targets) use(target.arguments);
    live.set(block, mine);
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = func.blocks.length - 1; i >= 0; i--) {
      const block = func.blocks[i]!;
      const mine = live.get(block)!;
      const before = mine.size;
      for (const { block: to } of block.targets)
        for (const value of live.get(to)!) if (value.block !== block) mine.add(value);
      if (mine.size !== before) changed = true;
    }
  }
  return live;
}
