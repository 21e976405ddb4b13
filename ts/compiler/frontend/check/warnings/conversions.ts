// SPDX-License-Identifier: MIT
//
// -Wconstant-conversion and similar warnings: constants that an implicit conversion changes, by clang's rules.
import type { Location } from '../../../diagnostics/diagnostic';
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type { LanguageOptions } from '../../language';
import { isFloatKind, isUnsigned, scalarSize } from '../../scalars';
import type { ScalarType } from '../../types';
import { evaluateInteger } from '../constants/evaluate';
import { floatToInteger, integerToFloat, wrapInteger } from '../constants/values';
import { asScalar } from '../types/predicates';
import { spell } from '../types/spelling';
import { warnEnumConversion } from './enumerations';
import type { ImplicitConversion } from './implicit-conversion';

/** Digits of precision of the floating-point types. */
const PRECISION: Readonly<Record<string, number | undefined>> = { half: 11, float: 24, double: 53 };

export function warnConversion(
  reporter: Reporter,
  language: LanguageOptions,
  value: Expr,
  conversion: ImplicitConversion,
): void {
  if (conversion.to.kind === 'enum') warnEnumConversion(reporter, value, conversion);
  switch (value.kind) {
    case 'load':
    case 'call':
    case 'builtin-call':
      return;
    case 'conditional':
      // The sides are converted one by one.
      for (const side of [value.then, value.otherwise])
        warnConversion(reporter, language, withoutConversion(side), conversion);
      return;
    case 'comma':
      warnConversion(reporter, language, value.right, conversion);
      return;
  }
  const from = asScalar(value.type);
  const to = asScalar(conversion.to);
  if (from === undefined || to === undefined) return;
  if (isFloatKind(from.scalar)) {
    if (!isFloatKind(to.scalar)) fromFloat(reporter, value, to, conversion);
    return;
  }
  const target = isFloatKind(to.scalar) ? PRECISION[to.scalar]! : scalarSize(to.scalar) * 8;
  // The usual case: the conversion widens.
  if (scalarSize(from.scalar) * 8 < target || value.type === conversion.to) return;
  const constant = evaluateInteger(value, { language, readVariables: true });
  if (constant === undefined) return;
  if (isFloatKind(to.scalar)) fromIntegerToFloat(reporter, value, constant, to, conversion);
  else fromInteger(reporter, value, constant, from, to, conversion);
}

const withoutConversion = (value: Expr): Expr =>
  value.kind === 'cast' && value.implicit ? value.operand : value;

function describe(value: Expr, { goal, at }: ImplicitConversion) {
  return {
    types: { from: spell(value.type), to: spell(goal) },
    extra: { ranges: [{ begin: at.begin, end: at.end }] },
  };
}

/** Literals only, with or without a sign. */
function fromFloat(reporter: Reporter, value: Expr, to: ScalarType, conversion: ImplicitConversion): void {
  const negated = value.kind === 'unary' && value.op === 'negate';
  const literal = negated ? value.operand : value;
  if (literal.kind !== 'float') return;
  const before = negated ? -literal.value : literal.value;
  const { types, extra } = describe(value, conversion);
  const { location } = conversion.at;
  if (to.scalar === 'bool') {
    if (before === 1 || Object.is(before, 0)) return;
    const after = before === 0 ? 'false' : 'true';
    reporter.report('literal-conversion', location, { ...types, before: spellFloat(before), after }, extra);
    return;
  }
  const after = floatToInteger(before, to.scalar);
  if (Number(after) === before && !Object.is(before, -0)) return;
  if (Number.isNaN(before) || Number(after) !== Math.trunc(before)) {
    reporter.report('literal-out-of-range', location, types, extra);
    return;
  }
  reporter.report('literal-conversion', location, { ...types, before: spellFloat(before), after }, extra);
}

const spellFloat = (value: number): string => (Object.is(value, -0) ? '-0' : `${value}`);

function fromIntegerToFloat(
  reporter: Reporter,
  value: Expr,
  before: bigint,
  to: ScalarType,
  conversion: ImplicitConversion,
): void {
  const converted = integerToFloat(before, to.scalar);
  if (Number.isFinite(converted) && BigInt(converted) === before) return;
  const { types, extra } = describe(value, conversion);
  const after = Number.isFinite(converted) ? BigInt(converted).toString() : '+Inf';
  reporter.report('int-float-conversion', conversion.at.location, { ...types, before, after }, extra);
}

function fromInteger(
  reporter: Reporter,
  value: Expr,
  before: bigint,
  from: ScalarType,
  to: ScalarType,
  conversion: ImplicitConversion,
): void {
  const { isMember, at } = conversion;
  if (to.scalar === 'bool') return;
  const bits = scalarSize(to.scalar) * 8;
  const after = wrapInteger(before, to.scalar);
  // As many bits as the value needs: a sign bit only if it is negative.
  const fits = before < 0n ? BigInt.asIntN(bits, before) === before : BigInt.asUintN(bits, before) === before;
  // A positive value that becomes negative; hexadecimal and octal literals are bit patterns, so their sign
  // means nothing.
  const changesSign =
    !isUnsigned(from.scalar) &&
    before > 0n &&
    after < 0n &&
    !(isMember && to.scalar === 'char') &&
    !beginsWithZero(reporter, at.begin);
  if (fits && !changesSign) return;
  const { types, extra } = describe(value, conversion);
  reporter.report('constant-conversion', at.location, { ...types, before, after }, extra);
}

function beginsWithZero({ sources }: Reporter, location: Location): boolean {
  const place = sources.filePosition(sources.spelling(location));
  return place?.sourceLine[place.column - 1] === '0';
}
