// SPDX-License-Identifier: MIT
//
// The control flow graph of a function: successors, block order and dominators.
import { Op } from '../grammar.gen';
import type { Block, FunctionDefinition, Id, Instruction } from '../module';

export interface ControlFlow {
  /** The reachable blocks in reverse postorder; the first one is the entry. */
  readonly order: readonly Block[];
  /** By position in `order`, without repetition. */
  readonly successors: readonly (readonly number[])[];
  readonly predecessors: readonly (readonly number[])[];
  readonly indexOf: ReadonlyMap<Id, number>;
}

export function terminatorOf(block: Block): Instruction {
  return block.instructions[block.instructions.length - 1]!;
}

/** The labels that a terminator may lead to, with repetition. `selectorWords`: of a literal of OpSwitch. */
export function targetsOf(terminator: Instruction, selectorWords: (selector: Id) => 1 | 2): Id[] {
  const { op, operands } = terminator;
  switch (op) {
    case Op.Branch:
      return [operands[0] as Id];
    case Op.BranchConditional:
      return [operands[1] as Id, operands[2] as Id];
    case Op.Switch: {
      const targets = [operands[1] as Id];
      const words = selectorWords(operands[0] as Id);
      for (let i = 2 + words; i < operands.length; i += words + 1) targets.push(operands[i] as Id);
      return targets;
    }
    default:
      return [];
  }
}

export function controlFlowOf(
  definition: FunctionDefinition,
  selectorWords: (selector: Id) => 1 | 2,
): ControlFlow {
  const blocks = definition.blocks;
  const byLabel = new Map<Id, number>();
  blocks.forEach((block, i) => {
    byLabel.set(block.label, i);
  });
  const targets = blocks.map((block) => {
    const unique = new Set<number>();
    for (const label of targetsOf(terminatorOf(block), selectorWords)) unique.add(byLabel.get(label)!);
    return [...unique];
  });
  const postorder = postorderOf(targets);
  const position = new Int32Array(blocks.length).fill(-1);
  const order: Block[] = [];
  for (let i = postorder.length - 1; i >= 0; i--) {
    position[postorder[i]!] = order.length;
    order.push(blocks[postorder[i]!]!);
  }
  const successors: number[][] = order.map(() => []);
  const predecessors: number[][] = order.map(() => []);
  const indexOf = new Map<Id, number>();
  for (let i = 0; i < order.length; i++) {
    indexOf.set(order[i]!.label, i);
    for (const target of targets[byLabel.get(order[i]!.label)!]!) {
      successors[i]!.push(position[target]!);
      predecessors[position[target]!]!.push(i);
    }
  }
  return { order, successors, predecessors, indexOf };
}

function postorderOf(targets: readonly (readonly number[])[]): number[] {
  const postorder: number[] = [];
  if (targets.length === 0) return postorder;
  const seen = new Uint8Array(targets.length);
  const stack = [0];
  const next = [0];
  seen[0] = 1;
  while (stack.length > 0) {
    const top = stack.length - 1;
    const block = stack[top]!;
    // The last target is visited first: the first one then follows its block in reverse postorder.
    const at = targets[block]!.length - 1 - next[top]!++;
    if (at < 0) {
      postorder.push(block);
      stack.pop();
      next.pop();
      continue;
    }
    const target = targets[block]![at]!;
    if (seen[target]) continue;
    seen[target] = 1;
    stack.push(target);
    next.push(0);
  }
  return postorder;
}

/** The immediate dominator of each block by position; the entry's is itself (Cooper, Harvey and Kennedy). */
export function immediateDominators({ order, predecessors }: ControlFlow): Int32Array {
  const dominators = new Int32Array(order.length).fill(-1);
  dominators[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let block = 1; block < order.length; block++) {
      let found = -1;
      for (const predecessor of predecessors[block]!) {
        if (dominators[predecessor]! < 0) continue;
        found = found < 0 ? predecessor : meet(dominators, predecessor, found);
      }
      if (dominators[block] !== found) {
        dominators[block] = found;
        changed = true;
      }
    }
  }
  return dominators;
}

function meet(dominators: Int32Array, a: number, b: number): number {
  while (a !== b) {
    while (a > b) a = dominators[a]!;
    while (b > a) b = dominators[b]!;
  }
  return a;
}

/** Removed ids: their names and decorations must be removed too. */
export type RemovedIds = Set<Id>;

/** Removes unreachable blocks, and moves blocks after their dominators. */
export function cleanBlocks(
  definition: FunctionDefinition,
  selectorWords: (selector: Id) => 1 | 2,
  removed: RemovedIds,
): void {
  if (definition.blocks.length <= 1) return;
  const flow = controlFlowOf(definition, selectorWords);
  for (let i = 0; i < flow.order.length; i++) dropGonePredecessors(flow, i);
  if (flow.order.length < definition.blocks.length) {
    const kept = definition.blocks.filter((block) => flow.indexOf.has(block.label));
    for (const { label, instructions } of definition.blocks) {
      if (flow.indexOf.has(label)) continue;
      for (const { result } of instructions) if (result !== 0) removed.add(result);
    }
    definition.blocks.splice(0, definition.blocks.length, ...kept);
    for (const block of kept) dropMerge(block, flow);
  }
  if (!isOrdered(definition, flow)) definition.blocks.splice(0, definition.blocks.length, ...flow.order);
}

function dropGonePredecessors(flow: ControlFlow, index: number): void {
  for (const instruction of flow.order[index]!.instructions) {
    if (instruction.op !== Op.Phi) break;
    const { operands } = instruction;
    if (operands.length === flow.predecessors[index]!.length * 2) continue;
    const kept: number[] = [];
    for (let i = 0; i < operands.length; i += 2) {
      const from = flow.indexOf.get(operands[i + 1] as Id);
      if (from !== undefined && flow.predecessors[index]!.includes(from))
        kept.push(operands[i]!, operands[i + 1]!);
    }
    instruction.operands = kept;
  }
}

/** OpLoopMerge names blocks; if one was removed, so was the loop. */
function dropMerge(block: Block, flow: ControlFlow): void {
  const at = block.instructions.length - 2;
  const merge = block.instructions[at];
  if (merge?.op !== Op.LoopMerge) return;
  if (!flow.indexOf.has(merge.operands[0] as Id) || !flow.indexOf.has(merge.operands[1] as Id))
    block.instructions.splice(at, 1);
}

function isOrdered(definition: FunctionDefinition, flow: ControlFlow): boolean {
  const dominators = immediateDominators(flow);
  const seen = new Uint8Array(flow.order.length);
  for (const block of definition.blocks) {
    const index = flow.indexOf.get(block.label)!;
    if (index !== 0 && !seen[dominators[index]!]) return false;
    seen[index] = 1;
  }
  return seen[0] === 1 && definition.blocks[0] === flow.order[0];
}
