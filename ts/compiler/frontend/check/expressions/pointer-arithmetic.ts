// SPDX-License-Identifier: MIT
//
// Sums and differences of pointers.
import type { Expr } from '../../ast/checked';
import type { ArithmeticOp } from '../../ast/operators';
import type * as Syntax from '../../ast/syntax';
import type { PointerType } from '../../types';
import type { Checker } from '../checker';
import { reportInvalidOperands } from '../conversions/implicit';
import { compositePointer, convertPointer } from '../conversions/pointers';
import { type Sides, underline } from '../extents';
import { isComplete } from '../types/layout';
import { samePointee } from '../types/pointers';
import { isInteger } from '../types/predicates';
import { spell } from '../types/spelling';
import type { Operation } from './operation';

export function checkSteppable(c: Checker, type: PointerType, at: Syntax.Expr): boolean {
  const pointee = type.pointee.type;
  if (isComplete(pointee) || pointee.kind === 'void') return true;
  c.reporter.report('arithmetic-incomplete', at.location, { type: spell(pointee) }, underline(at));
  return false;
}

export function checkPointerArithmetic(c: Checker, operation: Operation<ArithmeticOp>): Expr | undefined {
  const { op, left, right, location, sides } = operation;
  const a = left.type;
  const b = right.type;
  if (op === '+' && a.kind !== 'pointer' && b.kind === 'pointer' && isInteger(a)) {
    if (!checkSteppable(c, b, sides[1])) return undefined;
    return { kind: 'pointer-add', pointer: right, index: left, subtract: false, type: b, location };
  }
  if ((op === '+' || op === '-') && a.kind === 'pointer' && isInteger(b)) {
    if (!checkSteppable(c, a, sides[0])) return undefined;
    return { kind: 'pointer-add', pointer: left, index: right, subtract: op === '-', type: a, location };
  }
  if (op === '-' && a.kind === 'pointer' && b.kind === 'pointer') {
    if (!samePointee(a.pointee.type, b.pointee.type)) {
      const args = { left: spell(a), right: spell(b) };
      c.reporter.report('pointers-incompatible', location, args, underline(...sides));
      return undefined;
    }
    const common = checkCommonPointer(c, a, b, location, sides);
    if (common === undefined || !checkSteppable(c, a, sides[0])) return undefined;
    return {
      kind: 'pointer-difference',
      left: convertPointer(left, { ...common, pointee: { ...common.pointee, type: a.pointee.type } }),
      right: convertPointer(right, {
        ...common,
        pointee: { ...common.pointee, type: a.pointee.type },
      }),
      type: c.differenceType,
      location,
    };
  }
  reportInvalidOperands(c, location, a, b, sides);
  return undefined;
}

export function checkCommonPointer(
  c: Checker,
  a: PointerType,
  b: PointerType,
  location: number,
  sides: Sides,
): PointerType | undefined {
  const common = compositePointer(a, b);
  if (common === undefined) {
    const args = { left: spell(a), right: spell(b) };
    c.reporter.report('pointers-other-space', location, args, underline(...sides));
  }
  return common;
}
