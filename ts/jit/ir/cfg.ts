// SPDX-License-Identifier: MIT
//
// The control flow graph: orders, predecessors, dominators, natural loops. `dominatorsOf` computes dominators once for each state
// of a function's control flow, which most passes do not change. Everything else here is recomputed on each call.
import type { Block, Func, Target } from './ir';

/** The reachable blocks in reverse postorder: every block after its dominators. */
export function reversePostorder(func: Func): Block[] {
  const seen = new Set<Block>([func.entry]);
  const order: Block[] = [];
  const stack: { block: Block; next: number }[] = [{ block: func.entry, next: 0 }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    // The last target is visited first, so that the first one is first in the order.
    const targets = top.block.targets;
    if (top.next < targets.length) {
      const to = targets[targets.length - 1 - top.next++]!.block;
      if (!seen.has(to)) {
        seen.add(to);
        stack.push({ block: to, next: 0 });
      }
    } else {
      order.push(top.block);
      stack.pop();
    }
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

/** Dominators of the reachable blocks (Cooper, Harvey and Kennedy). */
export class Dominators {
  readonly order: readonly Block[];
  readonly preds: ReadonlyMap<Block, readonly Block[]>;
  /** Position in reverse postorder. */
  readonly index: ReadonlyMap<Block, number>;
  /** By position: the position of the immediate dominator; the entry's is 0. */
  private readonly idom: Int32Array;
  readonly children: readonly (readonly Block[])[];
  /** Intervals of a walk of the tree: a dominates b if a's interval contains b's. */
  private readonly enter: Int32Array;
  private readonly leave: Int32Array;
  /** The successors of each block, in the order of the blocks; `undefined` ends a block's list. */
  private readonly edges: (Block | undefined)[] = [];
  private naturalLoops: readonly Loop[] | undefined;

  constructor(func: Func) {
    const order = reversePostorder(func);
    const index = new Map<Block, number>();
    for (let i = 0; i < order.length; i++) index.set(order[i]!, i);
    const preds = predecessors(order);
    const predIndexes = order.map((b) => preds.get(b)!.map((p) => index.get(p)!));
    this.order = order;
    this.index = index;
    this.preds = preds;
    for (const block of order) {
      for (const target of block.targets) this.edges.push(target.block);
      this.edges.push(undefined);
    }
    const idom = new Int32Array(order.length).fill(-1);
    idom[0] = 0;
    for (let changed = true; changed; ) {
      changed = false;
      for (let i = 1; i < order.length; i++) {
        let best = -1;
        for (const p of predIndexes[i]!) {
          if (idom[p] === -1) continue;
          if (best === -1) best = p;
          else {
            let a = p;
            while (a !== best) {
              if (a > best) a = idom[a]!;
              else best = idom[best]!;
            }
          }
        }
        if (idom[i] !== best) {
          idom[i] = best;
          changed = true;
        }
      }
    }
    this.idom = idom;
    const children: Block[][] = order.map(() => []);
    for (let i = 1; i < order.length; i++) children[idom[i]!]!.push(order[i]!);
    this.children = children;
    this.enter = new Int32Array(order.length);
    this.leave = new Int32Array(order.length);
    let clock = 0;
    const stack = [{ at: 0, next: 0 }];
    this.enter[0] = clock++;
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const child = children[top.at]![top.next++];
      if (child) {
        const at = index.get(child)!;
        this.enter[at] = clock++;
        stack.push({ at, next: 0 });
      } else {
        this.leave[top.at] = clock++;
        stack.pop();
      }
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
    return i === 0 ? undefined : this.order[this.idom[i]!];
  }

  childrenOf(block: Block): readonly Block[] {
    return this.children[this.index.get(block)!]!;
  }

  dominates(a: Block, b: Block): boolean {
    const i = this.index.get(a);
    const j = this.index.get(b);
    if (i === undefined || j === undefined) return false;
    return this.enter[i]! <= this.enter[j]! && this.leave[j]! <= this.leave[i]!;
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

/** The natural loops, outer ones first. An edge whose target does not dominate its source is no back edge. */
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
