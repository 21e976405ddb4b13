// SPDX-License-Identifier: MIT
import type { Expr } from '../../ast/checked';

/** The object whose address an expression is: an array that decays, or the operand of `&`. */
export function addressed(pointer: Expr): Expr | undefined {
  if (pointer.kind === 'cast' && pointer.cast === 'array-to-pointer') return pointer.operand;
  return pointer.kind === 'address-of' ? pointer.of : undefined;
}
