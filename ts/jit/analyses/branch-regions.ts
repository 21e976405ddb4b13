// SPDX-License-Identifier: MIT
//
// The region between a branch and its reconvergence point, without enumerating it: dominance in an acyclic graph answers what is in
// it, and dominance frontiers where its paths join. A chain of n `else if` has n regions of up to n blocks.

/** The nodes are numbered in topological order; `successors.length` is the virtual exit. */
export class BranchRegions {
  /** By node: the immediate dominator; that of the first node is itself. */
  private readonly idom: Int32Array;
  /** By node: its position in a walk of the dominator tree, and the last one in its subtree. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private readonly frontiers: number[][];
  private readonly incoming: Int32Array;

  /** Undefined if the numbers are no topological order, or some nodes are unreachable. */
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
    this.incoming = Int32Array.from(preds, (list) => list.length);
    this.idom = immediateDominators(preds);
    [this.first, this.last] = numberTree(this.idom);
    this.frontiers = this.dominanceFrontiers(preds);
  }

  idomOf(node: number): number {
    return this.idom[node]!;
  }

  /** Whether control enters the region of a branch only through the branch: all of the region is before its end. */
  isEnclosed(branch: number): boolean {
    const end = this.ipdom[branch]!;
    return this.frontiers[branch]!.every((at) => at >= end);
  }

  /** Whether a node is in the enclosed region of a branch, which includes the branch. */
  contains(branch: number, node: number): boolean {
    const end = this.ipdom[branch]!;
    return this.dominates(branch, node) && !(end < this.idom.length && this.dominates(end, node));
  }

  /** The nodes of an enclosed region and its end where paths from different sides of the branch join. */
  joins(branch: number, targets: readonly number[]): number[] {
    const count = this.idom.length;
    const end = this.ipdom[branch]!;
    const joins = new Set<number>();
    const work: number[] = [];
    const join = (at: number) => {
      if (at >= count || joins.has(at)) return;
      joins.add(at);
      if (at !== end) work.push(at);
    };
    for (const target of targets) {
      if (target >= count) continue;
      if (this.incoming[target]! > 1) join(target);
      else if (target !== end) work.push(target);
    }
    while (work.length > 0) for (const at of this.frontiers[work.pop()!]!) join(at);
    return [...joins].sort((a, b) => a - b);
  }

  private dominates(a: number, b: number): boolean {
    return this.first[a]! <= this.first[b]! && this.first[b]! <= this.last[a]!;
  }

  private dominanceFrontiers(preds: readonly (readonly number[])[]): number[][] {
    const frontiers: number[][] = preds.map(() => []);
    for (let node = 0; node < preds.length; node++) {
      if (preds[node]!.length < 2) continue;
      for (const pred of preds[node]!)
        for (let at = pred; at !== this.idom[node]; at = this.idom[at]!) {
          // Everything before it was visited from another predecessor.
          if (frontiers[at]!.at(-1) === node) break;
          frontiers[at]!.push(node);
        }
    }
    return frontiers;
  }
}

function immediateDominators(preds: readonly (readonly number[])[]): Int32Array {
  const idom = new Int32Array(preds.length);
  for (let node = 1; node < preds.length; node++) {
    let [common] = preds[node]! as [number];
    for (let other of preds[node]!)
      while (other !== common)
        if (other > common) other = idom[other]!;
        else common = idom[common]!;
    idom[node] = common;
  }
  return idom;
}

/** Numbers are topological: a node's subtree is counted before that of its dominator. */
function numberTree(idom: Int32Array): [first: Int32Array, last: Int32Array] {
  const size = new Int32Array(idom.length).fill(1);
  for (let node = idom.length - 1; node > 0; node--) size[idom[node]!]! += size[node]!;
  const first = new Int32Array(idom.length);
  const last = new Int32Array(idom.length);
  const next = new Int32Array(idom.length);
  for (let node = 0; node < idom.length; node++) {
    if (node > 0) {
      first[node] = next[idom[node]!]!;
      next[idom[node]!]! += size[node]!;
    }
    next[node] = first[node]! + 1;
    last[node] = first[node]! + size[node]! - 1;
  }
  return [first, last];
}
