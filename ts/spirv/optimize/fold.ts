// SPDX-License-Identifier: MIT
//
// Constant folding of one instruction. The lowering uses it as it emits (constant expressions become constants that way)
// and the pass `fold-constants` after variables have become values.
import { halfValue } from '../../base/half';
import type { Builder } from '../builder';
import { Op } from '../grammar.gen';
import type { Id } from '../module';
import { foldFloatBinary, foldFloatCompare } from './fold-float';
import { foldIntegerBinary, foldIntegerCompare } from './fold-integer';

/** The constant result of an instruction, or an operand that equals its result; undefined if it must be computed. */
export function fold(b: Builder, op: Op, type: Id, operands: readonly number[]): Id | undefined {
  switch (op) {
    case Op.IAdd:
    case Op.ISub:
    case Op.IMul:
    case Op.UDiv:
    case Op.SDiv:
    case Op.UMod:
    case Op.SRem:
    case Op.ShiftLeftLogical:
    case Op.ShiftRightLogical:
    case Op.ShiftRightArithmetic:
    case Op.BitwiseAnd:
    case Op.BitwiseOr:
    case Op.BitwiseXor:
      return identity(b, op, operands) ?? elementwise(b, op, type, operands, integerBinary);
    case Op.FAdd:
    case Op.FSub:
    case Op.FMul:
    case Op.FDiv:
      return elementwise(b, op, type, operands, floatBinary);
    case Op.IEqual:
    case Op.INotEqual:
    case Op.ULessThan:
    case Op.ULessThanEqual:
    case Op.UGreaterThan:
    case Op.UGreaterThanEqual:
    case Op.SLessThan:
    case Op.SLessThanEqual:
    case Op.SGreaterThan:
    case Op.SGreaterThanEqual:
      return elementwise(b, op, type, operands, integerCompare);
    case Op.FOrdEqual:
    case Op.FUnordNotEqual:
    case Op.FOrdLessThan:
    case Op.FOrdGreaterThan:
    case Op.FOrdLessThanEqual:
    case Op.FOrdGreaterThanEqual:
      return elementwise(b, op, type, operands, floatCompare);
    case Op.SNegate:
    case Op.Not:
    case Op.FNegate:
    case Op.LogicalNot:
    case Op.UConvert:
    case Op.SConvert:
    case Op.FConvert:
    case Op.ConvertSToF:
    case Op.ConvertUToF:
    case Op.ConvertFToS:
    case Op.ConvertFToU:
      return elementwise(b, op, type, operands, unary);
    case Op.Bitcast:
      return bitcast(b, type, operands[0] as Id);
    case Op.LogicalAnd:
    case Op.LogicalOr:
      return logical(b, op, operands);
    case Op.Select:
      return select(b, operands);
    case Op.CompositeExtract:
      return extract(b, operands);
    case Op.CompositeConstruct:
      return operands.every((id) => b.isConstant(id as Id)) ? construct(b, type, operands) : undefined;
    case Op.CompositeInsert:
      return insert(b, type, operands);
    case Op.VectorShuffle:
      return shuffle(b, type, operands);
    case Op.Phi:
      return undefined;
    default:
      return undefined;
  }
}

/** The value of a scalar constant: unsigned bits of an integer, a bool or a float. */
export type ScalarValue = number | bigint | boolean;

/** Integers of up to 32 bits are numbers, 64-bit ones bigints; both unsigned. */
export function scalarValue(b: Builder, id: Id): ScalarValue | undefined {
  const definition = b.definitionOf(id);
  if (!definition) return undefined;
  switch (definition.op) {
    case Op.ConstantTrue:
      return true;
    case Op.ConstantFalse:
      return false;
    case Op.Constant: {
      const type = b.definitionOf(definition.type)!;
      const [low, high] = definition.operands as [number, number];
      const width = type.operands[0]!;
      if (type.op === Op.TypeInt)
        return width === 64 ? (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0) : low >>> 0;
      if (width === 16) return halfValue(low);
      view.setUint32(0, low, true);
      if (width === 32) return view.getFloat32(0, true);
      view.setUint32(4, high, true);
      return view.getFloat64(0, true);
    }
    case Op.ConstantNull: {
      const type = b.definitionOf(definition.type)!;
      if (type.op === Op.TypeInt) return type.operands[0] === 64 ? 0n : 0;
      if (type.op === Op.TypeFloat) return 0;
      return type.op === Op.TypeBool ? false : undefined;
    }
    default:
      return undefined;
  }
}

const view = new DataView(new ArrayBuffer(8));

/** The constant of a scalar type. */
function scalarConstant(b: Builder, type: Id, value: ScalarValue): Id {
  if (typeof value === 'boolean') return b.constantBool(value);
  if (b.definitionOf(type)!.op === Op.TypeFloat) return b.constantFloat(type, Number(value));
  return b.constantInt(type, value);
}

/** Component `index` of a constant vector (or the scalar itself). */
function component(b: Builder, id: Id, index: number): Id | undefined {
  const definition = b.definitionOf(id);
  switch (definition?.op) {
    case Op.ConstantComposite:
      return definition.operands[index] as Id;
    case Op.ConstantNull: {
      const type = b.definitionOf(definition.type)!;
      if (type.op === Op.TypeVector || type.op === Op.TypeArray) return zero(b, type.operands[0] as Id);
      return type.op === Op.TypeStruct ? zero(b, type.operands[index] as Id) : id;
    }
    case Op.Constant:
    case Op.ConstantTrue:
    case Op.ConstantFalse:
      return id;
    default:
      return undefined;
  }
}

function zero(b: Builder, type: Id): Id {
  const definition = b.definitionOf(type)!;
  if (definition.op === Op.TypeInt) return b.constantInt(type, 0);
  if (definition.op === Op.TypeFloat) return b.constantFloat(type, 0);
  return definition.op === Op.TypeBool ? b.constantBool(false) : b.constantNull(type);
}

type FoldScalar = (
  b: Builder,
  op: Op,
  type: Id,
  values: readonly ScalarValue[],
  operandType: Id,
) => ScalarValue | undefined;

function elementwise(
  b: Builder,
  op: Op,
  type: Id,
  operands: readonly number[],
  scalar: FoldScalar,
): Id | undefined {
  for (let i = 0; i < operands.length; i++) if (!b.isConstant(operands[i] as Id)) return undefined;
  const count = b.countOf(type);
  const element = b.elementOf(type);
  const operandType = b.elementOf(b.typeOf(operands[0] as Id));
  const parts: Id[] = [];
  for (let i = 0; i < count; i++) {
    if (op === Op.FNegate) {
      const negated = negate(b, component(b, operands[0] as Id, i));
      if (negated === undefined) return undefined;
      parts.push(negated);
      continue;
    }
    const values: ScalarValue[] = [];
    for (const operand of operands) {
      const part = component(b, operand as Id, i);
      const value = part === undefined ? undefined : scalarValue(b, part);
      if (value === undefined) return undefined;
      values.push(value);
    }
    const result = scalar(b, op, element, values, operandType);
    if (result === undefined) return undefined;
    parts.push(scalarConstant(b, element, result));
  }
  return count === 1 ? parts[0] : b.constantComposite(type, parts);
}

/** With the other sign. Of bits, as NaNs have a sign that arithmetic in JavaScript may lose. */
function negate(b: Builder, constant: Id | undefined): Id | undefined {
  const definition = constant === undefined ? undefined : b.definitionOf(constant);
  if (definition?.op !== Op.Constant) return undefined;
  const { type, operands: words } = definition;
  const top = words.length - 1;
  const sign = b.widthOf(type) === 16 ? 0x8000 : 0x80000000;
  return b.constantWords(
    type,
    words.map((word, i) => (i === top ? word ^ sign : word) >>> 0),
  );
}

const integerBinary: FoldScalar = (b, op, type, [left, right]) =>
  foldIntegerBinary(op, b.widthOf(type), left as number | bigint, right as number | bigint);
const integerCompare: FoldScalar = (b, op, _, [left, right], operandType) =>
  foldIntegerCompare(op, b.widthOf(operandType), left as number | bigint, right as number | bigint);
const floatBinary: FoldScalar = (_, op, __, [left, right]) =>
  foldFloatBinary(op, left as number, right as number);
const floatCompare: FoldScalar = (_, op, __, [left, right]) =>
  foldFloatCompare(op, left as number, right as number);

const unary: FoldScalar = (b, op, type, [value], operandType) => {
  switch (op) {
    case Op.LogicalNot:
      return !value;
    case Op.SNegate:
      return typeof value === 'bigint' ? -value : -(value as number);
    case Op.Not:
      return typeof value === 'bigint' ? ~value : ~(value as number);
    case Op.UConvert:
      return BigInt(value!);
    case Op.SConvert:
      return BigInt.asIntN(b.widthOf(operandType), BigInt(value!));
    case Op.FConvert:
      return value;
    case Op.ConvertUToF:
      return integerToFloat(BigInt(value!), b.widthOf(type));
    case Op.ConvertSToF:
      return integerToFloat(BigInt.asIntN(b.widthOf(operandType), BigInt(value!)), b.widthOf(type));
    case Op.ConvertFToS:
      return inRange(value as number, b.widthOf(type), true);
    case Op.ConvertFToU:
      return inRange(value as number, b.widthOf(type), false);
    default:
      return undefined;
  }
};

/** The result for values that do not fit is undefined, so they are not folded. */
function inRange(value: number, width: number, signed: boolean): bigint | undefined {
  if (!Number.isFinite(value)) return undefined;
  const whole = BigInt(Math.trunc(value));
  const fits = signed ? BigInt.asIntN(width, whole) === whole : BigInt.asUintN(width, whole) === whole;
  return fits ? whole : undefined;
}

/** Rounded once, directly to the float type; going through a double could round twice. */
function integerToFloat(value: bigint, width: number): number | undefined {
  const near = Number(value);
  if (width === 64 || BigInt(near) === value) return near;
  return undefined;
}

function identity(b: Builder, op: Op, operands: readonly number[]): Id | undefined {
  const right = scalarValue(b, operands[1] as Id);
  if (right !== undefined) {
    const isZero = right === 0 || right === 0n;
    switch (op) {
      case Op.IAdd:
      case Op.ISub:
      case Op.BitwiseOr:
      case Op.BitwiseXor:
      case Op.ShiftLeftLogical:
      case Op.ShiftRightLogical:
      case Op.ShiftRightArithmetic:
        return isZero ? (operands[0] as Id) : undefined;
      case Op.IMul:
      case Op.UDiv:
      case Op.SDiv:
        if (right === 1 || right === 1n) return operands[0] as Id;
        return isZero && op === Op.IMul ? (operands[1] as Id) : undefined;
      case Op.BitwiseAnd:
        return isZero ? (operands[1] as Id) : undefined;
      default:
        return undefined;
    }
  }
  if (op === Op.IAdd || op === Op.BitwiseOr || op === Op.BitwiseXor) {
    const left = scalarValue(b, operands[0] as Id);
    if (left === 0 || left === 0n) return operands[1] as Id;
  } else if (op === Op.IMul) {
    const left = scalarValue(b, operands[0] as Id);
    if (left === 1 || left === 1n) return operands[1] as Id;
  }
  return undefined;
}

function logical(b: Builder, op: Op, operands: readonly number[]): Id | undefined {
  const left = scalarValue(b, operands[0] as Id);
  const right = scalarValue(b, operands[1] as Id);
  const absorbing = op === Op.LogicalOr;
  if (left === absorbing || right === absorbing) return b.constantBool(absorbing);
  if (left === !absorbing) return operands[1] as Id;
  if (right === !absorbing) return operands[0] as Id;
  return undefined;
}

function select(b: Builder, operands: readonly number[]): Id | undefined {
  const condition = scalarValue(b, operands[0] as Id);
  if (typeof condition === 'boolean') return (condition ? operands[1] : operands[2]) as Id;
  return operands[1] === operands[2] ? (operands[1] as Id) : undefined;
}

function extract(b: Builder, operands: readonly number[]): Id | undefined {
  let id = operands[0] as Id;
  if (!b.isConstant(id)) return undefined;
  for (let i = 1; i < operands.length; i++) {
    const part = component(b, id, operands[i]!);
    if (part === undefined) return undefined;
    id = part;
  }
  return id;
}

/** A vector may be constructed of scalars and vectors. */
function construct(b: Builder, type: Id, operands: readonly number[]): Id | undefined {
  if (b.definitionOf(type)!.op !== Op.TypeVector) return b.constantComposite(type, operands);
  const parts: Id[] = [];
  for (const operand of operands) {
    const count = b.countOf(b.typeOf(operand as Id));
    for (let i = 0; i < count; i++) {
      const part = component(b, operand as Id, i);
      if (part === undefined) return undefined;
      parts.push(part);
    }
  }
  return b.constantComposite(type, parts);
}

function insert(b: Builder, type: Id, operands: readonly number[]): Id | undefined {
  const [object, composite, index] = operands as [Id, Id, number];
  if (operands.length !== 3 || !b.isConstant(object) || !b.isConstant(composite)) return undefined;
  if (b.definitionOf(type)!.op !== Op.TypeVector) return undefined;
  const parts: Id[] = [];
  for (let i = 0; i < b.countOf(type); i++) {
    const part = i === index ? object : component(b, composite, i);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return b.constantComposite(type, parts);
}

const UNDEFINED_COMPONENT = 0xffffffff;

function shuffle(b: Builder, type: Id, operands: readonly number[]): Id | undefined {
  const [left, right, ...indices] = operands as [Id, Id, ...number[]];
  if (!b.isConstant(left) || !b.isConstant(right)) return undefined;
  const count = b.countOf(b.typeOf(left));
  const parts: Id[] = [];
  for (const index of indices) {
    const part =
      index === UNDEFINED_COMPONENT
        ? b.undef(b.elementOf(type))
        : index < count
          ? component(b, left, index)
          : component(b, right, index - count);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return b.constantComposite(type, parts);
}

/** Between scalars of one width; vectors only where the components stay as wide. */
function bitcast(b: Builder, type: Id, operand: Id): Id | undefined {
  const from = b.typeOf(operand);
  if (from === type) return operand;
  if (!b.isConstant(operand)) return undefined;
  const count = b.countOf(type);
  if (count !== b.countOf(from)) return undefined;
  const element = b.elementOf(type);
  const kind = b.definitionOf(element)!.op;
  if (kind !== Op.TypeInt && kind !== Op.TypeFloat) return undefined;
  const parts: Id[] = [];
  for (let i = 0; i < count; i++) {
    const part = component(b, operand, i);
    const definition = part === undefined ? undefined : b.definitionOf(part);
    if (definition?.op !== Op.Constant || b.widthOf(definition.type) !== b.widthOf(element)) return undefined;
    parts.push(b.constantWords(element, definition.operands));
  }
  return count === 1 ? parts[0] : b.constantComposite(type, parts);
}
