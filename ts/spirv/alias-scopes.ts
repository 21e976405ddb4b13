// SPDX-License-Identifier: MIT
//
// SPV_INTEL_memory_access_aliasing: translators write down which accesses LLVM has found not to overlap. These are hints that code may be
// translated without, so a module is repaired by leaving them out.
import { Capability, Decoration, MemoryAccess, Op } from './grammar.gen';
import type { Instruction, Module } from './module';
import { MEMORY_OPERANDS, placeOfMemoryOperands } from './operands';

const EXTENSION = 'SPV_INTEL_memory_access_aliasing';

/** What a module declares and decorates for the extension. */
const DECLARATIONS: readonly Op[] = [
  Op.AliasDomainDeclINTEL,
  Op.AliasScopeDeclINTEL,
  Op.AliasScopeListDeclINTEL,
];
const DECORATIONS: readonly Decoration[] = [Decoration.AliasScopeINTEL, Decoration.NoAliasINTEL];

const HINTS = MemoryAccess.AliasScopeINTELMask | MemoryAccess.NoAliasINTELMask;

/** Leaves the hints out of a decoded module. */
export function dropAliasScopes(module: Module): void {
  if (!module.extensions.delete(EXTENSION)) return;
  module.capabilities.delete(Capability.MemoryAccessAliasingINTEL);
  module.annotations = module.annotations.filter(
    ({ op, operands }) =>
      !DECLARATIONS.includes(op) &&
      !(op === Op.DecorateId && DECORATIONS.includes(operands[1]! as Decoration)),
  );
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks) instructions.forEach(dropHints);
}

function dropHints(i: Instruction): void {
  const first = placeOfMemoryOperands(i);
  if (first === undefined) return;
  const kept = i.operands.slice(0, first);
  // A copy may have a second set of memory operands, for its source.
  for (let at = first; at < i.operands.length; ) {
    const mask = i.operands[at++]!;
    kept.push(mask & ~HINTS);
    for (const bit of MEMORY_OPERANDS)
      if (mask & bit) {
        if (!(bit & HINTS)) kept.push(i.operands[at]!);
        at++;
      }
  }
  i.operands = kept;
}
