// SPDX-License-Identifier: MIT
import type { Expr } from '../frontend/ast/checked';

/** With more nodes than this, a branch is cheaper than speculative evaluation. */
const MOST_NODES = 12;

/**
 * Whether the expression may be evaluated speculatively (no effects, no traps, no memory except the function's own scalars), and
 * is cheaper than a branch.
 */
export function isCheap(expr: Expr): boolean {
  return nodes(expr, MOST_NODES) >= 0;
}

/** The remaining budget after an expression; negative where it is exceeded or the expression may not be moved. */
function nodes(expr: Expr, budget: number): number {
  if (budget <= 0) return -1;
  switch (expr.kind) {
    case 'integer':
    case 'float':
      return budget;
    case 'load': {
      const { from } = expr;
      if (from.kind === 'swizzle') return nodes({ ...expr, from: from.base } as Expr, budget - 1);
      if (from.kind !== 'variable-ref') return -1;
      const { variable } = from;
      const own = variable.storage === 'local-scope' || variable.storage === 'parameter';
      const small =
        from.type.kind === 'scalar' || from.type.kind === 'vector' || from.type.kind === 'pointer';
      return own && small && !variable.type.volatile ? budget - 1 : -1;
    }
    case 'unary':
    case 'not':
      return nodes(expr.operand, budget - 1);
    case 'binary':
      // Division may trap on some devices and is slow on all.
      if (expr.op === '/' || expr.op === '%') return -1;
      return nodes(expr.right, nodes(expr.left, budget - 1));
    case 'compare':
    case 'logical':
      return nodes(expr.right, nodes(expr.left, budget - 1));
    case 'conditional':
      return nodes(expr.otherwise, nodes(expr.then, nodes(expr.condition, budget - 1)));
    case 'cast':
      switch (expr.cast) {
        case 'integer':
        case 'integer-to-float':
        case 'float-to-integer':
        case 'float':
        case 'to-bool':
        case 'splat':
        case 'vector':
        case 'bits':
          return nodes(expr.operand, budget - 1);
        default:
          return -1;
      }
    default:
      return -1;
  }
}
