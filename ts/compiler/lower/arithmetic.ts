// SPDX-License-Identifier: MIT
//
// Operators on values: what instruction an operator is for a type.
import { invariant } from '../../base/invariant';
import { Decoration, Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { ArithmeticOp, CompareOp } from '../frontend/ast/operators';
import { isFloatKind, isSigned, scalarSize } from '../frontend/scalars';
import type { Type } from '../frontend/types';
import type { LoweringContext } from './context';
import { makeTemporary, storeTo, toMemory } from './memory';
import { elementKind } from './types';

/** [signed, unsigned, floating-point] */
const ARITHMETIC: Readonly<Record<ArithmeticOp, readonly [Op, Op, Op]>> = {
  '+': [Op.IAdd, Op.IAdd, Op.FAdd],
  '-': [Op.ISub, Op.ISub, Op.FSub],
  '*': [Op.IMul, Op.IMul, Op.FMul],
  '/': [Op.SDiv, Op.UDiv, Op.FDiv],
  '%': [Op.SRem, Op.UMod, Op.FRem],
  '&': [Op.BitwiseAnd, Op.BitwiseAnd, Op.Nop],
  '|': [Op.BitwiseOr, Op.BitwiseOr, Op.Nop],
  '^': [Op.BitwiseXor, Op.BitwiseXor, Op.Nop],
  '<<': [Op.ShiftLeftLogical, Op.ShiftLeftLogical, Op.Nop],
  '>>': [Op.ShiftRightArithmetic, Op.ShiftRightLogical, Op.Nop],
};

const COMPARES: Readonly<Record<CompareOp, readonly [Op, Op, Op]>> = {
  '==': [Op.IEqual, Op.IEqual, Op.FOrdEqual],
  '!=': [Op.INotEqual, Op.INotEqual, Op.FUnordNotEqual],
  '<': [Op.SLessThan, Op.ULessThan, Op.FOrdLessThan],
  '>': [Op.SGreaterThan, Op.UGreaterThan, Op.FOrdGreaterThan],
  '<=': [Op.SLessThanEqual, Op.ULessThanEqual, Op.FOrdLessThanEqual],
  '>=': [Op.SGreaterThanEqual, Op.UGreaterThanEqual, Op.FOrdGreaterThanEqual],
};

/** `left op right` on scalars or vectors of `type`; the right operand of a shift has its own type. */
export function arithmetic(
  ctx: LoweringContext,
  op: ArithmeticOp,
  type: Type,
  left: Id,
  right: Id,
  rightType: Type,
  contract: boolean,
): Id {
  const kind = elementKind(type);
  invariant(kind !== undefined, `operator ${op} on ${type.kind}`);
  const [signed, unsigned, float] = ARITHMETIC[op];
  const id = ctx.types.value(type);
  if (isFloatKind(kind)) {
    if (!contract && op !== '/' && ctx.function) ctx.function.contractionOff = true;
    return ctx.emitFloat(float, id, [left, right]);
  }
  const amount = op === '<<' || op === '>>' ? shiftAmount(ctx, type, right, rightType) : right;
  const opcode = isSigned(kind) ? signed : unsigned;
  const result = ctx.emit(opcode, id, [left, amount]);
  if (ctx.language.checked && isSigned(kind)) markSigned(ctx, opcode, result);
  return result;
}

const MAY_OVERFLOW: ReadonlySet<Op> = new Set([Op.IAdd, Op.ISub, Op.IMul, Op.SNegate]);

/** Tells a checked run that an overflow of this operation is one: SPIR-V's integers have no sign. */
export function markSigned(ctx: LoweringContext, op: Op, result: Id): void {
  const { builder } = ctx;
  const isConstant = builder.definitionOf(result) !== undefined;
  if (!ctx.function || isConstant || !MAY_OVERFLOW.has(op)) return;
  builder.decorate(result, Decoration.NoSignedWrap);
  builder.extension('SPV_KHR_no_integer_wrap_decoration');
}

/** OpenCL C takes the amount modulo the width of the shifted value (6.3j). */
function shiftAmount(ctx: LoweringContext, type: Type, right: Id, rightType: Type): Id {
  const width = scalarSize(elementKind(type)!) * 8;
  const id = ctx.types.value(type);
  // Only the low bits are used, so either extension will do.
  const amount = convert(ctx, right, rightType, type);
  // The device does so, too, and a checked run reports the amount.
  if (ctx.language.checked) return amount;
  const mask = ctx.splat(id, ctx.builder.constantInt(ctx.builder.elementOf(id), width - 1));
  return ctx.emit(Op.BitwiseAnd, id, [amount, mask]);
}

/** A comparison as OpTypeBool, or a vector of it. Operands are of `type`. */
export function compare(ctx: LoweringContext, op: CompareOp, type: Type, left: Id, right: Id): Id {
  const kind = elementKind(type);
  if (type.kind === 'opaque') {
    const numbers = [handleNumber(ctx, type, left), handleNumber(ctx, type, right)];
    return ctx.emit(COMPARES[op][1], ctx.builder.bool(), numbers);
  }
  if (kind === undefined) return comparePointers(ctx, op, left, right);
  const [signed, unsigned, float] = COMPARES[op];
  if (kind === 'bool') {
    if (op === '==') return ctx.emit(Op.LogicalEqual, ctx.builder.bool(), [left, right]);
    if (op === '!=') return ctx.emit(Op.LogicalNotEqual, ctx.builder.bool(), [left, right]);
    return compareBytes(ctx, op, type, left, right);
  }
  const result = ctx.boolLike(ctx.types.value(type));
  if (isFloatKind(kind)) return ctx.emit(float, result, [left, right]);
  return ctx.emit(isSigned(kind) ? signed : unsigned, result, [left, right]);
}

function compareBytes(ctx: LoweringContext, op: CompareOp, type: Type, left: Id, right: Id): Id {
  const operands = [toMemory(ctx, type, left), toMemory(ctx, type, right)];
  return ctx.emit(COMPARES[op][1], ctx.builder.bool(), operands);
}

/** OpPtrEqual exists only from 1.4 on, so pointers are compared as numbers. */
function comparePointers(ctx: LoweringContext, op: CompareOp, left: Id, right: Id): Id {
  const size = ctx.builder.sizeType();
  return ctx.emit(COMPARES[op][1], ctx.builder.bool(), [
    ctx.emit(Op.ConvertPtrToU, size, [left]),
    ctx.emit(Op.ConvertPtrToU, size, [right]),
  ]);
}

/**
 * A queue or an event as a number, for comparisons. No instruction converts such a handle, so it goes through memory, which is
 * cleared first: a device's handles may have fewer bytes than a pointer.
 */
function handleNumber(ctx: LoweringContext, type: Type, handle: Id): Id {
  const { builder } = ctx;
  const size = builder.sizeType();
  if (builder.definitionOf(handle)?.op === Op.ConstantNull) return builder.constantNull(size);
  const place = makeTemporary(ctx, type);
  const view = ctx.pointerAs(place.pointer, builder.pointer(StorageClass.Function, size));
  builder.emitVoid(Op.Store, [view, builder.constantNull(size)]);
  storeTo(ctx, place, handle);
  return ctx.emit(Op.Load, size, [view]);
}

/** "Not 0" of a value, as OpTypeBool. */
export function isNotZero(ctx: LoweringContext, type: Type, value: Id): Id {
  const { builder } = ctx;
  const kind = elementKind(type);
  if (kind === 'bool') return value;
  if (kind === undefined) {
    const size = builder.sizeType();
    const number = ctx.emit(Op.ConvertPtrToU, size, [value]);
    return ctx.emit(Op.INotEqual, builder.bool(), [number, builder.constantInt(size, 0)]);
  }
  return compare(ctx, '!=', type, value, zero(ctx, type));
}

/** 0 of an arithmetic type, in all components. */
export function zero(ctx: LoweringContext, type: Type): Id {
  const { builder } = ctx;
  const id = ctx.types.value(type);
  const kind = elementKind(type);
  if (kind === 'bool') return builder.constantBool(false);
  const element = builder.elementOf(id);
  const scalar =
    kind !== undefined && isFloatKind(kind)
      ? builder.constantFloat(element, 0)
      : builder.constantInt(element, 0);
  return ctx.splat(id, scalar);
}

/** 1 of an arithmetic type, in all components. */
export function one(ctx: LoweringContext, type: Type): Id {
  const { builder } = ctx;
  const id = ctx.types.value(type);
  const kind = elementKind(type);
  if (kind === 'bool') return builder.constantBool(true);
  const element = builder.elementOf(id);
  const scalar =
    kind !== undefined && isFloatKind(kind)
      ? builder.constantFloat(element, 1)
      : builder.constantInt(element, 1);
  return ctx.splat(id, scalar);
}

/** bool to an arithmetic type: 1 or 0; vectors of bool to -1 or 0. */
export function fromBool(ctx: LoweringContext, type: Type, value: Id): Id {
  const { builder } = ctx;
  const id = ctx.types.value(type);
  if (elementKind(type) === 'bool') return value;
  if (builder.countOf(id) === 1) return ctx.emit(Op.Select, id, [value, one(ctx, type), zero(ctx, type)]);
  const ones = ctx.splat(id, builder.constantInt(builder.elementOf(id), -1));
  return ctx.emit(Op.Select, id, [value, ones, zero(ctx, type)]);
}

/** Converts a scalar, or a vector component by component, as an assignment does. */
export function convert(ctx: LoweringContext, value: Id, from: Type, to: Type): Id {
  const source = elementKind(from);
  const target = elementKind(to);
  if (source === undefined || target === undefined || source === target) return value;
  if (target === 'bool') return isNotZero(ctx, from, value);
  if (source === 'bool') return fromBool(ctx, to, value);
  const type = ctx.types.value(to);
  if (isFloatKind(source)) {
    if (isFloatKind(target)) return ctx.emit(Op.FConvert, type, [value]);
    return ctx.emit(isSigned(target) ? Op.ConvertFToS : Op.ConvertFToU, type, [value]);
  }
  if (isFloatKind(target)) return ctx.emit(isSigned(source) ? Op.ConvertSToF : Op.ConvertUToF, type, [value]);
  if (scalarSize(source) === scalarSize(target)) return value;
  return ctx.emit(isSigned(source) ? Op.SConvert : Op.UConvert, type, [value]);
}
