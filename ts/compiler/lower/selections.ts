// SPDX-License-Identifier: MIT
//
// The conditional operator: a branch or a select on a scalar condition, a select of components on a vector.
import { Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import type { ConditionalExpr, Expr, VectorSelect } from '../frontend/ast/checked';
import { zero } from './arithmetic';
import { isCheap } from './cheap';
import type { LoweringContext } from './context';
import { addressOf, makeTemporary, storeTo } from './memory';

export function conditional(ctx: LoweringContext, expr: ConditionalExpr): Id {
  const { builder } = ctx;
  const { type } = expr;
  const condition = ctx.condition(expr.condition);
  const known = builder.definitionOf(condition)?.op;
  if (known === Op.ConstantTrue || known === Op.ConstantFalse) {
    const taken = known === Op.ConstantTrue ? expr.then : expr.otherwise;
    if (type.kind !== 'void') return ctx.value(taken);
    ctx.effect(taken);
    return NO_ID;
  }
  const selectable = type.kind === 'scalar' || type.kind === 'vector' || type.kind === 'enum';
  if (selectable && isCheap(expr.then) && isCheap(expr.otherwise)) {
    const id = ctx.types.value(type);
    const chosen = type.kind === 'vector' ? ctx.splat(ctx.boolLike(id), condition) : condition;
    return ctx.emit(Op.Select, id, [chosen, ctx.value(expr.then), ctx.value(expr.otherwise)]);
  }
  return branch(ctx, expr, condition);
}

function branch(ctx: LoweringContext, expr: ConditionalExpr, condition: Id): Id {
  const { builder } = ctx;
  const { type } = expr;
  const then = builder.id();
  const otherwise = builder.id();
  const done = builder.id();
  const result = ctx.types.isByAddress(type) ? makeTemporary(ctx, type) : undefined;
  builder.branchIf(condition, then, otherwise);
  const arm = (label: Id, side: Expr): readonly [Id, Id] => {
    builder.label(label);
    let value = NO_ID;
    if (type.kind === 'void') ctx.effect(side);
    else value = ctx.value(side);
    if (result) storeTo(ctx, result, value);
    const end = builder.currentLabel();
    builder.branch(done);
    return [value, end];
  };
  const first = arm(then, expr.then);
  const second = arm(otherwise, expr.otherwise);
  builder.label(done);
  if (result) return addressOf(ctx, result);
  if (type.kind === 'void') return NO_ID;
  return builder.emit(Op.Phi, ctx.types.value(type), [...first, ...second]);
}

export function vectorSelect(ctx: LoweringContext, expr: VectorSelect): Id {
  const { condition } = expr;
  const mask = ctx.value(condition);
  const then = ctx.value(expr.then);
  const otherwise = ctx.value(expr.otherwise);
  // The most significant bit decides, whatever the sign of the type.
  const bools = ctx.boolLike(ctx.types.value(condition.type));
  const chosen = ctx.emit(Op.SLessThan, bools, [mask, zero(ctx, condition.type)]);
  return ctx.emit(Op.Select, ctx.types.value(expr.type), [chosen, then, otherwise]);
}
