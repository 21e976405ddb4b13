// SPDX-License-Identifier: MIT
//
// Tells a checked run where variables have no contents: scalars and vectors at a declaration without an initializer, and variables that
// a pointer may still point to at the end of their block or function. Others would only cost time.
import { Op } from '../../spirv/grammar.gen';
import type { Expr, LValue, Stmt, VariableDecl } from '../frontend/ast/checked';
import type { LoweringContext } from './context';

export function beginLifetime(ctx: LoweringContext, variable: VariableDecl): void {
  const { kind } = variable.type.type;
  if (ctx.language.checked && (kind === 'scalar' || kind === 'vector' || kind === 'pointer'))
    mark(ctx, variable, Op.LifetimeStart);
}

/** A pointer is kept: what it points to may end before it. */
export function notePointer(ctx: LoweringContext, pointer: Expr): void {
  if (!ctx.language.checked || pointer.type.kind !== 'pointer') return;
  const variable = pointee(pointer);
  if (variable?.storage === 'local-scope') ctx.current.pointedTo.add(variable);
}

/** At the end of a block. Jumps out of it end nothing. */
export function endBlock(ctx: LoweringContext, statements: readonly Stmt[]): void {
  const { pointedTo } = ctx.current;
  if (pointedTo.size === 0 || !ctx.builder.isOpen) return;
  for (const each of statements)
    if (each.kind === 'declaration')
      for (const variable of each.variables)
        if (pointedTo.has(variable)) mark(ctx, variable, Op.LifetimeStop);
}

/** Before a return. */
export function endFunction(ctx: LoweringContext): void {
  for (const variable of ctx.current.pointedTo) mark(ctx, variable, Op.LifetimeStop);
}

function mark(ctx: LoweringContext, variable: VariableDecl, op: Op): void {
  const place = ctx.current.places.get(variable);
  if (place) ctx.builder.emitVoid(op, [place.pointer, 0]);
}

/** The variable whose address a pointer is made from. */
function pointee(pointer: Expr | LValue): VariableDecl | undefined {
  switch (pointer.kind) {
    case 'cast':
      return pointer.cast === 'array-to-pointer' ||
        pointer.cast === 'pointer' ||
        pointer.cast === 'address-space'
        ? pointee(pointer.operand)
        : undefined;
    case 'pointer-add':
      return pointee(pointer.pointer);
    case 'address-of':
      return pointee(pointer.of);
    case 'variable-ref':
      return pointer.variable;
    default:
      return undefined;
  }
}
