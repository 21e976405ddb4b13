// SPDX-License-Identifier: MIT
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { floatRank, isFloatKind } from '../../scalars';
import { roundFloat } from '../constants/values';
import { stripParentheses } from '../expressions/parentheses';
import { asScalar } from '../types/predicates';

/** `x == 0.1` with a float x, which never equals 0.1. */
export function warnFloatComparison(
  reporter: Reporter,
  { op, left: leftSyntax, right: rightSyntax, location }: Syntax.BinaryExpr,
  left: Expr,
  right: Expr,
): void {
  if (op !== '==' && op !== '!=') return;
  const isLeft = stripParentheses(leftSyntax).kind === 'floating';
  const [literal, other] = isLeft ? [left, right] : [right, left];
  if (literal.kind !== 'float' || (!isLeft && stripParentheses(rightSyntax).kind !== 'floating')) return;
  const widened = other.kind === 'cast' && other.cast === 'float' ? other.operand : other;
  const source = asScalar(widened.type)?.scalar;
  const target = asScalar(literal.type)?.scalar;
  if (source === undefined || target === undefined || !isFloatKind(source)) return;
  if (floatRank(source) >= floatRank(target) || roundFloat(literal.value, source) === literal.value) return;
  const result = op === '==' ? 'false' : 'true';
  const ranges = [leftSyntax, rightSyntax].map(({ begin, end }) => ({ begin, end }));
  reporter.report('float-comparison-literal', location, { result, type: source }, { ranges });
}
