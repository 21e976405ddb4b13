// SPDX-License-Identifier: MIT
//
// OpCompositeConstruct of what is computed becomes a chain of OpCompositeInsert, a splat an insertion and a shuffle:
// llvm-spirv up to 15 takes the instruction for constants only and crashes.
import type { Builder } from '../builder';
import { Op } from '../grammar.gen';
import type { FunctionDefinition, Id, Instruction } from '../module';

export function spellOutConstructs(builder: Builder, definition: FunctionDefinition): void {
  let types: Map<Id, Id> | undefined;
  const typeOf = (id: Id): Id => {
    types ??= typesIn(definition);
    return types.get(id) ?? builder.typeOf(id);
  };
  for (const block of definition.blocks) {
    if (!block.instructions.some((instruction) => instruction.op === Op.CompositeConstruct)) continue;
    block.instructions = block.instructions.flatMap((instruction) =>
      instruction.op === Op.CompositeConstruct ? spellOut(builder, instruction, typeOf) : [instruction],
    );
  }
}

/** The passes before make values that the builder has not emitted. */
const typesIn = (definition: FunctionDefinition): Map<Id, Id> =>
  new Map(
    [...definition.parameters, ...definition.blocks.flatMap((block) => block.instructions)].map(
      ({ result, type }) => [result, type],
    ),
  );

function spellOut(builder: Builder, construct: Instruction, typeOf: (id: Id) => Id): Instruction[] {
  const { type, line } = construct;
  const parts = construct.operands as Id[];
  if (parts.length === 0) return [construct];
  const steps: Instruction[] = [];
  const step = (op: Op, resultType: Id, operands: number[]): Id => {
    const result = builder.id();
    steps.push({ op, type: resultType, result, operands, ...(line ? { line } : {}) });
    return result;
  };
  const width = builder.countOf(type);
  let value = builder.undef(type);
  if (parts.length === width && parts.every((part) => part === parts[0])) {
    const first = step(Op.CompositeInsert, type, [parts[0]!, value, 0]);
    step(Op.VectorShuffle, type, [first, first, ...new Array<number>(width).fill(0)]);
  } else {
    let index = 0;
    for (const part of parts) {
      // A vector is also made of vectors.
      const count = width > parts.length ? builder.countOf(typeOf(part)) : 1;
      for (let i = 0; i < count; i++) {
        const component = count === 1 ? part : step(Op.CompositeExtract, builder.elementOf(type), [part, i]);
        value = step(Op.CompositeInsert, type, [component, value, index++]);
      }
    }
  }
  // The last step gives what the construct gave.
  steps.at(-1)!.result = construct.result;
  return steps;
}
