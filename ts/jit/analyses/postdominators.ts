// SPDX-License-Identifier: MIT
import { immediateDominators } from '../../base/dominators';
import type { Dominators, Loop } from '../ir/cfg';
import type { Block, Value } from '../ir/ir';
import { BranchRegions } from './branch-regions';

const found = new WeakMap<Dominators, Flow>();

/** The flow of these dominators; it is computed once. */
export function flowOf(dominators: Dominators): Flow {
  let flow = found.get(dominators);
  if (!flow) {
    flow = new Flow(dominators);
    found.set(dominators, flow);
  }
  return flow;
}

/** Blocks with their innermost loops, and postdominance within one iteration of every loop around a block. */
export class Flow {
  /**
   * The blocks in topological order, with each loop's blocks contiguous; edges from a loop's end to its exits are forward too.
   */
  private readonly order: readonly Block[];
  private readonly index = new Map<Block, number>();
  /** By position: the innermost loop. */
  private readonly loops: (Loop | undefined)[];
  /** Position of the immediate postdominator; the virtual exit is `order.length`. */
  private readonly ipdom: Int32Array;
  private readonly successors: number[][];
  /** Null if there are none; undefined if they were not asked for yet. Without divergent branches they are not. */
  private knownRegions: BranchRegions | null | undefined;

  private readonly exiting = new Map<Loop, readonly Block[]>();

  readonly allLoops: readonly Loop[];

  constructor(readonly dominators: Dominators) {
    const allLoops = dominators.loops;
    this.allLoops = allLoops;
    this.order = withLoopsInARow(dominators, allLoops);
    const { order, index } = this;
    for (let i = 0; i < order.length; i++) index.set(order[i]!, i);
    this.loops = new Array(order.length);
    for (const loop of allLoops) for (const block of loop.blocks) this.loops[index.get(block)!] = loop;
    this.successors = this.acyclicSuccessors();
    this.ipdom = this.immediatePostdominators();
  }

  private get regions(): BranchRegions | null {
    if (this.knownRegions === undefined)
      this.knownRegions = BranchRegions.of(this.successors, this.ipdom) ?? null;
    return this.knownRegions;
  }

  loopOf(block: Block): Loop | undefined {
    return this.loops[this.index.get(block)!];
  }

  /** The blocks from which control leaves a loop. */
  exitingBlocks(loop: Loop): readonly Block[] {
    let exiting = this.exiting.get(loop);
    if (!exiting) {
      exiting = [...loop.blocks].filter((b) => b.targets.some((t) => !loop.blocks.has(t.block)));
      this.exiting.set(loop, exiting);
    }
    return exiting;
  }

  /** Whether all edges to a block, except back edges of its loop, pass the same value to a parameter. */
  hasOneIncomingValue(block: Block, index: number): boolean {
    const loop = this.loopOf(block);
    let value: Value | undefined;
    for (const pred of this.dominators.preds.get(block)!) {
      if (loop?.header === block && loop.blocks.has(pred)) continue;
      for (const target of pred.targets) {
        if (target.block !== block) continue;
        const given = target.arguments[index]!;
        if (value && given !== value) return false;
        value = given;
      }
    }
    return true;
  }

  /** Whether `outer` is `inner` or a loop around it. */
  static within(inner: Loop | undefined, outer: Loop): boolean {
    for (let loop = inner; loop; loop = loop.parent) if (loop === outer) return true;
    return false;
  }

  /**
   * The edges, with each back edge replaced by edges to its loop's exits: the remaining flow of the work-items that are in this
   * iteration. A loop without exits leads to the virtual exit.
   */
  private acyclicSuccessors(): number[][] {
    const { order, index } = this;
    const loopOfHeader = new Map(this.allLoops.map((l) => [l.header, l]));
    const exits = new Map<Loop, number[]>();
    const leadsTo = (from: Block, to: Block) => {
      const loop = loopOfHeader.get(to);
      return loop?.blocks.has(from) ? exits.get(loop)! : [index.get(to)!];
    };
    // Outer loops come first: an exit that is a back edge of one of them leads to that loop's exits.
    for (const loop of this.allLoops) {
      const targets = new Set<number>();
      for (const block of loop.blocks)
        for (const t of block.targets)
          if (!loop.blocks.has(t.block)) for (const to of leadsTo(block, t.block)) targets.add(to);
      exits.set(loop, targets.size > 0 ? [...targets] : [order.length]);
    }
    return order.map(({ targets }, at) => {
      const [only] = targets;
      if (!only) return [order.length];
      return targets.length === 1
        ? leadsTo(order[at]!, only.block)
        : targets.flatMap((t) => leadsTo(order[at]!, t.block));
    });
  }

  /** Postdominators are the dominators of the reversed graph: its entry is the virtual exit, and its nodes are numbered from there. */
  private immediatePostdominators(): Int32Array {
    const exit = this.order.length;
    const reversed: number[][] = [[]];
    for (let at = exit - 1; at >= 0; at--) reversed.push(this.successors[at]!.map((to) => exit - to));
    const found = immediateDominators(reversed);
    const ipdom = new Int32Array(exit + 1);
    for (let at = 0; at <= exit; at++) ipdom[exit - at] = found[at]! < 0 ? exit : exit - found[at]!;
    return ipdom;
  }

  /** Whether every work-item at `b` reaches `a` in the same iteration. */
  postdominates(a: Block, b: Block): boolean {
    const goal = this.index.get(a)!;
    let i = this.index.get(b)!;
    while (i < goal) i = this.ipdom[i]!;
    return i === goal;
  }

  /**
   * The blocks between a branch and its reconvergence point, including the branch's own block and excluding the latter.
   */
  influence(branch: Block): Block[] {
    const { order, index } = this;
    const start = index.get(branch)!;
    const end = this.ipdom[start]!;
    const seen = new Set<number>([start]);
    const work = [start];
    while (work.length > 0)
      for (const s of this.successors[work.pop()!]!)
        if (s !== end && s < order.length && !seen.has(s)) {
          seen.add(s);
          work.push(s);
        }
    return [...seen].map((i) => order[i]!);
  }

  /** Tells of a block whether it is in `influence` of a branch. */
  influenceOf(branch: Block): (block: Block) => boolean {
    const { regions, index } = this;
    if (regions) return (block) => regions.contains(index.get(branch)!, index.get(block)!);
    const region = new Set(this.influence(branch));
    return (block) => region.has(block);
  }

  /**
   * By block, branches in whose influence it is: enough of them to tell whether a given block strictly dominates one. A ladder of
   * branches, such as long conditions become, has n of them around most blocks, with the same dominators.
   */
  branchesAround(branches: ReadonlySet<Block>): Map<Block, readonly Block[]> {
    const { dominators, index, order } = this;
    const around = new Map<Block, Block[]>();
    if (branches.size === 0) return around;
    const add = (block: Block, branch: Block) => {
      const list = around.get(block);
      if (list) list.push(branch);
      else around.set(block, [branch]);
    };
    if (!this.regions) {
      for (const branch of branches) for (const block of this.influence(branch)) add(block, branch);
      return around;
    }
    // From the last one on. Another branch with the same dominators, and perhaps more, stands for this one: it is around all blocks
    // up to its reconvergence point.
    const starts = Array.from(branches, (branch) => index.get(branch)!).sort((a, b) => b - a);
    for (const start of starts) {
      const branch = order[start]!;
      const idom = dominators.idomOf(branch);
      const end = this.ipdom[start]!;
      const seen = new Set<number>();
      const work = [start];
      for (let at = work.pop(); at !== undefined; at = work.pop()) {
        if (at >= end || seen.has(at)) continue;
        seen.add(at);
        const other = around.get(order[at]!)?.find((b) => !idom || dominators.dominates(idom, b));
        if (other) {
          work.push(this.ipdom[index.get(other)!]!);
        } else {
          add(order[at]!, branch);
          for (const to of this.successors[at]!) work.push(to);
        }
      }
    }
    return around;
  }

  /** The blocks where paths from different sides of a branch join for the first time. */
  joins(branch: Block): Block[] {
    if (!this.regions) return this.enumeratedJoins(branch);
    const { order, index } = this;
    const start = index.get(branch)!;
    const sides = branch.targets.map((t) => {
      const to = index.get(t.block)!;
      return to > start ? [to] : this.successors[start]!;
    });
    return this.regions.joins(start, sides).map((at) => order[at]!);
  }

  private enumeratedJoins(branch: Block): Block[] {
    const { order, index } = this;
    const start = index.get(branch)!;
    const end = this.ipdom[start]!;
    // By block: the side that all paths to it have taken, or the last join on them.
    const from = new Map<number, number>();
    const joins = new Set<number>();
    const arrive = (at: number, label: number) => {
      const known = from.get(at);
      if (known === undefined) from.set(at, label);
      else if (known !== label) {
        from.set(at, at);
        joins.add(at);
      }
    };
    branch.targets.forEach((t, side) => {
      const to = index.get(t.block)!;
      for (const s of to > start ? [to] : this.successors[start]!) arrive(s, -1 - side);
    });
    // Edges are forward in this order, so a block's label is known before it is propagated.
    const region = this.influence(branch).map((b) => index.get(b)!);
    for (const at of region.sort((a, b) => a - b)) {
      const label = from.get(at);
      if (at !== start && label !== undefined) for (const s of this.successors[at]!) arrive(s, label);
    }
    return [...joins].filter((at) => at <= end && at < order.length).map((at) => order[at]!);
  }
}

/** Reverse postorder may place a loop's exit among its blocks; here all blocks of a loop come before the blocks after it. */
function withLoopsInARow(dominators: Dominators, loops: readonly Loop[]): readonly Block[] {
  if (loops.length === 0) return dominators.order;
  const headed = new Map(loops.map((l) => [l.header, l]));
  const placed = new Set<Block>();
  const place = (blocks: readonly Block[], around?: Loop) => {
    for (const block of blocks) {
      if (placed.has(block)) continue;
      const loop = headed.get(block);
      if (loop && loop !== around) place(inOrder(loop.blocks), loop);
      else placed.add(block);
    }
  };
  const inOrder = (blocks: ReadonlySet<Block>) =>
    [...blocks].sort((a, b) => dominators.index.get(a)! - dominators.index.get(b)!);
  place(dominators.order);
  return [...placed];
}
