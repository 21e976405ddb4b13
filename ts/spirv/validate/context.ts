// SPDX-License-Identifier: MIT
//
// What all groups of rules share: definitions, types, and the reporting of a violation.
import { Op } from '../grammar.gen';
import type { FunctionDefinition, Id, Instruction, Module } from '../module';
import { SpirvError } from '../spirv-error';

export class Context {
  private readonly definitions: (Instruction | undefined)[];
  readonly functions = new Map<Id, FunctionDefinition>();

  constructor(readonly module: Module) {
    this.definitions = new Array<Instruction | undefined>(module.bound).fill(undefined);
    const define = (i: Instruction) => {
      if (i.result === 0) return;
      if (i.result >= module.bound) this.fail(i, `id %${i.result} is not below the bound`);
      if (this.definitions[i.result]) this.fail(i, `an id is defined once; %${i.result} is defined again`);
      this.definitions[i.result] = i;
    };
    for (const [, id] of module.extInstImports)
      define({ op: Op.ExtInstImport, type: 0 as Id, result: id, operands: [] });
    for (const i of module.debug) define(i);
    for (const i of module.annotations) define(i);
    for (const i of module.globals) define(i);
    for (const f of module.functions) {
      define(f.definition);
      this.functions.set(f.definition.result, f);
      for (const p of f.parameters) define(p);
      for (const b of f.blocks) {
        define({ op: Op.Label, type: 0 as Id, result: b.label, operands: [] });
        for (const i of b.instructions) define(i);
      }
    }
  }

  /** Rejects the module. */
  fail(i: Instruction | undefined, rule: string): never {
    if (!i) throw new SpirvError(rule);
    const result = i.result ? `%${i.result} = ` : '';
    throw new SpirvError(`${result}Op${Op[i.op]}: ${rule}`);
  }

  find(id: number): Instruction | undefined {
    return this.definitions[id];
  }

  /** The instruction that defines the type with this id. */
  type(id: number): Instruction {
    return this.definitions[id] ?? this.fail(undefined, `type %${id} is not defined`);
  }

  /** The type of a value. */
  typeOf(id: number): Id {
    return this.definitions[id]?.type ?? (0 as Id);
  }

  /** A vector's component type, and any other type itself. */
  scalar(type: number): Instruction | undefined {
    const definition = this.find(type);
    return definition?.op === Op.TypeVector ? this.find(definition.operands[0]!) : definition;
  }

  /** Components of a vector; 1 for other types. */
  dimension(type: number): number {
    const definition = this.find(type);
    return definition?.op === Op.TypeVector ? definition.operands[1]! : 1;
  }

  /** Bits of a scalar's or a vector's components. */
  width(type: number): number {
    const scalar = this.scalar(type);
    return scalar?.op === Op.TypeInt || scalar?.op === Op.TypeFloat ? scalar.operands[0]! : 0;
  }

  isInt(type: number): boolean {
    return this.scalar(type)?.op === Op.TypeInt;
  }

  isFloat(type: number): boolean {
    return this.scalar(type)?.op === Op.TypeFloat;
  }

  isBool(type: number): boolean {
    return this.scalar(type)?.op === Op.TypeBool;
  }

  isScalar(type: number): boolean {
    return this.find(type)?.op !== Op.TypeVector;
  }

  isPointer(type: number): boolean {
    return this.find(type)?.op === Op.TypePointer;
  }

  isConstant(id: number): boolean {
    const op = this.find(id)?.op;
    return op !== undefined && (isConstantOp(op) || op === Op.Undef);
  }

  /** The value of an OpConstant of an integer type. */
  integer(id: number): number | undefined {
    const i = this.find(id);
    if (i?.op !== Op.Constant || !this.isInt(i.type)) return i?.op === Op.ConstantNull ? 0 : undefined;
    return i.operands.length > 1 ? i.operands[0]! + i.operands[1]! * 2 ** 32 : i.operands[0]!;
  }

  /** Visits every instruction of every function body. */
  eachInstruction(visit: (i: Instruction, f: FunctionDefinition) => void): void {
    for (const f of this.module.functions)
      for (const b of f.blocks) for (const i of b.instructions) visit(i, f);
  }
}

export const isConstantOp = (op: Op): boolean => op >= Op.ConstantTrue && op <= Op.SpecConstantOp;

/** Instructions that declare a type. */
export const isTypeOp = (op: Op): boolean =>
  (op >= Op.TypeVoid && op <= Op.TypePipe) ||
  op === Op.TypePipeStorage ||
  op === Op.TypeNamedBarrier ||
  Op[op]!.startsWith('Type');
