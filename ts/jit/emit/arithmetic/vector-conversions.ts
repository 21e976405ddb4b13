// SPDX-License-Identifier: MIT
//
// Conversions of vectors. Vectors of 64-bit lanes have half as many lanes as vectors of 32-bit lanes: part p of the former
// corresponds to the low or high half of part p >> 1 of the latter.
import { type Expr, emit, f32x4, f64x2, i32, i32x4, i64x2, v128 } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { floatRange } from '../../ir/float-ranges';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { bitsOf } from '../../ir/types';
import { isUpperWord } from '../../ir/upper-words';
import type { Context } from '../context';
import { isWide } from '../value-types';
import { eightHalvesToFloats, floatToHalf, halfToFloat } from './half';
import { LOWER_HALVES, LOWER_WORDS, UPPER_HALF, UPPER_WORDS } from './shuffles';
import { Extend } from './tables';

type Vector = Expr<'v128'>;

interface Conversion {
  readonly c: Context;
  readonly inst: Inst;
  readonly value: Value;
  readonly from: Type;
  readonly to: Type;
  readonly row: number;
  /** The index of the result's vector. */
  readonly part: number;
}

/** Vectors of results; undefined where the conversion is done lane by lane. */
const CONVERSIONS: Partial<Record<Op, (conversion: Conversion) => Vector | undefined>> = {
  [Op.Trunc]: truncate,
  [Op.SExt]: (conversion) => extend(conversion, true),
  [Op.ZExt]: (conversion) => extend(conversion, false),
  [Op.FToS]: (conversion) => toInteger(conversion, true),
  [Op.FToU]: (conversion) => toInteger(conversion, false),
  [Op.SToF]: (conversion) => toFloat(conversion, true),
  [Op.UToF]: (conversion) => toFloat(conversion, false),
  [Op.FConvert]: betweenFloats,
  [Op.Bitcast]: ({ c, value, row, part }) => c.vectorOf(value, row, part, Extend.Zero),
};

/** Leaves one vector of the result on the stack; false if there is no vector form. */
export function vectorConversion(c: Context, inst: Inst, row: number, part: number): boolean {
  const value = inst.operands[0]!;
  const result = CONVERSIONS[inst.op]?.({ c, inst, value, from: value.type, to: inst.type, row, part });
  if (!result) return false;
  emit(c.f, result);
  return true;
}

/** The vectors of 64-bit lanes that correspond to one of 32-bit lanes, each converted, and joined by a shuffle. */
function fromHalves(
  { c, value, row, part }: Conversion,
  lanes: readonly number[],
  convert = (v: Vector) => v,
): Vector {
  const low = convert(c.vectorOf(value, row, part * 2));
  const high = convert(c.vectorOf(value, row, part * 2 + 1));
  return v128.shuffle(low, high, lanes);
}

/** The half of a vector of 32-bit lanes that corresponds to an odd vector of 64-bit lanes, in its low half. */
function correspondingHalf(c: Context, part: number, vector: Vector): Vector {
  if ((part & 1) === 0) return vector;
  return c.bind(ValType.V128, vector, (x) => v128.shuffle(x, x, UPPER_HALF));
}

// --- integers ---

function truncate(conversion: Conversion): Vector {
  const { c, value, from, to, row, part } = conversion;
  const words = from === Type.I64 ? wordsOfLongs(conversion) : c.vectorOf(value, row, part);
  // A mask of the lowest bits.
  return to === Type.I1 ? i32x4.shr_s(i32x4.shl(words, i32.const(31)), i32.const(31)) : words;
}

/** The lower words, or the upper ones of what is only shifted down to be truncated. */
function wordsOfLongs(conversion: Conversion): Vector {
  const { c, inst, value } = conversion;
  if (!isUpperWord(inst, value) || !c.isInline(value)) return fromHalves(conversion, LOWER_WORDS);
  return fromHalves({ ...conversion, value: (value as Inst).operands[0]! }, UPPER_WORDS);
}

function extend({ c, value, from, to, row, part }: Conversion, signed: boolean): Vector {
  const widens = isWide(to) && !isWide(from);
  const extended = c.vectorOf(value, row, widens ? part >> 1 : part, signed ? Extend.Sign : Extend.Zero);
  const words =
    from === Type.I1 && !signed ? v128.and(extended, c.constants.splatExpr(Type.I32, 1)) : extended;
  if (!widens) return words;
  if (part & 1) return signed ? i64x2.extend_high_i32x4_s(words) : i64x2.extend_high_i32x4_u(words);
  return signed ? i64x2.extend_low_i32x4_s(words) : i64x2.extend_low_i32x4_u(words);
}

// --- floats and integers ---

/**
 * A conversion to a type of 8 or 16 bits as a signed number of 32 bits that clamping to the type's range makes the result. The signed
 * form is half as long as the unsigned one, and one instruction where the number is clamped as a float.
 */
export function unclampedInteger(c: Context, inst: Inst, row: number, part: number): Vector {
  const [value] = inst.operands as [Value];
  const { type: from } = value;
  const conversion = { c, inst, value, from, to: inst.type, row, part };
  if (from === Type.F64) return fromHalves(conversion, LOWER_HALVES, i32x4.trunc_sat_f64x2_s_zero);
  const vector = c.vectorOf(value, row, part);
  const floats = from === Type.F16 ? halfToFloat(c, vector) : vector;
  if (inst.op === Op.FToS || !c.relaxedSimd || isOfWords(value)) return truncated(c, value, floats);
  // Numbers that are too small become some negative number, NaNs that or 0. So NaNs stay what they are: the first operand of pmin.
  return i32x4.relaxed_trunc_f32x4_s(
    f32x4.pmin(floats, c.constants.splatExpr(Type.F32, 2 ** bitsOf(inst.type) - 1)),
  );
}

/** Whether a float is known to be a number that a signed word holds without its fraction. */
function isOfWords(value: Value): boolean {
  const { low, high, mayBeNaN } = floatRange(value);
  return low >= -(2 ** 31) && high < 2 ** 31 && !mayBeNaN;
}

function truncated(c: Context, value: Value, floats: Vector): Vector {
  return c.relaxedSimd && isOfWords(value)
    ? i32x4.relaxed_trunc_f32x4_s(floats)
    : i32x4.trunc_sat_f32x4_s(floats);
}

function toInteger(conversion: Conversion, signed: boolean): Vector | undefined {
  const { c, value, from, to, row, part } = conversion;
  if (to === Type.I64) return undefined;
  if (!signed && to !== Type.I32) {
    const zero = c.constants.splatExpr(Type.I32, 0);
    const words = i32x4.max_s(unclampedInteger(c, conversion.inst, row, part), zero);
    if (c.relaxedSimd && from !== Type.F64 && !isOfWords(value)) return words;
    return i32x4.min_s(words, c.constants.splatExpr(Type.I32, 2 ** bitsOf(to) - 1));
  }
  let words: Vector;
  if (from === Type.F64)
    words = fromHalves(
      conversion,
      LOWER_HALVES,
      signed ? i32x4.trunc_sat_f64x2_s_zero : i32x4.trunc_sat_f64x2_u_zero,
    );
  else {
    const vector = c.vectorOf(value, row, part);
    const floats = from === Type.F16 ? halfToFloat(c, vector) : vector;
    words = signed ? truncated(c, value, floats) : i32x4.trunc_sat_f32x4_u(floats);
  }
  const width = bitsOf(to);
  if (width === 32) return words;
  const splat = (bound: number) => c.constants.splatExpr(Type.I32, bound);
  return i32x4.max_s(i32x4.min_s(words, splat(2 ** (width - 1) - 1)), splat(-(2 ** (width - 1))));
}

function toFloat({ c, value, from, to, row, part }: Conversion, signed: boolean): Vector | undefined {
  if (from === Type.I64) return undefined;
  const words = c.vectorOf(
    value,
    row,
    to === Type.F64 ? part >> 1 : part,
    signed ? Extend.Sign : Extend.Zero,
  );
  if (to === Type.F64) {
    const half = correspondingHalf(c, part, words);
    return signed ? f64x2.convert_low_i32x4_s(half) : f64x2.convert_low_i32x4_u(half);
  }
  // Zero-extended narrow values are never negative; the signed form is the faster one.
  const convert = signed || from !== Type.I32 ? f32x4.convert_i32x4_s : f32x4.convert_i32x4_u;
  return to === Type.F16 ? floatToHalf(c, convert(words)) : convert(words);
}

// --- between floats ---

function betweenFloats(conversion: Conversion): Vector | undefined {
  const { c, from, to, part } = conversion;
  if (from === Type.F64 && to === Type.F16) return undefined;
  if (from === Type.F64 && to === Type.F32)
    return fromHalves(conversion, LOWER_HALVES, f32x4.demote_f64x2_zero);
  const widens = isWide(to) && !isWide(from);
  const floats = asFloats(conversion, widens ? part >> 1 : part);
  if (to === Type.F16 && from !== Type.F16) return floatToHalf(c, floats);
  return widens ? f64x2.promote_low_f32x4(correspondingHalf(c, part, floats)) : floats;
}

/** A vector of the operand; halves become floats. */
function asFloats({ c, value, from, row }: Conversion, part: number): Vector {
  if (c.plan.packed.has(value.id))
    return eightHalvesToFloats(c, () => c.packedVector(value, row, part >> 1), (part & 1) === 1);
  const vector = c.vectorOf(value, row, part);
  return from === Type.F16 ? halfToFloat(c, vector) : vector;
}
