// SPDX-License-Identifier: MIT
//
// Renumbers the ids without gaps, in the order in which the module first names them.
import { Op } from '../grammar.gen';
import type { Id, Instruction, Module, SourceLine } from '../module';
import { debugSetOf, forEachGlobalId, forEachId } from '../operands';

export function compactIds(module: Module, selectorWords: (selector: Id) => 1 | 2): void {
  const table = new Int32Array(module.bound);
  let bound = 1;
  const debugSet = debugSetOf(module);
  const rename = (id: number): Id => {
    if (table[id] === 0) table[id] = bound++;
    return table[id] as Id;
  };
  const lines = new Map<SourceLine, SourceLine>();
  const renameLine = (line: SourceLine): SourceLine => {
    let to = lines.get(line);
    if (!to) {
      to = { ...line, file: rename(line.file) };
      lines.set(line, to);
    }
    return to;
  };
  const renameAll = (instruction: Instruction, isGlobal = false) => {
    const { operands } = instruction;
    // Before the selector is renamed.
    const words = instruction.op === Op.Switch ? selectorWords(operands[0] as Id) : 1;
    if (instruction.type !== 0) instruction.type = rename(instruction.type);
    if (instruction.result !== 0) instruction.result = rename(instruction.result);
    const visit = (id: Id, at: number) => {
      operands[at] = rename(id);
    };
    if (isGlobal) forEachGlobalId(debugSet, instruction, visit);
    else forEachId(instruction, visit, words);
    if (instruction.line) instruction.line = renameLine(instruction.line);
  };
  for (const [name, id] of module.extInstImports) module.extInstImports.set(name, rename(id));
  module.entryPoints = module.entryPoints.map((entry) => ({
    ...entry,
    function: rename(entry.function),
    interface: entry.interface.map(rename),
  }));
  module.executionModes = module.executionModes.map((mode) => ({
    ...mode,
    function: rename(mode.function),
    operands: mode.ids ? mode.operands.map(rename) : mode.operands,
  }));
  for (const list of [module.debug, module.annotations]) for (const i of list) renameAll(i);
  for (const i of module.globals) renameAll(i, true);
  module.functions = module.functions.map(({ definition, parameters, blocks }) => {
    renameAll(definition);
    for (const parameter of parameters) renameAll(parameter);
    return {
      definition,
      parameters,
      blocks: blocks.map(({ label, instructions }) => {
        for (const instruction of instructions) renameAll(instruction);
        return { label: rename(label), instructions };
      }),
    };
  });
  module.bound = bound;
}
