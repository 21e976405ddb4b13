// SPDX-License-Identifier: MIT
//
// Loops that only wait for other work-items to change memory, as one that acquires a lock does. In a vector, the lane that has the lock
// would wait for its neighbours to leave the loop, and they for the lock.
import type { Divergence } from '../analyses/divergence';
import { seesGroups } from '../analyses/launch-facts';
import { constantOf } from '../ir/build';
import { type Dominators, dominatorsOf, type Loop } from '../ir/cfg';
import { type Func, type Inst, Op, type Rmw, type Value } from '../ir/ir';
import { isRemovable } from '../ir/rewrite';
import { takenBranches } from '../ir/taken-branches';

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

/** The numbers of work-items, each of which one work-item of a group has. */
const OWN_NUMBERS: ReadonlySet<Op> = new Set([
  Op.GlobalId,
  Op.GlobalLinearId,
  Op.LocalId,
  Op.LocalLinearId,
  Op.SubGroupLocalId,
]);

/**
 * Whether work-items wait in a loop that they leave one after the other. In kernels that observe groups these are loops in which they
 * acquire something: those that only look may wait for values that neighbours have written before they look, too.
 */
export function waitsForOthers(func: Func, { divergentLoops }: Divergence): boolean {
  const waiting = [...divergentLoops.keys()].filter(onlyWaits);
  if (waiting.length === 0) return false;
  if (!func.blocks.some(({ insts }) => insts.some(seesGroups))) return true;
  const dominators = dominatorsOf(func);
  return waiting.some((loop) => acquires(loop) && !isEnteredByOne(loop, dominators));
}

/** Whether a loop changes memory, or waits for a number that an atomic operation has given before: its turn. */
function acquires({ blocks }: Loop): boolean {
  const isTaken = (value: Value) => value.kind === 'inst' && value.op === Op.AtomicRmw;
  for (const { insts } of blocks)
    for (const { op, operands } of insts) {
      if (op === Op.AtomicCmpXchg || (op === Op.AtomicRmw && Number(constantOf(operands[1]!)) !== 0))
        return true;
      if (
        (op === Op.Eq || op === Op.Ne) &&
        operands.some((value) => isTaken(value) && !blocks.has(value.block))
      )
        return true;
    }
  return false;
}

/** Whether the loop is in a branch that one work-item of a group takes, as in `if (get_local_id(0) == 0)`. */
function isEnteredByOne({ header }: Loop, dominators: Dominators): boolean {
  for (const { condition, holds } of takenBranches(dominators, header)) {
    if (condition.kind !== 'inst' || condition.op !== (holds ? Op.Eq : Op.Ne)) continue;
    if (condition.operands.some((value) => value.kind === 'inst' && OWN_NUMBERS.has(value.op))) return true;
  }
  return false;
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
