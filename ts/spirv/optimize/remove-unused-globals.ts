// SPDX-License-Identifier: MIT
//
// Removes unreferenced types, constants, variables and capabilities, and the names and decorations of removed ids.
import { Capability, Decoration, Op, StorageClass } from '../grammar.gen';
import type { Id, Instruction, Module } from '../module';
import { debugSetOf, forEachGlobalId, forEachId } from '../operands';
import type { RemovedIds } from './control-flow';

export function removeUnusedGlobals(
  module: Module,
  selectorWords: (selector: Id) => 1 | 2,
  removed: RemovedIds,
): void {
  const used = new Uint8Array(module.bound);
  const mark = (id: Id) => {
    used[id] = 1;
  };
  const markAll = (instruction: Instruction) => {
    used[instruction.type] = 1;
    const words = instruction.op === Op.Switch ? selectorWords(instruction.operands[0] as Id) : 1;
    forEachId(instruction, mark, words);
  };
  for (const { definition, parameters, blocks } of module.functions) {
    markAll(definition);
    for (const parameter of parameters) markAll(parameter);
    for (const block of blocks) for (const instruction of block.instructions) markAll(instruction);
  }
  for (const { operands, ids } of module.executionModes) if (ids) for (const id of operands) mark(id as Id);
  for (const { op, operands } of module.annotations)
    if (op === Op.Decorate && operands[1] === Decoration.LinkageAttributes) mark(operands[0] as Id);
  const { globals } = module;
  const debugSet = debugSetOf(module);
  const kept: Instruction[] = [];
  for (let i = globals.length - 1; i >= 0; i--) {
    const instruction = globals[i]!;
    const isNeeded = instruction.result === 0 || used[instruction.result] === 1 || isKept(instruction.op);
    if (isNeeded) {
      used[instruction.type] = 1;
      forEachGlobalId(debugSet, instruction, mark);
      kept.push(instruction);
    } else removed.add(instruction.result);
  }
  module.globals = kept.reverse();
  for (const entry of module.entryPoints) {
    const gone = entry.interface.some((id) => removed.has(id));
    if (gone)
      entry.interface.splice(0, entry.interface.length, ...entry.interface.filter((id) => !removed.has(id)));
  }
  if (removed.size === 0) return;
  const isThere = ({ operands }: Instruction) => !removed.has(operands[0] as Id);
  module.annotations = module.annotations.filter(isThere);
  module.debug = module.debug.filter((i) => (i.op !== Op.Name && i.op !== Op.MemberName) || isThere(i));
  removeUnusedCapabilities(module);
}

/** Specialization constants are a part of the module's interface; debug information is for readers. */
const isKept = (op: Op): boolean =>
  op === Op.ExtInst || op === Op.SpecConstant || op === Op.SpecConstantTrue || op === Op.SpecConstantFalse;

/** Removes the capabilities of types that are no longer present. */
function removeUnusedCapabilities(module: Module): void {
  const needed = new Set<Capability>();
  for (const { op, operands } of module.globals) {
    if (op === Op.TypeInt) {
      if (operands[0] === 8) needed.add(Capability.Int8);
      else if (operands[0] === 16) needed.add(Capability.Int16);
      else if (operands[0] === 64) needed.add(Capability.Int64);
    } else if (op === Op.TypeFloat) {
      if (operands[0] === 64) needed.add(Capability.Float64);
      else if (operands[0] === 16) needed.add(Capability.Float16Buffer).add(Capability.Float16);
    } else if (op === Op.TypeVector) {
      if (operands[1]! > 4) needed.add(Capability.Vector16);
    } else if (op === Op.TypePointer && operands[0] === StorageClass.Generic)
      needed.add(Capability.GenericPointer);
  }
  for (const capability of OF_TYPES) if (!needed.has(capability)) module.capabilities.delete(capability);
}

const OF_TYPES: readonly Capability[] = [
  Capability.Int8,
  Capability.Int16,
  Capability.Int64,
  Capability.Float64,
  Capability.Float16Buffer,
  Capability.Float16,
  Capability.Vector16,
  Capability.GenericPointer,
];
