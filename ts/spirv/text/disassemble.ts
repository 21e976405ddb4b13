// SPDX-License-Identifier: MIT
//
// Module -> SPIR-V assembly, in the form of spirv-dis; spirv-as takes it.
import { Op } from '../grammar.gen';
import { type GrammarTables, grammarTables, type OperandSpec } from '../grammar-tables';
import { readString } from '../literal-string';
import type { Id, Instruction, Module } from '../module';
import { flatten } from './flatten';
import { friendlyNames } from './names';
import { floatText, integerText } from './numbers';

export interface DisassembleOptions {
  /** `%uint_4` and names from OpName instead of numbers. Default: true. */
  readonly friendlyNames?: boolean;
  /** The comment lines with version, generator and bound. Default: true. */
  readonly header?: boolean;
  /** Columns before the opcode, in which results are right-aligned; 0 for none. Default: 15. */
  readonly indent?: number;
}

export function disassemble(module: Module, options: DisassembleOptions = {}): string {
  const lines: string[] = [];
  if (options.header ?? true) {
    lines.push(
      '; SPIR-V',
      `; Version: ${module.version >> 16}.${(module.version >> 8) & 0xff}`,
      `; Generator: ${module.generator >>> 16}; ${module.generator & 0xffff}`,
      `; Bound: ${module.bound}`,
      '; Schema: 0',
    );
  }
  const printer = new Printer(module, options.friendlyNames ?? true);
  const indent = options.indent ?? 15;
  for (const instruction of flatten(module)) {
    const result = instruction.result === 0 ? '' : `${printer.id(instruction.result)} = `;
    lines.push(result.padStart(indent) + printer.instruction(instruction));
  }
  return `${lines.join('\n')}\n`;
}

/** Numbers of an unknown type are written as words. */
const UNKNOWN_NUMBER = { op: Op.TypeInt, operands: [32, 0] };

class Printer {
  private readonly tables: GrammarTables = grammarTables();
  private readonly names: ReadonlyMap<number, string>;
  private readonly definitions = new Map<number, Instruction>();
  private readonly types = new Map<number, Id>();
  private readonly setNames = new Map<number, string>();
  private at = 0;
  private words: readonly number[] = [];

  constructor(module: Module, friendly: boolean) {
    this.names = friendly ? friendlyNames(module) : new Map();
    for (const [name, id] of module.extInstImports) this.setNames.set(id, name);
    const note = (instruction: Instruction) => this.types.set(instruction.result, instruction.type);
    for (const instruction of module.globals) {
      this.definitions.set(instruction.result, instruction);
      note(instruction);
    }
    for (const { parameters, blocks } of module.functions) {
      parameters.forEach(note);
      for (const block of blocks) block.instructions.forEach(note);
    }
  }

  id(id: number): string {
    return `%${this.names.get(id) ?? id}`;
  }

  instruction({ op, type, operands }: Instruction): string {
    const spec = this.tables.instructions.get(op);
    if (!spec) return `Op${op}`;
    const parts = [spec.name];
    if (type !== 0) parts.push(this.id(type));
    this.words = operands;
    this.at = 0;
    this.operands(spec.operands, parts, type);
    return parts.join(' ');
  }

  private operands(specs: readonly OperandSpec[], parts: string[], type: Id): void {
    for (const [kind, quantifier] of specs) {
      if (kind === 'IdResult' || kind === 'IdResultType') continue;
      if (quantifier === '*') while (this.at < this.words.length) this.operand(kind, parts, type);
      else if (quantifier === '' || this.at < this.words.length) this.operand(kind, parts, type);
    }
  }

  private operand(kind: string, parts: string[], type: Id): void {
    if (this.at >= this.words.length) return;
    const spec = this.tables.operandKinds[kind]!;
    switch (spec.category) {
      case 'Id':
        parts.push(this.id(this.words[this.at++]!));
        return;
      case 'Literal':
        this.literal(kind, parts, type);
        return;
      case 'Composite':
        if (kind === 'PairLiteralIntegerIdRef') {
          parts.push(this.selectorLiteral());
          parts.push(this.id(this.words[this.at++]!));
        } else for (const base of spec.bases!) this.operand(base, parts, type);
        return;
      case 'ValueEnum':
        this.enumerant(kind, parts, type);
        return;
      case 'BitEnum':
        this.mask(kind, parts, type);
        return;
    }
  }

  /** A case of OpSwitch, as wide as the selector. */
  private selectorLiteral(): string {
    const definition = this.definitions.get(this.types.get(this.words[0]!) ?? 0);
    const [width = 32, sign = 0] = definition?.operands ?? [];
    const count = width === 64 ? 2 : 1;
    const words = this.words.slice(this.at, this.at + count);
    this.at += count;
    return integerText(width, sign === 1, words);
  }

  private literal(kind: string, parts: string[], type: Id): void {
    switch (kind) {
      case 'LiteralString': {
        const string = readString(this.words, this.at);
        if (!string) {
          this.at = this.words.length;
          return;
        }
        this.at = string.next;
        parts.push(`"${string.text.replace(/[\\"]/g, '\\$&')}"`);
        return;
      }
      case 'LiteralContextDependentNumber': {
        // In an invalid module a number may have any type, or an undefined one.
        const { op, operands } = this.definitions.get(type) ?? UNKNOWN_NUMBER;
        const [width = 32, sign = 0] = operands;
        const words = this.words.slice(this.at);
        this.at = this.words.length;
        parts.push(op === Op.TypeInt ? integerText(width, sign === 1, words) : floatText(width, words));
        return;
      }
      case 'LiteralExtInstInteger': {
        const set = this.tables.extended[this.setNames.get(this.words[this.at - 1]!) ?? ''];
        const instruction = set?.get(this.words[this.at]!);
        parts.push(instruction?.name ?? String(this.words[this.at]!));
        this.at++;
        if (instruction) this.operands(instruction.operands, parts, type);
        return;
      }
      case 'LiteralSpecConstantOpInteger': {
        const inner = this.tables.instructions.get(this.words[this.at++]!);
        parts.push(inner?.name.slice(2) ?? '?');
        if (inner) this.operands(inner.operands, parts, type);
        return;
      }
      default:
        parts.push(String(this.words[this.at++]! >>> 0));
    }
  }

  private enumerant(kind: string, parts: string[], type: Id): void {
    const value = this.words[this.at++]!;
    const found = this.tables.operandKinds[kind]!.enumerants!.find((e) => e.value === value);
    parts.push(found?.name ?? String(value));
    if (found?.parameters) this.operands(found.parameters, parts, type);
  }

  private mask(kind: string, parts: string[], type: Id): void {
    const value = this.words[this.at++]!;
    const { enumerants } = this.tables.operandKinds[kind]!;
    const set = value === 0 ? enumerants!.filter((e) => e.value === 0) : bitsOf(enumerants!, value);
    parts.push(set.map((e) => e.name).join('|') || String(value));
    for (const { parameters } of set) if (parameters) this.operands(parameters, parts, type);
  }
}

function bitsOf<E extends { readonly value: number }>(enumerants: readonly E[], mask: number): E[] {
  const found: E[] = [];
  for (let rest = mask >>> 0; rest !== 0; ) {
    const bit = rest & -rest;
    const enumerant = enumerants.find((e) => e.value === bit >>> 0);
    if (enumerant) found.push(enumerant);
    rest = (rest ^ bit) >>> 0;
  }
  return found;
}
