// SPDX-License-Identifier: MIT
//
// Which branches decide whether, and how often, a block is executed (Ferrante, Ottenstein and Warren): those from which one side
// always leads to the block, and the other one may not.
import { immediateDominators, reversePostorder } from '../../base/dominators';
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
  const EXIT = order.length;
  const index = new Map(order.map((block, at) => [block, at]));
  const successors = order.map(({ targets }) =>
    targets.length === 0 ? [EXIT] : targets.map(({ block }) => index.get(block)!),
  );
  const fromExit = () => reversePostorder(EXIT, (node) => predecessors.get(node) ?? []);
  let predecessors = reversed(successors);
  let nodes = fromExit();
  // Endless loops lead to the exit as well, so that each block reaches it.
  for (let at = EXIT - 1; nodes.length <= EXIT; at--)
    if (!nodes.includes(at)) {
      successors[at]!.push(EXIT);
      predecessors = reversed(successors);
      nodes = fromExit();
    }
  const rank = new Map(nodes.map((node, at) => [node, at]));
  const ipdom = immediateDominators(
    nodes.map((node) => (node === EXIT ? [] : successors[node]!.map((to) => rank.get(to)!))),
  );
  return new Map(
    nodes.flatMap((node, at) => {
      const to = nodes[ipdom[at]!]!;
      return node === EXIT || to === EXIT ? [] : [[order[node]!, order[to]!] as const];
    }),
  );
}

function reversed(successors: readonly (readonly number[])[]): ReadonlyMap<number, readonly number[]> {
  const predecessors = new Map<number, number[]>();
  for (const [from, list] of successors.entries())
    for (const to of list) {
      const known = predecessors.get(to);
      if (known) known.push(from);
      else predecessors.set(to, [from]);
    }
  return predecessors;
}
