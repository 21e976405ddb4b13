// SPDX-License-Identifier: MIT
//
// Specialization (2.12): specialization constants become constants, with the given values or their defaults, and operations on
// them are evaluated. Address arithmetic on variables is unchanged.
import { Decoration, Op } from './grammar.gen';
import type { Id, Instruction, Module } from './module';
import { evaluate, readScalar, type ScalarType, type Value, writeScalar } from './specialization-values';

export interface SpecializationConstant {
  /** The SpecId decoration's number. */
  readonly id: number;
  /** Bytes of its value. */
  readonly size: number;
}

/** The specialization constants of a module. */
export function specializationConstants(module: Module): SpecializationConstant[] {
  const ids = specIds(module);
  const types = scalarTypes(module);
  const result: SpecializationConstant[] = [];
  for (const i of module.globals) {
    const id = ids.get(i.result);
    if (id === undefined) continue;
    const type = types.get(i.type);
    result.push({ id, size: type?.kind === 'bool' ? 1 : (type?.bits ?? 32) / 8 });
  }
  return result;
}

function specIds(module: Module): Map<Id, number> {
  const ids = new Map<Id, number>();
  for (const i of module.annotations)
    if (i.op === Op.Decorate && i.operands[1] === Decoration.SpecId)
      ids.set(i.operands[0]! as Id, i.operands[2]!);
  return ids;
}

function scalarTypes(module: Module): Map<Id, ScalarType> {
  const types = new Map<Id, ScalarType>();
  for (const i of module.globals) {
    if (i.op === Op.TypeBool) types.set(i.result, { kind: 'bool', bits: 1 });
    else if (i.op === Op.TypeInt) types.set(i.result, { kind: 'int', bits: i.operands[0]! });
    else if (i.op === Op.TypeFloat) types.set(i.result, { kind: 'float', bits: i.operands[0]! });
  }
  return types;
}

/** `values`: by SpecId, the value's bytes (a bool is one byte). Ids that the module does not have are ignored. */
export function specialize(module: Module, values: ReadonlyMap<number, Uint8Array> = new Map()): Module {
  const isSpec = (i: Instruction) => i.op >= Op.SpecConstantTrue && i.op <= Op.SpecConstantOp;
  if (!module.globals.some(isSpec)) return module;
  return new Specializer(module, values).run();
}

class Specializer {
  private readonly ids: Map<Id, number>;
  private readonly types: Map<Id, ScalarType>;
  private readonly definitions = new Map<Id, Instruction>();
  private readonly known = new Map<Id, Value>();
  private readonly globals: Instruction[] = [];
  private bound: number;

  constructor(
    private readonly module: Module,
    private readonly values: ReadonlyMap<number, Uint8Array>,
  ) {
    this.ids = specIds(module);
    this.types = scalarTypes(module);
    this.bound = module.bound;
  }

  run(): Module {
    for (const i of this.module.globals) {
      const made = this.global(i);
      this.globals.push(made);
      this.definitions.set(made.result, made);
    }
    return {
      ...this.module,
      bound: this.bound,
      globals: this.globals,
      annotations: this.module.annotations.filter(
        (i) => !(i.op === Op.Decorate && i.operands[1] === Decoration.SpecId),
      ),
    };
  }

  private global(i: Instruction): Instruction {
    const type = this.types.get(i.type);
    const id = this.ids.get(i.result);
    const given = id === undefined ? undefined : this.values.get(id);
    switch (i.op) {
      case Op.ConstantTrue:
      case Op.ConstantFalse:
        return this.scalar(i, type!, i.op === Op.ConstantTrue);
      case Op.SpecConstantTrue:
      case Op.SpecConstantFalse:
        return this.scalar(i, type!, given ? given.some((byte) => byte !== 0) : i.op === Op.SpecConstantTrue);
      case Op.Constant:
      case Op.SpecConstant: {
        if (!type) return i;
        const words = given ? wordsOf(given, type.bits) : i.operands;
        const made = this.scalar(i, type, readScalar(type, words));
        // JavaScript's numbers do not have all bits of a NaN.
        return type.kind === 'float' ? { ...made, operands: words.slice(0, type.bits > 32 ? 2 : 1) } : made;
      }
      case Op.ConstantComposite:
      case Op.SpecConstantComposite: {
        const parts = i.operands.map((part) => this.known.get(part as Id));
        if (parts.every((part) => part !== undefined)) this.known.set(i.result, parts as Value[]);
        return { ...i, op: Op.ConstantComposite };
      }
      case Op.ConstantNull: {
        const zero = this.zero(i.type);
        if (zero !== undefined) this.known.set(i.result, zero);
        return i;
      }
      case Op.SpecConstantOp:
        return this.operation(i);
      default:
        return i;
    }
  }

  private scalar(i: Instruction, type: ScalarType, value: Value): Instruction {
    this.known.set(i.result, value);
    return { ...i, ...constantOf(type, value) };
  }

  /** The null value of scalars and vectors; operations do not take larger types. */
  private zero(type: Id): Value | undefined {
    const scalar = this.types.get(type);
    if (scalar) return scalar.kind === 'bool' ? false : scalar.kind === 'int' ? 0n : 0;
    const definition = this.definitions.get(type);
    if (definition?.op !== Op.TypeVector) return undefined;
    const element = this.zero(definition.operands[0]! as Id);
    return element === undefined ? undefined : new Array<Value>(definition.operands[1]!).fill(element);
  }

  private operation(i: Instruction): Instruction {
    const op: Op = i.operands[0]!;
    const literals = LITERALS_FROM[op] ?? i.operands.length;
    const operands: Value[] = [];
    for (const id of i.operands.slice(1, literals)) {
      const value = this.known.get(id as Id);
      if (value === undefined) return i;
      operands.push(value);
    }
    const result = this.scalarTypeOf(i.type);
    const operandType = this.scalarTypeOf(this.typeOf(i.operands[op === Op.Select ? 2 : 1]! as Id));
    if (!result || !operandType) return i;
    const value = evaluate(op, result, operandType, operands, i.operands.slice(literals));
    if (value === undefined) return i;
    this.known.set(i.result, value);
    return this.constant(i, value);
  }

  private constant(i: Instruction, value: Value): Instruction {
    const scalar = this.types.get(i.type);
    if (scalar) return { ...i, ...constantOf(scalar, value) };
    const element = this.definitions.get(i.type)!.operands[0]! as Id;
    const parts = (value as Value[]).map((part) => {
      const made = this.constant(
        { op: Op.Constant, type: element, result: this.bound++ as Id, operands: [] },
        part,
      );
      this.globals.push(made);
      this.definitions.set(made.result, made);
      this.known.set(made.result, part);
      return made.result as number;
    });
    return { ...i, op: Op.ConstantComposite, operands: parts };
  }

  private typeOf(id: Id): Id {
    return this.definitions.get(id)?.type ?? (0 as Id);
  }

  private scalarTypeOf(type: Id): ScalarType | undefined {
    const scalar = this.types.get(type);
    if (scalar) return scalar;
    const definition = this.definitions.get(type);
    return definition?.op === Op.TypeVector ? this.types.get(definition.operands[0]! as Id) : undefined;
  }
}

/** Where an operation's literal operands start, in OpSpecConstantOp's operands. */
const LITERALS_FROM: Partial<Record<Op, number>> = {
  [Op.CompositeExtract]: 2,
  [Op.CompositeInsert]: 3,
  [Op.VectorShuffle]: 3,
};

function constantOf(type: ScalarType, value: Value): { op: Op; operands: number[] } {
  if (type.kind === 'bool') return { op: value ? Op.ConstantTrue : Op.ConstantFalse, operands: [] };
  return { op: Op.Constant, operands: writeScalar(type, value) };
}

/** Bytes as the words of a literal; narrow integers are zero-extended here and read at their width. */
function wordsOf(bytes: Uint8Array, bits: number): number[] {
  const view = new DataView(new ArrayBuffer(8));
  bytes.subarray(0, 8).forEach((byte, at) => {
    view.setUint8(at, byte);
  });
  const words = [view.getUint32(0, true)];
  if (bits > 32) words.push(view.getUint32(4, true));
  return words;
}
