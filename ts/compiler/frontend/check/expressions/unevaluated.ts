// SPDX-License-Identifier: MIT
//
// Unevaluated operands, in which warnings about evaluation are not given.
import { Deferral } from '../../../diagnostics/deferral';
import type { Expr } from '../../ast/checked';
import { hasObject } from '../../ast/lvalues';
import type * as Syntax from '../../ast/syntax';
import { unqualified } from '../../predefined-types';
import type { QualType } from '../../types';
import type { Checker } from '../checker';

/** Checks an operand; in one that is never evaluated, warnings about its evaluation are dropped. */
export function checkOperand(c: Checker, isNever: boolean, expr: Syntax.Expr): Expr | undefined {
  const { deferral } = c.reporter;
  if (!isNever) return c.rules.expression(c, expr);
  const dropped = deferral ?? new Deferral();
  c.reporter.deferral = dropped;
  const { count } = dropped;
  const checked = c.rules.expression(c, expr);
  dropped.drop(count);
  c.reporter.deferral = deferral;
  return checked;
}

/** Names in the operand are not evaluated: neither are blocks captured nor functions called. */
export function typeOfOperand(c: Checker, expr: Syntax.Expr): QualType | undefined {
  const raw = checkOperand(c, true, expr);
  if (raw === undefined) return undefined;
  return hasObject(raw) ? raw.object : unqualified(raw.type);
}
