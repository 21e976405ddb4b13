// SPDX-License-Identifier: MIT
//
// Arithmetic, bit, relational and logical instructions, component by component.
import { Decoration, Op } from '../../spirv/grammar.gen';
import type { Instruction } from '../../spirv/module';
import { Op as Ir, Type, type Value } from '../ir/ir';
import { bitsOf, integerLike } from '../ir/types';
import { setComposed } from './composites';
import { remainder } from './float-remainder';
import type { Handler, HandlerTable, Translation } from './translation';

const integer =
  (op: Ir): Handler =>
  (t, i) => {
    // In a checked run, the decoration says what an overflow is, and wrapped values stay what they are.
    const noWrap =
      !t.context.checks &&
      t.index.hasDecorations(i.result) &&
      (t.index.decoration(i.result, Decoration.NoSignedWrap) !== undefined ||
        // Numbers that are extended for addresses of 64 bits are signed.
        (t.func.addressBits === 32 && t.index.decoration(i.result, Decoration.NoUnsignedWrap) !== undefined));
    t.map(i, i.operands, (args) => t.emit(op, args[0]!.type, args, noWrap ? { noWrap } : {}));
  };

/** The amount may have another width than the shifted value. */
const shift =
  (op: Ir): Handler =>
  (t, i) =>
    t.map(i, i.operands, ([value, amount]) =>
      t.emit(op, value!.type, [value!, t.resize(amount!, value!.type, false)]),
    );

const float =
  (op: Ir): Handler =>
  (t, i) => {
    const facts = t.fastMath(i);
    t.map(i, i.operands, (args) => t.float(op, args[0]!.type, args, { ...facts }));
  };

/** The IR has an operation for each of SPIR-V's comparisons. */
const compare =
  (op: Ir): Handler =>
  (t, i) =>
    t.map(i, i.operands, (args) => t.emit(op, Type.I1, args));

const compareFloat =
  (f: (t: Translation, a: Value, b: Value) => Value): Handler =>
  (t, i) =>
    t.map(i, i.operands, ([a, b]) => f(t, t.widen(a!), b ? t.widen(b) : a!));

const relation = (op: Ir) => (t: Translation, a: Value, b: Value) => t.emit(op, Type.I1, [a, b]);
const negated = (op: Ir) => (t: Translation, a: Value, b: Value) => t.not(t.emit(op, Type.I1, [a, b]));
const either = (op: Ir, other: Ir) => (t: Translation, a: Value, b: Value) =>
  t.emit(Ir.Or, Type.I1, [t.emit(op, Type.I1, [a, b]), t.emit(other, Type.I1, [a, b])]);

const infinity = (t: Translation, type: Type) => t.const(type, Number.POSITIVE_INFINITY);
const abs = (t: Translation, a: Value) => t.emit(Ir.FAbs, a.type, [a]);

function isNormal(t: Translation, i: Instruction): void {
  t.map(i, i.operands, ([a]) => {
    const least = a!.type === Type.F16 ? 2 ** -14 : a!.type === Type.F32 ? 2 ** -126 : 2 ** -1022;
    const magnitude = abs(t, t.widen(a!));
    return t.emit(Ir.And, Type.I1, [
      t.emit(Ir.FGe, Type.I1, [magnitude, t.const(magnitude.type, least)]),
      t.emit(Ir.FLt, Type.I1, [magnitude, infinity(t, magnitude.type)]),
    ]);
  });
}

function signBitSet(t: Translation, i: Instruction): void {
  t.map(i, i.operands, ([a]) => {
    const type = integerLike(a!.type);
    return t.emit(Ir.SLt, Type.I1, [t.emit(Ir.Bitcast, type, [a!]), t.zero(type)]);
  });
}

/** The remainder with the divisor's sign. */
function sMod(t: Translation, i: Instruction): void {
  t.map(i, i.operands, ([a, b]) => {
    const type = a!.type;
    const rest = t.emit(Ir.SRem, type, [a!, b!]);
    const zero = t.zero(type);
    const differ = t.emit(Ir.SLt, Type.I1, [t.emit(Ir.Xor, type, [rest, b!]), zero]);
    const adjust = t.emit(Ir.And, Type.I1, [differ, t.emit(Ir.Ne, Type.I1, [rest, zero])]);
    return t.select(adjust, t.emit(Ir.Add, type, [rest, b!]), rest);
  });
}

const fRem: Handler = (t, i) =>
  t.map(i, i.operands, ([a, b]) => t.narrow(remainder(t, t.widen(a!), t.widen(b!)), a!.type));

/** The remainder with the divisor's sign. */
function fMod(t: Translation, i: Instruction): void {
  t.map(i, i.operands, ([x, y]) => {
    const [a, b] = [t.widen(x!), t.widen(y!)];
    const rest = remainder(t, a, b);
    const zero = t.const(a.type, 0);
    // Not by the sign of a product, which may be too small for its type.
    const isBelow = (value: Value): Value => t.emit(Ir.FLt, Type.I1, [value, zero]);
    const differ = t.emit(Ir.Xor, Type.I1, [isBelow(rest), isBelow(b)]);
    const adjust = t.emit(Ir.And, Type.I1, [differ, t.emit(Ir.FNe, Type.I1, [rest, zero])]);
    return t.narrow(t.select(adjust, t.emit(Ir.FAdd, a.type, [rest, b]), rest), x!.type);
  });
}

const all = (t: Translation, values: Value[], op: Ir): Value =>
  values.reduce((a, b) => t.emit(op, Type.I1, [a, b]));

/** Two results: the low and the high half, or the sum and the carry. */
const pair =
  (f: (t: Translation, a: Value, b: Value) => [Value, Value]): Handler =>
  (t, i) => {
    const [a, b] = [t.get(i.operands[0]!), t.get(i.operands[1]!)];
    const pairs = a.map((x, at) => f(t, x, b[at]!));
    setComposed(t, i, [pairs.map((p) => p[0]), pairs.map((p) => p[1])]);
  };

/** Mask of the lowest `count` bits; all bits if the count is the width. */
function lowMask(t: Translation, type: Type, count: Value): Value {
  const ones = t.const(type, type === Type.I64 ? -1n : -1);
  const width = t.const(type, type === Type.I64 ? 64n : bitsOf(type));
  const shifted = t.not(t.emit(Ir.Shl, type, [ones, count]));
  return t.select(t.emit(Ir.UGe, Type.I1, [count, width]), ones, shifted);
}

function bitFieldInsert(t: Translation, i: Instruction): void {
  t.map(i, i.operands, ([base, insert, at, count]) => {
    const type = base!.type;
    const offset = t.resize(at!, type, false);
    const mask = t.emit(Ir.Shl, type, [lowMask(t, type, t.resize(count!, type, false)), offset]);
    return t.emit(Ir.Or, type, [
      t.emit(Ir.And, type, [base!, t.not(mask)]),
      t.emit(Ir.And, type, [t.emit(Ir.Shl, type, [insert!, offset]), mask]),
    ]);
  });
}

const bitFieldExtract =
  (signed: boolean): Handler =>
  (t, i) =>
    t.map(i, i.operands, ([base, at, count]) => {
      const type = base!.type;
      const bits = t.resize(count!, type, false);
      const moved = t.emit(Ir.LShr, type, [base!, t.resize(at!, type, false)]);
      const field = t.emit(Ir.And, type, [moved, lowMask(t, type, bits)]);
      if (!signed) return field;
      const width = bitsOf(type);
      const up = t.emit(Ir.Sub, type, [t.const(type, type === Type.I64 ? BigInt(width) : width), bits]);
      const extended = t.emit(Ir.AShr, type, [t.emit(Ir.Shl, type, [field, up]), up]);
      return t.select(t.emit(Ir.Eq, Type.I1, [bits, t.zero(type)]), t.zero(type), extended);
    });

/** Swaps halves of ever larger groups of bits. */
function reverseBits(t: Translation, value: Value): Value {
  const type = value.type;
  const width = bitsOf(type);
  let result = value;
  for (let step = 1; step < width; step *= 2) {
    let mask = 0n;
    for (let bit = 0; bit < width; bit++) if ((bit & step) === 0) mask |= 1n << BigInt(bit);
    const low = t.const(type, type === Type.I64 ? mask : Number(mask));
    const amount = t.const(type, type === Type.I64 ? BigInt(step) : step);
    result = t.emit(Ir.Or, type, [
      t.emit(Ir.And, type, [t.emit(Ir.LShr, type, [result, amount]), low]),
      t.emit(Ir.Shl, type, [t.emit(Ir.And, type, [result, low]), amount]),
    ]);
  }
  return result;
}

function dot(t: Translation, i: Instruction): void {
  const [a, b] = [t.get(i.operands[0]!), t.get(i.operands[1]!)];
  const type = a[0]!.type;
  const facts = t.fastMath(i);
  let sum: Value | undefined;
  for (let at = 0; at < a.length; at++) {
    const product = t.emit(Ir.FMul, t.widen(a[at]!).type, [t.widen(a[at]!), t.widen(b[at]!)], { ...facts });
    sum = sum ? t.emit(Ir.FAdd, product.type, [sum, product], { ...facts }) : product;
  }
  t.set(i, [t.narrow(sum!, type)]);
}

/** Integer dot products, of vectors or of four bytes packed in a word, with or without saturating accumulation. */
const integerDot =
  (signedA: boolean, signedB: boolean, accumulate: boolean): Handler =>
  (t, i) => {
    const result = t.scalarType(t.type(i));
    const parts = (id: number): Value[] => {
      const values = t.get(id);
      if (values.length > 1 || values[0]!.type !== Type.I32) return values;
      return [0, 8, 16, 24].map((by) =>
        t.emit(Ir.Trunc, Type.I8, [t.emit(Ir.LShr, Type.I32, [values[0]!, t.i32(by)])]),
      );
    };
    const [a, b] = [parts(i.operands[0]!), parts(i.operands[1]!)];
    const wide = accumulate && bitsOf(result) < 64 ? Type.I64 : result;
    let sum: Value = t.zero(wide);
    for (let at = 0; at < a.length; at++)
      sum = t.emit(Ir.Add, wide, [
        sum,
        t.emit(Ir.Mul, wide, [t.resize(a[at]!, wide, signedA), t.resize(b[at]!, wide, signedB)]),
      ]);
    if (accumulate) {
      const signed = signedA || signedB;
      const accumulator = t.scalar(i.operands[2]!);
      if (wide === result) sum = t.emit(signed ? Ir.SAddSat : Ir.UAddSat, result, [sum, accumulator]);
      else {
        const total = t.emit(Ir.Add, wide, [sum, t.resize(accumulator, wide, signed)]);
        sum = t.resize(clamp(t, total, result, signed, signed), result, false);
      }
    }
    t.set(i, [sum]);
  };

/** Clamps an integer to the range of the narrower `to`; from signed or unsigned, to signed or unsigned. */
export function clamp(t: Translation, value: Value, to: Type, fromSigned: boolean, toSigned: boolean): Value {
  const type = value.type;
  const constant = (n: bigint) => t.const(type, type === Type.I64 ? n : Number(n));
  const width = BigInt(bitsOf(to));
  const most = toSigned ? (1n << (width - 1n)) - 1n : (1n << width) - 1n;
  const least = toSigned ? -(1n << (width - 1n)) : 0n;
  const fits = bitsOf(type) > bitsOf(to) || (bitsOf(type) === bitsOf(to) && toSigned !== fromSigned);
  if (!fromSigned) {
    return fits ? t.emit(Ir.UMin, type, [value, constant(most)]) : value;
  }
  let result = value;
  // A signed value of the same width is never above the largest unsigned one.
  if (bitsOf(type) > bitsOf(to)) result = t.emit(Ir.SMin, type, [result, constant(most)]);
  if (bitsOf(type) > bitsOf(to) || !toSigned) result = t.emit(Ir.SMax, type, [result, constant(least)]);
  return result;
}

function timesScalar(t: Translation, i: Instruction): void {
  const facts = t.fastMath(i);
  t.map(i, i.operands, (args) => t.float(Ir.FMul, args[0]!.type, args, { ...facts }));
}

function select(t: Translation, i: Instruction): void {
  const [condition, then, otherwise] = i.operands.map((id) => t.get(id));
  t.set(
    i,
    then!.map((value, at) => t.select(condition![condition!.length === 1 ? 0 : at]!, value, otherwise![at]!)),
  );
}

export const ARITHMETIC: HandlerTable = {
  [Op.IAdd]: integer(Ir.Add),
  [Op.ISub]: integer(Ir.Sub),
  [Op.IMul]: integer(Ir.Mul),
  [Op.SDiv]: integer(Ir.SDiv),
  [Op.UDiv]: integer(Ir.UDiv),
  [Op.SRem]: integer(Ir.SRem),
  [Op.UMod]: integer(Ir.URem),
  [Op.SMod]: sMod,
  [Op.SNegate]: integer(Ir.Neg),
  [Op.BitwiseAnd]: integer(Ir.And),
  [Op.BitwiseOr]: integer(Ir.Or),
  [Op.BitwiseXor]: integer(Ir.Xor),
  [Op.Not]: integer(Ir.Not),
  [Op.ShiftLeftLogical]: shift(Ir.Shl),
  [Op.ShiftRightLogical]: shift(Ir.LShr),
  [Op.ShiftRightArithmetic]: shift(Ir.AShr),
  [Op.BitCount]: (t, i) =>
    t.map(i, i.operands, ([a]) =>
      t.resize(t.emit(Ir.PopCount, a!.type, [a!]), t.scalarType(t.type(i)), false),
    ),
  [Op.BitReverse]: (t, i) => t.map(i, i.operands, ([a]) => reverseBits(t, a!)),
  [Op.BitFieldInsert]: bitFieldInsert,
  [Op.BitFieldSExtract]: bitFieldExtract(true),
  [Op.BitFieldUExtract]: bitFieldExtract(false),
  [Op.IAddCarry]: pair((t, a, b) => {
    const sum = t.emit(Ir.Add, a.type, [a, b]);
    return [sum, t.resize(t.emit(Ir.ULt, Type.I1, [sum, a]), a.type, false)];
  }),
  [Op.ISubBorrow]: pair((t, a, b) => [
    t.emit(Ir.Sub, a.type, [a, b]),
    t.resize(t.emit(Ir.ULt, Type.I1, [a, b]), a.type, false),
  ]),
  [Op.UMulExtended]: pair((t, a, b) => [t.emit(Ir.Mul, a.type, [a, b]), t.emit(Ir.UMulHi, a.type, [a, b])]),
  [Op.SMulExtended]: pair((t, a, b) => [t.emit(Ir.Mul, a.type, [a, b]), t.emit(Ir.SMulHi, a.type, [a, b])]),

  [Op.FAdd]: float(Ir.FAdd),
  [Op.FSub]: float(Ir.FSub),
  [Op.FMul]: float(Ir.FMul),
  [Op.FDiv]: float(Ir.FDiv),
  [Op.FRem]: fRem,
  [Op.FMod]: fMod,
  [Op.FNegate]: float(Ir.FNeg),
  [Op.VectorTimesScalar]: timesScalar,
  [Op.Dot]: dot,
  [Op.SDot]: integerDot(true, true, false),
  [Op.UDot]: integerDot(false, false, false),
  [Op.SUDot]: integerDot(true, false, false),
  [Op.SDotAccSat]: integerDot(true, true, true),
  [Op.UDotAccSat]: integerDot(false, false, true),
  [Op.SUDotAccSat]: integerDot(true, false, true),

  [Op.IEqual]: compare(Ir.Eq),
  [Op.INotEqual]: compare(Ir.Ne),
  [Op.UGreaterThan]: compare(Ir.UGt),
  [Op.SGreaterThan]: compare(Ir.SGt),
  [Op.UGreaterThanEqual]: compare(Ir.UGe),
  [Op.SGreaterThanEqual]: compare(Ir.SGe),
  [Op.ULessThan]: compare(Ir.ULt),
  [Op.SLessThan]: compare(Ir.SLt),
  [Op.ULessThanEqual]: compare(Ir.ULe),
  [Op.SLessThanEqual]: compare(Ir.SLe),
  [Op.LogicalEqual]: (t, i) => t.map(i, i.operands, (args) => t.not(t.emit(Ir.Xor, Type.I1, args))),
  [Op.LogicalNotEqual]: compare(Ir.Xor),
  [Op.LogicalOr]: compare(Ir.Or),
  [Op.LogicalAnd]: compare(Ir.And),
  [Op.LogicalNot]: compare(Ir.Not),
  [Op.Select]: select,
  [Op.Any]: (t, i) => t.set(i, [all(t, t.get(i.operands[0]!), Ir.Or)]),
  [Op.All]: (t, i) => t.set(i, [all(t, t.get(i.operands[0]!), Ir.And)]),

  [Op.FOrdEqual]: compareFloat(relation(Ir.FEq)),
  [Op.FUnordEqual]: compareFloat(either(Ir.FEq, Ir.FUnordered)),
  [Op.FOrdNotEqual]: compareFloat(either(Ir.FLt, Ir.FGt)),
  [Op.FUnordNotEqual]: compareFloat(relation(Ir.FNe)),
  [Op.FOrdLessThan]: compareFloat(relation(Ir.FLt)),
  [Op.FUnordLessThan]: compareFloat(negated(Ir.FGe)),
  [Op.FOrdGreaterThan]: compareFloat(relation(Ir.FGt)),
  [Op.FUnordGreaterThan]: compareFloat(negated(Ir.FLe)),
  [Op.FOrdLessThanEqual]: compareFloat(relation(Ir.FLe)),
  [Op.FUnordLessThanEqual]: compareFloat(negated(Ir.FGt)),
  [Op.FOrdGreaterThanEqual]: compareFloat(relation(Ir.FGe)),
  [Op.FUnordGreaterThanEqual]: compareFloat(negated(Ir.FLt)),
  [Op.LessOrGreater]: compareFloat(either(Ir.FLt, Ir.FGt)),
  [Op.Ordered]: compareFloat(negated(Ir.FUnordered)),
  [Op.Unordered]: compareFloat(relation(Ir.FUnordered)),
  [Op.IsNan]: compareFloat((t, a) => t.emit(Ir.FUnordered, Type.I1, [a, a])),
  [Op.IsInf]: compareFloat((t, a) => t.emit(Ir.FEq, Type.I1, [abs(t, a), infinity(t, a.type)])),
  [Op.IsFinite]: compareFloat((t, a) => t.emit(Ir.FLt, Type.I1, [abs(t, a), infinity(t, a.type)])),
  [Op.IsNormal]: isNormal,
  [Op.SignBitSet]: signBitSet,
};
