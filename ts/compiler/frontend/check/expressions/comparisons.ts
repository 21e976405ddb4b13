// SPDX-License-Identifier: MIT
//
// Relational and equality operators (6.4).
import type { Expr } from '../../ast/checked';
import type { CompareOp } from '../../ast/operators';
import type { PointerType } from '../../types';
import type { Checker } from '../checker';
import { commonOperands, reportInvalidOperands } from '../conversions/implicit';
import { convertPointer, isNullPointerConstant } from '../conversions/pointers';
import { underline } from '../extents';
import { makeCast } from '../nodes';
import { samePointee } from '../types/pointers';
import { isInteger } from '../types/predicates';
import { INT } from '../types/scalars';
import { spell } from '../types/spelling';
import { maskType } from '../types/vectors';
import type { Operation } from './operation';
import { checkCommonPointer } from './pointer-arithmetic';

export function checkComparison(c: Checker, operation: Operation<CompareOp>): Expr | undefined {
  const { op, left, right, location, sides } = operation;
  const a = left.type;
  const b = right.type;
  if (a.kind === 'pointer' || b.kind === 'pointer') return checkPointerComparison(c, operation);
  if (a.kind === 'opaque' || b.kind === 'opaque') return checkHandleComparison(c, operation);
  const both = commonOperands(c, left, right, location, sides);
  if (both === undefined) return undefined;
  const type = both.type.kind === 'vector' ? maskType(both.type) : INT;
  return { kind: 'compare', op, left: both.left, right: both.right, type, location };
}

function checkPointerComparison(c: Checker, operation: Operation<CompareOp>): Expr | undefined {
  const { op, left, right, location, sides } = operation;
  const a = left.type;
  const b = right.type;
  const args = { left: spell(a), right: spell(b) };
  const made = (l: Expr, r: Expr): Expr => ({
    kind: 'compare',
    op,
    left: l,
    right: r,
    type: INT,
    location,
  });
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    if (isNullPointerConstant(c, right)) return made(left, makeCast('null-pointer', right, a));
    if (isNullPointerConstant(c, left)) return made(makeCast('null-pointer', left, b), right);
    const common = checkCommonPointer(c, a, b, location, sides);
    if (common === undefined) return undefined;
    const isVoid = a.pointee.type.kind === 'void' || b.pointee.type.kind === 'void';
    if (!isVoid && !samePointee(a.pointee.type, b.pointee.type)) {
      c.reporter.report('compare-distinct-pointers', location, args, underline(...sides));
    }
    return made(convertPointer(left, common), convertPointer(right, common));
  }
  const pointer = a.kind === 'pointer' ? left : right;
  const other = a.kind === 'pointer' ? right : left;
  const type = pointer.type as PointerType;
  let converted: Expr;
  if (isNullPointerConstant(c, other)) converted = makeCast('null-pointer', other, type);
  else if (isInteger(other.type)) {
    c.reporter.report('compare-pointer-integer', location, args, underline(...sides));
    converted = makeCast('integer-to-pointer', other, type);
  } else {
    reportInvalidOperands(c, location, a, b, sides);
    return undefined;
  }
  return a.kind === 'pointer' ? made(left, converted) : made(converted, right);
}

/** queue_t and clk_event_t can be compared for equality. */
function checkHandleComparison(c: Checker, operation: Operation<CompareOp>): Expr | undefined {
  const { op, left, right, location, sides } = operation;
  const type = left.type.kind === 'opaque' ? left.type : right.type;
  const isQueue = type.kind === 'opaque' && type.name === 'queue_t';
  const same =
    left.type === right.type ||
    (isQueue && (isNullPointerConstant(c, left) || isNullPointerConstant(c, right)));
  const comparable = type.kind === 'opaque' && (type.name === 'queue_t' || type.name === 'clk_event_t');
  if (!same || !comparable || (op !== '==' && op !== '!=')) {
    reportInvalidOperands(c, location, left.type, right.type, sides);
    return undefined;
  }
  const l = left.type === type ? left : makeCast('opaque', left, type);
  const r = right.type === type ? right : makeCast('opaque', right, type);
  return { kind: 'compare', op, left: l, right: r, type: INT, location };
}
