// SPDX-License-Identifier: MIT
import type * as Syntax from '../../ast/syntax';

export function stripParentheses(expr: Syntax.Expr): Syntax.Expr {
  let at = expr;
  while (at.kind === 'paren') at = at.inner;
  return at;
}
