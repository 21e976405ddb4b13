// SPDX-License-Identifier: MIT
//
// A module as the sequence of instructions of its binary form, lines included.
import { Op } from '../grammar.gen';
import { stringWords } from '../literal-string';
import { type Id, type Instruction, type Module, NO_ID, type SourceLine } from '../module';

export function* flatten(module: Module): Generator<Instruction> {
  const plain = (op: Op, operands: number[], result: Id = NO_ID): Instruction => ({
    op,
    type: NO_ID,
    result,
    operands,
  });
  for (const capability of module.capabilities) yield plain(Op.Capability, [capability]);
  for (const extension of module.extensions) yield plain(Op.Extension, stringWords(extension));
  for (const [name, id] of module.extInstImports) yield plain(Op.ExtInstImport, stringWords(name), id);
  yield plain(Op.MemoryModel, [module.addressing, module.memoryModel]);
  for (const entry of module.entryPoints)
    yield plain(Op.EntryPoint, [entry.model, entry.function, ...stringWords(entry.name), ...entry.interface]);
  for (const { function: id, mode, operands, ids } of module.executionModes)
    yield plain(ids ? Op.ExecutionModeId : Op.ExecutionMode, [id, mode, ...operands]);
  yield* module.debug;
  yield* module.annotations;
  let current: SourceLine | undefined;
  const withLine = function* (instruction: Instruction): Generator<Instruction> {
    const { line } = instruction;
    if (line !== current) {
      if (!line) yield plain(Op.NoLine, []);
      else if (
        !current ||
        current.line !== line.line ||
        current.column !== line.column ||
        current.file !== line.file
      )
        yield plain(Op.Line, [line.file, line.line, line.column]);
      current = line;
    }
    yield instruction;
  };
  for (const instruction of module.globals) yield* withLine(instruction);
  if (current) yield plain(Op.NoLine, []);
  for (const { definition, parameters, blocks } of module.functions) {
    current = undefined;
    yield* withLine(definition);
    yield* parameters;
    for (const { label, instructions } of blocks) {
      yield plain(Op.Label, [], label);
      for (const instruction of instructions) yield* withLine(instruction);
      current = undefined;
    }
    yield plain(Op.FunctionEnd, []);
  }
}
