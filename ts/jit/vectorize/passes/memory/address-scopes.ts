// SPDX-License-Identifier: MIT
//
// The loops for which addresses are reassociated: those of a kernel, and the loop over the tiles of a row around it.
import { isPrologueOp } from '../../../ir/build';
import { type Dominators, dominatorsOf, type Loop } from '../../../ir/cfg';
import { type Block, type Func, type Inst, Op, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';

/** A loop as a scope of addresses. */
export interface Scope {
  /** Whether a value is known to be different in each iteration. */
  varies(value: Value): boolean;
  /** Whether an operation is represented by its operands. */
  isOpen(operation: Inst): boolean;
  /** The block in which invariants are computed; undefined if they stay at their use, from where V8 hoists them. */
  readonly before: Block | undefined;
}

/** The scope of each block of a function. */
export class Scopes {
  private readonly dominators: Dominators;
  private readonly innermost = new Map<Block, Loop>();
  private readonly loops = new Map<Loop, Scope | undefined>();
  private readonly tiles: Scope | undefined;

  constructor(func: Func) {
    this.dominators = dominatorsOf(func);
    for (const loop of this.dominators.loops)
      for (const block of loop.blocks) this.innermost.set(block, loop);
    // Memory may keep values from one barrier to the next, so short sums are better recomputed.
    if (!func.blocks.some((block) => block.insts.some(waits))) this.tiles = tileScope();
  }

  /** The scope of the innermost loop around a block; undefined if no address is reassociated there. */
  of(block: Block): Scope | undefined {
    const loop = this.innermost.get(block);
    if (!loop) return this.tiles;
    if (!this.loops.has(loop)) this.loops.set(loop, hasBarrier(loop) ? undefined : this.scopeOf(loop));
    return this.loops.get(loop);
  }

  private scopeOf(loop: Loop): Scope {
    const isInside = (value: Value) => loop.blocks.has(value.block);
    return { varies: isInside, isOpen: isInside, before: this.dominators.idomOf(loop.header)! };
  }
}

/** The loop over a row's tiles: values that depend on x or on memory vary in it. */
function tileScope(): Scope {
  const known = new Map<Value, boolean>();
  // Not recursive: a chain of operands can be as long as the kernel.
  const varies = (v: Value): boolean => {
    const work = [v];
    for (let next = work.at(-1); next; next = work.at(-1)) {
      const result = known.get(next) ?? variesBy(next, known, work);
      if (result === undefined) continue;
      known.set(next, result);
      work.pop();
    }
    return known.get(v)!;
  };
  return { varies, isOpen: () => true, before: undefined };
}

/** Whether a value varies between the tiles of a row; undefined if operands, which are put on `work`, must be known first. */
function variesBy(v: Value, known: ReadonlyMap<Value, boolean>, work: Value[]): boolean | undefined {
  if (v.kind !== 'inst') return true;
  if (isPrologueOp(v.op)) return isAlongX(v);
  if (!isPure(v.op) || v.operands.some((operand) => known.get(operand))) return true;
  const unknown = v.operands.filter((operand) => !known.has(operand));
  work.push(...unknown);
  return unknown.length === 0 ? false : undefined;
}

function isAlongX(inst: Inst): boolean {
  switch (inst.op) {
    case Op.GlobalId:
    case Op.LocalId:
    case Op.GroupId:
      return (inst.facts.dimension ?? 0) === 0;
    case Op.GlobalLinearId:
    case Op.LocalLinearId:
    case Op.SubGroupId:
    case Op.SubGroupLocalId:
    case Op.PrivateAlloca:
      return true;
    default:
      return false;
  }
}

/** Memory may keep values of such a loop from one iteration to the next. */
export function hasBarrier(loop: Loop): boolean {
  for (const block of loop.blocks) if (block.insts.some(waits)) return true;
  return false;
}

function waits(inst: Inst): boolean {
  return inst.op >= Op.Barrier && inst.op <= Op.SubGroupElect;
}
