// SPDX-License-Identifier: MIT
//
// Loops in the form that vectorization requires: blocks in order, one latch per loop that belongs to no inner loop.
import { invariant } from '../../base/invariant';
import { addBlock, addParam, makeInst } from '../ir/build';
import { dominatorsOf, isReducible, reversePostorder } from '../ir/cfg';
import { type Func, Op, Target, Type } from '../ir/ir';

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
  const { loops } = dominators;
  for (const loop of loops) {
    const inner = loops.some((l) => l !== loop && l.blocks.has(loop.latches[0]!) && l.depth > loop.depth);
    const edges = loop.latches.reduce(
      (n, b) => n + b.targets.filter((t) => t.block === loop.header).length,
      0,
    );
    if (edges === 1 && !inner) continue;
    changed = true;
    const latch = addBlock(func);
    const params = loop.header.params.map((p) => addParam(func, latch, p.type));
    for (const source of loop.latches)
      for (const target of source.targets) if (target.block === loop.header) target.block = latch;
    latch.terminator = makeInst(func, latch, Op.Jump, Type.Void, []);
    latch.targets = [new Target(loop.header, params)];
  }
  return changed;
}
