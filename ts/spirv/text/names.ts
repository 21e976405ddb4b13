// SPDX-License-Identifier: MIT
//
// Friendly names of ids: `%uint_4`, `%_ptr_Function_float`, and those of OpName.
import { BuiltIn, Decoration, Op, StorageClass } from '../grammar.gen';
import { readString } from '../literal-string';
import type { Id, Instruction, Module } from '../module';
import { floatText, integerText } from './numbers';

const INTEGERS: Readonly<Record<string, string>> = {
  '8,0': 'uchar',
  '8,1': 'char',
  '16,0': 'ushort',
  '16,1': 'short',
  '32,0': 'uint',
  '32,1': 'int',
  '64,0': 'ulong',
  '64,1': 'long',
};
const FLOATS: Readonly<Record<number, string>> = { 16: 'half', 32: 'float', 64: 'double' };

/** A name for each id that has a better one than its number. */
export function friendlyNames(module: Module): ReadonlyMap<number, string> {
  return new Namer(module).names;
}

class Namer {
  readonly names = new Map<number, string>();
  private readonly taken = new Set<string>();
  /** By name: the first number that may not be taken with it. */
  private readonly next = new Map<string, number>();
  private readonly definitions = new Map<number, Instruction>();

  constructor(module: Module) {
    for (const { op, operands } of module.debug)
      if (op === Op.Name) this.give(operands[0]!, readString(operands, 1)!.text);
    for (const { op, operands } of module.annotations)
      if (op === Op.Decorate && operands[1] === Decoration.BuiltIn)
        this.give(operands[0]!, `gl_${BuiltIn[operands[2]!] ?? operands[2]}`);
    for (const instruction of module.globals) {
      this.definitions.set(instruction.result, instruction);
      const name = this.nameOf(instruction);
      if (name !== undefined) this.give(instruction.result, name);
    }
  }

  private give(id: number, name: string): void {
    if (this.names.has(id)) return;
    const clean = name.replace(/[^A-Za-z0-9_]/g, '_') || '_';
    let unique = clean;
    let i = this.next.get(clean) ?? 0;
    for (; this.taken.has(unique); i++) unique = `${clean}_${i}`;
    if (i > 0) this.next.set(clean, i);
    this.taken.add(unique);
    this.names.set(id, unique);
  }

  private name(id: number): string {
    return this.names.get(id) ?? String(id);
  }

  private nameOf({ op, type, operands }: Instruction): string | undefined {
    const [first = 0, second = 0] = operands;
    switch (op) {
      case Op.TypeVoid:
        return 'void';
      case Op.TypeBool:
        return 'bool';
      case Op.TypeInt:
        return INTEGERS[`${first},${second}`] ?? `${second ? 'i' : 'u'}${first}`;
      case Op.TypeFloat:
        return FLOATS[first] ?? `fp${first}`;
      case Op.TypeVector:
        return `v${second}${this.name(first)}`;
      case Op.TypeArray:
        return `_arr_${this.name(first)}_${this.name(second)}`;
      case Op.TypePointer:
        return `_ptr_${StorageClass[first] ?? first}_${this.name(second)}`;
      case Op.TypeEvent:
        return 'Event';
      case Op.TypeDeviceEvent:
        return 'DeviceEvent';
      case Op.TypeReserveId:
        return 'ReserveId';
      case Op.TypeQueue:
        return 'Queue';
      case Op.ConstantTrue:
        return 'true';
      case Op.ConstantFalse:
        return 'false';
      case Op.Constant:
        return this.constant(type as Id, operands);
      default:
        return undefined;
    }
  }

  /** Undefined if the type is not a number's. */
  private constant(type: Id, words: readonly number[]): string | undefined {
    const definition = this.definitions.get(type);
    if (definition?.op !== Op.TypeInt && definition?.op !== Op.TypeFloat) return undefined;
    const [width = 32, sign = 0] = definition.operands;
    const text =
      definition.op === Op.TypeInt ? integerText(width, sign === 1, words) : floatText(width, words);
    return `${this.name(type)}_${text.replace('-', 'n')}`;
  }
}
