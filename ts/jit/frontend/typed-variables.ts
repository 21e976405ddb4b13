// SPDX-License-Identifier: MIT
//
// The variables of functions that are accessed by the types of their members alone: no pointer to one is cast, passed, stored or compared,
// so that nothing but a copy of a whole struct reads its padding.
import { Op } from '../../spirv/grammar.gen';
import type { FunctionDefinition, Id } from '../../spirv/module';
import type { ModuleIndex } from './module-index';

/** How an instruction may use such a pointer: as its first operand only. */
const LEADS_ON: ReadonlySet<Op> = new Set([Op.AccessChain, Op.InBoundsAccessChain]);
const ACCESSES: ReadonlySet<Op> = new Set([Op.Load, Op.Store, Op.LifetimeStart, Op.LifetimeStop]);

const known = new WeakMap<ModuleIndex, ReadonlySet<Id>>();

export function isTypedVariable(index: ModuleIndex, variable: Id): boolean {
  let typed = known.get(index);
  if (!typed) {
    typed = new Set(index.module.functions.flatMap(typedVariables));
    known.set(index, typed);
  }
  return typed.has(variable);
}

function typedVariables({ blocks }: FunctionDefinition): Id[] {
  /** By pointer: the variable that it leads into. */
  const roots = new Map<Id, Id>();
  const other = new Set<Id>();
  // A block comes after its dominators, so that pointers come before their uses; only phis may come earlier.
  for (const { instructions } of blocks)
    for (const { op, result, operands } of instructions) {
      if (op === Op.Variable) roots.set(result, result);
      // Numbers among the operands may look like pointers, which only loses these.
      operands.forEach((operand, at) => {
        const root = roots.get(operand as Id);
        if (root === undefined) return;
        if (at === 0 && LEADS_ON.has(op)) roots.set(result, root);
        else if (at > 0 || !ACCESSES.has(op)) other.add(root);
      });
    }
  for (const { instructions } of blocks)
    for (const { op, operands } of instructions)
      if (op === Op.Phi)
        for (const operand of operands) {
          const root = roots.get(operand as Id);
          if (root !== undefined) other.add(root);
        }
  return [...roots].flatMap(([pointer, root]) => (pointer === root && !other.has(root) ? [root] : []));
}
