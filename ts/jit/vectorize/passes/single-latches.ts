// SPDX-License-Identifier: MIT
//
// Loops in the form that vectorization requires: blocks in order, one latch per loop that belongs to no inner loop.
import { invariant } from '../../../base/invariant';
import { addBlock, addParam, makeInst } from '../../ir/build';
import { dominatorsOf, isReducible, type Loop, reversePostorder } from '../../ir/cfg';
import { type Block, type Func, Op, Target, Type } from '../../ir/ir';
import { hasBarriers, regionShapesOf } from '../../regions/split';

/** Removes unreachable blocks, and orders the others so that every block comes after its dominators. */
export function orderBlocks(func: Func): boolean {
  const before = func.blocks;
  func.blocks = reversePostorder(func);
  return func.blocks.length !== before.length || func.blocks.some((block, i) => block !== before[i]);
}

/** Gives every loop a single latch that belongs to no other loop. */
export function singleLatches(func: Func): boolean {
  let changed = false;
  const dominators = dominatorsOf(func);
  invariant(isReducible(dominators), `a loop of '${func.name}' has several entries`);
  for (const loop of dominators.loops) {
    if (hasSingleLatch(loop, dominators.loops)) continue;
    changed = true;
    addLatch(func, loop.header, loop.latches);
  }
  return changed;
}

/**
 * Gives the loops of every region a single latch. A region that starts inside a loop reaches the loop's header at its end, so
 * that its loops have other headers than those of the kernel: any block of the loop may be one.
 */
export function singleLatchesOfRegions(func: Func): boolean {
  let changed = false;
  for (let again = hasBarriers(func); again; ) {
    again = false;
    for (const { func: region, original } of regionShapesOf(func)) {
      const { loops } = dominatorsOf(region);
      const several = loops.filter((loop) => !hasSingleLatch(loop, loops));
      if (several.length === 0) continue;
      // Copies of a loop have one header in the kernel: what is left of them is for the next turn.
      const headers = new Map(several.map((loop) => [original.get(loop.header)!, loop]));
      for (const [header, { latches }] of headers)
        addLatch(func, header, new Set(latches.map((b) => original.get(b)!)));
      // The blocks of the other regions have changed, too.
      changed = again = true;
      break;
    }
  }
  return changed;
}

function hasSingleLatch(loop: Loop, loops: readonly Loop[]): boolean {
  const { header, latches, depth } = loop;
  const edges = latches.flatMap((b) => b.targets.filter((t) => t.block === header));
  return edges.length === 1 && !loops.some((l) => l !== loop && l.blocks.has(latches[0]!) && l.depth > depth);
}

/** Lets the edges from `sources` to a header go through a new block. */
function addLatch(func: Func, header: Block, sources: Iterable<Block>): void {
  const latch = addBlock(func);
  const params = header.params.map((p) => addParam(func, latch, p.type));
  for (const source of sources)
    for (const target of source.targets) if (target.block === header) target.block = latch;
  latch.terminator = makeInst(func, latch, Op.Jump, Type.Void, []);
  latch.targets = [new Target(header, params)];
}
