// SPDX-License-Identifier: MIT
//
// Unmasked copies of code that most tiles run with all of their lanes: the usual side of a guard, and loops as long as all lanes
// stay in them. The plan says which code is worth it (vectorize/region-plan.ts).
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { isPrologueOp } from '../../ir/build';
import { type Block, Op } from '../../ir/ir';
import { isPure } from '../../ir/rewrite';
import { pushCertainty } from './guards';
import type { Recursion } from './recursion';
import type { StructureEmitter, TileLoop } from './structure';

/**
 * Emits a copy of a loop that runs as long as the loop's test certainly keeps all lanes in it. The masked loop follows and runs
 * the rest: at most a few iterations for most tiles.
 */
export function* emitUnmaskedLoop(s: StructureEmitter, header: Block, side: 0 | 1): Recursion {
  const { c } = s;
  const { f } = c;
  const goBack = s.remember();
  for (const block of s.control.loopHeadedBy(header)!.blocks) s.masks.forget(block);
  s.masks.markNonEmpty(header);
  const pushAllStay = () => {
    s.enter(header);
    s.blocks.body(header);
    pushCertainty(c, header.terminator.operands[0]!, side === 0);
  };
  pushAllStay();
  f.if_();
  s.openLoop(header);
  const again = f.loop();
  yield s.unmaskedIteration(header, side);
  pushAllStay();
  f.brIf(again);
  f.end();
  c.invariants.close();
  f.end();
  goBack();
}

/** Emits a guard: its usual side without masks if all lanes take it, otherwise the code of `split`. */
export function* emitGuard(
  s: StructureEmitter,
  block: Block,
  side: 0 | 1,
  split: () => Recursion,
): Recursion {
  const { f } = s.c;
  const goBack = s.remember();
  const pushAllAgree = () => pushCertainty(s.c, block.terminator.operands[0]!, side === 0);
  const usualSide = function* (): Recursion {
    yield s.edge(block, side, undefined, true);
    goBack();
    s.enter(block);
  };
  pushAllAgree();
  f.if_(true);
  if (s.tiles && isWholeRegion(s, block)) {
    yield emitTileAfterTile(s, block, s.tiles, usualSide, pushAllAgree);
    f.end();
    yield split();
  } else {
    yield usualSide();
    f.else_();
    yield split();
    f.end();
  }
}

/**
 * The emission of a branch which all work-items of a tile take alike, and most of the next tiles too: each side has a loop of its own over
 * the tiles that take it. Undefined if that is not possible.
 */
export function tilesBySide(s: StructureEmitter, block: Block): Recursion | undefined {
  const isPossible = block.terminator.facts.splitsTiles && isWholeRegion(s, block) && !s.maskOf(block);
  return isPossible && s.tiles ? emitTilesBySide(s, block, s.tiles) : undefined;
}

function* emitTilesBySide(s: StructureEmitter, block: Block, tiles: TileLoop): Recursion {
  const { f } = s.c;
  const goBack = s.remember();
  const test = f.local(ValType.I32);
  const setTest = () => {
    s.c.scalar(block.terminator.operands[0]!, 0);
    f.set(test);
  };
  const tile = function* (side: 0 | 1): Recursion {
    yield s.frames.inOnlyFrame(() => s.edge(block, side, undefined, true));
    goBack();
    s.enter(block);
    tiles.advance();
    f.op(Wasm.i32_eqz);
    f.brIf(tiles.end);
    tiles.begin();
    s.blocks.body(block);
    setTest();
    f.get(test);
  };
  setTest();
  const either = f.loop();
  f.get(test);
  f.if_();
  const again = f.loop();
  yield tile(0);
  f.brIf(again);
  f.end();
  f.end();
  const others = f.loop();
  yield tile(1);
  f.brIf(either);
  f.br(others);
  f.end();
  f.end();
}

/** Whether all effects of a region come after this branch, and the code before it can be executed again. */
function isWholeRegion(s: StructureEmitter, block: Block): boolean {
  return (
    block === startOf(s) &&
    s.frames.isOutermost &&
    block.insts.every((i) => isPure(i.op) || isPrologueOp(i.op))
  );
}

/** The block in which a region's code begins: the kernel's first block has only values of the environment. */
function startOf({ control }: StructureEmitter): Block {
  const first = control.order[0]!;
  const next = first.targets[0]?.block;
  const isPrologue = first.terminator.op === Op.Jump && first.insts.every((i) => isPrologueOp(i.op));
  return isPrologue && next && !control.loopHeadedBy(next) ? next : first;
}

/**
 * Emits the usual side in a separate loop over the tiles of a row: V8 hoists invariant code only from blocks that each iteration
 * executes.
 */
function* emitTileAfterTile(
  s: StructureEmitter,
  block: Block,
  tiles: TileLoop,
  usualSide: () => Recursion,
  pushAllAgree: () => void,
): Recursion {
  const { f } = s.c;
  const again = f.loop();
  yield s.frames.inOnlyFrame(usualSide);
  tiles.advance();
  f.op(Wasm.i32_eqz);
  f.brIf(tiles.end);
  tiles.begin();
  s.blocks.body(block);
  pushAllAgree();
  f.brIf(again);
  f.end();
}
