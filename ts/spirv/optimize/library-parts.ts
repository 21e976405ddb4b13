// SPDX-License-Identifier: MIT
//
// Splits a library into modules. A caller of one function waits until its module is decoded, so modules should be small; but code
// that two modules share is duplicated.
import { Decoration, FunctionControl, LinkageType, Op } from '../grammar.gen';
import { readString } from '../literal-string';
import type { Id, Instruction, Module } from '../module';

/** The functions and variables that a function consists of, with its callees. */
interface Closure {
  readonly functions: Set<Id>;
  /** Out-of-line functions, and variables: a program must not have two copies. */
  readonly single: Set<Id>;
  size: number;
}

/**
 * The names of the functions that a module exports, in groups. Functions of one group share most of their code, an out-of-line
 * function, or a variable. Small functions that several groups call are in the module of each.
 */
export function libraryParts(module: Module): string[][] {
  const functions = new Map(module.functions.map((f) => [f.definition.result, f]));
  const variables = new Set<Id>();
  for (const i of module.globals) if (i.op === Op.Variable) variables.add(i.result);
  const sizeOf = (id: Id) =>
    functions.get(id)!.blocks.reduce((sum, { instructions }) => sum + instructions.length, 0);

  const closureOf = (root: Id): Closure => {
    const closure: Closure = { functions: new Set([root]), single: new Set(), size: 0 };
    for (const id of closure.functions) {
      const { definition, blocks } = functions.get(id)!;
      closure.size += sizeOf(id);
      if (definition.operands[0]! & FunctionControl.DontInline) closure.single.add(id);
      for (const { instructions } of blocks)
        for (const { op, operands } of instructions)
          for (const used of operands as Id[]) {
            // A literal that looks like an id can only make groups larger than necessary.
            if (variables.has(used)) closure.single.add(used);
            if (op === Op.FunctionCall && functions.has(used)) closure.functions.add(used);
          }
    }
    return closure;
  };

  const belongTogether = (a: Closure, b: Closure): boolean => {
    let shared = 0;
    for (const id of a.functions) if (b.functions.has(id)) shared += sizeOf(id);
    return 2 * shared > Math.max(a.size, b.size) || [...a.single].some((id) => b.single.has(id));
  };

  const parts: { names: string[]; closures: Closure[] }[] = [];
  for (const { name, id } of exportsOf(module)) {
    if (!functions.has(id)) continue;
    const closure = closureOf(id);
    const joined = { names: [name], closures: [closure] };
    for (let at = parts.length - 1; at >= 0; at--)
      if (parts[at]!.closures.some((other) => belongTogether(closure, other))) {
        const [{ names, closures }] = parts.splice(at, 1) as [(typeof parts)[number]];
        joined.names.unshift(...names);
        joined.closures.unshift(...closures);
      }
    parts.push(joined);
  }
  return parts.map(({ names }) => names);
}

function exportsOf(module: Module): { name: string; id: Id }[] {
  return module.annotations.flatMap((i) => {
    const name = linkageName(i);
    return name === undefined ? [] : [{ name, id: i.operands[0]! as Id }];
  });
}

function linkageName({ op, operands }: Instruction): string | undefined {
  if (op !== Op.Decorate || operands[1] !== Decoration.LinkageAttributes) return undefined;
  const name = readString(operands, 2);
  return name && operands[name.next] === LinkageType.Export ? name.text : undefined;
}
