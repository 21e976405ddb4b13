// SPDX-License-Identifier: MIT
//
// Values of constants and the operations of OpSpecConstantOp on them (3.42.7), except on addresses.
import { halfBits, halfValue } from '../base/half';
import { singleOf } from '../base/single';
import { Op } from './grammar.gen';

/** A scalar (integers as bigint, in the signed range of their width), or a composite's parts. */
export type Value = bigint | number | boolean | Value[];

export interface ScalarType {
  readonly kind: 'bool' | 'int' | 'float';
  readonly bits: number;
}

const view = new DataView(new ArrayBuffer(8));

export function readScalar(type: ScalarType, words: readonly number[]): Value {
  view.setUint32(0, words[0]!, true);
  view.setUint32(4, words[1] ?? 0, true);
  if (type.kind === 'int') return BigInt.asIntN(type.bits, view.getBigUint64(0, true));
  if (type.bits === 16) return halfValue(words[0]! & 0xffff);
  return type.bits === 64 ? view.getFloat64(0, true) : view.getFloat32(0, true);
}

/** The literal words of a scalar; narrow integers are zero-extended, as unsigned types have them. */
export function writeScalar(type: ScalarType, value: Value): number[] {
  if (type.kind === 'int') view.setBigUint64(0, BigInt.asUintN(type.bits, value as bigint), true);
  else if (type.bits === 16) view.setBigUint64(0, BigInt(halfBits(value as number)), true);
  else if (type.bits === 64) view.setFloat64(0, value as number, true);
  else view.setFloat32(0, value as number, true);
  const low = view.getUint32(0, true);
  return type.bits > 32 ? [low, view.getUint32(4, true)] : [low];
}

type Scalar = bigint | number | boolean;
type Rule = (args: readonly Scalar[], result: ScalarType, operand: ScalarType) => Scalar;

const ints =
  (f: (a: bigint, b: bigint, bits: number) => bigint): Rule =>
  ([a, b], _, { bits }) =>
    f(a as bigint, b as bigint, bits);
const unsigned =
  (f: (a: bigint, b: bigint) => bigint): Rule =>
  ([a, b], _, { bits }) =>
    f(BigInt.asUintN(bits, a as bigint), BigInt.asUintN(bits, b as bigint));
const compare =
  (f: (a: bigint, b: bigint) => boolean): Rule =>
  ([a, b]) =>
    f(a as bigint, b as bigint);
const compareUnsigned =
  (f: (a: bigint, b: bigint) => boolean): Rule =>
  ([a, b], _, { bits }) =>
    f(BigInt.asUintN(bits, a as bigint), BigInt.asUintN(bits, b as bigint));
const floats =
  (f: (a: number, b: number) => number): Rule =>
  ([a, b]) =>
    f(a as number, b as number);
const compareFloats =
  (f: (a: number, b: number) => boolean, unordered = false): Rule =>
  ([a, b]) =>
    Number.isNaN(a) || Number.isNaN(b) ? unordered : f(a as number, b as number);
const bools =
  (f: (a: boolean, b: boolean) => boolean): Rule =>
  ([a, b]) =>
    f(a as boolean, b as boolean);

const floorMod = (a: bigint, b: bigint) => {
  if (b === 0n) return 0n;
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
};

const RULES: Partial<Record<Op, Rule>> = {
  [Op.SNegate]: ints((a) => -a),
  [Op.Not]: ints((a) => ~a),
  [Op.IAdd]: ints((a, b) => a + b),
  [Op.ISub]: ints((a, b) => a - b),
  [Op.IMul]: ints((a, b) => a * b),
  [Op.SDiv]: ints((a, b) => (b === 0n ? 0n : a / b)),
  [Op.UDiv]: unsigned((a, b) => (b === 0n ? 0n : a / b)),
  [Op.SRem]: ints((a, b) => (b === 0n ? 0n : a % b)),
  [Op.SMod]: ints(floorMod),
  [Op.UMod]: unsigned((a, b) => (b === 0n ? 0n : a % b)),
  [Op.ShiftLeftLogical]: ints((a, b, bits) => a << (b & BigInt(bits - 1))),
  [Op.ShiftRightArithmetic]: ints((a, b, bits) => a >> (b & BigInt(bits - 1))),
  [Op.ShiftRightLogical]: ([a, b], _, { bits }) =>
    BigInt.asUintN(bits, a as bigint) >> ((b as bigint) & BigInt(bits - 1)),
  [Op.BitwiseAnd]: ints((a, b) => a & b),
  [Op.BitwiseOr]: ints((a, b) => a | b),
  [Op.BitwiseXor]: ints((a, b) => a ^ b),
  [Op.IEqual]: compare((a, b) => a === b),
  [Op.INotEqual]: compare((a, b) => a !== b),
  [Op.SLessThan]: compare((a, b) => a < b),
  [Op.SLessThanEqual]: compare((a, b) => a <= b),
  [Op.SGreaterThan]: compare((a, b) => a > b),
  [Op.SGreaterThanEqual]: compare((a, b) => a >= b),
  [Op.ULessThan]: compareUnsigned((a, b) => a < b),
  [Op.ULessThanEqual]: compareUnsigned((a, b) => a <= b),
  [Op.UGreaterThan]: compareUnsigned((a, b) => a > b),
  [Op.UGreaterThanEqual]: compareUnsigned((a, b) => a >= b),
  [Op.SConvert]: ([a]) => a!,
  [Op.UConvert]: ([a], _, { bits }) => BigInt.asUintN(bits, a as bigint),
  [Op.FConvert]: ([a]) => a!,
  [Op.ConvertFToS]: ([a]) => (Number.isFinite(a) ? BigInt(Math.trunc(a as number)) : 0n),
  [Op.ConvertFToU]: ([a]) => (Number.isFinite(a) ? BigInt(Math.trunc(a as number)) : 0n),
  [Op.ConvertSToF]: ([a], { bits }) => integerToFloat(a as bigint, bits),
  [Op.ConvertUToF]: ([a], result, { bits }) => integerToFloat(BigInt.asUintN(bits, a as bigint), result.bits),
  [Op.Bitcast]: ([a], result, operand) =>
    result.bits === operand.bits ? (readScalar(result, writeScalar(operand, a!)) as Scalar) : a!,
  [Op.FNegate]: floats((a) => -a),
  [Op.FAdd]: floats((a, b) => a + b),
  [Op.FSub]: floats((a, b) => a - b),
  [Op.FMul]: floats((a, b) => a * b),
  [Op.FDiv]: floats((a, b) => a / b),
  [Op.FRem]: floats((a, b) => a % b),
  [Op.FMod]: floats((a, b) => a - b * Math.floor(a / b)),
  [Op.FOrdEqual]: compareFloats((a, b) => a === b),
  [Op.FUnordEqual]: compareFloats((a, b) => a === b, true),
  [Op.FOrdNotEqual]: compareFloats((a, b) => a !== b),
  [Op.FUnordNotEqual]: compareFloats((a, b) => a !== b, true),
  [Op.FOrdLessThan]: compareFloats((a, b) => a < b),
  [Op.FUnordLessThan]: compareFloats((a, b) => a < b, true),
  [Op.FOrdGreaterThan]: compareFloats((a, b) => a > b),
  [Op.FUnordGreaterThan]: compareFloats((a, b) => a > b, true),
  [Op.FOrdLessThanEqual]: compareFloats((a, b) => a <= b),
  [Op.FUnordLessThanEqual]: compareFloats((a, b) => a <= b, true),
  [Op.FOrdGreaterThanEqual]: compareFloats((a, b) => a >= b),
  [Op.FUnordGreaterThanEqual]: compareFloats((a, b) => a >= b, true),
  [Op.LogicalAnd]: bools((a, b) => a && b),
  [Op.LogicalOr]: bools((a, b) => a || b),
  [Op.LogicalNot]: bools((a) => !a),
  [Op.LogicalEqual]: bools((a, b) => a === b),
  [Op.LogicalNotEqual]: bools((a, b) => a !== b),
};

/** The value of an operation; undefined for one that is not computed here. `result`, `operand`: the scalar types. */
export function evaluate(
  op: Op,
  result: ScalarType,
  operand: ScalarType,
  operands: readonly Value[],
  literals: readonly number[],
): Value | undefined {
  switch (op) {
    case Op.CompositeExtract: {
      let value: Value | undefined = operands[0];
      for (const at of literals) value = Array.isArray(value) ? value[at] : undefined;
      return value;
    }
    case Op.CompositeInsert:
      return insert(operands[1]!, operands[0]!, literals);
    case Op.VectorShuffle: {
      const both = operands.flat() as Value[];
      const parts = literals.map((at) => both[at === 0xffffffff ? 0 : at]);
      return parts.some((part) => part === undefined) ? undefined : (parts as Value[]);
    }
    case Op.Select: {
      const [condition, then, otherwise] = operands;
      if (!Array.isArray(condition)) return condition ? then : otherwise;
      return condition.map((c, at) => (c ? (then as Value[])[at]! : (otherwise as Value[])[at]!));
    }
  }
  const rule = RULES[op];
  if (!rule) return undefined;
  const apply = (args: readonly Value[]): Value => wrapped(result, rule(args as Scalar[], result, operand));
  const width = operands.find((value) => Array.isArray(value));
  if (!Array.isArray(width)) return apply(operands);
  return width.map((_, at) => apply(operands.map((value) => (Array.isArray(value) ? value[at]! : value))));
}

function insert(into: Value, value: Value, path: readonly number[]): Value | undefined {
  if (path.length === 0) return value;
  if (!Array.isArray(into)) return undefined;
  const inner = insert(into[path[0]!]!, value, path.slice(1));
  if (inner === undefined) return undefined;
  return into.map((part, at) => (at === path[0] ? inner : part));
}

const integerToFloat = (value: bigint, bits: number) => (bits === 32 ? singleOf(value) : Number(value));

/** The value in the type's range and precision: wrapped or rounded. */
function wrapped(type: ScalarType, value: Scalar): Scalar {
  if (type.kind === 'int') return BigInt.asIntN(type.bits, BigInt(value));
  if (type.kind === 'bool') return Boolean(value);
  const wide = Number(value);
  return type.bits === 32 ? Math.fround(wide) : type.bits === 16 ? halfValue(halfBits(wide)) : wide;
}
