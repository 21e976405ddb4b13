// SPDX-License-Identifier: MIT
//
// Arithmetic, bitwise operators and shifts (6.4).
import type { Expr } from '../../ast/checked';
import type { ArithmeticOp } from '../../ast/operators';
import { isFloatKind, isUnsigned } from '../../scalars';
import type { Type } from '../../types';
import type { Checker } from '../checker';
import { wrapInteger } from '../constants/values';
import { commonOperands, promote, reportInvalidOperands, splat } from '../conversions/implicit';
import { type Sides, underline } from '../extents';
import { asScalar, isInteger, isIntegerVector } from '../types/predicates';
import { spell } from '../types/spelling';
import type { Operation } from './operation';
import { checkPointerArithmetic } from './pointer-arithmetic';

const isShift = (op: string): op is '<<' | '>>' => op === '<<' || op === '>>';

const needsIntegers = (op: ArithmeticOp): boolean => op === '%' || op === '&' || op === '|' || op === '^';

export function checkArithmetic(c: Checker, operation: Operation<ArithmeticOp>): Expr | undefined {
  const { op, left, right, location, sides } = operation;
  if (left.type.kind === 'pointer' || right.type.kind === 'pointer') {
    return checkPointerArithmetic(c, operation);
  }
  const both = isShift(op)
    ? shiftOperands(c, left, right, location, sides)
    : commonOperands(c, left, right, location, sides);
  if (both === undefined) return undefined;
  const { type } = both;
  const element = type.kind === 'vector' ? type.element : asScalar(type);
  if (needsIntegers(op) && (element === undefined || isFloatKind(element.scalar))) {
    reportInvalidOperands(c, location, left.type, right.type, sides);
    return undefined;
  }
  const { contract } = c;
  const made: Expr = { kind: 'binary', op, left: both.left, right: both.right, contract, type, location };
  warnArithmetic(c, op, both.left, both.right, made, sides);
  return made;
}

function knownValue(c: Checker, expr: Expr): bigint | undefined {
  return expr.kind === 'integer' ? expr.value : c.facts.computed.get(expr);
}

function warnArithmetic(
  c: Checker,
  op: ArithmeticOp,
  left: Expr,
  right: Expr,
  made: Expr,
  sides: Sides,
): void {
  const b = knownValue(c, right);
  const scalar = asScalar(made.type);
  if (b === undefined || scalar === undefined || isFloatKind(scalar.scalar)) return;
  if ((op === '/' || op === '%') && b === 0n) {
    const what = op === '/' ? 'division' : 'remainder';
    c.reporter.report('division-by-zero', made.location, { what }, underline(sides[1]));
  }
  const a = knownValue(c, left);
  if (a === undefined || !(op === '+' || op === '-' || op === '*')) return;
  const exact = op === '+' ? a + b : op === '-' ? a - b : a * b;
  const value = wrapInteger(exact, scalar.scalar);
  if (value !== exact && !isUnsigned(scalar.scalar)) {
    const args = { value, type: spell(made.type) };
    c.reporter.report('integer-overflow', made.location, args, underline(...sides));
  }
  c.facts.computed.set(made, value);
}

/** The result has the left operand's type; a vector may be shifted by a scalar count. */
function shiftOperands(
  c: Checker,
  left: Expr,
  right: Expr,
  location: number,
  sides: Sides,
): { left: Expr; right: Expr; type: Type } | undefined {
  const a = left.type;
  const b = right.type;
  const integers = (isInteger(a) || isIntegerVector(a)) && (isInteger(b) || isIntegerVector(b));
  if (!integers) {
    reportInvalidOperands(c, location, a, b, sides);
    return undefined;
  }
  if (a.kind === 'vector') {
    if (b.kind !== 'vector') return { left, right: splat(right, a), type: a };
    if (a.count === b.count) return { left, right, type: a };
    c.reporter.report(
      'vector-operands-size',
      location,
      { left: spell(a), right: spell(b) },
      underline(...sides),
    );
    return undefined;
  }
  if (b.kind === 'vector') {
    c.reporter.report('shift-scalar-by-vector', location, {}, underline(...sides));
    return undefined;
  }
  const promoted = promote(left);
  return { left: promoted, right: promote(right), type: promoted.type };
}
