// SPDX-License-Identifier: MIT
import type { BlockLiteral, Expr } from './checked';

/** The literal that a block expression stands for. Variables of block type are constant, so their initializer is their value. */
export function knownBlock(expr: Expr): BlockLiteral | undefined {
  switch (expr.kind) {
    case 'block':
      return expr;
    case 'cast':
      return knownBlock(expr.operand);
    case 'load':
      return knownBlock(expr.from);
    case 'variable-ref':
      return expr.variable.init && knownBlock(expr.variable.init);
    case 'comma':
      return knownBlock(expr.right);
    default:
      return undefined;
  }
}
