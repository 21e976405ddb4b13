// SPDX-License-Identifier: MIT
//
// Extracts from a library module some of its exported functions, and what they need.
import { Decoration, Op } from '../grammar.gen';
import { readString } from '../literal-string';
import type { FunctionDefinition, Id, Instruction, Module } from '../module';
import { forEachId } from '../operands';
import { compactIds } from './compact-ids';
import type { RemovedIds } from './control-flow';
import { removeUnusedGlobals } from './remove-unused-globals';

/** Changes the module. Nothing else is exported afterwards, variables included. */
export function extract(module: Module, isWanted: (name: string) => boolean): void {
  const linkages = module.annotations.filter(isLinkage);
  const wanted = linkages.filter(({ operands }) => isWanted(readString(operands, 2)?.text ?? ''));
  const kept = new Set(wanted);
  module.annotations = module.annotations.filter((i) => !isLinkage(i) || kept.has(i));
  const wide = wideValues(module);
  const selectorWords = (selector: Id) => (wide.has(selector) ? 2 : 1);
  const functions = new Map(module.functions.map((f) => [f.definition.result, f]));
  const reached = new Set<FunctionDefinition>();
  const work = wanted.map(({ operands }) => operands[0]! as Id);
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    const f = functions.get(id);
    if (!f || reached.has(f)) continue;
    reached.add(f);
    for (const { instructions } of f.blocks)
      for (const i of instructions)
        forEachId(
          i,
          (used) => {
            if (functions.has(used)) work.push(used);
          },
          i.op === Op.Switch ? selectorWords(i.operands[0]! as Id) : 1,
        );
  }
  const removed: RemovedIds = new Set();
  for (const f of module.functions) if (!reached.has(f)) for (const id of idsOf(f)) removed.add(id);
  module.functions = module.functions.filter((f) => reached.has(f));
  removeUnusedGlobals(module, selectorWords, removed);
  compactIds(module, selectorWords);
}

const isLinkage = ({ op, operands }: Instruction): boolean =>
  op === Op.Decorate && operands[1] === Decoration.LinkageAttributes;

function* idsOf(f: FunctionDefinition): Iterable<Id> {
  yield f.definition.result;
  for (const { result } of f.parameters) yield result;
  for (const { label, instructions } of f.blocks) {
    yield label;
    for (const { result } of instructions) yield result;
  }
}

/** Values of 64 bits; a switch on one has literals of two words. */
function wideValues(module: Module): Set<Id> {
  const types = new Set<Id>();
  const values = new Set<Id>();
  const note = ({ op, operands, type, result }: Instruction) => {
    if (op === Op.TypeInt && operands[0] === 64) types.add(result);
    if (types.has(type)) values.add(result);
  };
  module.globals.forEach(note);
  for (const { parameters, blocks } of module.functions) {
    parameters.forEach(note);
    for (const { instructions } of blocks) instructions.forEach(note);
  }
  return values;
}
