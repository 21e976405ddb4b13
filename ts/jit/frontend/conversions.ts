// SPDX-License-Identifier: MIT
//
// Conversions between numeric types, with saturation and rounding modes, and bit casts.
import { Decoration, FPRoundingMode, Op } from '../../spirv/grammar.gen';
import type { Instruction } from '../../spirv/module';
import { Op as Ir, Type, type Value } from '../ir/ir';
import { bitsOf, integerLike, integerOfBits, isFloat } from '../ir/types';
import { clamp } from './arithmetic';
import type { Handler, HandlerTable, Translation } from './translation';

const saturates = (t: Translation, i: Instruction) =>
  t.index.decoration(i.result, Decoration.SaturatedConversion) !== undefined;

const roundingOf = (t: Translation, i: Instruction): FPRoundingMode | undefined =>
  t.index.decoration(i.result, Decoration.FPRoundingMode)?.[0];

/** Between integers; `signed` is how the operand is read. */
const integerConversion =
  (signed: boolean): Handler =>
  (t, i) => {
    const to = t.scalarType(t.type(i));
    const saturate = saturates(t, i);
    t.map(i, i.operands, ([value]) =>
      t.resize(
        saturate && bitsOf(value!.type) > bitsOf(to) ? clamp(t, value!, to, signed, signed) : value!,
        to,
        signed,
      ),
    );
  };

/** Saturating between signed and unsigned. */
const saturatingConversion =
  (fromSigned: boolean): Handler =>
  (t, i) => {
    const to = t.scalarType(t.type(i));
    t.map(i, i.operands, ([value]) => {
      const limited = clamp(t, value!, to, fromSigned, !fromSigned);
      return t.resize(limited, to, false);
    });
  };

const ROUND_FIRST: Record<FPRoundingMode, Ir | undefined> = {
  [FPRoundingMode.RTE]: Ir.FRint,
  [FPRoundingMode.RTZ]: undefined,
  [FPRoundingMode.RTP]: Ir.FCeil,
  [FPRoundingMode.RTN]: Ir.FFloor,
};

/** The IR's conversion always saturates, which is one of the allowed results without saturation. */
const floatToInteger =
  (op: Ir): Handler =>
  (t, i) => {
    const to = t.scalarType(t.type(i));
    const mode = roundingOf(t, i);
    const round = mode === undefined ? undefined : ROUND_FIRST[mode];
    t.map(i, i.operands, ([value]) => {
      const wide = t.widen(value!);
      return t.emit(op, to, [round === undefined ? wide : t.emit(round, wide.type, [wide])]);
    });
  };

const integerToFloat =
  (signed: boolean): Handler =>
  (t, i) => {
    const to = t.scalarType(t.type(i));
    const mode = roundingOf(t, i) ?? FPRoundingMode.RTE;
    const op = signed ? Ir.SToF : Ir.UToF;
    t.map(i, i.operands, ([value]) => {
      // Rounding to float first does not change the half: it affects only numbers above 65504, which become infinite either way.
      if (mode === FPRoundingMode.RTE)
        return to === Type.F16
          ? t.emit(Ir.FConvert, to, [t.emit(op, Type.F32, [value!])])
          : t.emit(op, to, [value!]);
      if (bitsOf(value!.type) < 64) {
        const exact = t.emit(op, Type.F64, [value!]);
        return to === Type.F64 ? exact : directed(t, exact, to, mode);
      }
      const near = t.emit(op, to === Type.F16 ? Type.F32 : to, [value!]);
      const corrected = correctWideInteger(t, value!, near, mode, signed);
      return to === Type.F16 ? directed(t, corrected, to, mode) : corrected;
    });
  };

/** The next float below (in magnitude, or in value) of `value`'s type. */
function step(t: Translation, value: Value, towards: 'zero' | 'up' | 'down'): Value {
  const bits = integerLike(value.type);
  const raw = t.emit(Ir.Bitcast, bits, [value]);
  const one = t.const(bits, bits === Type.I64 ? 1n : 1);
  const negative = t.emit(Ir.SLt, Type.I1, [raw, t.zero(bits)]);
  const shrink = t.emit(Ir.Sub, bits, [raw, one]);
  const grow = t.emit(Ir.Add, bits, [raw, one]);
  const moved =
    towards === 'zero'
      ? shrink
      : towards === 'up'
        ? t.select(negative, shrink, grow)
        : t.select(negative, grow, shrink);
  return t.emit(Ir.Bitcast, value.type, [moved]);
}

/** Narrows a float with a rounding mode other than nearest: rounds to nearest, then corrects. */
function directed(t: Translation, value: Value, to: Type, mode: FPRoundingMode): Value {
  const near = t.emit(Ir.FConvert, to, [value]);
  if (mode === FPRoundingMode.RTE) return near;
  const back = t.emit(Ir.FConvert, value.type, [near]);
  const tooHigh = t.emit(Ir.FGt, Type.I1, [back, value]);
  const tooLow = t.emit(Ir.FLt, Type.I1, [back, value]);
  if (mode === FPRoundingMode.RTP) return t.select(tooLow, upFrom(t, near), near);
  if (mode === FPRoundingMode.RTN) return t.select(tooHigh, downFrom(t, near), near);
  const magnitude = (v: Value) => t.emit(Ir.FAbs, v.type, [v]);
  const larger = t.emit(Ir.FGt, Type.I1, [magnitude(back), magnitude(value)]);
  return t.select(larger, step(t, near, 'zero'), near);
}

/** A step on the bits does not change the sign, so the neighbours of zero are special. */
function upFrom(t: Translation, value: Value): Value {
  return t.select(isZero(t, value), tiny(t, value.type, 1), step(t, value, 'up'));
}

function downFrom(t: Translation, value: Value): Value {
  return t.select(isZero(t, value), tiny(t, value.type, -1), step(t, value, 'down'));
}

function isZero(t: Translation, value: Value): Value {
  const wide = t.widen(value);
  return t.emit(Ir.FEq, Type.I1, [wide, t.const(wide.type, 0)]);
}

function tiny(t: Translation, type: Type, sign: 1 | -1): Value {
  const bits = integerLike(type);
  const raw = bits === Type.I64 ? 1n : 1;
  const value = t.emit(Ir.Bitcast, type, [t.const(bits, raw)]);
  return sign > 0 ? value : t.float(Ir.FNeg, type, [value]);
}

/** `near` is a 64-bit integer's nearest float; moves it if the mode requires the other neighbour. */
function correctWideInteger(
  t: Translation,
  value: Value,
  near: Value,
  mode: FPRoundingMode,
  signed: boolean,
): Value {
  const limit = t.const(near.type, signed ? 2 ** 63 : 2 ** 64);
  const back = t.emit(signed ? Ir.FToS : Ir.FToU, Type.I64, [near]);
  const overflowed = t.emit(Ir.FGe, Type.I1, [near, limit]);
  const above = t.emit(Ir.Or, Type.I1, [
    overflowed,
    t.emit(signed ? Ir.SGt : Ir.UGt, Type.I1, [back, value]),
  ]);
  const below = t.emit(Ir.And, Type.I1, [
    t.not(overflowed),
    t.emit(signed ? Ir.SLt : Ir.ULt, Type.I1, [back, value]),
  ]);
  if (mode === FPRoundingMode.RTP) return t.select(below, step(t, near, 'up'), near);
  if (mode === FPRoundingMode.RTN) return t.select(above, step(t, near, 'down'), near);
  const negative = signed ? t.emit(Ir.SLt, Type.I1, [value, t.const(Type.I64, 0n)]) : t.const(Type.I1, 0);
  return t.select(t.select(negative, below, above), step(t, near, 'zero'), near);
}

function floatConversion(t: Translation, i: Instruction): void {
  const to = t.scalarType(t.type(i));
  const mode = roundingOf(t, i) ?? FPRoundingMode.RTE;
  t.map(i, i.operands, ([value]) =>
    bitsOf(to) < bitsOf(value!.type) ? directed(t, value!, to, mode) : t.narrow(value!, to),
  );
}

/** vstore_half and its variants. */
export function toHalf(t: Translation, value: Value, mode: FPRoundingMode): Value {
  return directed(t, value, Type.F16, mode);
}

function quantize(t: Translation, i: Instruction): void {
  t.map(i, i.operands, ([value]) =>
    t.emit(Ir.FConvert, value!.type, [t.emit(Ir.FConvert, Type.F16, [value!])]),
  );
}

/** Reinterprets the bits of scalars as other scalars, of the same width or not. */
export function bitcast(t: Translation, values: Value[], to: readonly Type[]): Value[] {
  if (values.length === to.length && values.every((v, at) => bitsOf(v.type) === bitsOf(to[at]!)))
    return values.map((v, at) => (v.type === to[at] ? v : t.emit(Ir.Bitcast, to[at]!, [v])));
  const raw = values.map((v) => (isFloat(v.type) ? t.emit(Ir.Bitcast, integerLike(v.type), [v]) : v));
  const from = bitsOf(raw[0]!.type);
  const width = bitsOf(to[0]!);
  const integer = integerOfBits(width)!;
  const shift = (type: Type, by: number) => t.const(type, type === Type.I64 ? BigInt(by) : by);
  const parts: Value[] = [];
  for (let at = 0; at < to.length; at++) {
    if (width < from) {
      const by = (at * width) % from;
      const whole = raw[Math.floor((at * width) / from)]!;
      const moved = by === 0 ? whole : t.emit(Ir.LShr, whole.type, [whole, shift(whole.type, by)]);
      parts.push(t.emit(Ir.Trunc, integer, [moved]));
    } else {
      const count = width / from;
      let whole: Value | undefined;
      for (let k = 0; k < count; k++) {
        const piece = t.emit(Ir.ZExt, integer, [raw[at * count + k]!]);
        const moved = k === 0 ? piece : t.emit(Ir.Shl, integer, [piece, shift(integer, k * from)]);
        whole = whole ? t.emit(Ir.Or, integer, [whole, moved]) : moved;
      }
      parts.push(whole!);
    }
  }
  return parts.map((v, at) => (v.type === to[at] ? v : t.emit(Ir.Bitcast, to[at]!, [v])));
}

/** An address in as many bits as the types have: pointers, integers and vectors of integers that stand for one may differ in width. */
function ofWidth(t: Translation, values: Value[], types: readonly Type[]): Value[] {
  if (values.length === 1 && types.length === 1) return [t.resize(values[0]!, types[0]!, false)];
  const { type } = values[0]!;
  const count = Math.ceil((types.length * bitsOf(types[0]!)) / bitsOf(type));
  return Array.from({ length: count }, (_, at) => values[at] ?? t.zero(type));
}

function opBitcast(t: Translation, i: Instruction): void {
  const from = t.typeOf(i.operands[0]!);
  const to = t.type(i);
  let values = t.get(i.operands[0]!);
  if (from.kind === 'pointer' && to.kind === 'pointer') {
    const builtIn = t.builtInPointers.get(i.operands[0]! as typeof i.result);
    if (builtIn) t.builtInPointers.set(i.result, builtIn);
    const indexes = t.nestedIndexes.get(i.operands[0]! as typeof i.result);
    if (indexes) t.nestedIndexes.set(i.result, indexes);
    t.set(i, [t.resize(values[0]!, to.scalar, false)]);
    return;
  }
  const wide = t.index.types.pointerBytes === 8;
  if (from.kind === 'pointer' && wide) values = values.map((v) => t.resize(v, Type.I64, false));
  const types = t.leafTypes(to).map((type) => (to.kind === 'pointer' && wide ? Type.I64 : type));
  if (to.kind === 'pointer') notePointer(t);
  if (from.kind === 'pointer' || to.kind === 'pointer') values = ofWidth(t, values, types);
  const result = bitcast(t, values, types);
  t.set(i, to.kind === 'pointer' && wide ? result.map((v) => t.resize(v, to.scalar, false)) : result);
}

/** The library makes only pointers that have no known origin. */
function notePointer(t: Translation): void {
  if (t.index === t.context.modules.own) t.func.makesAddresses = true;
}

function integerToPointer(t: Translation, i: Instruction): void {
  notePointer(t);
  t.map(i, i.operands, ([p]) => t.resize(p!, t.scalarType(t.type(i)), false));
}

export const CONVERSIONS: HandlerTable = {
  [Op.UConvert]: integerConversion(false),
  [Op.SConvert]: integerConversion(true),
  [Op.SatConvertSToU]: saturatingConversion(true),
  [Op.SatConvertUToS]: saturatingConversion(false),
  [Op.ConvertFToS]: floatToInteger(Ir.FToS),
  [Op.ConvertFToU]: floatToInteger(Ir.FToU),
  [Op.ConvertSToF]: integerToFloat(true),
  [Op.ConvertUToF]: integerToFloat(false),
  [Op.FConvert]: floatConversion,
  [Op.QuantizeToF16]: quantize,
  [Op.Bitcast]: opBitcast,
  [Op.ConvertPtrToU]: (t, i) => t.map(i, i.operands, ([p]) => t.resize(p!, t.scalarType(t.type(i)), false)),
  [Op.ConvertUToPtr]: integerToPointer,
};
