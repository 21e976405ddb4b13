// SPDX-License-Identifier: MIT
//
// Probably unintended sizes: of parameters declared as arrays, which are pointers, and quotients of sizes.
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr, VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { LanguageOptions } from '../../language';
import { type ArrayType, sameType, type Type } from '../../types';
import { stripParentheses } from '../expressions/parentheses';
import { sizeOf } from '../types/layout';
import { spell } from '../types/spelling';

/** Parameters that were declared as arrays. */
export type ArrayParameters = WeakMap<VariableDecl, ArrayType>;

/** `sizeof(parameter)` and `sizeof(array + 1)` */
export function warnSizeof(
  reporter: Reporter,
  { operand, location }: Syntax.TypeQueryExpr,
  checked: Expr,
  parameters: ArrayParameters,
): void {
  if (operand.kind === 'type-name') return;
  const array = checked.kind === 'variable-ref' ? parameters.get(checked.variable) : undefined;
  if (array !== undefined) {
    const types = { type: spell(checked.type), array: spell(array) };
    reporter.report('sizeof-array-argument', location, types);
    return;
  }
  for (const decayed of operandsOf(checked)) {
    if (decayed.kind !== 'cast' || decayed.cast !== 'array-to-pointer') continue;
    if (!sameType(decayed.type, checked.type)) continue;
    const types = { type: spell(decayed.type), array: spell(decayed.operand.type) };
    reporter.report('sizeof-array-decay', stripParentheses(operand).location, types);
  }
}

function operandsOf(expr: Expr): readonly Expr[] {
  if (expr.kind === 'pointer-add') return [expr.pointer];
  return expr.kind === 'comma' ? [expr.left, expr.right] : [];
}

/** `sizeof(a) / sizeof(b)`, where the quotient is not a number of elements. */
export function warnSizeQuotient(
  reporter: Reporter,
  { left, right, op, location }: Syntax.BinaryExpr,
  sized: WeakMap<Syntax.Expr, Type>,
  language: LanguageOptions,
): void {
  if (op !== '/') return;
  const [dividend, divisor] = [stripParentheses(left), stripParentheses(right)];
  if (dividend.kind !== 'type-query' || dividend.query !== 'sizeof') return;
  if (divisor.kind !== 'type-query' || divisor.query !== 'sizeof') return;
  if (dividend.operand.kind === 'type-name') return;
  const whole = sized.get(dividend);
  const part = sized.get(divisor);
  if (whole === undefined || part === undefined) return;
  if (whole.kind === 'pointer') {
    if (part.kind === 'pointer' || !sameType(whole.pointee.type, part)) return;
    reporter.report('sizeof-pointer-quotient', location);
  } else if (whole.kind === 'array') {
    const element = whole.element.type;
    if (element.kind === 'array' || (element.kind === 'scalar' && /char/.test(element.scalar))) return;
    const sizes = { element: spell(element), type: spell(part) };
    if (sizeOf(element, language) !== sizeOf(part, language))
      reporter.report('sizeof-array-quotient', location, sizes);
  }
}
