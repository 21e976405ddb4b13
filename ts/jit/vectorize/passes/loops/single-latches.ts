// SPDX-License-Identifier: MIT
//
// Loops in the form that vectorization requires: blocks in order, one latch per loop that belongs to no inner loop.
import { invariant } from '../../../../base/invariant';
import { addBlock, addParam, makeInst } from '../../../ir/build';
import { type Dominators, dominatorsOf, isReducible, type Loop } from '../../../ir/cfg';
import { type Block, type Func, Op, Target, Type } from '../../../ir/ir';
import { regionShapesOf } from '../../../regions/regions';
import { hasBarriers } from '../../../regions/split';

/** Removes unreachable blocks, and orders the others so that every block comes after its dominators. */
export function orderBlocks(func: Func): boolean {
  const before = func.blocks;
  func.blocks = [...dominatorsOf(func).order];
  return func.blocks.length !== before.length || func.blocks.some((block, i) => block !== before[i]);
}

/** `orderBlocks` for good: the verifier refuses what a later pass lists in another order. */
export function keepOrder(func: Func): boolean {
  func.isOrdered = true;
  return orderBlocks(func);
}

/** Gives every loop a single latch that belongs to no other loop. */
export function singleLatches(func: Func): boolean {
  let changed = false;
  const dominators = dominatorsOf(func);
  invariant(isReducible(dominators), `a loop of '${func.name}' has several entries`);
  for (const loop of dominators.loops) {
    if (hasSingleLatch(loop, dominators.loops)) continue;
    changed = true;
    joinEdges(func, loop.header, loop.latches);
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
    const dominators = dominatorsOf(func);
    /** Blocks with other edges than when the regions were found: other regions of theirs are for the next iteration. */
    const touched = new Set<Block>();
    for (const { func: region, original } of regionShapesOf(func)) {
      const { loops } = dominatorsOf(region);
      const several = loops.filter((loop) => !hasSingleLatch(loop, loops));
      if (several.length === 0) continue;
      changed = again = true;
      if ([...original.values()].some((block) => touched.has(block))) continue;
      // Copies of a loop have one header in the kernel: what is left of them is for the next iteration.
      const headers = new Map(several.map((loop) => [original.get(loop.header)!, loop]));
      for (const [header, { latches }] of headers) {
        const sources = new Set(latches.map((b) => original.get(b)!));
        const joined = [...edgesToJoin(dominators, header, sources)];
        joinEdges(func, header, joined);
        for (const block of [header, ...joined]) touched.add(block);
      }
    }
  }
  return changed;
}

function hasSingleLatch(loop: Loop, loops: readonly Loop[]): boolean {
  const { header, latches, depth } = loop;
  const edges = latches.flatMap((b) => b.targets.filter((t) => t.block === header));
  return edges.length === 1 && !loops.some((l) => l !== loop && l.blocks.has(latches[0]!) && l.depth > depth);
}

/**
 * The sources of the edges to a header that get a block of their own: a region's latches. Some of them may enter the header's loop
 * in the kernel while others repeat it. A block of both would be a second entry to that loop, next to edges that enter it and are
 * no latches of the region. Then all edges that enter the loop get the block: it heads a loop of the region, around the kernel's.
 */
function edgesToJoin(dominators: Dominators, header: Block, latches: ReadonlySet<Block>): Iterable<Block> {
  const entering = dominators.preds.get(header)!.filter((b) => !dominators.dominates(header, b));
  const some = entering.some((b) => latches.has(b));
  const all = entering.every((b) => latches.has(b));
  const repeats = [...latches].some((b) => dominators.dominates(header, b));
  return repeats && some && !all ? entering : latches;
}

/** Lets the edges from `sources` to a header go through a new block. */
function joinEdges(func: Func, header: Block, sources: Iterable<Block>): void {
  const block = addBlock(func);
  const params = header.params.map((p) => addParam(func, block, p.type));
  for (const source of sources)
    for (const target of source.targets) if (target.block === header) target.block = block;
  block.terminator = makeInst(func, block, Op.Jump, Type.Void, []);
  block.targets = [new Target(header, params)];
}
