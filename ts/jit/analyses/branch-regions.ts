// SPDX-License-Identifier: MIT
//
// The region between a branch and its reconvergence point, without enumerating it. In an acyclic graph, what can be reached from a
// node are the nodes that it dominates, those that the nodes in its dominance frontier dominate, and so on. A chain of n `else if`,
// of n operands of `&&` or of n `continue` has n regions of up to n blocks, but few such roots in each.
import { DominatorTree } from '../../base/dominators';

/** The nodes are numbered in topological order; `successors.length` is the virtual exit. */
export class BranchRegions {
  private readonly tree: DominatorTree;
  private readonly frontiers: number[][];
  /** By branch: what `rootsOf` has found. */
  private readonly roots: (readonly number[] | undefined)[];

  /** Undefined if the numbers are not a topological order, or some nodes are unreachable. */
  static of(successors: readonly (readonly number[])[], ipdom: Int32Array): BranchRegions | undefined {
    const reached = new Uint8Array(successors.length + 1);
    reached[0] = 1;
    for (let i = 0; i < successors.length; i++) {
      if (!reached[i]) return undefined;
      for (const s of successors[i]!) {
        if (s <= i) return undefined;
        reached[s] = 1;
      }
    }
    return new BranchRegions(successors, ipdom);
  }

  private constructor(
    successors: readonly (readonly number[])[],
    private readonly ipdom: Int32Array,
  ) {
    const count = successors.length;
    const preds: number[][] = Array.from({ length: count }, () => []);
    for (let i = 0; i < count; i++) for (const s of successors[i]!) if (s < count) preds[s]!.push(i);
    this.roots = new Array(count);
    this.tree = new DominatorTree(preds);
    this.frontiers = this.dominanceFrontiers(preds);
  }

  /** Whether a node is in the region of a branch, which includes the branch and ends before its reconvergence point. */
  contains(branch: number, node: number): boolean {
    return node < this.ipdom[branch]! && this.rootsOf(branch).some((root) => this.tree.dominates(root, node));
  }

  /** The nodes that dominate a part of a branch's region each, and all of it together. */
  private rootsOf(branch: number): readonly number[] {
    let roots = this.roots[branch];
    if (roots) return roots;
    const end = this.ipdom[branch]!;
    const found = new Set([branch]);
    for (const root of found) for (const at of this.frontiers[root]!) if (at < end) found.add(at);
    roots = [...found];
    this.roots[branch] = roots;
    return roots;
  }

  /**
   * The nodes of a branch's region, and its end, where paths meet that left the branch on different sides. `sides`: by side, the
   * nodes that it leads to.
   */
  joins(branch: number, sides: readonly (readonly number[])[]): number[] {
    const end = this.ipdom[branch]!;
    // By node: the side that all paths to it have taken, or the last join on them. What a node dominates has its label.
    const labels = new Map<number, number>();
    const joins = new Set<number>();
    const waiting = new Heap();
    const arrive = (at: number, label: number) => {
      if (at > end || at >= this.frontiers.length) return;
      const known = labels.get(at);
      if (known === undefined) {
        labels.set(at, label);
        if (at !== end) waiting.add(at);
      } else if (known !== label) {
        labels.set(at, at);
        joins.add(at);
      }
    };
    sides.forEach((targets, side) => {
      for (const at of targets) arrive(at, -1 - side);
    });
    // A frontier's nodes come after those that they are the frontier of, so a label is known before it is handed on.
    for (let at = waiting.take(); at !== undefined; at = waiting.take())
      for (const next of this.frontiers[at]!) arrive(next, labels.get(at)!);
    return [...joins].sort((a, b) => a - b);
  }

  private dominanceFrontiers(preds: readonly (readonly number[])[]): number[][] {
    const { idom } = this.tree;
    const frontiers: number[][] = preds.map(() => []);
    for (let node = 0; node < preds.length; node++) {
      if (preds[node]!.length < 2) continue;
      for (const pred of preds[node]!)
        for (let at = pred; at !== idom[node]; at = idom[at]!) {
          // Everything before it was visited from another predecessor.
          if (frontiers[at]!.at(-1) === node) break;
          frontiers[at]!.push(node);
        }
    }
    return frontiers;
  }
}

/** Numbers, of which the least is taken first. */
class Heap {
  private readonly items: number[] = [];

  add(item: number): void {
    const { items } = this;
    let at = items.length;
    for (items.push(item); at > 0; ) {
      const parent = (at - 1) >> 1;
      if (items[parent]! <= item) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  take(): number | undefined {
    const { items } = this;
    const least = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return least;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child++;
      if (items[child]! >= last) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return least;
  }
}
