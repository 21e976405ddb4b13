// SPDX-License-Identifier: MIT
//
// A function's blocks as a graph with dominators (Cooper, Harvey and Kennedy).
import { Op } from '../grammar.gen';
import type { Block, FunctionDefinition, Id } from '../module';

/** The labels that a block's terminator may branch to. `words`: of OpSwitch's literals. */
export function successors(block: Block, words = 1): Id[] {
  const end = block.instructions[block.instructions.length - 1];
  switch (end?.op) {
    case Op.Branch:
      return [end.operands[0]! as Id];
    case Op.BranchConditional:
      return [end.operands[1]! as Id, end.operands[2]! as Id];
    case Op.Switch: {
      const labels = [end.operands[1]! as Id];
      for (let at = 2 + words; at < end.operands.length; at += words + 1)
        labels.push(end.operands[at]! as Id);
      return labels;
    }
    default:
      return [];
  }
}

export class FlowGraph {
  private readonly order: Id[] = [];
  private readonly position = new Map<Id, number>();
  private readonly idom: number[] = [];
  private readonly enter: number[] = [];
  private readonly leave: number[] = [];
  readonly predecessors = new Map<Id, Set<Id>>();

  constructor(f: FunctionDefinition, switchWords: (block: Block) => number = () => 1) {
    const blocks = new Map(f.blocks.map((b) => [b.label, b]));
    for (const b of f.blocks) this.predecessors.set(b.label, new Set());
    for (const b of f.blocks)
      for (const to of successors(b, switchWords(b))) this.predecessors.get(to)?.add(b.label);
    const first = f.blocks[0]!.label;
    const seen = new Set([first]);
    const stack = [{ label: first, next: successors(f.blocks[0]!, switchWords(f.blocks[0]!)) }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const to = top.next.pop();
      if (to === undefined) {
        this.order.push(top.label);
        stack.pop();
      } else if (!seen.has(to)) {
        seen.add(to);
        const block = blocks.get(to);
        if (block) stack.push({ label: to, next: successors(block, switchWords(block)) });
      }
    }
    this.order.reverse();
    this.order.forEach((label, at) => {
      this.position.set(label, at);
    });
    this.solve();
    this.number();
  }

  private solve(): void {
    const { idom, order, position } = this;
    idom[0] = 0;
    for (let changed = true; changed; ) {
      changed = false;
      for (let at = 1; at < order.length; at++) {
        let best = -1;
        for (const pred of this.predecessors.get(order[at]!)!) {
          let p = position.get(pred);
          if (p === undefined || idom[p] === undefined) continue;
          if (best < 0) best = p;
          while (p !== best) {
            if (p > best) p = idom[p]!;
            else best = idom[best]!;
          }
        }
        if (idom[at] !== best) {
          idom[at] = best;
          changed = true;
        }
      }
    }
  }

  isReachable(label: Id): boolean {
    return this.position.has(label);
  }

  immediateDominator(label: Id): Id | undefined {
    const at = this.position.get(label);
    return at === undefined || at === 0 ? undefined : this.order[this.idom[at]!];
  }

  dominates(a: Id, b: Id): boolean {
    const [i, j] = [this.position.get(a), this.position.get(b)];
    if (i === undefined || j === undefined) return false;
    return this.enter[i]! <= this.enter[j]! && this.leave[j]! <= this.leave[i]!;
  }

  /** Numbers a walk of the dominator tree: a dominates b if a's interval contains b's. */
  private number(): void {
    const children: number[][] = this.order.map(() => []);
    for (let at = 1; at < this.order.length; at++) children[this.idom[at]!]!.push(at);
    let clock = 0;
    const stack = [{ at: 0, next: 0 }];
    this.enter[0] = clock++;
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const child = children[top.at]![top.next++];
      if (child === undefined) {
        this.leave[top.at] = clock++;
        stack.pop();
      } else {
        this.enter[child] = clock++;
        stack.push({ at: child, next: 0 });
      }
    }
  }
}
