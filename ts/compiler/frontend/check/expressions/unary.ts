// SPDX-License-Identifier: MIT
//
// Operators with one operand (6.4).
import type { Expr } from '../../ast/checked';
import { isLValue } from '../../ast/lvalues';
import type * as Syntax from '../../ast/syntax';
import { pointerTo } from '../../types';
import type { Checker } from '../checker';
import { wrapInteger } from '../constants/values';
import { promote, rvalue } from '../conversions/implicit';
import { underline } from '../extents';
import { integerConstant } from '../nodes';
import {
  asScalar,
  isArithmetic,
  isConditionType,
  isFloating,
  isForFunctionsOnly,
  isInteger,
  isIntegerVector,
} from '../types/predicates';
import { INT } from '../types/scalars';
import { spell } from '../types/spelling';
import { maskType } from '../types/vectors';
import { dereferenced } from './elements';
import { stripParentheses } from './parentheses';
import { checkSteppable } from './pointer-arithmetic';
import { checkModifiable } from './targets';

export function checkUnary(c: Checker, expr: Syntax.UnaryExpr): Expr | undefined {
  const { op, location } = expr;
  if (op === '&') {
    c.facts.addressOperand = stripParentheses(expr.operand);
    return checkAddressOf(c, expr);
  }
  const raw = c.rules.expression(c, expr.operand);
  if (raw === undefined) return undefined;
  if (op === '++' || op === '--') return checkIncrement(c, raw, op, true, expr);
  if (raw.type.kind === 'atomic' || isForFunctionsOnly(raw.type)) {
    c.reporter.report('unary-operand', location, { type: spell(raw.type) }, underline(expr.operand));
    return undefined;
  }
  const value = rvalue(c, raw);
  const { type } = value;
  switch (op) {
    case '*':
      return checkDereference(c, value, expr);
    case '!': {
      if (type.kind === 'vector') {
        if (c.language.version < 120 && !isIntegerVector(type)) break;
        return { kind: 'not', operand: value, type: maskType(type), location };
      }
      if (!isConditionType(type) || (c.language.version < 120 && isFloating(type))) break;
      if (value.kind === 'integer') return integerConstant(value.value === 0n ? 1n : 0n, INT, location);
      return { kind: 'not', operand: value, type: INT, location };
    }
    case '+':
      if (type.kind === 'vector') return value;
      if (isArithmetic(type)) return promote(value);
      break;
    case '-':
      if (type.kind === 'vector') return { kind: 'unary', op: 'negate', operand: value, type, location };
      if (isArithmetic(type)) return negated(promote(value), location);
      break;
    case '~':
      if (isIntegerVector(type)) return { kind: 'unary', op: 'complement', operand: value, type, location };
      if (isInteger(type)) {
        const operand = promote(value);
        if (operand.kind === 'integer') {
          const kind = asScalar(operand.type)!.scalar;
          return integerConstant(wrapInteger(~operand.value, kind), operand.type, location);
        }
        return { kind: 'unary', op: 'complement', operand, type: operand.type, location };
      }
      break;
  }
  c.reporter.report('unary-operand', location, { type: spell(type) }, underline(expr.operand));
  return undefined;
}

/** Constants are negated at once. */
export function negated(operand: Expr, location: number): Expr {
  const { type } = operand;
  if (operand.kind === 'integer') {
    return integerConstant(wrapInteger(-operand.value, asScalar(type)!.scalar), type, location);
  }
  if (operand.kind === 'float') return { kind: 'float', value: -operand.value, type, location };
  return { kind: 'unary', op: 'negate', operand, type, location };
}

function checkDereference(c: Checker, value: Expr, expr: Syntax.UnaryExpr): Expr | undefined {
  const { type } = value;
  if (type.kind !== 'pointer') {
    const args = { type: spell(type) };
    c.reporter.report('indirection-operand', expr.location, args, underline(expr.operand));
    return undefined;
  }
  return dereferenced(value, expr.location);
}

function checkAddressOf(c: Checker, expr: Syntax.UnaryExpr): Expr | undefined {
  const raw = c.rules.expression(c, expr.operand);
  if (raw === undefined) return undefined;
  const { location } = expr;
  const { type } = raw;
  const isSampler = type.kind === 'opaque' && type.name === 'sampler_t';
  if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || isSampler) {
    c.reporter.report('unary-operand', location, { type: spell(raw.type) }, underline(expr.operand));
    return undefined;
  }
  if (!isLValue(raw)) {
    const args = { type: spell(raw.type) };
    c.reporter.report('address-of-value', location, args, underline(expr.operand));
    return undefined;
  }
  if (raw.kind === 'swizzle' || raw.kind === 'element') {
    c.reporter.report('address-of-component', location, {}, underline(expr.operand));
    return undefined;
  }
  const { object } = raw;
  // `&*p` is p.
  if (raw.kind === 'deref') return { ...raw.pointer, location };
  return { kind: 'address-of', of: raw, type: pointerTo(object, object.space), location };
}

export function checkIncrement(
  c: Checker,
  raw: Expr,
  op: '++' | '--',
  prefix: boolean,
  expr: Syntax.UnaryExpr | Syntax.PostfixExpr,
): Expr | undefined {
  const { type } = raw;
  const allowed =
    isArithmetic(type) ||
    isIntegerVector(type) ||
    (type.kind === 'pointer' && checkSteppable(c, type, expr.operand));
  if (!allowed) {
    if (type.kind !== 'pointer') {
      const what = op === '++' ? 'increment' : 'decrement';
      const args = { what, type: spell(type) };
      c.reporter.report('increment-operand', expr.location, args, underline(expr.operand));
    }
    return undefined;
  }
  const target = checkModifiable(c, raw, expr.operand, expr.location);
  if (target === undefined) return undefined;
  const delta = op === '++' ? 1 : -1;
  return { kind: 'increment', target, delta, prefix, type, location: expr.location };
}
