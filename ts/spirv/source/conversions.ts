// SPDX-License-Identifier: MIT
//
// Conversions of SPIR-V in OpenCL C.
import { Decoration, FPRoundingMode, Op } from '../grammar.gen';
import type { Instruction } from '../module';
import type { Body, Expression, Expressions } from './body';

const ROUNDING: Readonly<Record<FPRoundingMode, string>> = {
  [FPRoundingMode.RTE]: '_rte',
  [FPRoundingMode.RTZ]: '_rtz',
  [FPRoundingMode.RTP]: '_rtp',
  [FPRoundingMode.RTN]: '_rtn',
};

/** A conversion function; a plain cast for scalars without rounding mode or saturation. */
const convert =
  (fromSigned: boolean, toSigned: boolean, saturates = false): Expression =>
  (b, i) => {
    const operand = i.operands[0]!;
    const text = fromSigned ? b.signed(operand) : b.get(operand);
    const { types } = b.t;
    const target = toSigned ? types.signed(i.type) : types.name(i.type);
    const suffix = `${saturates || b.t.tables.decoration(i.result, Decoration.SaturatedConversion) ? '_sat' : ''}${rounding(b, i)}`;
    const scalar = b.info(i.type).count === 1;
    const converted = scalar && suffix === '' ? `(${target})${text}` : `convert_${target}${suffix}(${text})`;
    return toSigned ? b.unsigned(i.type, scalar ? `(${converted})` : converted) : converted;
  };

function rounding(b: Body, i: Instruction): string {
  const mode = b.t.tables.decoration(i.result, Decoration.FPRoundingMode)?.[0];
  return mode === undefined ? '' : ROUNDING[mode as FPRoundingMode];
}

const cast: Expression = (b, i) => `(${b.t.types.name(i.type)})${b.get(i.operands[0]!)}`;

const bitcast: Expression = (b, i) => {
  const operand = i.operands[0]!;
  const from = b.typeOf(operand);
  if (b.info(i.type).kind === 'pointer' || b.info(from).kind === 'pointer') return cast(b, i);
  const name = b.t.types.name(i.type);
  return name === b.t.types.name(from) ? b.get(operand) : `as_${name}(${b.get(operand)})`;
};

const explicitCast: Expression = (b, i) => {
  const space = b.t.types.space(i.operands[1]!);
  return `(${b.t.types.name(i.type)})${b.t.builtin(`to_${space}`)}(${b.get(i.operands[0]!)})`;
};

export const CONVERSIONS: Expressions = {
  [Op.UConvert]: convert(false, false),
  [Op.SConvert]: convert(true, true),
  [Op.FConvert]: convert(false, false),
  [Op.ConvertUToF]: convert(false, false),
  [Op.ConvertSToF]: convert(true, false),
  [Op.ConvertFToU]: convert(false, false),
  [Op.ConvertFToS]: convert(false, true),
  [Op.SatConvertSToU]: convert(true, false, true),
  [Op.SatConvertUToS]: convert(false, true, true),
  [Op.ConvertPtrToU]: (b, i) => `(${b.t.types.name(i.type)})(size_t)${b.get(i.operands[0]!)}`,
  [Op.ConvertUToPtr]: (b, i) => `(${b.t.types.name(i.type)})(size_t)${b.get(i.operands[0]!)}`,
  [Op.Bitcast]: bitcast,
  [Op.PtrCastToGeneric]: cast,
  [Op.GenericCastToPtr]: cast,
  [Op.GenericCastToPtrExplicit]: explicitCast,
};
