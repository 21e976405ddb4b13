// SPDX-License-Identifier: MIT
//
// Pointer arithmetic.
import { invariant } from '../../base/invariant';
import { Op } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import { isZeroConstant } from '../../spirv/zero';
import type { PointerAdd, PointerDifference } from '../frontend/ast/checked';
import type { LoweringContext } from './context';
import { indexOf } from './places';

export function pointerAdd(ctx: LoweringContext, expr: PointerAdd): Id {
  const pointer = ctx.value(expr.pointer);
  return offset(ctx, pointer, indexOf(ctx, expr));
}

/** A pointer, `index` pointees further. */
export function offset(ctx: LoweringContext, pointer: Id, index: Id): Id {
  if (isZeroConstant(ctx.builder.definitionOf(index))) return pointer;
  return ctx.emit(Op.InBoundsPtrAccessChain, ctx.builder.typeOf(pointer), [pointer, index]);
}

export function pointerDifference(ctx: LoweringContext, expr: PointerDifference): Id {
  const { builder } = ctx;
  const size = builder.sizeType();
  const left = ctx.emit(Op.ConvertPtrToU, size, [ctx.value(expr.left)]);
  const right = ctx.emit(Op.ConvertPtrToU, size, [ctx.value(expr.right)]);
  const bytes = ctx.emit(Op.ISub, size, [left, right]);
  invariant(expr.left.type.kind === 'pointer', 'a difference of pointers');
  const element = ctx.types.layout(expr.left.type.pointee.type).size;
  if (element <= 1) return bytes;
  if ((element & (element - 1)) === 0)
    return ctx.emit(Op.ShiftRightArithmetic, size, [bytes, builder.constantInt(size, Math.log2(element))]);
  return ctx.emit(Op.SDiv, size, [bytes, builder.constantInt(size, element)]);
}
