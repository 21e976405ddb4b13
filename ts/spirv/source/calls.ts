// SPDX-License-Identifier: MIT
//
// The call graph, and the local variables of the module that each function needs: OpenCL C declares these in kernels, and passes
// their addresses to functions.
import { Op, OpenCLStd, StorageClass } from '../grammar.gen';
import type { FunctionDefinition, Id } from '../module';
import { forEachId } from '../operands';
import type { Tables } from './tables';

export class Calls {
  /** Local variables that a function, or what it calls, uses. */
  private readonly locals = new Map<Id, ReadonlySet<Id>>();
  private readonly functions = new Map<Id, FunctionDefinition>();

  private readonly kernels: ReadonlySet<string>;

  constructor(private readonly tables: Tables) {
    this.kernels = new Set(tables.module.entryPoints.map(({ name }) => name));
    for (const f of tables.module.functions) this.functions.set(f.definition.result, f);
  }

  localsOf(id: Id): ReadonlySet<Id> {
    const known = this.locals.get(id);
    if (known) return known;
    const found = new Set<Id>();
    this.locals.set(id, found);
    for (const block of this.functions.get(id)?.blocks ?? [])
      for (const i of block.instructions)
        forEachId(i, (operand) => {
          const definition = this.tables.definitions.get(operand);
          if (definition?.op === Op.Variable && definition.operands[0] === StorageClass.Workgroup)
            found.add(operand);
          else if (definition?.op === Op.Function) for (const l of this.localsOf(operand)) found.add(l);
        });
    return found;
  }

  /** Exported functions keep their name, unless OpenCL C or a kernel uses that name. */
  nameOf(id: Id): string {
    return this.isStatic(id) ? `_f${id}` : this.tables.linkage(id)!.name;
  }

  isStatic(id: Id): boolean {
    const linkage = this.tables.linkage(id);
    return !linkage || linkage.name in OpenCLStd || this.kernels.has(linkage.name);
  }
}
