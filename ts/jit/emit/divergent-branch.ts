// SPDX-License-Identifier: MIT
//
// Divergent branches: both sides are executed, one after the other, each for its lanes.
import { Wasm } from '../../wasm/opcodes';
import { type Block, Op, type Value } from '../ir/ir';
import { isRare } from './guards';
import { anyLane } from './masks';
import type { StructureEmitter } from './structure';

/** One side of a divergent branch. */
interface Side {
  readonly index: number;
  readonly to: Block;
  /** Whether the target's code stands here, so that nothing else leads to it. */
  readonly inPlace: boolean;
  /** Whether the mask is the target's own; it lasts until the edge is done otherwise. */
  readonly ownsMask: boolean;
  readonly mask: number[];
}

export function splitLanes(s: StructureEmitter, block: Block): void {
  const active = s.maskOf(block);
  const condition = uniformExit(s, block, active);
  // The side that goes back to the loop's header comes last: control does not return from there.
  const order = isRepeating(s, block, 0) ? [1, 0] : [0, 1];
  const sides = order.map((index) => sideOf(s, block, index));
  s.masks.split(
    condition,
    active,
    sides.map(({ index, mask }) => ({ index, locals: mask })),
  );
  for (const side of sides) {
    if (!(side.inPlace && isEnd(s, side.to))) takeSide(s, block, side);
    if (!side.ownsMask) for (const local of side.mask) s.c.release(local);
  }
  s.toReconvergencePoint();
}

function sideOf(s: StructureEmitter, block: Block, index: number): Side {
  const { control } = s;
  const to = block.targets[index]!.block;
  const inPlace = !control.isJoin(to) && !control.isBackEdge(block, to);
  const ownsMask = inPlace && control.maskOwner(to) === to;
  return { index, to, inPlace, ownsMask, mask: ownsMask ? s.masks.make(to) : s.allocateMask() };
}

function takeSide(s: StructureEmitter, block: Block, { index, to, inPlace, ownsMask, mask }: Side): void {
  const { c } = s;
  s.untilReconvergence((end) => {
    if (!isTakenUntested(s, block, index, inPlace)) {
      anyLane(c, mask);
      c.f.op(Wasm.i32_eqz);
      c.f.brIf(end, inPlace && isRare(to) ? true : undefined);
      if (ownsMask) s.masks.markNonEmpty(s.control.maskOwner(to));
    }
    s.edge(block, index, mask, false);
  });
}

/** Whether a side is taken also where it has no lanes, as that costs less than a test. */
function isTakenUntested(s: StructureEmitter, block: Block, index: number, inPlace: boolean): boolean {
  const to = block.targets[index]!.block;
  if (s.values.copiesLiveOuts(block, to)) return false;
  return inPlace ? s.runsWithoutLanes(to) : s.mayTakeWithoutLanes(block, index);
}

/** Whether lanes that come to the block are through, and nothing is to be done about it. */
function isEnd(s: StructureEmitter, block: Block): boolean {
  return !s.blocks.leave && block.insts.length === 0 && block.terminator.op === Op.Return;
}

/**
 * Where work-items leave a loop on a condition of which one half is the same for all of them, that half is a jump of its own.
 * Returns the half that is left, or the condition as it was.
 */
function uniformExit(s: StructureEmitter, block: Block, mask: number[] | undefined): Value {
  const { c, control } = s;
  const condition = block.terminator.operands[0]!;
  if (condition.kind !== 'inst' || (condition.op !== Op.And && condition.op !== Op.Or)) return condition;
  if (!c.isInline(condition)) return condition;
  // `a && b` is false as soon as one half is, `a || b` true.
  const index = condition.op === Op.And ? 1 : 0;
  const to = block.targets[index]!.block;
  const loop = control.flow.loopOf(block);
  if (!loop || loop.blocks.has(to) || !control.isJoin(to)) return condition;
  const uniform = condition.operands.find((o) => !c.isVectorHere(o) && c.rowsOf(o) === 1);
  const other = condition.operands.find((o) => o !== uniform);
  if (!uniform || !other || !c.isVectorHere(other)) return condition;
  c.scalar(uniform, 0);
  if (index === 1) c.f.op(Wasm.i32_eqz);
  c.f.if_();
  s.edge(block, index, mask, s.hasLanes(block));
  c.f.end();
  s.enter(block);
  return other;
}

/** Whether the code placed at an edge ends with a jump back to the header of the loop around it. */
function isRepeating(s: StructureEmitter, from: Block, index: number): boolean {
  const { control } = s;
  const to = from.targets[index]!.block;
  if (control.isBackEdge(from, to)) return true;
  const loop = control.flow.loopOf(from);
  return (
    loop !== undefined && !control.isJoin(to) && loop.latches.some((l) => control.dominators.dominates(to, l))
  );
}
