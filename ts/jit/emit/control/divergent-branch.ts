// SPDX-License-Identifier: MIT
//
// Divergent branches: both sides are executed, one after the other, each for its lanes.
import { Wasm } from '../../../wasm/opcodes';
import { type Block, Op, type Value } from '../../ir/ir';
import { forgetPacked, splitPacked } from '../packed/masks';
import { isRare } from './guards';
import { anyLane } from './masks';
import type { Recursion } from './recursion';
import type { StructureEmitter } from './structure';

/** One side of a divergent branch. */
interface Side {
  readonly index: number;
  readonly to: Block;
  /** Whether the target's code is placed at this edge, because no other edge leads to it. */
  readonly inPlace: boolean;
  /** Whether the target owns the mask; otherwise the mask is freed after the edge. */
  readonly ownsMask: boolean;
  readonly mask: number[];
}

export function* splitLanes(s: StructureEmitter, block: Block): Recursion {
  const active = s.maskOf(block);
  const exit = uniformExit(s, block);
  if (exit) yield takeUniformExit(s, block, exit, active);
  const condition = exit ? exit.other : block.terminator.operands[0]!;
  // The side with the back edge to the loop's header is last: control does not return from it.
  const order = isRepeating(s, block, 0) ? [1, 0] : [0, 1];
  const sides = order.map((index) => sideOf(s, block, index));
  s.masks.split(
    condition,
    active,
    sides.map(({ index, mask }) => ({ index, locals: mask })),
  );
  // The mask of a loop's header changes in the loop.
  const steady = sides.filter(({ to, ownsMask }) => !(ownsMask && s.control.loopHeadedBy(to)));
  splitPacked(s.c, condition, active, steady);
  for (const side of sides) {
    if (!(side.inPlace && isEnd(s, side.to))) yield takeSide(s, block, side);
    forgetPacked(s.c, side.mask);
    if (!side.ownsMask) for (const local of side.mask) s.c.release(local);
  }
  s.frames.toReconvergencePoint();
}

function sideOf(s: StructureEmitter, block: Block, index: number): Side {
  const { control } = s;
  const to = block.targets[index]!.block;
  const inPlace = !control.isJoin(to) && !control.isBackEdge(block, to);
  const ownsMask = inPlace && control.maskOwner(to) === to;
  return { index, to, inPlace, ownsMask, mask: ownsMask ? s.masks.make(to) : s.allocateMask() };
}

function takeSide(
  s: StructureEmitter,
  block: Block,
  { index, to, inPlace, ownsMask, mask }: Side,
): Recursion {
  const { c } = s;
  return s.frames.untilReconvergence((end) => {
    if (!isTakenUntested(s, block, index, inPlace)) {
      anyLane(c, mask);
      c.f.op(Wasm.i32_eqz);
      c.f.brIf(end, inPlace && isRare(to) ? true : undefined);
      if (ownsMask) s.masks.markNonEmpty(s.control.maskOwner(to));
    }
    return s.edge(block, index, mask, false);
  });
}

/** Whether a side is executed even without active lanes, because that costs less than a test. */
function isTakenUntested(s: StructureEmitter, block: Block, index: number, inPlace: boolean): boolean {
  const to = block.targets[index]!.block;
  if (s.values.copiesLiveOuts(block, to)) return false;
  return inPlace ? s.runsWithoutLanes(to) : s.mayTakeWithoutLanes(block, index);
}

/** Whether lanes that reach the block are finished without further code. */
function isEnd(s: StructureEmitter, block: Block): boolean {
  return !s.blocks.leave && block.insts.length === 0 && block.terminator.op === Op.Return;
}

/** A condition to leave a loop with one uniform half: that half becomes a separate jump. */
interface UniformExit {
  readonly uniform: Value;
  readonly other: Value;
  /** The side that leaves. */
  readonly index: 0 | 1;
}

function uniformExit({ c, control }: StructureEmitter, block: Block): UniformExit | undefined {
  const condition = block.terminator.operands[0]!;
  if (condition.kind !== 'inst' || (condition.op !== Op.And && condition.op !== Op.Or)) return undefined;
  if (!c.isInline(condition)) return undefined;
  // One false half makes `a && b` false; one true half makes `a || b` true.
  const index = condition.op === Op.And ? 1 : 0;
  const to = block.targets[index]!.block;
  const loop = control.flow.loopOf(block);
  if (!loop || loop.blocks.has(to) || !control.isJoin(to)) return undefined;
  const uniform = condition.operands.find((o) => !c.isVectorHere(o) && c.rowsOf(o) === 1);
  const other = condition.operands.find((o) => o !== uniform);
  return uniform && other && c.isVectorHere(other) ? { uniform, other, index } : undefined;
}

function* takeUniformExit(
  s: StructureEmitter,
  block: Block,
  { uniform, index }: UniformExit,
  mask: number[] | undefined,
): Recursion {
  const { c } = s;
  c.scalar(uniform, 0);
  if (index === 1) c.f.op(Wasm.i32_eqz);
  c.f.if_();
  yield s.edge(block, index, mask, s.hasLanes(block));
  c.f.end();
  s.enter(block);
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
