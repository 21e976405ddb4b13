// SPDX-License-Identifier: MIT
//
// The operator ?: on scalars, vectors, pointers and records (6.4).
import type { Expr } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { type PointerType, sameType, type Type, type VectorType } from '../types';
import { AssignmentChecker } from './assignments';
import type { Sides } from './binary-operators';
import { spell } from './spelling';
import {
  asScalar,
  isArithmetic,
  isFloating,
  isHandle,
  isInteger,
  isIntegerVector,
  samePointee,
  scalarSize,
  spaceConverts,
} from './type-rules';
import { warnConditional } from './warnings/operators';
import { truth } from './warnings/reachability';

export abstract class ConditionalChecker extends AssignmentChecker {
  protected conditionalOperator(expr: Syntax.ConditionalExpr): Expr | undefined {
    const rawCondition = this.expression(expr.condition);
    const always = rawCondition && truth(rawCondition);
    const rawThen = expr.then === undefined ? rawCondition : this.unlessNever(always === false, expr.then);
    const rawOtherwise = this.unlessNever(always === true, expr.otherwise);
    if (rawCondition === undefined || rawThen === undefined || rawOtherwise === undefined) return undefined;
    const condition = this.value(rawCondition);
    const then = this.value(rawThen);
    const otherwise = this.value(rawOtherwise);
    const { location } = expr;
    warnConditional(this.reporter, expr);
    const sides: Sides = [expr.then ?? expr.condition, expr.otherwise];
    if (condition.type.kind === 'vector') {
      return this.vectorConditional(condition, condition.type, then, otherwise, expr, sides);
    }
    if (isFloating(condition.type)) {
      const args = { type: spell(condition.type) };
      this.reporter.report(
        'ternary-float-condition',
        expr.condition.location,
        args,
        this.underline(expr.condition),
      );
      return undefined;
    }
    if (this.condition(condition, expr.condition) === undefined) return undefined;
    const made = (l: Expr, r: Expr, type: Type): Expr => ({
      kind: 'conditional',
      condition,
      then: l,
      otherwise: r,
      type,
      location,
    });
    const a = then.type;
    const b = otherwise.type;
    if ((isArithmetic(a) || a.kind === 'vector') && (isArithmetic(b) || b.kind === 'vector')) {
      if (a === b && a.kind === 'enum') return made(then, otherwise, a);
      const both = this.operands(then, otherwise, location, sides);
      return both && made(both.left, both.right, both.type);
    }
    if (a.kind === 'void' || b.kind === 'void') {
      const toVoid = (each: Expr) =>
        each.type.kind === 'void' ? each : this.cast('to-void', each, a.kind === 'void' ? a : b);
      return made(toVoid(then), toVoid(otherwise), a.kind === 'void' ? a : b);
    }
    if (a.kind === 'pointer' || b.kind === 'pointer')
      return this.pointerChoice(then, otherwise, location, sides, made);
    if (sameType(a, b)) {
      if (a.kind === 'block') {
        this.reporter.report('ternary-operand', location, { type: spell(a) }, this.underline(...sides));
        return undefined;
      }
      if (!isHandle(a)) return made(then, otherwise, a);
    }
    const args = { left: spell(a), right: spell(b) };
    this.reporter.report('ternary-types', location, args, this.underline(...sides));
    return undefined;
  }

  private pointerChoice(
    then: Expr,
    otherwise: Expr,
    location: number,
    sides: Sides,
    made: (l: Expr, r: Expr, type: Type) => Expr,
  ): Expr | undefined {
    const a = then.type;
    const b = otherwise.type;
    const args = { left: spell(a), right: spell(b) };
    if (a.kind === 'pointer' && this.isNull(otherwise)) {
      return made(then, this.cast('null-pointer', otherwise, a), a);
    }
    if (b.kind === 'pointer' && this.isNull(then)) {
      return made(this.cast('null-pointer', then, b), otherwise, b);
    }
    if (a.kind === 'pointer' && b.kind === 'pointer') {
      if (!spaceConverts(a.space, b.space) && !spaceConverts(b.space, a.space)) {
        this.reporter.report('ternary-spaces', location, args, this.underline(...sides));
        return undefined;
      }
      let common = this.compositePointer(a, b)!;
      const isVoid = a.pointee.type.kind === 'void' || b.pointee.type.kind === 'void';
      if (isVoid) {
        const { pointee } = a.pointee.type.kind === 'void' ? a : b;
        common = { ...common, pointee: { ...common.pointee, type: pointee.type } };
      } else if (!samePointee(a.pointee.type, b.pointee.type)) {
        this.reporter.report('ternary-pointers', location, args, this.underline(...sides));
        common = { ...common, pointee: { ...common.pointee, type: { kind: 'void' } } };
      }
      return made(this.convertPointer(then, common), this.convertPointer(otherwise, common), common);
    }
    const pointer = (a.kind === 'pointer' ? a : b) as PointerType;
    const other = a.kind === 'pointer' ? otherwise : then;
    if (isInteger(other.type)) {
      this.reporter.report('ternary-pointer-integer', location, args, this.underline(...sides));
      const converted = this.cast('integer-to-pointer', other, pointer);
      return a.kind === 'pointer' ? made(then, converted, pointer) : made(converted, otherwise, pointer);
    }
    this.reporter.report('ternary-types', location, args, this.underline(...sides));
    return undefined;
  }

  /** The operands become vectors of as many components of the condition's size (6.4.9). */
  private vectorConditional(
    condition: Expr,
    mask: VectorType,
    then: Expr,
    otherwise: Expr,
    expr: Syntax.ConditionalExpr,
    sides: Sides,
  ): Expr | undefined {
    const { location } = expr;
    if (!isIntegerVector(mask)) {
      const args = { type: spell(mask) };
      this.reporter.report(
        'ternary-float-condition',
        expr.condition.location,
        args,
        this.underline(expr.condition),
      );
      return undefined;
    }
    const both = this.operands(then, otherwise, location, sides);
    if (both === undefined) return undefined;
    let { left, right, type } = both;
    if (type.kind !== 'vector') {
      const scalar = asScalar(type)!;
      const vector = this.componentsType({ kind: 'vector', element: scalar, count: mask.count }, mask.count);
      if (vector?.kind !== 'vector') return undefined;
      left = this.splat(left, vector);
      right = this.splat(right, vector);
      type = vector;
    }
    if (type.kind !== 'vector' || type.count !== mask.count) {
      const args = { condition: spell(mask), type: spell(type) };
      this.reporter.report('ternary-vector-count', location, args, this.underline(expr.condition));
      return undefined;
    }
    if (scalarSize(type.element.scalar) !== scalarSize(mask.element.scalar)) {
      const args = { condition: spell(mask), type: spell(type) };
      this.reporter.report('ternary-vector-size', location, args, this.underline(expr.condition));
      return undefined;
    }
    return { kind: 'vector-select', condition, then: left, otherwise: right, type, location };
  }
}
