// SPDX-License-Identifier: MIT
//
// One SPIR-V module with tables over it: definitions, decorations, names and functions by id.

import { PADDING_NAME } from '../../base/checks';
import type { AddressBits } from '../../base/kernel-abi';
import { blankTable } from '../../base/table';
import { targetsOf } from '../../spirv/branches';
import { Decoration, LinkageType, Op } from '../../spirv/grammar.gen';
import { readString } from '../../spirv/literal-string';
import type {
  ExecutionModeDeclaration,
  FunctionDefinition,
  Id,
  Instruction,
  Module,
} from '../../spirv/module';
import type { SourcePosition } from '../ir/ir';
import { JitError } from '../jit-error';
import { Constants } from './constants';
import type { Definitions } from './definitions';
import { TypeTable } from './types';

function startOf(text: string): string {
  const second = text.indexOf('.', text.indexOf('.') + 1);
  return second < 0 ? text : text.slice(0, second);
}

const memberKey = (struct: Id, member: number) => `${struct} ${member}`;

export class ModuleIndex implements Definitions {
  private readonly definitions: (Instruction | undefined)[];
  private readonly decorations = new Map<Id, Instruction[]>();
  private readonly padding = new Set<string>();
  readonly names = new Map<Id, string>();
  readonly strings = new Map<Id, string>();
  readonly functions = new Map<Id, FunctionDefinition>();
  /** By the name of their LinkageAttributes. */
  readonly exports = new Map<string, FunctionDefinition>();
  readonly extInstSets = new Map<Id, string>();
  readonly constants: Constants;
  readonly types: TypeTable;
  private readonly files = new Map<Id, string>();
  private modes: Map<Id, ExecutionModeDeclaration[]> | undefined;
  private stringsByStart: Map<string, string[]> | undefined;

  /** @param addressBits of the device's memory. */
  constructor(
    readonly module: Module,
    addressBits: AddressBits = 32,
  ) {
    this.definitions = blankTable<Instruction>(module.bound);
    for (const [name, id] of module.extInstImports) this.extInstSets.set(id, name);
    for (const i of module.debug) this.debug(i);
    this.decorate();
    for (const i of module.globals) if (i.result !== 0) this.definitions[i.result] = i;
    for (const f of module.functions) {
      const id = f.definition.result;
      this.functions.set(id, f);
      this.definitions[id] = f.definition;
      for (const p of f.parameters) this.definitions[p.result] = p;
      for (const b of f.blocks)
        for (const i of b.instructions) if (i.result !== 0) this.definitions[i.result] = i;
      const linkage = this.linkage(id);
      if (linkage?.type !== LinkageType.Import && linkage) this.exports.set(linkage.name, f);
    }
    this.types = new TypeTable(this, (id) => this.constants.integer(id), addressBits);
    this.constants = new Constants(this, this.types);
  }

  /** The labels that a terminator may lead to, in the order of `BranchCoverage.taken`; one label may occur more than once. */
  targetsOf(terminator: Instruction): readonly Id[] {
    return targetsOf(terminator, (selector) =>
      this.types.get(this.definition(selector).type).size === 8 ? 2 : 1,
    );
  }

  private debug(i: Instruction): void {
    if (i.op === Op.Name) this.names.set(i.operands[0]! as Id, readString(i.operands, 1)?.text ?? '');
    else if (i.op === Op.String) this.strings.set(i.result, readString(i.operands, 0)?.text ?? '');
    else if (i.op === Op.MemberName && readString(i.operands, 2)?.text === PADDING_NAME)
      this.padding.add(memberKey(i.operands[0]! as Id, i.operands[1]!));
  }

  isPadding(struct: Id, member: number): boolean {
    return this.padding.has(memberKey(struct, member));
  }

  private decorate(): void {
    const groups = new Set<Id>();
    const add = (target: Id, i: Instruction) => {
      const list = this.decorations.get(target);
      if (list) list.push(i);
      else this.decorations.set(target, [i]);
    };
    for (const i of this.module.annotations) {
      if (i.op === Op.DecorationGroup) groups.add(i.result);
      else if (i.op === Op.Decorate || i.op === Op.DecorateId || i.op === Op.DecorateString)
        add(i.operands[0]! as Id, i);
      else if (i.op === Op.GroupDecorate)
        for (const target of i.operands.slice(1))
          for (const d of this.decorations.get(i.operands[0]! as Id) ?? []) add(target as Id, d);
    }
  }

  modesOf(entryPoint: Id): readonly ExecutionModeDeclaration[] {
    if (!this.modes) {
      this.modes = new Map();
      for (const mode of this.module.executionModes) {
        const list = this.modes.get(mode.function);
        if (list) list.push(mode);
        else this.modes.set(mode.function, [mode]);
      }
    }
    return this.modes.get(entryPoint) ?? [];
  }

  /** The strings by their text up to the second dot: a program has several for each kernel. */
  stringsLike(text: string): readonly string[] {
    if (!this.stringsByStart) {
      this.stringsByStart = new Map();
      for (const string of this.strings.values()) {
        const start = startOf(string);
        const list = this.stringsByStart.get(start);
        if (list) list.push(string);
        else this.stringsByStart.set(start, [string]);
      }
    }
    return this.stringsByStart.get(startOf(text)) ?? [];
  }

  definition(id: Id): Instruction {
    const found = this.definitions[id];
    if (!found) throw new JitError(`id %${id} is not defined`);
    return found;
  }

  find(id: Id): Instruction | undefined {
    return this.definitions[id];
  }

  decoration(id: Id, kind: Decoration): readonly number[] | undefined {
    for (const d of this.decorations.get(id) ?? []) if (d.operands[1] === kind) return d.operands.slice(2);
    return undefined;
  }

  hasDecorations(id: Id): boolean {
    return this.decorations.has(id);
  }

  decorationsOf(id: Id): readonly Instruction[] {
    return this.decorations.get(id) ?? [];
  }

  linkage(id: Id): { name: string; type: LinkageType } | undefined {
    const words = this.decoration(id, Decoration.LinkageAttributes);
    const name = words && readString(words, 0);
    return name ? { name: name.text, type: words[name.next] as LinkageType } : undefined;
  }

  nameOf(id: Id): string {
    return this.linkage(id)?.name ?? this.names.get(id) ?? `%${id}`;
  }

  position(i: Instruction): SourcePosition | undefined {
    if (!i.line) return undefined;
    let file = this.files.get(i.line.file);
    if (file === undefined) {
      file = this.strings.get(i.line.file) ?? '';
      this.files.set(i.line.file, file);
    }
    return { file, line: i.line.line, column: i.line.column };
  }
}
