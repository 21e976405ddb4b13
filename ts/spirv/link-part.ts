// SPDX-License-Identifier: MIT
//
// An input of the linker: a module, its linkages, and the facts that identify its types, constants and built-in variables.

import { type BuiltIn, Decoration, type LinkageType, Op } from './grammar.gen';
import { readString } from './literal-string';
import type { FunctionDefinition, Id, Instruction, Module } from './module';
import { debugSetOf, forEachGlobalId, forEachId } from './operands';

/** An exported or imported name. */
export interface Linkage {
  readonly id: Id;
  readonly name: string;
  readonly type: LinkageType;
}

/** An input module with the new numbers of its ids; 0 for ids that were not visited yet. */
export interface Part {
  readonly module: Module;
  readonly rename: number[];
  readonly linkages: readonly Linkage[];
  /** The part of a type's or constant's identity besides its operands: decorations, and names of structs. */
  readonly identity: ReadonlyMap<Id, string>;
  readonly builtIns: ReadonlyMap<Id, BuiltIn>;
}

/** Linkages of everything except built-in variables. */
export function linkagesOf(module: Module): Linkage[] {
  const part = partOf(module);
  return part.linkages.filter(({ id }) => !part.builtIns.has(id));
}

export function partOf(module: Module): Part {
  const linkages: Linkage[] = [];
  const identity = new Map<Id, string>();
  const builtIns = new Map<Id, BuiltIn>();
  for (const i of module.annotations) {
    if (i.op !== Op.Decorate && i.op !== Op.MemberDecorate) continue;
    const id = i.operands[0]! as Id;
    if (i.op === Op.Decorate && i.operands[1] === Decoration.BuiltIn) builtIns.set(id, i.operands[2]!);
    if (i.op === Op.Decorate && i.operands[1] === Decoration.LinkageAttributes) {
      const name = readString(i.operands, 2);
      if (name) linkages.push({ id, name: name.text, type: i.operands[name.next] as LinkageType });
    } else identity.set(id, `${identity.get(id) ?? ''}|${i.op} ${i.operands.slice(1).join(' ')}`);
  }
  // Built-in variables are identified by their BuiltIn, not by the linkage that some compilers give them.
  for (const [id, builtIn] of builtIns) identity.set(id, `built-in ${builtIn}`);
  const structs = new Set(module.globals.filter((i) => i.op === Op.TypeStruct).map((i) => i.result));
  for (const i of module.debug)
    if (i.op === Op.Name && structs.has(i.operands[0]! as Id))
      identity.set(
        i.operands[0]! as Id,
        `${identity.get(i.operands[0]! as Id) ?? ''}|${readString(i.operands, 1)?.text ?? ''}`,
      );
  return {
    module,
    rename: new Array<number>(module.bound).fill(0),
    linkages,
    identity,
    builtIns,
  };
}

export function isUsed(module: Module, id: Id): boolean {
  const uses = (i: Instruction, isGlobal = false) => {
    let found = false;
    const visit = (operand: Id) => {
      found ||= operand === id;
    };
    if (isGlobal) forEachGlobalId(debugSetOf(module), i, visit);
    else forEachId(i, visit);
    return found;
  };
  return (
    module.globals.some((i) => uses(i, true)) ||
    module.functions.some((f) => f.blocks.some((b) => b.instructions.some((i) => uses(i))))
  );
}

/** The ids that a function defines. */
export function resultsOf({ definition, parameters, blocks }: FunctionDefinition): Id[] {
  const inBlocks = blocks.flatMap((b) => [b.label, ...b.instructions.map((i) => i.result)]);
  return [definition, ...parameters]
    .map((i) => i.result)
    .concat(inBlocks)
    .filter((id) => id !== 0);
}

/** Returns the number of words of an OpSwitch's literals, which have the selector's type. */
export function selectorWords(module: Module, f: FunctionDefinition): (i: Instruction) => number {
  let wide: Set<Id> | undefined;
  const find = (): Set<Id> => {
    const types = new Set(
      module.globals.filter((g) => g.op === Op.TypeInt && g.operands[0] === 64).map((g) => g.result),
    );
    const values = new Set<Id>();
    const note = (i: Instruction) => {
      if (types.has(i.type)) values.add(i.result);
    };
    module.globals.forEach(note);
    f.parameters.forEach(note);
    for (const b of f.blocks) b.instructions.forEach(note);
    return values;
  };
  return (i) => {
    if (i.op !== Op.Switch) return 1;
    wide ??= find();
    return wide.has(i.operands[0]! as Id) ? 2 : 1;
  };
}
