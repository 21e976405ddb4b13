// SPDX-License-Identifier: MIT
//
// Vector literals (6.1.6).
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { VectorType } from '../../types';
import type { Checker } from '../checker';
import { reportIncompatible } from '../conversions/assignment';
import { convertConstant, rvalue } from '../conversions/implicit';
import { underline } from '../extents';
import { isArithmetic } from '../types/predicates';

export function checkVectorLiteral(
  c: Checker,
  type: VectorType,
  parts: readonly Syntax.Expr[],
  expr: Syntax.CastExpr,
): Expr | undefined {
  const values: Expr[] = [];
  let count = 0;
  let broken = false;
  for (const part of parts) {
    const raw = c.rules.expression(c, part);
    const value = raw && checkVectorPart(c, rvalue(c, raw), type, part);
    if (value === undefined) {
      broken = true;
      continue;
    }
    count += value.type.kind === 'vector' ? value.type.count : 1;
    values.push(value);
  }
  if (broken) return undefined;
  const { location } = expr;
  if (count < type.count) {
    c.reporter.report('vector-literal-few', location, {}, underline(expr));
    return undefined;
  }
  if (count > type.count) {
    c.reporter.report('vector-literal-many', location, {}, underline(expr));
    return undefined;
  }
  return { kind: 'vector-literal', parts: values, type, location };
}

/** A part of a vector literal: a scalar of any type, or a vector of the element type. */
export function checkVectorPart(
  c: Checker,
  value: Expr,
  type: VectorType,
  at: Syntax.Expr,
  isMember = false,
): Expr | undefined {
  const from = value.type;
  if (from.kind === 'vector' && from.element === type.element) return value;
  if (isArithmetic(from)) return convertConstant(c, value, type.element, at, type.element, isMember);
  reportIncompatible(c, from, from.kind === 'vector' ? type : type.element, { what: 'initialize' }, at);
  return undefined;
}

/** `a, b, c` as a list. */
/**
 * `(float4)(a, b, c, d).xy`: a postfix operator after the parentheses applies to the whole vector literal, unlike in the grammar
 * of casts. Undefined if none follows.
 */
export function postfixOfLiteral(cast: Syntax.CastExpr): Syntax.Expr | undefined {
  const links: (Syntax.MemberExpr | Syntax.IndexExpr | Syntax.PostfixExpr | Syntax.CallExpr)[] = [];
  let at: Syntax.Expr = cast.operand;
  while (at.kind === 'member' || at.kind === 'index' || at.kind === 'postfix' || at.kind === 'call') {
    links.push(at);
    at = at.kind === 'postfix' ? at.operand : at.kind === 'call' ? at.callee : at.base;
  }
  if (at.kind !== 'paren' || links.length === 0) return undefined;
  let whole: Syntax.Expr = { ...cast, operand: at, end: at.end };
  for (const link of links.reverse()) {
    const { begin } = cast;
    if (link.kind === 'postfix') whole = { ...link, operand: whole, begin };
    else if (link.kind === 'call') whole = { ...link, callee: whole, begin };
    else whole = { ...link, base: whole, begin };
  }
  return whole;
}

export function commaOperands(expr: Syntax.Expr): readonly Syntax.Expr[] {
  const list: Syntax.Expr[] = [];
  let at = expr;
  while (at.kind === 'binary' && at.op === ',') {
    list.push(at.right);
    at = at.left;
  }
  list.push(at);
  return list.reverse();
}
