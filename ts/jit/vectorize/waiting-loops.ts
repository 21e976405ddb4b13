// SPDX-License-Identifier: MIT
//
// Loops that only wait for other work-items to change memory, as one that acquires a lock does. In a vector, the lane that has the lock
// would wait for its neighbours to leave the loop, and they for the lock.
import type { Divergence } from '../analyses/divergence';
import { seesGroups } from '../analyses/launch-facts';
import { constantOf } from '../ir/build';
import type { Loop } from '../ir/cfg';
import { type Func, type Inst, Op, type Rmw, type Value } from '../ir/ir';
import { isRemovable } from '../ir/rewrite';

/** Doing them again with the same operand changes nothing. */
const IDEMPOTENT: ReadonlySet<Rmw> = new Set([
  'and',
  'or',
  'xchg',
  'smin',
  'smax',
  'umin',
  'umax',
  'fmin',
  'fmax',
] as const);

/**
 * Whether work-items wait in a loop that they leave one after the other. Kernels that observe groups are left alone: their neighbours
 * may be in other groups, and hand values to each other in theirs.
 */
export function waitsForOthers(func: Func, { divergentLoops }: Divergence): boolean {
  return (
    [...divergentLoops.keys()].some(onlyWaits) && !func.blocks.some(({ insts }) => insts.some(seesGroups))
  );
}

/** Whether iterations do nothing but look at memory until it has changed. */
function onlyWaits(loop: Loop): boolean {
  for (const { insts } of loop.blocks)
    for (const inst of insts)
      if (inst.op !== Op.Fence && !isRemovable(inst) && !looks(inst, loop)) return false;
  for (const { targets, terminator } of loop.blocks)
    if (targets.some(({ block }) => !loop.blocks.has(block)) && dependsOnLook(terminator, loop)) return true;
  return false;
}

/** Whether an instruction looks at the same place again and again, and never changes it twice. */
function looks({ op, operands, facts }: Inst, loop: Loop): boolean {
  const isSame = (value: Value): boolean => constantOf(value) !== undefined || !loop.blocks.has(value.block);
  if (operands[0] === undefined || !isSame(operands[0])) return false;
  switch (op) {
    case Op.AtomicLoad:
      return true;
    case Op.Load:
      return facts.volatile === true;
    case Op.AtomicCmpXchg:
      // Other values than the same are those of a loop that tries again with what it has seen, which waits for nobody.
      return operands.every(isSame);
    case Op.AtomicRmw: {
      const by = operands[1]!;
      return IDEMPOTENT.has(facts.rmw!) ? isSame(by) : facts.rmw !== 'fadd' && Number(constantOf(by)) === 0;
    }
    default:
      return false;
  }
}

/** Whether a value of the loop depends on what the loop has looked at. */
function dependsOnLook(value: Value, loop: Loop): boolean {
  const seen = new Set<Value>();
  const pending = [value];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (seen.has(next) || !loop.blocks.has(next.block)) continue;
    seen.add(next);
    if (next.kind === 'inst') {
      if (looks(next, loop)) return true;
      pending.push(...next.operands);
      continue;
    }
    const at = next.block.params.indexOf(next);
    for (const block of loop.blocks)
      for (const target of block.targets)
        if (target.block === next.block) pending.push(target.arguments[at]!);
  }
  return false;
}
