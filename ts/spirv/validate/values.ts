// SPDX-License-Identifier: MIT
//
// Types of operands and results of arithmetic, bit, logical and conversion instructions (3.42.11 to 3.42.15), as a table of type
// constraints.
import { Op } from '../grammar.gen';
import type { Instruction } from '../module';
import type { Context } from './context';

type Check = (c: Context, i: Instruction) => void;

const types = (c: Context, i: Instruction, count = i.operands.length) =>
  i.operands.slice(0, count).map((id) => c.typeOf(id));

/** Operands and result are floats of one type. */
const floats: Check = (c, i) => {
  if (!c.isFloat(i.type)) c.fail(i, 'its result is a float scalar or vector');
  for (const type of types(c, i)) if (type !== i.type) c.fail(i, "its operands have the result's type");
};

/** Operands and result are integers of one shape and width. */
const integers: Check = (c, i) => {
  if (!c.isInt(i.type)) c.fail(i, 'its result is an integer scalar or vector');
  for (const type of types(c, i)) {
    if (!c.isInt(type)) c.fail(i, 'its operands are integers');
    if (c.dimension(type) !== c.dimension(i.type))
      c.fail(i, 'its operands have as many components as the result');
    if (c.width(type) !== c.width(i.type)) c.fail(i, "its operands have the result's width");
  }
};

/** The amount of a shift may have another width. */
const shift: Check = (c, i) => {
  if (!c.isInt(i.type)) c.fail(i, 'its result is an integer scalar or vector');
  const [base, amount] = types(c, i);
  if (!c.isInt(base!) || !c.isInt(amount!)) c.fail(i, 'its operands are integers');
  if (c.dimension(base!) !== c.dimension(i.type) || c.dimension(amount!) !== c.dimension(i.type))
    c.fail(i, 'its operands have as many components as the result');
  if (c.width(base!) !== c.width(i.type)) c.fail(i, "the base has the result's width");
};

function truth(c: Context, i: Instruction): void {
  if (!c.isBool(i.type)) c.fail(i, 'its result is a boolean scalar or vector');
}

const compareIntegers: Check = (c, i) => {
  truth(c, i);
  const [a, b] = types(c, i);
  const pointers = c.isPointer(a!) && c.isPointer(b!);
  if (!pointers && (!c.isInt(a!) || !c.isInt(b!))) c.fail(i, 'its operands are integers');
  if (c.dimension(a!) !== c.dimension(i.type) || c.dimension(b!) !== c.dimension(i.type))
    c.fail(i, 'its operands have as many components as the result');
  if (c.width(a!) !== c.width(b!)) c.fail(i, 'its operands have one width');
};

const compareFloats: Check = (c, i) => {
  truth(c, i);
  const [a, b] = types(c, i);
  if (!c.isFloat(a!)) c.fail(i, 'its operands are floats');
  if (b !== undefined && a !== b) c.fail(i, 'its operands have one type');
  if (c.dimension(a!) !== c.dimension(i.type))
    c.fail(i, 'its operands have as many components as the result');
};

const logical: Check = (c, i) => {
  truth(c, i);
  for (const type of types(c, i)) if (type !== i.type) c.fail(i, "its operands have the result's type");
};

/** `from` and `to` are the kinds of operand and result, component by component. */
const convert =
  (from: 'int' | 'float', to: 'int' | 'float'): Check =>
  (c, i) => {
    const [type] = types(c, i, 1);
    const is = (kind: 'int' | 'float', t: number) => (kind === 'int' ? c.isInt(t) : c.isFloat(t));
    if (!is(to, i.type))
      c.fail(i, `its result is ${to === 'int' ? 'an integer' : 'a float'} scalar or vector`);
    if (!is(from, type!))
      c.fail(i, `its operand is ${from === 'int' ? 'an integer' : 'a float'} scalar or vector`);
    if (c.dimension(type!) !== c.dimension(i.type))
      c.fail(i, 'its operand has as many components as the result');
  };

/** Conversions between widths change the width. */
const resize =
  (kind: 'int' | 'float'): Check =>
  (c, i) => {
    convert(kind, kind)(c, i);
    if (c.width(c.typeOf(i.operands[0]!)) === c.width(i.type))
      c.fail(i, 'its operand and its result differ in width');
  };

const select: Check = (c, i) => {
  const [condition, then, otherwise] = types(c, i);
  if (!c.isBool(condition!)) c.fail(i, 'its condition is boolean');
  if (then !== i.type || otherwise !== i.type) c.fail(i, "its objects have the result's type");
  if (!c.isScalar(condition!) && c.dimension(condition!) !== c.dimension(i.type))
    c.fail(i, 'its condition has as many components as the result');
};

const bitcast: Check = (c, i) => {
  const [type] = types(c, i, 1);
  const size = (t: number) => c.width(t) * c.dimension(t);
  const numeric = (t: number) => c.isInt(t) || c.isFloat(t);
  if (!numeric(i.type) && !c.isPointer(i.type))
    c.fail(i, 'its result is a pointer, or a scalar or vector of numbers');
  if (!numeric(type!) && !c.isPointer(type!))
    c.fail(i, 'its operand is a pointer, or a scalar or vector of numbers');
  if (c.isPointer(i.type) && !isAddress(c, type!)) c.fail(i, `its operand is ${addresses(c)}`);
  if (c.isPointer(type!) && !isAddress(c, i.type)) c.fail(i, `its result is ${addresses(c)}`);
  if (numeric(i.type) && numeric(type!) && size(i.type) !== size(type!))
    c.fail(i, 'its operand has as many bits as its result');
};

const VERSION_1_5 = 0x10500;

/** Whether OpBitcast makes values of this type pointers, and pointers of them. */
function isAddress(c: Context, type: number): boolean {
  if (c.isPointer(type)) return true;
  if (!c.isInt(type)) return false;
  return c.isScalar(type) || (c.module.version >= VERSION_1_5 && c.width(type) === 32);
}

const addresses = (c: Context): string =>
  c.module.version >= VERSION_1_5
    ? 'a pointer, an integer or a vector of 32-bit integers'
    : 'a pointer or an integer';

const dot: Check = (c, i) => {
  const [a, b] = types(c, i);
  if (!c.isFloat(i.type) || !c.isScalar(i.type)) c.fail(i, 'its result is a float scalar');
  if (a !== b || c.isScalar(a!) || c.type(a!).operands[0] !== i.type)
    c.fail(i, "its operands are vectors of one type with the result's components");
};

const timesScalar: Check = (c, i) => {
  const [vector, scalar] = types(c, i);
  if (vector !== i.type || c.isScalar(i.type) || !c.isFloat(i.type))
    c.fail(i, 'its vector has the type of the result, a float vector');
  if (c.type(i.type).operands[0] !== scalar) c.fail(i, "its scalar has the vector's component type");
};

const anyAll: Check = (c, i) => {
  const [vector] = types(c, i);
  if (!c.isBool(i.type) || !c.isScalar(i.type)) c.fail(i, 'its result is a boolean scalar');
  if (!c.isBool(vector!) || c.isScalar(vector!)) c.fail(i, 'its operand is a boolean vector');
};

const bitCount: Check = (c, i) => {
  const [base] = types(c, i);
  if (!c.isInt(i.type) || !c.isInt(base!)) c.fail(i, 'its operand and result are integers');
  if (c.dimension(base!) !== c.dimension(i.type))
    c.fail(i, 'its operand has as many components as the result');
};

const pointerToInt: Check = (c, i) => {
  if (!c.isInt(i.type)) c.fail(i, 'its result is an integer');
  if (!c.isPointer(c.typeOf(i.operands[0]!))) c.fail(i, 'its operand is a pointer');
};

const intToPointer: Check = (c, i) => {
  if (!c.isPointer(i.type)) c.fail(i, 'its result is a pointer');
  if (!c.isInt(c.typeOf(i.operands[0]!))) c.fail(i, 'its operand is an integer');
};

const copy: Check = (c, i) => {
  if (c.typeOf(i.operands[0]!) !== i.type) c.fail(i, "its operand has the result's type");
};

const SHAPES: readonly (readonly [Check, readonly Op[]])[] = [
  [floats, [Op.FAdd, Op.FSub, Op.FMul, Op.FDiv, Op.FRem, Op.FMod, Op.FNegate]],
  [
    integers,
    [
      Op.IAdd,
      Op.ISub,
      Op.IMul,
      Op.SDiv,
      Op.UDiv,
      Op.SRem,
      Op.SMod,
      Op.UMod,
      Op.SNegate,
      Op.Not,
      Op.BitwiseAnd,
      Op.BitwiseOr,
      Op.BitwiseXor,
    ],
  ],
  [shift, [Op.ShiftLeftLogical, Op.ShiftRightLogical, Op.ShiftRightArithmetic]],
  [
    compareIntegers,
    [
      Op.IEqual,
      Op.INotEqual,
      Op.UGreaterThan,
      Op.SGreaterThan,
      Op.UGreaterThanEqual,
      Op.SGreaterThanEqual,
      Op.ULessThan,
      Op.SLessThan,
      Op.ULessThanEqual,
      Op.SLessThanEqual,
    ],
  ],
  [
    compareFloats,
    [
      Op.FOrdEqual,
      Op.FUnordEqual,
      Op.FOrdNotEqual,
      Op.FUnordNotEqual,
      Op.FOrdLessThan,
      Op.FUnordLessThan,
      Op.FOrdGreaterThan,
      Op.FUnordGreaterThan,
      Op.FOrdLessThanEqual,
      Op.FUnordLessThanEqual,
      Op.FOrdGreaterThanEqual,
      Op.FUnordGreaterThanEqual,
      Op.LessOrGreater,
      Op.Ordered,
      Op.Unordered,
      Op.IsNan,
      Op.IsInf,
      Op.IsFinite,
      Op.IsNormal,
      Op.SignBitSet,
    ],
  ],
  [logical, [Op.LogicalEqual, Op.LogicalNotEqual, Op.LogicalOr, Op.LogicalAnd, Op.LogicalNot]],
  [select, [Op.Select]],
  [convert('float', 'int'), [Op.ConvertFToS, Op.ConvertFToU]],
  [convert('int', 'float'), [Op.ConvertSToF, Op.ConvertUToF]],
  [resize('int'), [Op.SConvert, Op.UConvert]],
  [resize('float'), [Op.FConvert]],
  [convert('int', 'int'), [Op.SatConvertSToU, Op.SatConvertUToS]],
  [bitcast, [Op.Bitcast]],
  [dot, [Op.Dot]],
  [timesScalar, [Op.VectorTimesScalar]],
  [anyAll, [Op.Any, Op.All]],
  [bitCount, [Op.BitCount]],
  [pointerToInt, [Op.ConvertPtrToU]],
  [intToPointer, [Op.ConvertUToPtr]],
  [copy, [Op.CopyObject]],
];

export function checkValues(c: Context): void {
  const checks: (Check | undefined)[] = [];
  for (const [check, ops] of SHAPES) for (const op of ops) checks[op] = check;
  c.eachInstruction((i) => checks[i.op]?.(c, i));
}
