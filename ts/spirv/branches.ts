// SPDX-License-Identifier: MIT
//
// Where control goes from the end of a block.
import { Op } from './grammar.gen';
import type { Block, Id, Instruction } from './module';

/** The words of a literal of OpSwitch: two for a selector of 64 bits. */
export type SelectorWords = (selector: Id) => 1 | 2;

export function terminatorOf({ instructions }: Block): Instruction {
  return instructions[instructions.length - 1]!;
}

/** By merge instruction, the terminators that may follow it (3.42.17). */
export const AFTER_MERGE: ReadonlyMap<Op, readonly Op[]> = new Map([
  [Op.LoopMerge, [Op.Branch, Op.BranchConditional]],
  [Op.SelectionMerge, [Op.BranchConditional, Op.Switch]],
]);

/** The labels that a terminator may lead to, in its order and with repetition. */
export function targetsOf({ op, operands }: Instruction, selectorWords: SelectorWords): Id[] {
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
