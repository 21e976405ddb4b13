// SPDX-License-Identifier: MIT
//
// Pointers, variables, loads, stores, access chains, composites, atomics (3.42.8, 3.42.12, 3.42.18).
import { Op, StorageClass } from '../grammar.gen';
import type { FunctionDefinition, Instruction } from '../module';
import { MEMORY_OPERANDS, placeOfMemoryOperands } from '../operands';
import type { Context } from './context';

type Check = (c: Context, i: Instruction) => void;

function pointerOf(c: Context, i: Instruction, id: number): Instruction {
  const type = c.find(c.typeOf(id));
  return type?.op === Op.TypePointer ? type : c.fail(i, `%${id} is not a pointer`);
}

function variable(c: Context, i: Instruction, inFunction: boolean): void {
  const type = c.find(i.type);
  if (type?.op !== Op.TypePointer) c.fail(i, 'its result is a pointer');
  if (type.operands[0] !== i.operands[0]) c.fail(i, "its storage class is its type's");
  const isFunction = i.operands[0] === StorageClass.Function;
  if (isFunction !== inFunction)
    c.fail(
      i,
      inFunction
        ? 'variables in functions have storage class Function'
        : 'variables of storage class Function stand in functions',
    );
  if (i.operands[0] === StorageClass.Generic) c.fail(i, 'a variable cannot have storage class Generic');
  const initializer = i.operands[1];
  if (initializer !== undefined) {
    const from = c.find(initializer);
    const isGlobal = from?.op === Op.Variable && from.operands[0] !== StorageClass.Function;
    if (!isGlobal && !c.isConstant(initializer))
      c.fail(i, 'its initializer is a constant or a module-scope variable');
    if (c.typeOf(initializer) !== type.operands[1])
      c.fail(i, "its initializer has the pointer's pointee type");
  }
}

const load: Check = (c, i) => {
  if (pointerOf(c, i, i.operands[0]!).operands[1] !== i.type)
    c.fail(i, "its result type is the pointer's pointee");
};

const READ_ONLY: ReadonlySet<StorageClass> = new Set([
  StorageClass.UniformConstant,
  StorageClass.Input,
  StorageClass.PushConstant,
]);

const store: Check = (c, i) => {
  const pointer = pointerOf(c, i, i.operands[0]!);
  if (c.type(pointer.operands[1]!).op === Op.TypeVoid) c.fail(i, 'its pointer points to void');
  if (READ_ONLY.has(pointer.operands[0]!))
    c.fail(i, `storage class ${StorageClass[pointer.operands[0]!]} is read-only`);
  if (c.typeOf(i.operands[1]!) !== pointer.operands[1])
    c.fail(i, "its object has the pointer's pointee type");
};

const copyMemory: Check = (c, i) => {
  const [to, from] = [pointerOf(c, i, i.operands[0]!), pointerOf(c, i, i.operands[1]!)];
  if (i.op === Op.CopyMemory) {
    if (to.operands[1] !== from.operands[1]) c.fail(i, 'its pointers point to one type');
    if (c.type(to.operands[1]!).op === Op.TypeVoid) c.fail(i, 'its pointers point to void');
  } else {
    if (!c.isInt(c.typeOf(i.operands[2]!))) c.fail(i, 'its size is an integer scalar');
    if (c.integer(i.operands[2]!) === 0) c.fail(i, 'its size is not 0 if it is a constant');
  }
  if (c.module.version < VERSION_1_4 && hasTwoAccesses(i))
    c.fail(i, 'a second set of memory operands requires SPIR-V 1.4');
};

const VERSION_1_4 = 0x10400;

/** Whether the source of a copy has memory operands of its own, after those of the target. */
function hasTwoAccesses(copy: Instruction): boolean {
  const { operands } = copy;
  const first = placeOfMemoryOperands(copy)!;
  const mask = operands[first];
  if (mask === undefined) return false;
  return operands.length > first + 1 + MEMORY_OPERANDS.filter((bit) => mask & bit).length;
}

/** The type at the end of a list of indices. */
function walk(
  c: Context,
  i: Instruction,
  start: number,
  indexes: readonly number[],
  literal: boolean,
): number {
  let type = start;
  for (const index of indexes) {
    const definition = c.type(type);
    if (!literal && !c.isInt(c.typeOf(index))) c.fail(i, `the index %${index} is not an integer`);
    switch (definition.op) {
      case Op.TypeStruct: {
        const at = literal ? index : c.integer(index);
        if (at === undefined) return c.fail(i, `the index %${index} into a struct is a constant`);
        if (at >= definition.operands.length)
          c.fail(i, `member ${at} is beyond the struct's ${definition.operands.length}`);
        type = definition.operands[at]!;
        break;
      }
      case Op.TypeVector:
      case Op.TypeMatrix:
        if (literal && index >= definition.operands[1]!)
          c.fail(i, `component ${index} is beyond the vector's ${definition.operands[1]}`);
        type = definition.operands[0]!;
        break;
      case Op.TypeArray: {
        const length = c.integer(definition.operands[1]!);
        if (literal && length !== undefined && index >= length)
          c.fail(i, `element ${index} is beyond the array's ${length}`);
        type = definition.operands[0]!;
        break;
      }
      case Op.TypeRuntimeArray:
        type = definition.operands[0]!;
        break;
      default:
        return c.fail(i, 'there are more indices than the type has levels');
    }
  }
  return type;
}

const accessChain =
  (skip: number): Check =>
  (c, i) => {
    const result = c.find(i.type);
    if (result?.op !== Op.TypePointer) return c.fail(i, 'its result is a pointer');
    const base = pointerOf(c, i, i.operands[0]!);
    if (base.operands[0] !== result.operands[0]) c.fail(i, "its result has the base's storage class");
    if (skip === 2 && !c.isInt(c.typeOf(i.operands[1]!))) c.fail(i, 'its element is an integer');
    const reached = walk(c, i, base.operands[1]!, i.operands.slice(skip), false);
    if (reached !== result.operands[1])
      c.fail(i, 'its indices lead to another type than its result points to');
  };

const extract: Check = (c, i) => {
  if (i.operands.length < 2) c.fail(i, 'it has at least one index');
  if (walk(c, i, c.typeOf(i.operands[0]!), i.operands.slice(1), true) !== i.type)
    c.fail(i, 'its indices lead to another type than its result');
};

const insert: Check = (c, i) => {
  if (i.operands.length < 3) c.fail(i, 'it has at least one index');
  if (c.typeOf(i.operands[1]!) !== i.type) c.fail(i, "its composite has the result's type");
  if (walk(c, i, i.type, i.operands.slice(2), true) !== c.typeOf(i.operands[0]!))
    c.fail(i, 'its indices lead to another type than its object has');
};

const construct: Check = (c, i) => {
  const type = c.type(i.type);
  const parts = i.operands.map((id) => c.typeOf(id));
  if (type.op === Op.TypeVector) {
    let components = 0;
    for (const part of parts) {
      const component = c.isScalar(part) ? part : c.type(part).operands[0];
      if (component !== type.operands[0]) c.fail(i, "its constituents have the vector's component type");
      components += c.dimension(part);
    }
    if (components !== type.operands[1])
      c.fail(i, `its constituents have ${components} components, not ${type.operands[1]}`);
  } else if (type.op === Op.TypeStruct) {
    if (parts.length !== type.operands.length)
      c.fail(i, `it has ${parts.length} constituents, not ${type.operands.length}`);
    parts.forEach((part, at) => {
      if (part !== type.operands[at]) c.fail(i, `constituent ${at} does not have its member's type`);
    });
  } else if (type.op === Op.TypeArray) {
    const length = c.integer(type.operands[1]!);
    if (length !== undefined && c.find(type.operands[1]!)?.op === Op.Constant && parts.length !== length)
      c.fail(i, `it has ${parts.length} constituents, not ${length}`);
    for (const part of parts)
      if (part !== type.operands[0]) c.fail(i, "its constituents have the array's element type");
  } else if (type.op !== Op.TypeMatrix) c.fail(i, 'its result is a composite');
};

const shuffle: Check = (c, i) => {
  const [a, b] = [c.typeOf(i.operands[0]!), c.typeOf(i.operands[1]!)];
  const result = c.type(i.type);
  if (result.op !== Op.TypeVector) c.fail(i, 'its result is a vector');
  if (result.operands[1] !== i.operands.length - 2)
    c.fail(i, 'it names as many components as its result has');
  for (const type of [a, b])
    if (c.type(type).op !== Op.TypeVector || c.type(type).operands[0] !== result.operands[0])
      c.fail(i, "its operands are vectors of the result's component type");
  const count = c.dimension(a) + c.dimension(b);
  for (const at of i.operands.slice(2))
    if (at >= count && at !== 0xffffffff) c.fail(i, `component ${at} is beyond the ${count} of its operands`);
};

const extractDynamic: Check = (c, i) => {
  const vector = c.type(c.typeOf(i.operands[0]!));
  if (vector.op !== Op.TypeVector || vector.operands[0] !== i.type)
    c.fail(i, "its vector has the result's type as components");
  if (!c.isInt(c.typeOf(i.operands[1]!))) c.fail(i, 'its index is an integer');
};

const insertDynamic: Check = (c, i) => {
  const vector = c.type(i.type);
  if (vector.op !== Op.TypeVector || c.typeOf(i.operands[0]!) !== i.type)
    c.fail(i, "its vector has the result's type, a vector");
  if (c.typeOf(i.operands[1]!) !== vector.operands[0])
    c.fail(i, "its component has the vector's component type");
  if (!c.isInt(c.typeOf(i.operands[2]!))) c.fail(i, 'its index is an integer');
};

interface Atomic {
  /** What it works on: the pointee's type. */
  readonly on: 'an integer' | 'a float' | 'an integer or a float';
  /** The indices of operands of the pointee's type. */
  readonly values: readonly number[];
}

const onIntegers: Atomic = { on: 'an integer', values: [3] };
const onFloats: Atomic = { on: 'a float', values: [3] };
const countsUpOrDown: Atomic = { on: 'an integer', values: [] };

/** Atomic instructions (3.42.18) except for those on flags. */
const ATOMICS: Partial<Record<number, Atomic>> = {
  [Op.AtomicLoad]: { on: 'an integer or a float', values: [] },
  [Op.AtomicStore]: { on: 'an integer or a float', values: [3] },
  [Op.AtomicExchange]: { on: 'an integer or a float', values: [3] },
  [Op.AtomicCompareExchange]: { on: 'an integer', values: [4, 5] },
  [Op.AtomicCompareExchangeWeak]: { on: 'an integer', values: [4, 5] },
  [Op.AtomicIIncrement]: countsUpOrDown,
  [Op.AtomicIDecrement]: countsUpOrDown,
  [Op.AtomicIAdd]: onIntegers,
  [Op.AtomicISub]: onIntegers,
  [Op.AtomicSMin]: onIntegers,
  [Op.AtomicUMin]: onIntegers,
  [Op.AtomicSMax]: onIntegers,
  [Op.AtomicUMax]: onIntegers,
  [Op.AtomicAnd]: onIntegers,
  [Op.AtomicOr]: onIntegers,
  [Op.AtomicXor]: onIntegers,
  [Op.AtomicFAddEXT]: onFloats,
  [Op.AtomicFMinEXT]: onFloats,
  [Op.AtomicFMaxEXT]: onFloats,
};

const atomic =
  ({ on, values }: Atomic): Check =>
  (c, i) => {
    const pointee = pointerOf(c, i, i.operands[0]!).operands[1]!;
    if (i.type !== 0 && pointee !== i.type) c.fail(i, "its result type is the pointer's pointee");
    const isInteger = c.isInt(pointee) && on !== 'a float';
    const isFloat = c.isFloat(pointee) && on !== 'an integer';
    if (!c.isScalar(pointee) || !(isInteger || isFloat)) c.fail(i, `its pointer points to ${on}`);
    for (const value of values)
      if (c.typeOf(i.operands[value]!) !== pointee) c.fail(i, "its value has the pointer's pointee type");
    scopeAndSemantics(c, i);
  };

const atomicFlag: Check = (c, i) => {
  const pointee = pointerOf(c, i, i.operands[0]!).operands[1]!;
  if (!c.isInt(pointee) || !c.isScalar(pointee) || c.width(pointee) !== 32)
    c.fail(i, 'its pointer points to an integer of 32 bits');
  if (i.type !== 0 && !(c.isBool(i.type) && c.isScalar(i.type))) c.fail(i, 'its result is a boolean scalar');
  scopeAndSemantics(c, i);
};

function scopeAndSemantics(c: Context, i: Instruction): void {
  for (const id of i.operands.slice(1, 3)) {
    const type = c.find(c.typeOf(id));
    if (type?.op !== Op.TypeInt || type.operands[0] !== 32)
      c.fail(i, 'scope and semantics are integers of 32 bits');
  }
}

const GENERIC_OF: readonly (StorageClass | undefined)[] = [
  StorageClass.Workgroup,
  StorageClass.CrossWorkgroup,
  StorageClass.Function,
];

const toGeneric: Check = (c, i) => {
  const from = pointerOf(c, i, i.operands[0]!);
  const to = c.type(i.type);
  if (to.op !== Op.TypePointer || to.operands[0] !== StorageClass.Generic) c.fail(i, 'its result is generic');
  if (!GENERIC_OF.includes(from.operands[0]))
    c.fail(i, 'its pointer has storage class Workgroup, CrossWorkgroup or Function');
  if (from.operands[1] !== to.operands[1]) c.fail(i, 'its pointer and its result point to one type');
};

const fromGeneric: Check = (c, i) => {
  const from = pointerOf(c, i, i.operands[0]!);
  const to = c.type(i.type);
  if (from.operands[0] !== StorageClass.Generic) c.fail(i, 'its pointer is generic');
  if (to.op !== Op.TypePointer || !GENERIC_OF.includes(to.operands[0]))
    c.fail(i, 'its result has storage class Workgroup, CrossWorkgroup or Function');
  if (from.operands[1] !== to.operands[1]) c.fail(i, 'its pointer and its result point to one type');
};

const CHECKS: Partial<Record<number, Check>> = {
  [Op.Load]: load,
  [Op.Store]: store,
  [Op.CopyMemory]: copyMemory,
  [Op.CopyMemorySized]: copyMemory,
  [Op.AccessChain]: accessChain(1),
  [Op.InBoundsAccessChain]: accessChain(1),
  [Op.PtrAccessChain]: accessChain(2),
  [Op.InBoundsPtrAccessChain]: accessChain(2),
  [Op.PtrCastToGeneric]: toGeneric,
  [Op.GenericCastToPtr]: fromGeneric,
  [Op.CompositeExtract]: extract,
  [Op.CompositeInsert]: insert,
  [Op.CompositeConstruct]: construct,
  [Op.VectorShuffle]: shuffle,
  [Op.VectorExtractDynamic]: extractDynamic,
  [Op.VectorInsertDynamic]: insertDynamic,
  [Op.AtomicFlagTestAndSet]: atomicFlag,
  [Op.AtomicFlagClear]: atomicFlag,
  ...Object.fromEntries(Object.entries(ATOMICS).map(([op, rules]) => [op, atomic(rules!)])),
};

export function checkMemory(c: Context): void {
  const check = (i: Instruction, f: FunctionDefinition | undefined) => {
    if (i.op === Op.Variable) variable(c, i, f !== undefined);
    else CHECKS[i.op]?.(c, i);
  };
  for (const i of c.module.globals) check(i, undefined);
  c.eachInstruction(check);
}
