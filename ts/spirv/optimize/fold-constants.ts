// SPDX-License-Identifier: MIT
//
// Folds constants, removes phis with one value and copies of no bytes, and turns branches on constants into jumps.
import type { Builder } from '../builder';
import { Op } from '../grammar.gen';
import type { FunctionDefinition, Id, Instruction } from '../module';
import { forEachId } from '../operands';
import type { RemovedIds } from './control-flow';
import { fold, scalarValue } from './fold';

/** Returns whether another round would find more. */
export function foldConstants(
  b: Builder,
  definition: FunctionDefinition,
  selectorWords: (selector: Id) => 1 | 2,
  removed: RemovedIds,
  /** Not folded: folding rounds to the nearest, and does not saturate. */
  special: ReadonlySet<number>,
): boolean {
  const replacement = new Map<number, Id>();
  const rename = (instruction: Instruction) => {
    if (replacement.size === 0) return;
    const { operands } = instruction;
    forEachId(
      instruction,
      (id, at) => {
        operands[at] = resolve(replacement, id);
      },
      instruction.op === Op.Switch ? selectorWords(operands[0] as Id) : 1,
    );
  };
  const phis: Instruction[] = [];
  for (const block of definition.blocks) {
    let kept = 0;
    const { instructions } = block;
    for (const instruction of instructions) {
      rename(instruction);
      const value = knownValue(b, instruction, special);
      if (value !== undefined) {
        replacement.set(instruction.result, value);
        removed.add(instruction.result);
        continue;
      }
      if (isEmptyCopy(b, instruction)) continue;
      if (instruction.op === Op.Phi) phis.push(instruction);
      if (instruction.op === Op.BranchConditional) jumpIfKnown(b, instruction);
      instructions[kept++] = instruction;
    }
    instructions.length = kept;
  }
  // Operands that are defined in later blocks.
  if (replacement.size === 0) return false;
  let again = false;
  for (const phi of phis) {
    const { operands } = phi;
    for (let i = 0; i < operands.length; i += 2) operands[i] = resolve(replacement, operands[i]!);
    again ||= onlyValue(phi) !== undefined;
  }
  return again;
}

/** SPIR-V forbids a copy whose size is a constant 0. */
function isEmptyCopy(b: Builder, { op, operands }: Instruction): boolean {
  if (op !== Op.CopyMemorySized) return false;
  const size = scalarValue(b, operands[2] as Id);
  return size === 0 || size === 0n;
}

function resolve(replacement: ReadonlyMap<number, Id>, id: number): number {
  for (let to = replacement.get(id); to !== undefined; to = replacement.get(id)) id = to;
  return id;
}

function knownValue(b: Builder, instruction: Instruction, special: ReadonlySet<number>): Id | undefined {
  const { op, type, result, operands } = instruction;
  if (op === Op.Phi) return onlyValue(instruction);
  return result === 0 || type === 0 || special.has(result) ? undefined : fold(b, op, type, operands);
}

/** The value of a phi whose operands are all the same, or the phi itself. */
function onlyValue({ result, operands }: Instruction): Id | undefined {
  let only: number | undefined;
  for (let i = 0; i < operands.length; i += 2) {
    const value = operands[i]!;
    if (value === result || value === only) continue;
    if (only !== undefined) return undefined;
    only = value;
  }
  return only as Id | undefined;
}

function jumpIfKnown(b: Builder, instruction: Instruction): void {
  const [condition, then, otherwise] = instruction.operands as [Id, Id, Id];
  const known = b.definitionOf(condition)?.op;
  let target: Id;
  if (known === Op.ConstantTrue || then === otherwise) target = then;
  else if (known === Op.ConstantFalse) target = otherwise;
  else return;
  instruction.op = Op.Branch;
  instruction.operands = [target];
}
