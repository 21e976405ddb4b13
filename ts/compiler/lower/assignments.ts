// SPDX-License-Identifier: MIT
//
// Assignments, compound assignments and increments: each evaluates its target once.

import { Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import type { AssignExpr, CompoundAssign, IncrementExpr, LValue } from '../frontend/ast/checked';
import { isFloatKind } from '../frontend/scalars';
import type { Type } from '../frontend/types';
import { arithmetic, convert, one } from './arithmetic';
import type { LoweringContext } from './context';
import { notePointer } from './lifetimes';
import { addressOf } from './memory';
import { readTarget, signedIndex, targetOf, writeTarget } from './places';
import { offset } from './pointers';
import { elementKind } from './types';

export function assign(ctx: LoweringContext, expr: AssignExpr): Id {
  const target = targetOf(ctx, expr.target);
  const value = ctx.value(expr.value);
  writeTarget(ctx, target, value);
  notePointer(ctx, expr.value);
  return value;
}

export function compoundAssign(ctx: LoweringContext, expr: CompoundAssign): Id {
  const { computeType, target: lvalue } = expr;
  const right = computeType.kind === 'pointer' ? signedIndex(ctx, expr.value) : ctx.value(expr.value);
  const target = fixedTarget(ctx, lvalue);
  const old = readTarget(ctx, target, lvalue.type);
  let result: Id;
  if (computeType.kind === 'pointer') {
    const index = expr.op === '-' ? ctx.emit(Op.SNegate, ctx.builder.typeOf(right), [right]) : right;
    result = offset(ctx, old, index);
  } else {
    const left = widen(ctx, old, lvalue.type, computeType);
    const computed = arithmetic(ctx, expr.op, computeType, left, right, expr.value.type, expr.contract);
    result = convert(ctx, computed, computeType, lvalue.type);
  }
  writeTarget(ctx, target, result);
  return result;
}

/** Evaluated once, for reading and writing. */
function fixedTarget(ctx: LoweringContext, lvalue: LValue): ReturnType<typeof targetOf> {
  const target = targetOf(ctx, lvalue);
  if (target.kind !== 'object') return target;
  const { place } = target;
  if (place.element === NO_ID && place.steps.length === 0) return target;
  return { kind: 'object', place: { ...place, pointer: addressOf(ctx, place), element: NO_ID, steps: [] } };
}

function widen(ctx: LoweringContext, value: Id, from: Type, to: Type): Id {
  const converted = convert(
    ctx,
    value,
    from,
    to.kind === 'vector' && from.kind !== 'vector' ? to.element : to,
  );
  return to.kind === 'vector' && from.kind !== 'vector'
    ? ctx.splat(ctx.types.value(to), converted)
    : converted;
}

export function increment(ctx: LoweringContext, expr: IncrementExpr): Id {
  const { target: lvalue, delta } = expr;
  const { type } = lvalue;
  const target = fixedTarget(ctx, lvalue);
  const old = readTarget(ctx, target, type);
  const changed = step(ctx, type, old, delta);
  writeTarget(ctx, target, changed);
  return expr.prefix ? changed : old;
}

function step(ctx: LoweringContext, type: Type, old: Id, delta: 1 | -1): Id {
  if (type.kind === 'pointer') return offset(ctx, old, ctx.builder.constantInt(ctx.builder.int(32), delta));
  const kind = elementKind(type)!;
  if (kind === 'bool')
    return delta === 1 ? ctx.builder.constantBool(true) : ctx.emit(Op.LogicalNot, ctx.builder.bool(), [old]);
  const id = ctx.types.value(type);
  if (isFloatKind(kind)) return ctx.emitFloat(delta === 1 ? Op.FAdd : Op.FSub, id, [old, one(ctx, type)]);
  return ctx.emit(delta === 1 ? Op.IAdd : Op.ISub, id, [old, one(ctx, type)]);
}
