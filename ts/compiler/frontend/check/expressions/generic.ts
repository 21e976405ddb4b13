// SPDX-License-Identifier: MIT
//
// _Generic of C11.
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { sameType, type Type } from '../../types';
import type { Checker } from '../checker';
import { rvalue } from '../conversions/implicit';
import { underline } from '../extents';
import { spell } from '../types/spelling';
import { checkTypeName } from '../types/type-names';
import { typeOfOperand } from './unevaluated';

export function checkGeneric(c: Checker, expr: Syntax.GenericExpr): Expr | undefined {
  const control = c.rules.expression(c, expr.control);
  if (control === undefined) return undefined;
  const { type } = rvalue(c, control);
  let fallback: Syntax.Expr | undefined;
  let chosen: Syntax.Expr | undefined;
  const seen: Type[] = [];
  for (const each of expr.cases) {
    if (each.type === undefined) {
      if (fallback !== undefined) {
        c.reporter.report('generic-duplicate-default', each.location);
        return undefined;
      }
      fallback = each.value;
      continue;
    }
    const candidate = checkTypeName(c, each.type)?.type;
    if (candidate === undefined) continue;
    if (seen.some((before) => sameType(before, candidate))) {
      c.reporter.report('generic-duplicate', each.location, { type: spell(candidate) });
      return undefined;
    }
    seen.push(candidate);
    if (sameType(candidate, type)) chosen = each.value;
  }
  chosen ??= fallback;
  // The other associations are checked, too.
  for (const { value } of expr.cases) if (value !== chosen) typeOfOperand(c, value);
  if (chosen !== undefined) return c.rules.expression(c, chosen);
  c.reporter.report('generic-no-match', expr.control.begin, { type: spell(type) }, underline(expr.control));
  return undefined;
}
