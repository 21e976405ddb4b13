// SPDX-License-Identifier: MIT
//
// Merges a block into its only predecessor if that has no other successor.
import { type SelectorWords, targetsOf, terminatorOf } from '../branches';
import { Op } from '../grammar.gen';
import type { Block, FunctionDefinition, Id } from '../module';

export function mergeBlocks(definition: FunctionDefinition, selectorWords: SelectorWords): void {
  const { blocks } = definition;
  if (blocks.length === 1) return;
  const entries = new Map<Id, number>();
  const byLabel = new Map<Id, Block>();
  const keep = new Set<Id>([blocks[0]!.label]);
  for (const block of blocks) {
    byLabel.set(block.label, block);
    for (const target of targetsOf(terminatorOf(block), selectorWords))
      entries.set(target, (entries.get(target) ?? 0) + 1);
    const merge = block.instructions[block.instructions.length - 2];
    if (merge?.op === Op.LoopMerge) {
      keep.add(merge.operands[0] as Id);
      keep.add(merge.operands[1] as Id);
    }
  }
  /** The block into which a label's block was merged. */
  const merged = new Map<number, Id>();
  for (const block of blocks) {
    if (merged.has(block.label)) continue;
    for (;;) {
      const last = terminatorOf(block);
      if (last.op !== Op.Branch) break;
      const label = last.operands[0] as Id;
      const next = byLabel.get(label)!;
      if (next === block || keep.has(label) || entries.get(label) !== 1) break;
      if (next.instructions[0]!.op === Op.Phi) break;
      if (block.instructions[block.instructions.length - 2]?.op === Op.LoopMerge) break;
      block.instructions.pop();
      for (const instruction of next.instructions) block.instructions.push(instruction);
      merged.set(label, block.label);
    }
  }
  if (merged.size === 0) return;
  const kept = blocks.filter((block) => !merged.has(block.label));
  blocks.splice(0, blocks.length, ...kept);
  for (const block of blocks) {
    for (const { op, operands } of block.instructions) {
      if (op !== Op.Phi) break;
      for (let i = 1; i < operands.length; i += 2) {
        for (let to = merged.get(operands[i]!); to !== undefined; to = merged.get(operands[i]!))
          operands[i] = to;
      }
    }
  }
}
