// SPDX-License-Identifier: MIT
//
// Implicit conversions (6.2): reading objects, conditions, and the operands of arithmetic.
import type { Location } from '../../../diagnostics/diagnostic';
import type { Expr } from '../../ast/checked';
import { hasObject } from '../../ast/lvalues';
import { floatRank, integerRank, isFloatKind, isUnsigned } from '../../scalars';
import { type ScalarKind, type ScalarType, scalarOf, type Type, type VectorType } from '../../types';
import type { Checker } from '../checker';
import { type Extent, underline } from '../extents';
import { convertScalar, makeCast } from '../nodes';
import { decayed } from '../types/pointers';
import { asScalar, isFloating } from '../types/predicates';
import { commonScalar, promoted } from '../types/scalars';
import { spell } from '../types/spelling';
import { warnConversion } from '../warnings/conversions';

/** The value: lvalues are read, arrays decay to pointers. */
export function rvalue(c: Checker, expr: Expr): Expr {
  if (!hasObject(expr)) return expr;
  const { type, location } = expr;
  if (type.kind === 'array') return makeCast('array-to-pointer', expr, decayed(type, expr.object));
  if (type.kind === 'atomic') return { kind: 'load', from: expr, type: type.value, location };
  if (type.kind === 'scalar' && type.scalar === 'half' && !c.hasHalf) {
    c.reporter.report('half-access', location, { what: 'loading', preposition: 'from' });
  } else if (type.kind === 'record' && type.fields === undefined) {
    c.reporter.report('incomplete-value', location, { type: spell(type) });
  }
  return { kind: 'load', from: expr, type, location };
}

/** A condition of `if`, `while`, `?:` and the like: any scalar. */
export function checkCondition(c: Checker, expr: Expr | undefined, at: Extent): Expr | undefined {
  if (expr === undefined) return undefined;
  const value = rvalue(c, expr);
  const { kind } = value.type;
  if (kind === 'scalar' || kind === 'enum' || kind === 'pointer' || kind === 'block') return value;
  c.reporter.report('condition-not-scalar', at.location, { type: spell(value.type) }, underline(at));
  return undefined;
}

export function splat(scalar: Expr, type: VectorType, implicit = true): Expr {
  return makeCast('splat', convertScalar(scalar, type.element), type, implicit);
}

/** A value of any arithmetic type after the integer promotions. */
export function promote(expr: Expr): Expr {
  const scalar = asScalar(expr.type);
  if (scalar === undefined) return expr;
  const kind = promoted(scalar.scalar);
  return kind === scalar.scalar && expr.type === scalar ? expr : convertScalar(expr, scalarOf(kind));
}

/**
 * Converts both operands to a common type (6.2.6): scalars by C's rules, a scalar next to a vector to the vector's element type.
 * Undefined, and reported, if they have no common type.
 */
export function commonOperands(
  c: Checker,
  left: Expr,
  right: Expr,
  at: Location,
  extents: readonly [Extent, Extent],
  common = commonScalar,
): { left: Expr; right: Expr; type: Type } | undefined {
  const a = left.type;
  const b = right.type;
  if (a.kind === 'vector' || b.kind === 'vector') {
    if (a === b) return { left, right, type: a };
    if (a.kind === 'vector' && b.kind === 'vector') {
      c.reporter.report(
        a.count === b.count ? 'vector-operands-type' : 'vector-operands-size',
        at,
        { left: spell(a), right: spell(b) },
        underline(...extents),
      );
      return undefined;
    }
    const vector = (a.kind === 'vector' ? a : b) as VectorType;
    const scalar = asScalar(a.kind === 'vector' ? b : a);
    if (scalar === undefined) {
      reportInvalidOperands(c, at, a, b, extents);
      return undefined;
    }
    if (!widens(scalar.scalar, vector.element.scalar)) {
      c.reporter.report('scalar-rank', at, { left: spell(a), right: spell(b) }, underline(...extents));
      return undefined;
    }
    const isLeft = a.kind !== 'vector';
    warnOperand(c, isLeft ? left : right, vector.element, extents[isLeft ? 0 : 1]);
    return isLeft
      ? { left: splat(left, vector), right, type: vector }
      : { left, right: splat(right, vector), type: vector };
  }
  const scalarA = asScalar(a);
  const scalarB = asScalar(b);
  if (scalarA === undefined || scalarB === undefined) {
    reportInvalidOperands(c, at, a, b, extents);
    return undefined;
  }
  const type = scalarOf(common(scalarA.scalar, scalarB.scalar));
  warnOperand(c, left, type, extents[0]);
  warnOperand(c, right, type, extents[1]);
  return { left: convertScalar(left, type), right: convertScalar(right, type), type };
}

/** An operand is widened, which changes a value only if an integer becomes a floating-point number. */
function warnOperand(c: Checker, value: Expr, to: ScalarType, at: Extent): void {
  if (!isFloatKind(to.scalar) || isFloating(value.type)) return;
  warnConversion(c.reporter, c.language, value, { to, goal: to, at, isMember: false });
}

export function reportInvalidOperands(
  c: Checker,
  at: Location,
  a: Type,
  b: Type,
  extents: readonly Extent[],
): void {
  c.reporter.report('invalid-operands', at, { left: spell(a), right: spell(b) }, underline(...extents));
}

/** As `convertScalar`, with clang's warnings where the conversion changes a constant. */
export function convertConstant(
  c: Checker,
  value: Expr,
  to: Type,
  at: Extent,
  goal: Type = to,
  isMember = false,
): Expr {
  warnConversion(c.reporter, c.language, value, { to, goal, at, isMember });
  return convertScalar(value, to);
}

/**
 * Whether a scalar next to a vector may be widened to its elements: only upwards in rank (6.2.6). Of integers of one
 * rank the unsigned one counts as the higher, as in clang.
 */
function widens(from: ScalarKind, to: ScalarKind): boolean {
  if (isFloatKind(to)) return !isFloatKind(from) || floatRank(from) <= floatRank(to);
  if (isFloatKind(from)) return false;
  const difference = integerRank(to) - integerRank(from);
  return difference > 0 || (difference === 0 && (isUnsigned(to) || !isUnsigned(from)));
}
