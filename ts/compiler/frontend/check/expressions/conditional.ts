// SPDX-License-Identifier: MIT
//
// The operator ?: on scalars, vectors, pointers and records (6.4).
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { type ScalarKind, scalarSize } from '../../scalars';
import { type PointerType, sameType, type Type, type VectorType } from '../../types';
import type { Checker } from '../checker';
import { checkCondition, commonOperands, rvalue, splat } from '../conversions/implicit';
import { compositePointer, convertPointer, isNullPointerConstant } from '../conversions/pointers';
import { type Sides, underline } from '../extents';
import { makeCast } from '../nodes';
import { samePointee, spaceConverts } from '../types/pointers';
import {
  asScalar,
  isArithmetic,
  isFloating,
  isHandle,
  isInteger,
  isIntegerVector,
} from '../types/predicates';
import { commonUnpromoted } from '../types/scalars';
import { spell } from '../types/spelling';
import { componentsType } from '../types/vectors';
import { warnConditional } from '../warnings/operators';
import { truth } from '../warnings/reachability';
import { checkOperand } from './unevaluated';

export function checkConditional(c: Checker, expr: Syntax.ConditionalExpr): Expr | undefined {
  const rawCondition = c.rules.expression(c, expr.condition);
  const always = rawCondition && truth(rawCondition);
  const rawThen = expr.then === undefined ? rawCondition : checkOperand(c, always === false, expr.then);
  const rawOtherwise = checkOperand(c, always === true, expr.otherwise);
  if (rawCondition === undefined || rawThen === undefined || rawOtherwise === undefined) return undefined;
  const condition = rvalue(c, rawCondition);
  const then = rvalue(c, rawThen);
  const otherwise = rvalue(c, rawOtherwise);
  const { location } = expr;
  warnConditional(c.reporter, expr);
  const sides: Sides = [expr.then ?? expr.condition, expr.otherwise];
  if (condition.type.kind === 'vector') {
    return checkVectorConditional(c, condition, condition.type, then, otherwise, expr, sides);
  }
  if (isFloating(condition.type)) {
    const args = { type: spell(condition.type) };
    c.reporter.report('ternary-float-condition', expr.condition.location, args, underline(expr.condition));
    return undefined;
  }
  if (checkCondition(c, condition, expr.condition) === undefined) return undefined;
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
    const both = commonOperands(c, then, otherwise, location, sides);
    return both && made(both.left, both.right, both.type);
  }
  if (a.kind === 'void' || b.kind === 'void') {
    const toVoid = (each: Expr) =>
      each.type.kind === 'void' ? each : makeCast('to-void', each, a.kind === 'void' ? a : b);
    return made(toVoid(then), toVoid(otherwise), a.kind === 'void' ? a : b);
  }
  if (a.kind === 'pointer' || b.kind === 'pointer')
    return checkPointerConditional(c, then, otherwise, location, sides, made);
  if (sameType(a, b)) {
    if (a.kind === 'block') {
      c.reporter.report('ternary-operand', location, { type: spell(a) }, underline(...sides));
      return undefined;
    }
    if (!isHandle(a)) return made(then, otherwise, a);
  }
  const args = { left: spell(a), right: spell(b) };
  c.reporter.report('ternary-types', location, args, underline(...sides));
  return undefined;
}

function checkPointerConditional(
  c: Checker,
  then: Expr,
  otherwise: Expr,
  location: number,
  sides: Sides,
  made: (l: Expr, r: Expr, type: Type) => Expr,
): Expr | undefined {
  const a = then.type;
  const b = otherwise.type;
  const args = { left: spell(a), right: spell(b) };
  if (a.kind === 'pointer' && isNullPointerConstant(c, otherwise)) {
    return made(then, makeCast('null-pointer', otherwise, a), a);
  }
  if (b.kind === 'pointer' && isNullPointerConstant(c, then)) {
    return made(makeCast('null-pointer', then, b), otherwise, b);
  }
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    if (!spaceConverts(a.space, b.space) && !spaceConverts(b.space, a.space)) {
      c.reporter.report('ternary-spaces', location, args, underline(...sides));
      return undefined;
    }
    let common = compositePointer(a, b)!;
    const isVoid = a.pointee.type.kind === 'void' || b.pointee.type.kind === 'void';
    if (isVoid) {
      const { pointee } = a.pointee.type.kind === 'void' ? a : b;
      common = { ...common, pointee: { ...common.pointee, type: pointee.type } };
    } else if (!samePointee(a.pointee.type, b.pointee.type)) {
      c.reporter.report('ternary-pointers', location, args, underline(...sides));
      common = { ...common, pointee: { ...common.pointee, type: { kind: 'void' } } };
    }
    return made(convertPointer(then, common), convertPointer(otherwise, common), common);
  }
  const pointer = (a.kind === 'pointer' ? a : b) as PointerType;
  const other = a.kind === 'pointer' ? otherwise : then;
  if (isInteger(other.type)) {
    c.reporter.report('ternary-pointer-integer', location, args, underline(...sides));
    const converted = makeCast('integer-to-pointer', other, pointer);
    return a.kind === 'pointer' ? made(then, converted, pointer) : made(converted, otherwise, pointer);
  }
  c.reporter.report('ternary-types', location, args, underline(...sides));
  return undefined;
}

/** Scalars that become vectors are not promoted. There are no vectors of bool. */
function commonComponent(a: ScalarKind, b: ScalarKind): ScalarKind {
  const common = commonUnpromoted(a, b);
  return common === 'bool' ? 'int' : common;
}

/** The operands become vectors of as many components of the condition's size (6.4.9). */
function checkVectorConditional(
  c: Checker,
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
    c.reporter.report('ternary-float-condition', expr.condition.location, args, underline(expr.condition));
    return undefined;
  }
  const both = commonOperands(c, then, otherwise, location, sides, commonComponent);
  if (both === undefined) return undefined;
  let { left, right, type } = both;
  if (type.kind !== 'vector') {
    const scalar = asScalar(type)!;
    const vector = componentsType({ kind: 'vector', element: scalar, count: mask.count }, mask.count);
    if (vector?.kind !== 'vector') return undefined;
    left = splat(left, vector);
    right = splat(right, vector);
    type = vector;
  }
  if (type.kind !== 'vector' || type.count !== mask.count) {
    const args = { condition: spell(mask), type: spell(type) };
    c.reporter.report('ternary-vector-count', location, args, underline(expr.condition));
    return undefined;
  }
  if (scalarSize(type.element.scalar) !== scalarSize(mask.element.scalar)) {
    const args = { condition: spell(mask), type: spell(type) };
    c.reporter.report('ternary-vector-size', location, args, underline(expr.condition));
    return undefined;
  }
  return { kind: 'vector-select', condition, then: left, otherwise: right, type, location };
}
