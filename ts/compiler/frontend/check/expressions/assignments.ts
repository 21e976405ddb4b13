// SPDX-License-Identifier: MIT
//
// Assignments, simple and compound (6.4).
import type { Expr, LValue } from '../../ast/checked';
import { hasObject } from '../../ast/lvalues';
import type { ArithmeticOp } from '../../ast/operators';
import type * as Syntax from '../../ast/syntax';
import type { Type } from '../../types';
import type { Checker } from '../checker';
import { convertAssigned, reportIncompatible } from '../conversions/assignment';
import { reportInvalidOperands, rvalue } from '../conversions/implicit';
import type { Sides } from '../extents';
import { isInteger } from '../types/predicates';
import { warnAssignmentSign } from '../warnings/operators';
import { checkArithmetic } from './arithmetic';
import { checkSteppable } from './pointer-arithmetic';
import { checkModifiable } from './targets';

export function checkAssignment(c: Checker, expr: Syntax.AssignExpr): Expr | undefined {
  const { op, location } = expr;
  warnAssignmentSign(c.reporter, expr);
  const rawLeft = c.rules.expression(c, expr.left);
  const rawRight = c.rules.expression(c, expr.right);
  if (rawLeft === undefined || rawRight === undefined) return undefined;
  if (rawLeft.type.kind === 'atomic' || rawRight.type.kind === 'atomic') {
    if (op === undefined) c.reporter.report('atomic-assign', location, { what: 'assigned' });
    else reportInvalidOperands(c, location, rawLeft.type, rawRight.type, [expr.left, expr.right]);
    return undefined;
  }
  const target = checkModifiable(c, rawLeft, expr.left, location);
  if (target === undefined) return undefined;
  const { type } = target;
  if (op !== undefined) return checkCompoundAssignment(c, op, target, type, rvalue(c, rawRight), expr);
  if (
    type.kind === 'image' ||
    type.kind === 'pipe' ||
    (type.kind === 'opaque' && type.name === 'sampler_t')
  ) {
    reportInvalidOperands(c, location, type, rawRight.type, [expr.left, expr.right]);
    return undefined;
  }
  if (hasObject(rawLeft) && type.kind === 'block') {
    reportInvalidOperands(c, location, type, rawRight.type, [expr.left, expr.right]);
    return undefined;
  }
  if (type.kind === 'scalar' && type.scalar === 'half' && !c.hasHalf) {
    c.reporter.report('half-access', location, { what: 'assigning', preposition: 'to' });
    return undefined;
  }
  const value = convertAssigned(c, rawRight, type, expr.right);
  return value && { kind: 'assign', target, value, type, location };
}

function checkCompoundAssignment(
  c: Checker,
  op: ArithmeticOp,
  target: LValue,
  type: Type,
  value: Expr,
  expr: Syntax.AssignExpr,
): Expr | undefined {
  const { location } = expr;
  const sides: Sides = [expr.left, expr.right];
  const { contract } = c;
  if (type.kind === 'pointer') {
    if ((op !== '+' && op !== '-') || !isInteger(value.type)) {
      reportInvalidOperands(c, location, type, value.type, sides);
      return undefined;
    }
    if (!checkSteppable(c, type, expr.left)) return undefined;
    return { kind: 'compound-assign', op, target, value, computeType: type, contract, type, location };
  }
  // The operation itself is checked as if its result were stored.
  const read: Expr = { kind: 'load', from: target, type, location: target.location };
  const result = checkArithmetic(c, { op, left: read, right: value, location, sides });
  if (result?.kind !== 'binary') {
    if (result !== undefined) reportInvalidOperands(c, location, type, value.type, sides);
    return undefined;
  }
  if (result.type.kind === 'vector' && type.kind !== 'vector') {
    reportIncompatible(c, result.type, type, { what: 'assign' }, expr.right);
    return undefined;
  }
  return {
    kind: 'compound-assign',
    op,
    target,
    value: result.right,
    computeType: result.type,
    contract,
    type,
    location,
  };
}
