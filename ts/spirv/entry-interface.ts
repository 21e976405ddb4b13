// SPDX-License-Identifier: MIT
//
// The variables that an entry point has to list as its interface (2.9, OpEntryPoint).
import { Op, StorageClass } from './grammar.gen';
import type { EntryPoint, FunctionDefinition, Id, Instruction, Module } from './module';
import { forEachId } from './operands';

const VERSION_1_4 = 0x10400;

/** Finds for any entry point of a module the variables that its interface must list. */
export function requiredInterfaces(module: Module): (entry: EntryPoint) => ReadonlySet<Id> {
  const functions = new Map(module.functions.map((f) => [f.definition.result, f]));
  const listed = new Set<Id>();
  for (const i of module.globals) if (i.op === Op.Variable && isListed(module, i)) listed.add(i.result);
  const uses = new Map<Id, ReadonlySet<Id>>();
  const usesOf = (id: Id, f: FunctionDefinition): ReadonlySet<Id> => {
    let found = uses.get(id);
    if (!found) {
      found = idsIn(f, (used) => functions.has(used) || listed.has(used));
      uses.set(id, found);
    }
    return found;
  };
  return (entry) => {
    const variables = new Set<Id>();
    const reached = new Set<Id>([entry.function]);
    for (const id of reached) {
      const f = functions.get(id);
      if (!f) continue;
      for (const used of usesOf(id, f)) (listed.has(used) ? variables : reached).add(used);
    }
    return variables;
  };
}

/** Before 1.4 an interface holds inputs and outputs; from then on it holds all variables that the entry point reaches. */
function isListed({ version }: Module, { operands }: Instruction): boolean {
  const storage: StorageClass = operands[0]!;
  return version >= VERSION_1_4 || storage === StorageClass.Input || storage === StorageClass.Output;
}

function idsIn({ blocks }: FunctionDefinition, wanted: (id: Id) => boolean): ReadonlySet<Id> {
  const found = new Set<Id>();
  for (const b of blocks)
    for (const i of b.instructions)
      forEachId(i, (id) => {
        if (wanted(id)) found.add(id);
      });
  return found;
}
