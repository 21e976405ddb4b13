// SPDX-License-Identifier: MIT
//
// Operators with two operands (6.4): the dispatch, logical operators and the comma.
import { isComparison } from '../../../../base/integer-arithmetic';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { commonOperands, reportInvalidOperands, rvalue } from '../conversions/implicit';
import { isNullPointerConstant } from '../conversions/pointers';
import type { Sides } from '../extents';
import { isConditionType, isFloating, isForFunctionsOnly, isIntegerVector } from '../types/predicates';
import { INT } from '../types/scalars';
import { maskType } from '../types/vectors';
import { warnEnumComparison } from '../warnings/enumerations';
import { warnFloatComparison } from '../warnings/float-comparisons';
import {
  warnComparison,
  warnLogicalConstant,
  warnLogicalNot,
  warnNullComparison,
  warnPrecedence,
  warnXor,
} from '../warnings/operators';
import { truth } from '../warnings/reachability';
import { warnSizeQuotient } from '../warnings/sizes';
import { warnStringSum } from '../warnings/strings';
import { warnUnused } from '../warnings/unused';
import { checkArithmetic } from './arithmetic';
import { checkComparison } from './comparisons';
import type { Operation } from './operation';
import { checkOperand } from './unevaluated';

/** Chains grow to the left: they are walked, not recursed into. */
export function checkBinary(c: Checker, expr: Syntax.BinaryExpr): Expr | undefined {
  const chain: Syntax.BinaryExpr[] = [];
  let at: Syntax.Expr = expr;
  while (at.kind === 'binary') {
    chain.push(at);
    at = at.left;
  }
  let left = c.rules.expression(c, at);
  for (let i = chain.length - 1; i >= 0; i--) {
    const each = chain[i]!;
    const { op } = each;
    const isNever = left !== undefined && (op === '&&' || op === '||') && truth(left) === (op === '||');
    const right = checkOperand(c, isNever, each.right);
    left = left === undefined || right === undefined ? undefined : checkBinaryOperands(c, each, left, right);
  }
  return left;
}

function checkBinaryOperands(
  c: Checker,
  expr: Syntax.BinaryExpr,
  rawLeft: Expr,
  rawRight: Expr,
): Expr | undefined {
  const { op, location } = expr;
  const sides: Sides = [expr.left, expr.right];
  if (isForFunctionsOnly(rawLeft.type) || isForFunctionsOnly(rawRight.type)) {
    reportInvalidOperands(c, location, rawLeft.type, rawRight.type, sides);
    return undefined;
  }
  if (op === ',') {
    const left = rvalue(c, rawLeft);
    warnUnused(c.reporter, left, expr.left, true);
    const right = rvalue(c, rawRight);
    return { kind: 'comma', left, right, type: right.type, location };
  }
  if (rawLeft.type.kind === 'atomic' || rawRight.type.kind === 'atomic') {
    reportInvalidOperands(c, location, rawLeft.type, rawRight.type, sides);
    return undefined;
  }
  const left = rvalue(c, rawLeft);
  const right = rvalue(c, rawRight);
  if (op === '+') warnStringSum(c.reporter, expr, left, right);
  warnBinary(c, expr, left, right);
  switch (op) {
    case '&&':
    case '||':
      return checkLogical(c, { op, left, right, location, sides });
    case '==':
    case '!=':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return checkComparison(c, { op, left, right, location, sides });
  }
  return checkArithmetic(c, { op, left, right, location, sides });
}

function warnBinary(c: Checker, expr: Syntax.BinaryExpr, left: Expr, right: Expr): void {
  const { reporter } = c;
  warnPrecedence(reporter, expr);
  warnLogicalNot(reporter, expr, right);
  if (expr.op === '^') warnXor(reporter, expr);
  if (expr.op === '&&' || expr.op === '||') warnLogicalConstant(reporter, expr, left, right);
  if (expr.op === '/') warnSizeQuotient(reporter, expr, c.facts.sizedOperands, c.language);
  if (!isComparison(expr.op)) return;
  if (isFloating(left.type) && isFloating(right.type)) warnFloatComparison(reporter, expr, left, right);
  if (left.type.kind === 'enum' && right.type.kind === 'enum')
    warnEnumComparison(reporter, expr, left, right);
  if (expr.op === '==' || expr.op === '!=') {
    if (isNullPointerConstant(c, right)) warnNullComparison(reporter, expr, left);
    else if (isNullPointerConstant(c, left)) warnNullComparison(reporter, expr, right);
  }
  warnComparison(reporter, expr, left, right);
}

function checkLogical(c: Checker, operation: Operation<'&&' | '||'>): Expr | undefined {
  const { op, left, right, location, sides } = operation;
  const a = left.type;
  const b = right.type;
  if (a.kind === 'vector' || b.kind === 'vector') {
    const both = commonOperands(c, left, right, location, sides);
    if (both === undefined || both.type.kind !== 'vector') return undefined;
    if (c.language.version < 120 && !isIntegerVector(both.type)) {
      reportInvalidOperands(c, location, a, b, sides);
      return undefined;
    }
    return { kind: 'logical', op, left: both.left, right: both.right, type: maskType(both.type), location };
  }
  const noFloats = c.language.version < 120 && (isFloating(a) || isFloating(b));
  if (!isConditionType(a) || !isConditionType(b) || noFloats) {
    reportInvalidOperands(c, location, a, b, sides);
    return undefined;
  }
  return { kind: 'logical', op, left, right, type: INT, location };
}
