// SPDX-License-Identifier: MIT
//
// Conditions: scalars as OpTypeBool, without going through int 0 and 1 as the language does.
import { Op } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { Expr, LogicalExpr } from '../frontend/ast/checked';
import { compare, isNotZero } from './arithmetic';
import { isCheap } from './cheap';
import type { LoweringContext } from './context';

export function lowerCondition(ctx: LoweringContext, expr: Expr): Id {
  switch (expr.kind) {
    case 'integer':
      return ctx.builder.constantBool(expr.value !== 0n);
    case 'compare':
      if (expr.type.kind === 'vector') break;
      return compare(ctx, expr.op, expr.left.type, ctx.value(expr.left), ctx.value(expr.right));
    case 'not':
      if (expr.type.kind === 'vector') break;
      return ctx.emit(Op.LogicalNot, ctx.builder.bool(), [ctx.condition(expr.operand)]);
    case 'logical':
      if (expr.type.kind === 'vector') break;
      return logical(ctx, expr);
    case 'cast':
      // A conversion that keeps the distinction between 0 and other values.
      if (expr.cast === 'to-bool' || (expr.cast === 'integer' && isWidening(expr.operand, expr)))
        return ctx.condition(expr.operand);
      break;
  }
  return isNotZero(ctx, expr.type, ctx.value(expr));
}

function isWidening(operand: Expr, cast: Expr): boolean {
  if (operand.type.kind !== 'scalar' || cast.type.kind !== 'scalar') return false;
  return operand.type.scalar === 'bool' || isBoolean(operand);
}

/** Whether an int value is always 0 or 1. */
function isBoolean(expr: Expr): boolean {
  return expr.kind === 'compare' || expr.kind === 'not' || expr.kind === 'logical';
}

/** `a || b || …` may be long: its left operands are followed without recursion. */
function logical(ctx: LoweringContext, expr: LogicalExpr): Id {
  const chain: LogicalExpr[] = [];
  let first: Expr = expr;
  for (; first.kind === 'logical'; first = first.left) chain.push(first);
  let left = ctx.condition(first);
  for (let node = chain.pop(); node; node = chain.pop()) left = combine(ctx, node, left);
  return left;
}

/** A logical operation whose left operand is known. */
function combine(ctx: LoweringContext, expr: LogicalExpr, left: Id): Id {
  const { builder } = ctx;
  const isAnd = expr.op === '&&';
  const bool = builder.bool();
  const known = builder.definitionOf(left)?.op;
  if (known === Op.ConstantTrue || known === Op.ConstantFalse)
    return (known === Op.ConstantTrue) === isAnd ? ctx.condition(expr.right) : left;
  if (isCheap(expr.right))
    return ctx.emit(isAnd ? Op.LogicalAnd : Op.LogicalOr, bool, [left, ctx.condition(expr.right)]);
  const before = builder.currentLabel();
  const evaluate = builder.id();
  const done = builder.id();
  if (isAnd) builder.branchIf(left, evaluate, done);
  else builder.branchIf(left, done, evaluate);
  builder.label(evaluate);
  const right = ctx.condition(expr.right);
  const rightEnd = builder.currentLabel();
  builder.branch(done);
  builder.label(done);
  return builder.emit(Op.Phi, bool, [builder.constantBool(!isAnd), before, right, rightEnd]);
}
