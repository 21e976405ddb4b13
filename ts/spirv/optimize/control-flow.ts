// SPDX-License-Identifier: MIT
//
// The control flow graph of a function: successors and block order.
import { immediateDominators, reversePostorder } from '../../base/dominators';
import { type SelectorWords, targetsOf, terminatorOf } from '../branches';
import { Op } from '../grammar.gen';
import type { Block, FunctionDefinition, Id } from '../module';

export interface ControlFlow {
  /** The reachable blocks in reverse postorder; the first one is the entry. */
  readonly order: readonly Block[];
  /** By position in `order`, without repetition. */
  readonly successors: readonly (readonly number[])[];
  readonly predecessors: readonly (readonly number[])[];
  readonly indexOf: ReadonlyMap<Id, number>;
}

export function controlFlowOf(definition: FunctionDefinition, selectorWords: SelectorWords): ControlFlow {
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
  const reachable = blocks.length > 0 ? reversePostorder(0, (block) => targets[block]!) : [];
  const position = new Int32Array(blocks.length).fill(-1);
  for (const [at, block] of reachable.entries()) position[block] = at;
  const order = reachable.map((block) => blocks[block]!);
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

/** Removed ids: their names and decorations must be removed too. */
export type RemovedIds = Set<Id>;

/** Removes unreachable blocks, and moves blocks after their dominators. */
export function cleanBlocks(
  definition: FunctionDefinition,
  selectorWords: SelectorWords,
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
  const dominators = immediateDominators(flow.predecessors);
  const seen = new Uint8Array(flow.order.length);
  for (const block of definition.blocks) {
    const index = flow.indexOf.get(block.label)!;
    if (index !== 0 && !seen[dominators[index]!]) return false;
    seen[index] = 1;
  }
  return seen[0] === 1 && definition.blocks[0] === flow.order[0];
}
