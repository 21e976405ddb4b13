// SPDX-License-Identifier: MIT
//
// The blocks of a module that its kernels enqueue: each is an entry point.
import type { SourcePlace } from '../../base/checks';
import { ExecutionModel, Op } from '../../spirv/grammar.gen';
import { readString } from '../../spirv/literal-string';
import type { EntryPoint, FunctionDefinition, Id, Module } from '../../spirv/module';
import type { ModuleIndex } from './module-index';

/** The functions that kernels enqueue, in the module's order. */
export function numberBlocks(module: Module): Map<Id, number> {
  const numbers = new Map<Id, number>();
  for (const f of module.functions)
    for (const block of f.blocks)
      for (const { op, operands } of block.instructions) {
        const invoke = operands[6] as Id;
        if (op === Op.EnqueueKernel && !numbers.has(invoke)) numbers.set(invoke, numbers.size);
      }
  return numbers;
}

/** A block as an entry point: its one argument by value is the address of its captured variables. */
export function blockEntry(index: ModuleIndex, id: Id): EntryPoint {
  return { model: ExecutionModel.Kernel, function: id, name: `${index.nameOf(id)} %${id}`, interface: [] };
}

/** Where a block begins, if the module has source lines. */
export function placeOfBlock(index: ModuleIndex, f: FunctionDefinition): { readonly place?: SourcePlace } {
  const first = [f.definition, ...f.blocks.flatMap(({ instructions }) => instructions)].find(
    ({ line }) => line,
  );
  const place = first && index.position(first);
  return place ? { place } : {};
}

/** The captured variables of a block, by their offset from the address that is its first argument. */
export function namesOfCaptures(index: ModuleIndex, block: Id): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const { parameters, blocks } = index.functions.get(block)!;
  const context = parameters[0]?.result;
  const instructions = blocks.flatMap((each) => each.instructions);
  const cast = instructions.find(({ type, operands }) => type && operands[0] === context);
  const type = cast && index.types.get(cast.type);
  if (type?.kind !== 'pointer') return names;
  const struct = index.types.pointee(type);
  for (const { op, operands } of index.module.debug) {
    if (op !== Op.MemberName || operands[0] !== struct.id) continue;
    const [offset, name] = [struct.offsets?.[operands[1]!], readString(operands, 2)?.text];
    if (offset !== undefined && name) names.set(offset, name);
  }
  return names;
}
