// SPDX-License-Identifier: MIT
//
// Values of one enumeration where another one is expected.
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { EnumType, Type } from '../../types';
import { spell } from '../types/spelling';
import type { ImplicitConversion } from './implicit-conversion';

/** An enumerator is an int, and meant as one of its enumeration. */
function enumerationOf(value: Expr): EnumType | undefined {
  const type: Type | undefined = value.kind === 'integer' ? (value.enumeration ?? value.type) : value.type;
  return type.kind === 'enum' && type.name !== undefined ? type : undefined;
}

export function warnEnumConversion(
  reporter: Reporter,
  value: Expr,
  { to, at }: Pick<ImplicitConversion, 'to' | 'at'>,
): void {
  if (to.kind !== 'enum' || to.name === undefined) return;
  const from = enumerationOf(value);
  if (from === undefined || from === to) return;
  const types = { from: spell(from), to: spell(to) };
  reporter.report('enum-conversion', at.location, types, { ranges: [{ begin: at.begin, end: at.end }] });
}

export function warnEnumComparison(
  reporter: Reporter,
  { left: leftSyntax, right: rightSyntax, location }: Syntax.BinaryExpr,
  left: Expr,
  right: Expr,
): void {
  if (left.type.kind !== 'enum' || right.type.kind !== 'enum' || left.type === right.type) return;
  if (left.type.name === undefined || right.type.name === undefined) return;
  const types = { left: spell(left.type), right: spell(right.type) };
  const ranges = [leftSyntax, rightSyntax].map(({ begin, end }) => ({ begin, end }));
  reporter.report('enum-comparison', location, types, { ranges });
}
