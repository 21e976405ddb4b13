// SPDX-License-Identifier: MIT
//
// Orders and dominators of directed graphs, whatever their nodes are: blocks of SPIR-V, blocks of the kernel IR, and either of them
// with all edges reversed, for postdominators.

/** The nodes that can be reached from `entry`, each before those that it alone leads to; of a node's successors, the first one is first. */
export function reversePostorder<T>(entry: T, successors: (node: T) => readonly T[]): T[] {
  const seen = new Set([entry]);
  const order: T[] = [];
  const start = successors(entry);
  const stack = [{ node: entry, successors: start, left: start.length }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    if (top.left === 0) {
      order.push(top.node);
      stack.pop();
      continue;
    }
    const to = top.successors[--top.left]!;
    if (seen.has(to)) continue;
    seen.add(to);
    const next = successors(to);
    stack.push({ node: to, successors: next, left: next.length });
  }
  return order.reverse();
}

/**
 * By node, its immediate dominator (Cooper, Harvey and Kennedy). Nodes are numbers in reverse postorder, of which the first is the
 * entry, which is given as its own. A node that cannot be reached from the entry has -1.
 */
export function immediateDominators(predecessors: readonly (readonly number[])[]): Int32Array {
  const idom = new Int32Array(predecessors.length).fill(-1);
  idom[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let node = 1; node < idom.length; node++) {
      const common = nearestCommon(idom, predecessors[node]!);
      if (idom[node] !== common) {
        idom[node] = common;
        changed = true;
      }
    }
  }
  return idom;
}

/** The last node that dominates all of `nodes` that have a dominator so far; -1 if none has. */
function nearestCommon(idom: Int32Array, nodes: readonly number[]): number {
  let common = -1;
  for (let node of nodes) {
    if (idom[node]! < 0) continue;
    if (common < 0) common = node;
    while (node !== common)
      if (node > common) node = idom[node]!;
      else common = idom[common]!;
  }
  return common;
}

/** The tree of immediate dominators. All nodes must be reachable. */
export class DominatorTree {
  /** By node; the entry's is itself. */
  readonly idom: Int32Array;
  readonly children: readonly (readonly number[])[];
  /** Intervals of a walk of the tree: a dominates b if a's interval contains b's. */
  private readonly enter: Int32Array;
  private readonly leave: Int32Array;

  constructor(predecessors: readonly (readonly number[])[]) {
    const count = predecessors.length;
    this.idom = immediateDominators(predecessors);
    const children: number[][] = predecessors.map(() => []);
    for (let node = 1; node < count; node++) children[this.idom[node]!]!.push(node);
    this.children = children;
    this.enter = new Int32Array(count);
    this.leave = new Int32Array(count);
    this.number();
  }

  private number(): void {
    const { enter, leave, children } = this;
    let clock = 0;
    const stack = [{ node: 0, next: 0 }];
    enter[0] = clock++;
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const child = children[top.node]![top.next++];
      if (child === undefined) {
        leave[top.node] = clock++;
        stack.pop();
      } else {
        enter[child] = clock++;
        stack.push({ node: child, next: 0 });
      }
    }
  }

  dominates(a: number, b: number): boolean {
    return this.enter[a]! <= this.enter[b]! && this.leave[b]! <= this.leave[a]!;
  }
}
