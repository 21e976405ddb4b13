// SPDX-License-Identifier: MIT
//
// The arguments of printf (6.15.14).
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { underline } from '../extents';
import { spell } from '../types/spelling';
import { formatLiterals } from '../warnings/format-literals';
import { FormatChecker } from '../warnings/formats';

export function checkPrintf(c: Checker, args: readonly Expr[], expr: Syntax.CallExpr): void {
  const { reporter, language } = c;
  for (const [i, { type }] of args.entries()) {
    if (type.kind !== 'void') continue;
    const syntax = expr.arguments[i]!;
    reporter.report('argument-incomplete', syntax.begin, { type: spell(type) }, underline(syntax));
    return;
  }
  const [format, ...values] = args;
  const at = expr.arguments[0];
  if (format === undefined || at === undefined) return;
  const { formats, isKnown } = formatLiterals(format, c.facts.literals, language);
  if (!isKnown && values.length === 0) reporter.report('format-unknown', at.begin, {}, underline(at));
  const given = values.map((value, i) => ({ value, syntax: expr.arguments[i + 1]! }));
  const checker = new FormatChecker(reporter, language, given, expr.begin);
  const unused = formats.map((each) => checker.check(each));
  // An argument that one of several formats uses is used.
  const first = unused.includes(undefined) ? undefined : Math.max(...(unused as number[]));
  if (formats.length === 0 || first === undefined) return;
  const { syntax } = given[first]!;
  reporter.report('format-many', syntax.begin, {}, underline(syntax));
}
