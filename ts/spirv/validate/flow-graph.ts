// SPDX-License-Identifier: MIT
//
// A function's blocks as a graph with dominators.
import { DominatorTree, reversePostorder } from '../../base/dominators';
import { type SelectorWords, targetsOf, terminatorOf } from '../branches';
import type { FunctionDefinition, Id, Instruction } from '../module';
import type { Context } from './context';

/** How many words a literal of OpSwitch has, in a module that may be invalid. */
export const selectorWordsOf =
  (c: Context): SelectorWords =>
  (selector) =>
    c.width(c.typeOf(selector)) === 64 ? 2 : 1;

export class FlowGraph {
  /** The reachable blocks in reverse postorder. */
  private readonly order: readonly Id[];
  private readonly position: ReadonlyMap<Id, number>;
  private readonly tree: DominatorTree;
  readonly predecessors = new Map<Id, Set<Id>>();

  constructor(f: FunctionDefinition, selectorWords: SelectorWords) {
    const blocks = new Map(f.blocks.map((b) => [b.label, b]));
    const targets = (label: Id) => {
      const end: Instruction | undefined = terminatorOf(blocks.get(label)!);
      return end ? targetsOf(end, selectorWords) : [];
    };
    for (const label of blocks.keys()) this.predecessors.set(label, new Set());
    for (const label of blocks.keys()) for (const to of targets(label)) this.predecessors.get(to)?.add(label);
    this.order = reversePostorder(f.blocks[0]!.label, (label) =>
      targets(label).filter((to) => blocks.has(to)),
    );
    this.position = new Map(this.order.map((label, at) => [label, at]));
    this.tree = new DominatorTree(this.order.map((label) => this.reachablePredecessors(label)));
  }

  private reachablePredecessors(label: Id): number[] {
    const positions = [...this.predecessors.get(label)!].map((pred) => this.position.get(pred));
    return positions.filter((at) => at !== undefined);
  }

  isReachable(label: Id): boolean {
    return this.position.has(label);
  }

  immediateDominator(label: Id): Id | undefined {
    const at = this.position.get(label);
    return at === undefined || at === 0 ? undefined : this.order[this.tree.idom[at]!];
  }

  dominates(a: Id, b: Id): boolean {
    const [i, j] = [this.position.get(a), this.position.get(b)];
    return i !== undefined && j !== undefined && this.tree.dominates(i, j);
  }
}
