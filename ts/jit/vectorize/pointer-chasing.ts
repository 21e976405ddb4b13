// SPDX-License-Identifier: MIT
//
// Loads whose address follows from what an earlier turn of the same loop has loaded, as in a binary search or along a
// list. One work-item waits for each of them in turn, whatever the processor could do meanwhile; the lanes of a vector
// wait together.
import type { Divergence } from '../analyses/divergence';
import type { Loop } from '../ir/cfg';
import { type Func, type Inst, Op, type Value } from '../ir/ir';

/** Only of loops that work-items leave one by one: for others, vectors are chosen anyway. */
export function pointerChasingLoads(func: Func, divergence: Divergence): ReadonlySet<Inst> {
  const chased = new Set<Inst>();
  for (const block of func.blocks) {
    const loop = divergence.flow.loopOf(block);
    if (!loop || !divergence.divergentLoops.has(loop)) continue;
    for (const inst of block.insts)
      if (inst.op === Op.Load && followsEarlierLoad(inst.operands[0]!, loop)) chased.add(inst);
  }
  return chased;
}

function followsEarlierLoad(address: Value, loop: Loop): boolean {
  const seen = { thisTurn: new Set<Value>(), earlier: new Set<Value>() };
  const pending: [value: Value, turn: keyof typeof seen][] = [[address, 'thisTurn']];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, turn] = next;
    if (seen[turn].has(value) || !loop.blocks.has(value.block)) continue;
    seen[turn].add(value);
    if (value.kind === 'inst') {
      if (value.op === Op.Load && turn === 'earlier') return true;
      for (const operand of value.operands) pending.push([operand, turn]);
      continue;
    }
    const at = value.block.params.indexOf(value);
    const from = value.block === loop.header ? 'earlier' : turn;
    for (const block of loop.blocks)
      for (const target of block.targets)
        if (target.block === value.block) pending.push([target.arguments[at]!, from]);
  }
  return false;
}
