// SPDX-License-Identifier: MIT
//
// Pointer chasing: loads whose address depends on a load of an earlier iteration of the same loop, as in a binary search or a
// list. In scalar code these loads are serialized; the lanes of a vector wait for theirs at the same time.
import type { Divergence } from '../analyses/divergence';
import type { Loop } from '../ir/cfg';
import { type Func, type Inst, Op, type Value } from '../ir/ir';

/** Only in divergent loops: others get vectors anyway. */
export function pointerChasingLoads(func: Func, divergence: Divergence): ReadonlySet<Inst> {
  return new Set(chasedLoads(func, divergence, (loop) => divergence.divergentLoops.has(loop)));
}

/** Whether some loop waits for such loads, whether work-items leave it together or not. */
export function chasesPointers(func: Func, divergence: Divergence): boolean {
  return !chasedLoads(func, divergence, () => true).next().done;
}

function* chasedLoads(
  func: Func,
  { flow }: Divergence,
  isWanted: (loop: Loop) => boolean,
): Generator<Inst, void> {
  for (const block of func.blocks) {
    const loop = flow.loopOf(block);
    if (!loop || !isWanted(loop)) continue;
    for (const inst of block.insts)
      if (inst.op === Op.Load && followsEarlierLoad(inst.operands[0]!, loop)) yield inst;
  }
}

/** Whether an address depends on a load of an earlier iteration; `isLink`: on which loads. */
export function followsEarlierLoad(
  address: Value,
  loop: Loop,
  isLink: (load: Inst) => boolean = () => true,
): boolean {
  const seen = { thisTurn: new Set<Value>(), earlier: new Set<Value>() };
  const pending: [value: Value, turn: keyof typeof seen][] = [[address, 'thisTurn']];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, turn] = next;
    if (seen[turn].has(value) || !loop.blocks.has(value.block)) continue;
    seen[turn].add(value);
    if (value.kind === 'inst') {
      if (value.op === Op.Load && turn === 'earlier' && isLink(value)) return true;
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
