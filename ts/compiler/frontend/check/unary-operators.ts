// SPDX-License-Identifier: MIT
//
// Operators with one operand (6.4).
import type { Expr } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { type PointerType, pointerTo } from '../types';
import { AccessChecker, stripParentheses } from './access';
import { isLValue } from './base';
import { wrapInteger } from './constant-values';
import { spell } from './spelling';
import {
  asScalar,
  INT,
  isArithmetic,
  isComplete,
  isConditionType,
  isFloating,
  isForFunctionsOnly,
  isInteger,
  isIntegerVector,
  maskType,
} from './type-rules';

export abstract class UnaryChecker extends AccessChecker {
  protected unary(expr: Syntax.UnaryExpr): Expr | undefined {
    const { op, location } = expr;
    if (op === '&') {
      this.addressOperand = stripParentheses(expr.operand);
      return this.addressOf(expr);
    }
    const raw = this.expression(expr.operand);
    if (raw === undefined) return undefined;
    if (op === '++' || op === '--') return this.increment(raw, op, true, expr);
    if (raw.type.kind === 'atomic' || isForFunctionsOnly(raw.type)) {
      this.reporter.report(
        'unary-operand',
        location,
        { type: spell(raw.type) },
        this.underline(expr.operand),
      );
      return undefined;
    }
    const value = this.value(raw);
    const { type } = value;
    switch (op) {
      case '*':
        return this.dereference(value, expr);
      case '!': {
        if (type.kind === 'vector') {
          if (this.language.version < 120 && !isIntegerVector(type)) break;
          return { kind: 'not', operand: value, type: maskType(type), location };
        }
        if (!isConditionType(type) || (this.language.version < 120 && isFloating(type))) break;
        if (value.kind === 'integer') return this.integer(value.value === 0n ? 1n : 0n, INT, location);
        return { kind: 'not', operand: value, type: INT, location };
      }
      case '+':
        if (type.kind === 'vector') return value;
        if (isArithmetic(type)) return this.promote(value);
        break;
      case '-':
        if (type.kind === 'vector') return { kind: 'unary', op: 'negate', operand: value, type, location };
        if (isArithmetic(type)) return this.negate(this.promote(value), location);
        break;
      case '~':
        if (isIntegerVector(type)) return { kind: 'unary', op: 'complement', operand: value, type, location };
        if (isInteger(type)) {
          const operand = this.promote(value);
          if (operand.kind === 'integer') {
            const kind = asScalar(operand.type)!.scalar;
            return this.integer(wrapInteger(~operand.value, kind), operand.type, location);
          }
          return { kind: 'unary', op: 'complement', operand, type: operand.type, location };
        }
        break;
    }
    this.reporter.report('unary-operand', location, { type: spell(type) }, this.underline(expr.operand));
    return undefined;
  }

  /** Constants are negated at once. */
  protected negate(operand: Expr, location: number): Expr {
    const { type } = operand;
    if (operand.kind === 'integer') {
      return this.integer(wrapInteger(-operand.value, asScalar(type)!.scalar), type, location);
    }
    if (operand.kind === 'float') return { kind: 'float', value: -operand.value, type, location };
    return { kind: 'unary', op: 'negate', operand, type, location };
  }

  private dereference(value: Expr, expr: Syntax.UnaryExpr): Expr | undefined {
    const { type } = value;
    if (type.kind !== 'pointer') {
      const args = { type: spell(type) };
      this.reporter.report('indirection-operand', expr.location, args, this.underline(expr.operand));
      return undefined;
    }
    return this.deref(value, expr.location);
  }

  private addressOf(expr: Syntax.UnaryExpr): Expr | undefined {
    const raw = this.expression(expr.operand);
    if (raw === undefined) return undefined;
    const { location } = expr;
    const { type } = raw;
    const isSampler = type.kind === 'opaque' && type.name === 'sampler_t';
    if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || isSampler) {
      this.reporter.report(
        'unary-operand',
        location,
        { type: spell(raw.type) },
        this.underline(expr.operand),
      );
      return undefined;
    }
    if (!isLValue(raw)) {
      const args = { type: spell(raw.type) };
      this.reporter.report('address-of-value', location, args, this.underline(expr.operand));
      return undefined;
    }
    if (raw.kind === 'swizzle' || raw.kind === 'element') {
      this.reporter.report('address-of-component', location, {}, this.underline(expr.operand));
      return undefined;
    }
    const { object } = raw;
    // `&*p` is p.
    if (raw.kind === 'deref') return { ...raw.pointer, location };
    return { kind: 'address-of', of: raw, type: pointerTo(object, object.space), location };
  }

  protected increment(
    raw: Expr,
    op: '++' | '--',
    prefix: boolean,
    expr: Syntax.UnaryExpr | Syntax.PostfixExpr,
  ): Expr | undefined {
    const { type } = raw;
    const allowed =
      isArithmetic(type) ||
      isIntegerVector(type) ||
      (type.kind === 'pointer' && this.canStep(type, expr.operand));
    if (!allowed) {
      if (type.kind !== 'pointer') {
        const what = op === '++' ? 'increment' : 'decrement';
        const args = { what, type: spell(type) };
        this.reporter.report('increment-operand', expr.location, args, this.underline(expr.operand));
      }
      return undefined;
    }
    const target = this.modifiable(raw, expr.operand, expr.location);
    if (target === undefined) return undefined;
    const delta = op === '++' ? 1 : -1;
    return { kind: 'increment', target, delta, prefix, type, location: expr.location };
  }

  protected canStep(type: PointerType, at: Syntax.Expr): boolean {
    const pointee = type.pointee.type;
    if (isComplete(pointee) || pointee.kind === 'void') return true;
    this.reporter.report('arithmetic-incomplete', at.location, { type: spell(pointee) }, this.underline(at));
    return false;
  }
}
