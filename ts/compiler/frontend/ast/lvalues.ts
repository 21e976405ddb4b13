// SPDX-License-Identifier: MIT
import type { Expr, LValue } from './checked';

/** Whether an expression has the form of an lvalue: it names an object, or a part of an object or of a value. */
export function hasObject(expr: Expr): expr is LValue {
  switch (expr.kind) {
    case 'variable-ref':
    case 'deref':
    case 'member':
    case 'swizzle':
    case 'element':
    case 'compound-literal':
    case 'string':
      return true;
    default:
      return false;
  }
}

/** Whether an expression denotes an object in memory; members and components of values do not. */
export function isLValue(expr: Expr): expr is LValue {
  switch (expr.kind) {
    case 'member':
    case 'swizzle':
    case 'element':
      return isLValue(expr.base);
    default:
      return hasObject(expr);
  }
}
