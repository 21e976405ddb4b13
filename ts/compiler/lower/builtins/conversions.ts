// SPDX-License-Identifier: MIT
//
// Conversions between types, with their rounding and saturation.
import { Decoration, FPRoundingMode, Op } from '../../../spirv/grammar.gen';
import type { ScalarKind, Type } from '../../frontend/types';
import type { Builder, Emitter, Id } from './site';

const ROUNDING: Readonly<Record<string, FPRoundingMode>> = {
  rte: FPRoundingMode.RTE,
  rtz: FPRoundingMode.RTZ,
  rtp: FPRoundingMode.RTP,
  rtn: FPRoundingMode.RTN,
};
export const roundingOf = (name: string): FPRoundingMode => ROUNDING[name]!;

const scalarKind = (type: Type): ScalarKind =>
  type.kind === 'vector' ? type.element.scalar : type.kind === 'scalar' ? type.scalar : 'int';
const isFloat = (kind: ScalarKind): boolean => kind === 'half' || kind === 'float' || kind === 'double';
const isUnsigned = (kind: ScalarKind): boolean => kind.startsWith('u') || kind === 'bool';

/** The instruction of a conversion and whether it saturates by a decoration; undefined: the bits stay. */
function conversionOp(
  from: ScalarKind,
  to: ScalarKind,
  narrows: boolean,
  sameWidth: boolean,
  saturates: boolean,
) {
  if (isFloat(from)) {
    if (isFloat(to)) return sameWidth ? undefined : { op: Op.FConvert, decorate: false };
    return { op: isUnsigned(to) ? Op.ConvertFToU : Op.ConvertFToS, decorate: saturates };
  }
  const fromUnsigned = isUnsigned(from);
  if (isFloat(to)) return { op: fromUnsigned ? Op.ConvertUToF : Op.ConvertSToF, decorate: false };
  if (saturates && !fromUnsigned && isUnsigned(to)) return { op: Op.SatConvertSToU, decorate: false };
  if (saturates && fromUnsigned && !isUnsigned(to) && (narrows || sameWidth))
    return { op: Op.SatConvertUToS, decorate: false };
  if (sameWidth) return undefined;
  return { op: fromUnsigned ? Op.UConvert : Op.SConvert, decorate: saturates && narrows };
}

/** convert_TYPE: data holds `sat` and the rounding mode, if there are any. */
const convert: Emitter = ({ builder: b, builtin, args, type, data }) => {
  const value = args[0]!;
  const from = scalarKind(builtin.parameters[0]!);
  const to = scalarKind(builtin.result);
  const [fromWidth, toWidth] = [b.elementOf(b.typeOf(value)), b.elementOf(type)].map((t) => b.widthOf(t));
  const saturates = data.includes('sat');
  const conversion = conversionOp(from, to, toWidth! < fromWidth!, toWidth === fromWidth, saturates);
  if (conversion === undefined) return value;
  const result = b.emit(conversion.op, type, [value]);
  if (conversion.decorate) b.decorate(result, Decoration.SaturatedConversion);
  const rounding = data.find((word) => word in ROUNDING);
  const rounds = isFloat(from) || isFloat(to);
  if (rounding !== undefined && rounds) b.decorate(result, Decoration.FPRoundingMode, roundingOf(rounding));
  return result;
};

/** Three components as four, the last undefined. */
const widen = (b: Builder, value: Id): Id => {
  const type = b.vector(b.elementOf(b.typeOf(value)), 4);
  return b.emit(Op.VectorShuffle, type, [value, value, 0, 1, 2, 0xffffffff]);
};

/** as_TYPE. Three components have the layout of four, so they pass through four. */
const astype: Emitter = ({ builder: b, args, type }) => {
  let value = args[0]!;
  let from = b.typeOf(value);
  if (from === type) return value;
  if (b.definitionOf(from)?.op === Op.TypePointer) return b.emit(Op.ConvertPtrToU, type, [value]);
  const sameCount = b.countOf(from) === b.countOf(type);
  if (sameCount) return b.emit(Op.Bitcast, type, [value]);
  if (b.countOf(from) === 3) {
    value = widen(b, value);
    from = b.typeOf(value);
  }
  if (b.countOf(type) !== 3) return from === type ? value : b.emit(Op.Bitcast, type, [value]);
  const four = b.vector(b.elementOf(type), 4);
  const wide = from === four ? value : b.emit(Op.Bitcast, four, [value]);
  return b.emit(Op.VectorShuffle, type, [wide, wide, 0, 1, 2]);
};

export const conversionEmitters = { convert, astype };
