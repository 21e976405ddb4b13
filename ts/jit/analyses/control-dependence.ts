// SPDX-License-Identifier: MIT
//
// Which branches decide whether, and how often, a block is executed (Ferrante, Ottenstein and Warren): those from which one side
// always leads to the block, and the other one may not.
import type { Dominators } from '../ir/cfg';
import type { Block } from '../ir/ir';

export class ControlDependence {
  private readonly branches = new Map<Block, Block[]>();

  constructor({ order }: Dominators) {
    const immediate = immediatePostdominators(order);
    for (const branch of order) {
      if (branch.targets.length < 2) continue;
      const end = immediate.get(branch);
      for (const { block } of branch.targets)
        for (let at: Block | undefined = block; at && at !== end; at = immediate.get(at)) {
          const known = this.branches.get(at);
          if (!known) this.branches.set(at, [branch]);
          else if (!known.includes(branch)) known.push(branch);
        }
    }
  }

  /** The branches that a block depends on directly. */
  of(block: Block): readonly Block[] {
    return this.branches.get(block) ?? [];
  }
}

/** By block; none if all paths from it meet only at the function's end. */
function immediatePostdominators(order: readonly Block[]): ReadonlyMap<Block, Block> {
  const count = order.length;
  const index = new Map(order.map((block, at) => [block, at]));
  // By position, the virtual exit last; -1: not reached from there yet. Postorder of the reversed graph numbers the blocks.
  const preds: number[][] = Array.from({ length: count + 1 }, () => []);
  const successors = order.map(({ targets }) =>
    targets.length === 0 ? [count] : targets.map(({ block }) => index.get(block)!),
  );
  const link = () => {
    for (const list of preds) list.length = 0;
    for (const [at, list] of successors.entries()) for (const to of list) preds[to]!.push(at);
  };
  link();
  let visited = postorder(preds, count);
  // Endless loops lead to the exit as well, so that each block reaches it.
  for (let at = count - 1; visited.length <= count; at--)
    if (!visited.includes(at)) {
      successors[at]!.push(count);
      link();
      visited = postorder(preds, count);
    }
  const reversed = visited.reverse();
  const rank = new Array<number>(count + 1).fill(0);
  for (const [at, node] of reversed.entries()) rank[node] = at;
  const found = new Array<number>(count + 1).fill(-1);
  found[count] = count;
  for (let changed = true; changed; ) {
    changed = false;
    for (const node of reversed) {
      if (node === count) continue;
      let best = -1;
      for (let to of successors[node]!) {
        if (found[to] === -1) continue;
        if (best === -1) best = to;
        while (best !== to)
          if (rank[best]! > rank[to]!) best = found[best]!;
          else to = found[to]!;
      }
      if (found[node] !== best) {
        found[node] = best;
        changed = true;
      }
    }
  }
  return new Map(
    order.flatMap((block, at) => {
      const to = found[at]!;
      return to >= 0 && to < count ? [[block, order[to]!] as const] : [];
    }),
  );
}

function postorder(edges: readonly (readonly number[])[], start: number): number[] {
  const seen = new Set([start]);
  const list: number[] = [];
  const work: { node: number; next: number }[] = [{ node: start, next: 0 }];
  for (let top = work.at(-1); top; top = work.at(-1)) {
    const to = edges[top.node]![top.next++];
    if (to === undefined) {
      list.push(top.node);
      work.pop();
    } else if (!seen.has(to)) {
      seen.add(to);
      work.push({ node: to, next: 0 });
    }
  }
  return list;
}
