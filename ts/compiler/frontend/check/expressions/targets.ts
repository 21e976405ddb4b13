// SPDX-License-Identifier: MIT
//
// Modifiable lvalues.
import { note } from '../../../diagnostics/reporter';
import type { Expr, LValue } from '../../ast/checked';
import { isLValue } from '../../ast/lvalues';
import type * as Syntax from '../../ast/syntax';
import type { QualType } from '../../types';
import type { Checker } from '../checker';
import { underline } from '../extents';
import { spell, spellObject } from '../types/spelling';

/** The expression as a modifiable lvalue. Undefined, and reported, if it is none. */
export function checkModifiable(
  c: Checker,
  expr: Expr,
  at: Syntax.Expr,
  operator: number,
): LValue | undefined {
  if (!isLValue(expr)) {
    c.reporter.report('not-assignable', operator, {}, underline(at));
    return undefined;
  }
  const { type, object } = expr;
  if (type.kind === 'array') {
    c.reporter.report('array-not-assignable', operator, { type: spell(type) }, underline(at));
    return undefined;
  }
  if (expr.kind === 'swizzle' && new Set(expr.indices).size < expr.indices.length) {
    c.reporter.report('swizzle-repeats', operator, {}, underline(at));
    return undefined;
  }
  if (object.const || object.space === 'constant' || hasConstField(type)) {
    reportConstAssigned(c, expr, at, operator);
    return undefined;
  }
  return expr;
}

function reportConstAssigned(c: Checker, expr: LValue, at: Syntax.Expr, operator: number): void {
  if (expr.kind === 'variable-ref') {
    const { name, location, type } = expr.variable;
    const notes = [note('declared-const-here', location, { name })];
    const args = { name, type: spellObject({ ...type, const: true }) };
    c.reporter.report('assign-to-const', operator, args, { ...underline(at), notes });
  } else c.reporter.report('read-only', operator, {}, underline(at));
}

function hasConstField(type: QualType['type']): boolean {
  if (type.kind !== 'record') return false;
  return (type.fields ?? []).some((field) => field.type.const || hasConstField(field.type.type));
}
