// SPDX-License-Identifier: MIT
//
// Assignments, simple and compound (6.4).
import type { ArithmeticOp, Expr, LValue } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { Type } from '../types';
import { isObject } from './base';
import { BinaryChecker, type Sides } from './binary-operators';
import { isInteger } from './type-rules';
import { warnAssignmentSign } from './warnings/operators';

export abstract class AssignmentChecker extends BinaryChecker {
  protected assignment(expr: Syntax.AssignExpr): Expr | undefined {
    const { op, location } = expr;
    warnAssignmentSign(this.reporter, expr);
    const rawLeft = this.expression(expr.left);
    const rawRight = this.expression(expr.right);
    if (rawLeft === undefined || rawRight === undefined) return undefined;
    if (rawLeft.type.kind === 'atomic' || rawRight.type.kind === 'atomic') {
      if (op === undefined) this.reporter.report('atomic-assign', location, { what: 'assigned' });
      else this.invalidOperands(location, rawLeft.type, rawRight.type, [expr.left, expr.right]);
      return undefined;
    }
    const target = this.modifiable(rawLeft, expr.left, location);
    if (target === undefined) return undefined;
    const { type } = target;
    if (op !== undefined) return this.compoundAssignment(op, target, type, this.value(rawRight), expr);
    if (
      type.kind === 'image' ||
      type.kind === 'pipe' ||
      (type.kind === 'opaque' && type.name === 'sampler_t')
    ) {
      this.invalidOperands(location, type, rawRight.type, [expr.left, expr.right]);
      return undefined;
    }
    if (isObject(rawLeft) && type.kind === 'block') {
      this.invalidOperands(location, type, rawRight.type, [expr.left, expr.right]);
      return undefined;
    }
    if (type.kind === 'scalar' && type.scalar === 'half' && !this.hasHalf()) {
      this.reporter.report('half-access', location, { what: 'assigning', preposition: 'to' });
      return undefined;
    }
    const value = this.assigned(rawRight, type, expr.right);
    return value && { kind: 'assign', target, value, type, location };
  }

  private compoundAssignment(
    op: ArithmeticOp,
    target: LValue,
    type: Type,
    value: Expr,
    expr: Syntax.AssignExpr,
  ): Expr | undefined {
    const { location } = expr;
    const sides: Sides = [expr.left, expr.right];
    const { contract } = this;
    if (type.kind === 'pointer') {
      if ((op !== '+' && op !== '-') || !isInteger(value.type)) {
        this.invalidOperands(location, type, value.type, sides);
        return undefined;
      }
      if (!this.canStep(type, expr.left)) return undefined;
      return { kind: 'compound-assign', op, target, value, computeType: type, contract, type, location };
    }
    // The operation itself is checked as if its result were stored.
    const read: Expr = { kind: 'load', from: target, type, location: target.location };
    const result = this.arithmetic(op, read, value, location, sides);
    if (result?.kind !== 'binary') {
      if (result !== undefined) this.invalidOperands(location, type, value.type, sides);
      return undefined;
    }
    if (result.type.kind === 'vector' && type.kind !== 'vector') {
      this.incompatible(result.type, type, { what: 'assign' }, expr.right);
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
}
