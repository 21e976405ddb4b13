// SPDX-License-Identifier: MIT
//
// Blocks (OpenCL C 6.14). A block's value is a pointer to its captured variables; which function it runs is always
// known where it is called, since a block variable is never assigned to.
import { Op, StorageClass } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import type { BlockCall, BlockLiteral, Expr } from '../frontend/ast/checked';
import { knownBlock } from '../frontend/ast/known-block';
import type { Type } from '../frontend/types';
import type { BlockParts } from './builtins/site';
import { lowerArgument } from './calls';
import type { LoweringContext } from './context';
import { addressOf, loadFrom, makeTemporary, placeAt, storeTo } from './memory';
import { UnsupportedError } from './unsupported';

/** The captured variables as a struct. */
export interface CaptureLayout {
  readonly struct: Id;
  readonly size: number;
  readonly align: number;
}

function captureLayout(ctx: LoweringContext, literal: BlockLiteral): CaptureLayout {
  let size = 0;
  let align = 1;
  for (const { inner } of literal.captures) {
    const layout = ctx.types.layout(inner.type.type);
    size = Math.ceil(size / layout.align) * layout.align + layout.size;
    align = Math.max(align, layout.align);
  }
  const struct = ctx.captureStruct(literal);
  return { struct, size: Math.ceil(size / align) * align, align };
}

/** Copies the captured variables and returns the parts of a block that enqueue_kernel and a call need. */
export function lowerBlock(ctx: LoweringContext, expr: Expr): BlockParts {
  const literal = literalOf(expr);
  const { size, align } = captureLayout(ctx, literal);
  const invoke = ctx.functionId(literal.function, literal);
  const context = expr.kind === 'block' ? makeContext(ctx, literal) : ctx.value(expr);
  return { invoke, context, size, align };
}

function makeContext(ctx: LoweringContext, literal: BlockLiteral): Id {
  const { builder } = ctx;
  const generic = builder.pointer(StorageClass.Generic, builder.int(8));
  if (literal.captures.length === 0) return builder.constantNull(generic);
  const struct = ctx.captureStruct(literal);
  const variable = builder.localVariable(builder.pointer(StorageClass.Function, struct));
  literal.captures.forEach(({ outer }, i) => {
    const from = ctx.current.places.get(outer);
    if (!from) throw new UnsupportedError(`capturing '${outer.name}'`, literal.location);
    const index = builder.constantInt(builder.int(32), i);
    const to = { ...placeAt(ctx, variable, outer.type.type, 'private'), steps: [index] };
    storeTo(ctx, to, loadFrom(ctx, from));
  });
  const bytes = ctx.pointerAs(variable, builder.pointer(StorageClass.Function, builder.int(8)));
  return ctx.emit(Op.PtrCastToGeneric, generic, [bytes]);
}

/** The literal that a block expression stands for. */
function literalOf(expr: Expr): BlockLiteral {
  const literal = knownBlock(expr);
  if (literal === undefined)
    throw new UnsupportedError('a block that is not known where it is called', expr.location);
  return literal;
}

export function lowerBlockCall(ctx: LoweringContext, call: BlockCall): Id {
  const literal = literalOf(call.block);
  const { invoke, context } = ctx.block(call.block);
  const operands: number[] = [context, ...call.arguments.map((argument) => lowerArgument(ctx, argument))];
  const { result } = literal.function.type;
  if (ctx.types.isByAddress(result)) return callByAddress(ctx, invoke, operands, result);
  const id = ctx.builder.emit(Op.FunctionCall, ctx.types.value(result), [invoke, ...operands]);
  return result.kind === 'void' ? NO_ID : id;
}

function callByAddress(ctx: LoweringContext, invoke: Id, operands: number[], result: Type): Id {
  const place = makeTemporary(ctx, result);
  ctx.builder.emit(Op.FunctionCall, ctx.builder.void(), [invoke, addressOf(ctx, place), ...operands]);
  return addressOf(ctx, place);
}
