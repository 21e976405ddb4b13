// SPDX-License-Identifier: MIT
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { isInteger } from '../types/predicates';
import { spell } from '../types/spelling';

/** `"text" + 1` and `string + 'c'`, which do not concatenate. */
export function warnStringSum(reporter: Reporter, expr: Syntax.BinaryExpr, left: Expr, right: Expr): void {
  const sides = [
    { syntax: expr.left, value: left, other: right, otherSyntax: expr.right },
    { syntax: expr.right, value: right, other: left, otherSyntax: expr.left },
  ];
  const { location } = expr;
  const ranges = { ranges: [{ begin: expr.begin, end: expr.end }] };
  for (const { syntax, value, other, otherSyntax } of sides) {
    if (syntax.kind === 'string' && isInteger(other.type))
      reporter.report('string-plus-integer', location, { type: spell(other.type) }, ranges);
    const pointee = value.type.kind === 'pointer' ? value.type.pointee.type : undefined;
    const isText = pointee?.kind === 'scalar' && (pointee.scalar === 'char' || pointee.scalar === 'uchar');
    if (isText && otherSyntax.kind === 'integer' && otherSyntax.isCharacter)
      reporter.report('string-plus-character', location, {}, ranges);
  }
}
