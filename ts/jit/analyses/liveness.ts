// SPDX-License-Identifier: MIT
import { isPrologueOp } from '../ir/build';
import type { Block, Func, Value } from '../ir/ir';

function isLeaf(value: Value): boolean {
  return value.kind === 'inst' && isPrologueOp(value.op);
}

/** The values that each block needs from before it; leaves (constants, the environment) are never among them. */
export function liveIn(func: Func): Map<Block, Set<Value>> {
  const live = new Map<Block, Set<Value>>();
  const needs = new Map<Block, { uses: Value[]; defined: Set<Value> }>();
  for (const block of func.blocks) {
    const defined = new Set<Value>(block.params);
    const uses: Value[] = [];
    const use = (v: Value) => {
      if (!defined.has(v) && !isLeaf(v)) uses.push(v);
    };
    for (const inst of block.insts) {
      inst.operands.forEach(use);
      defined.add(inst);
    }
    block.terminator.operands.forEach(use);
    for (const target of block.targets) target.arguments.forEach(use);
    needs.set(block, { uses, defined });
    live.set(block, new Set(uses));
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = func.blocks.length - 1; i >= 0; i--) {
      const block = func.blocks[i]!;
      const mine = live.get(block)!;
      const { defined } = needs.get(block)!;
      const before = mine.size;
      for (const { block: to } of block.targets)
        for (const value of live.get(to)!) if (!defined.has(value)) mine.add(value);
      if (mine.size !== before) changed = true;
    }
  }
  return live;
}
