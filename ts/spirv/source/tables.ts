// SPDX-License-Identifier: MIT
//
// A module by id: definitions, decorations, names and argument strings.
import { Decoration, LinkageType, Op } from '../grammar.gen';
import { readString } from '../literal-string';
import type { Id, Instruction, Module } from '../module';
import { SpirvError } from '../spirv-error';

export class Tables {
  readonly definitions = new Map<Id, Instruction>();
  readonly names = new Map<Id, string>();
  readonly extInstSets = new Map<Id, string>();
  private readonly decorations = new Map<Id, Instruction[]>();
  private readonly strings: string[] = [];

  constructor(readonly module: Module) {
    for (const [name, id] of module.extInstImports) this.extInstSets.set(id, name);
    for (const i of module.debug) {
      if (i.op === Op.Name) this.names.set(i.operands[0]! as Id, readString(i.operands, 1)?.text ?? '');
      else if (i.op === Op.String) this.strings.push(readString(i.operands, 0)?.text ?? '');
    }
    for (const i of module.annotations) {
      if (i.op === Op.Decorate) this.decorate(i.operands[0]! as Id, i);
      else if (i.op === Op.GroupDecorate)
        for (const target of i.operands.slice(1))
          for (const d of this.decorations.get(i.operands[0]! as Id) ?? []) this.decorate(target as Id, d);
    }
    for (const i of module.globals) if (i.result) this.definitions.set(i.result, i);
    for (const f of module.functions) {
      this.definitions.set(f.definition.result, f.definition);
      for (const p of f.parameters) this.definitions.set(p.result, p);
      for (const b of f.blocks)
        for (const i of b.instructions) if (i.result) this.definitions.set(i.result, i);
    }
  }

  private decorate(target: Id, decoration: Instruction): void {
    const list = this.decorations.get(target);
    if (list) list.push(decoration);
    else this.decorations.set(target, [decoration]);
  }

  definition(id: number): Instruction {
    const found = this.definitions.get(id as Id);
    if (!found) throw new SpirvError(`%${id} is not defined`);
    return found;
  }

  /** The operands of a decoration of an id; undefined if it does not have that decoration. */
  decoration(id: Id, kind: Decoration): readonly number[] | undefined {
    return this.decorations
      .get(id)
      ?.find((d) => d.operands[1] === kind)
      ?.operands.slice(2);
  }

  hasAttribute(id: Id, attribute: number): boolean {
    return (this.decorations.get(id) ?? []).some(
      (d) => d.operands[1] === Decoration.FuncParamAttr && d.operands[2] === attribute,
    );
  }

  /** The name under which other modules know a function or variable, from LinkageAttributes. */
  linkage(id: Id): { name: string; imported: boolean } | undefined {
    const words = this.decoration(id, Decoration.LinkageAttributes);
    const name = words && readString(words, 0);
    return name && { name: name.text, imported: words[name.next] === LinkageType.Import };
  }

  /** `kernel_arg_type` or `kernel_arg_type_qual`: a string for each parameter, where the module has them. */
  argumentStrings(list: string, kernel: string): string[] {
    const prefix = `${list}.${kernel}.`;
    const found = this.strings.find((text) => text.startsWith(prefix));
    return found ? found.slice(prefix.length).split(',') : [];
  }

  /** The value of an integer constant; undefined for anything else. */
  integer(id: number): number | undefined {
    const i = this.definitions.get(id as Id);
    if (i?.op === Op.ConstantNull) return 0;
    if (i?.op !== Op.Constant) return undefined;
    return i.operands.length > 1
      ? Number(BigInt.asIntN(64, (BigInt(i.operands[1]!) << 32n) | BigInt(i.operands[0]! >>> 0)))
      : i.operands[0]! >>> 0;
  }
}

/** Reports an instruction that OpenCL C cannot express. */
export function inexpressible(what: string): never {
  throw new SpirvError(`OpenCL C has no way to express ${what}`);
}
