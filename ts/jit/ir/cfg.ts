// SPDX-License-Identifier: MIT
//
// The control flow graph: orders, predecessors, dominators, natural loops. `dominatorsOf` computes dominators once for each state
// of a function's control flow, which most passes do not change. Everything else here is recomputed on each call.

import { DominatorTree } from '../../base/dominators';
import { blankTable } from '../../base/table';
import type { Block, Func, Target } from './ir';

/** The reachable blocks in reverse postorder: every block after its dominators. */
export function reversePostorder(func: Func): Block[] {
  // `reversePostorder` of base/dominators without lists of successors: most passes ask for the order.
  const seen = new Set([func.entry]);
  const order: Block[] = [];
  const stack = [{ block: func.entry, left: func.entry.targets.length }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    if (top.left === 0) {
      order.push(top.block);
      stack.pop();
      continue;
    }
    const { block } = top.block.targets[--top.left]!;
    if (seen.has(block)) continue;
    seen.add(block);
    stack.push({ block, left: block.targets.length });
  }
  return order.reverse();
}

/** Each block's predecessors, once per edge, in the order of `blocks`. */
export function predecessors(blocks: readonly Block[]): Map<Block, Block[]> {
  const result = new Map<Block, Block[]>();
  for (const block of blocks) result.set(block, []);
  for (const block of blocks) for (const target of block.targets) result.get(target.block)?.push(block);
  return result;
}

/** The edges to each block that has parameters. */
export function edgesWithArguments(func: Func): Map<Block, Target[]> {
  const result = new Map<Block, Target[]>();
  for (const block of func.blocks)
    for (const target of block.targets) {
      if (target.block.params.length === 0) continue;
      const list = result.get(target.block);
      if (list) list.push(target);
      else result.set(target.block, [target]);
    }
  return result;
}

const found = new WeakMap<Func, Dominators>();

/** The dominators of a function; the cached ones unless its control flow has changed since. */
export function dominatorsOf(func: Func): Dominators {
  let dominators = found.get(func);
  if (!dominators?.areOf(func)) {
    dominators = new Dominators(func);
    found.set(func, dominators);
  }
  return dominators;
}

/** Dominators of the reachable blocks. */
export class Dominators {
  readonly order: readonly Block[];
  readonly preds: ReadonlyMap<Block, readonly Block[]>;
  /** Position in reverse postorder. */
  readonly index: ReadonlyMap<Block, number>;
  /** By position in the order. */
  private readonly tree: DominatorTree;
  /** The successors of each block, in the order of the blocks; `undefined` ends a block's list. */
  private readonly edges: (Block | undefined)[] = [];
  private readonly children: (readonly Block[] | undefined)[];
  private naturalLoops: readonly Loop[] | undefined;

  constructor(func: Func) {
    const order = reversePostorder(func);
    const index = new Map<Block, number>();
    for (let i = 0; i < order.length; i++) index.set(order[i]!, i);
    const preds = predecessors(order);
    this.tree = new DominatorTree(order.map((b) => preds.get(b)!.map((p) => index.get(p)!)));
    this.children = blankTable<readonly Block[]>(order.length);
    this.order = order;
    this.index = index;
    this.preds = preds;
    for (const block of order) {
      for (const target of block.targets) this.edges.push(target.block);
      this.edges.push(undefined);
    }
  }

  /** Whether a function still has the same blocks and edges. */
  areOf(func: Func): boolean {
    const { order, edges } = this;
    if (order[0] !== func.entry) return false;
    let at = 0;
    for (const block of order) {
      for (const target of block.targets) if (edges[at++] !== target.block) return false;
      if (edges[at++] !== undefined) return false;
    }
    return true;
  }

  /** The natural loops, outer ones first. */
  get loops(): readonly Loop[] {
    this.naturalLoops ??= naturalLoops(this);
    return this.naturalLoops;
  }

  idomOf(block: Block): Block | undefined {
    const i = this.index.get(block)!;
    return i === 0 ? undefined : this.order[this.tree.idom[i]!];
  }

  childrenOf(block: Block): readonly Block[] {
    const at = this.index.get(block)!;
    this.children[at] ??= this.tree.children[at]!.map((child) => this.order[child]!);
    return this.children[at];
  }

  dominates(a: Block, b: Block): boolean {
    const i = this.index.get(a);
    const j = this.index.get(b);
    return i !== undefined && j !== undefined && this.tree.dominates(i, j);
  }
}

/** Whether every loop is entered through one block, its header. */
export function isReducible(dominators: Dominators): boolean {
  const { order, index } = dominators;
  return order.every((block, at) =>
    block.targets.every(({ block: to }) => index.get(to)! > at || dominators.dominates(to, block)),
  );
}

export interface Loop {
  readonly header: Block;
  /** Sources of back edges. */
  readonly latches: readonly Block[];
  /** The header included. */
  readonly blocks: ReadonlySet<Block>;
  readonly parent?: Loop;
  readonly depth: number;
}

/** A loop whose owner updates it when it adds blocks. */
export interface OwnLoop extends Loop {
  readonly latches: Block[];
  readonly blocks: Set<Block>;
  parent?: OwnLoop;
  depth: number;
}

/** The natural loops, outer ones first. An edge whose target does not dominate its source is not a back edge. */
export function naturalLoops(dominators: Dominators): OwnLoop[] {
  const byHeader = new Map<Block, OwnLoop>();
  for (const block of dominators.order)
    for (const { block: header } of block.targets)
      if (dominators.dominates(header, block)) {
        const loop = byHeader.get(header) ?? { header, latches: [], blocks: new Set([header]), depth: 1 };
        byHeader.set(header, loop);
        if (!loop.latches.includes(block)) loop.latches.push(block);
      }
  for (const loop of byHeader.values()) {
    const work = loop.latches.filter((b) => b !== loop.header);
    for (const b of work) loop.blocks.add(b);
    while (work.length > 0)
      for (const p of dominators.preds.get(work.pop()!)!)
        if (!loop.blocks.has(p)) {
          loop.blocks.add(p);
          work.push(p);
        }
  }
  const loops = [...byHeader.values()].sort((a, b) => b.blocks.size - a.blocks.size);
  const innermost = new Map<Block, OwnLoop>();
  for (const loop of loops) {
    const parent = innermost.get(loop.header);
    if (parent) {
      loop.parent = parent;
      loop.depth = parent.depth + 1;
    }
    for (const block of loop.blocks) innermost.set(block, loop);
  }
  return loops;
}
