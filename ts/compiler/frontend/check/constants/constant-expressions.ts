// SPDX-License-Identifier: MIT
//
// Expressions that must be integer constants: array sizes, enumerators, attributes, case labels (6.6 of C99).
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { rvalue } from '../conversions/implicit';
import { underline } from '../extents';
import { isInteger } from '../types/predicates';
import { evaluate, evaluateInteger } from './evaluate';

/** An integer constant expression's value. Undefined, and reported, for anything else. */
export function checkConstantInteger(c: Checker, expr: Syntax.Expr): bigint | undefined {
  const raw = c.rules.expression(c, expr);
  return raw && constantIntegerOf(c, rvalue(c, raw), expr);
}

export function constantIntegerOf(c: Checker, value: Expr, at: Syntax.Expr): bigint | undefined {
  const result = isInteger(value.type)
    ? evaluateInteger(value, { language: c.language, readVariables: true })
    : undefined;
  if (result === undefined) {
    c.reporter.report('not-integer-constant', at.begin, {}, underline(at));
  }
  return result;
}

export function isConstantExpression(c: Checker, value: Expr): boolean {
  return evaluate(value, { language: c.language, readVariables: true }) !== undefined;
}
