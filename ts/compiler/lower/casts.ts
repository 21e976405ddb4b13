// SPDX-License-Identifier: MIT
//
// Casts of the checked AST as conversions of SPIR-V.
import { invariant } from '../../base/invariant';
import { Op, SamplerAddressingMode, SamplerFilterMode, StorageClass } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import type { CastExpr, Expr, LValue } from '../frontend/ast/checked';
import { scalarSize } from '../frontend/scalars';
import type { Type } from '../frontend/types';
import { convert } from './arithmetic';
import type { LoweringContext } from './context';
import { addressOf, loadFrom, makeTemporary, placeAt, storeTo } from './memory';
import { elementKind } from './types';
import { UnsupportedError } from './unsupported';

export function lowerCast(ctx: LoweringContext, cast: CastExpr): Id {
  const { operand, type } = cast;
  switch (cast.cast) {
    case 'integer':
    case 'integer-to-float':
    case 'float-to-integer':
    case 'float':
    case 'vector':
      return convert(ctx, ctx.value(operand), operand.type, type);
    case 'to-bool':
      return ctx.condition(operand);
    case 'splat':
      return ctx.splat(ctx.types.value(type), ctx.value(operand));
    case 'bits':
      if (operand.type.kind === 'record' || type.kind === 'record') return throughMemory(ctx, operand, type);
      return bits(ctx, ctx.value(operand), ctx.types.value(type));
    case 'pointer':
      return ctx.pointerAs(ctx.value(operand), ctx.types.value(type));
    case 'address-space':
      return addressSpace(ctx, ctx.value(operand), ctx.types.value(type));
    case 'pointer-to-integer':
      return ctx.emit(Op.ConvertPtrToU, ctx.types.value(type), [ctx.value(operand)]);
    case 'integer-to-pointer':
      return integerToPointer(ctx, operand, type);
    case 'null-pointer':
      return ctx.builder.constantNull(ctx.types.value(type));
    case 'array-to-pointer':
      return decay(ctx, operand, type);
    case 'to-void':
      ctx.effect(operand);
      return NO_ID;
    case 'atomic-init':
      return ctx.value(operand);
    case 'opaque':
      return opaque(ctx, cast);
  }
}

/** Records have no OpBitcast: the value is stored as one type and loaded as the other. */
function throughMemory(ctx: LoweringContext, operand: Expr, type: Type): Id {
  const { types } = ctx;
  const isWider = types.layout(type).align > types.layout(operand.type).align;
  const { pointer } = makeTemporary(ctx, isWider ? type : operand.type);
  const view = (as: Type) =>
    placeAt(ctx, ctx.pointerAs(pointer, types.pointerTo(as, 'private')), as, 'private');
  storeTo(ctx, view(operand.type), ctx.value(operand));
  return loadFrom(ctx, view(type));
}

/** Another type of the same bits. Three components are taken as the first three of four. */
function bits(ctx: LoweringContext, value: Id, type: Id): Id {
  const { builder } = ctx;
  const from = builder.typeOf(value);
  if (from === type) return value;
  const fromCount = builder.countOf(from);
  const toCount = builder.countOf(type);
  if ((fromCount === 3) === (toCount === 3)) return ctx.emit(Op.Bitcast, type, [value]);
  if (fromCount === 3) {
    const four = builder.vector(builder.elementOf(from), 4);
    const widened = ctx.emit(Op.VectorShuffle, four, [value, value, 0, 1, 2, 0xffffffff]);
    return four === type ? widened : ctx.emit(Op.Bitcast, type, [widened]);
  }
  const four = builder.vector(builder.elementOf(type), 4);
  const whole = four === from ? value : ctx.emit(Op.Bitcast, four, [value]);
  return ctx.emit(Op.VectorShuffle, type, [whole, whole, 0, 1, 2]);
}

function addressSpace(ctx: LoweringContext, value: Id, type: Id): Id {
  const { builder } = ctx;
  const from = builder.storageOf(builder.typeOf(value));
  const to = builder.storageOf(type);
  if (from === to) return ctx.pointerAs(value, type);
  if (builder.definitionOf(value)?.op === Op.ConstantNull) return builder.constantNull(type);
  const pointer = ctx.pointerAs(value, builder.pointer(from, builder.pointeeOf(type)));
  if (to === StorageClass.Generic && from !== StorageClass.UniformConstant)
    return ctx.emit(Op.PtrCastToGeneric, type, [pointer]);
  if (from === StorageClass.Generic && to !== StorageClass.UniformConstant)
    return ctx.emit(Op.GenericCastToPtr, type, [pointer]);
  const number = ctx.emit(Op.ConvertPtrToU, builder.sizeType(), [pointer]);
  return ctx.emit(Op.ConvertUToPtr, type, [number]);
}

function integerToPointer(ctx: LoweringContext, operand: Expr, type: Type): Id {
  const { builder } = ctx;
  let value = ctx.value(operand);
  const kind = elementKind(operand.type)!;
  if (kind === 'bool' || scalarSize(kind) * 8 !== builder.addressBits) {
    const size = builder.addressBits === 64 ? 'ulong' : 'uint';
    value = convert(ctx, value, operand.type, { kind: 'scalar', scalar: size });
  }
  return ctx.emit(Op.ConvertUToPtr, ctx.types.value(type), [value]);
}

function decay(ctx: LoweringContext, operand: Expr, type: Type): Id {
  const array = operand.type;
  const place = ctx.place(operand as LValue);
  invariant(type.kind === 'pointer', 'an array decays to a pointer');
  const wanted = ctx.types.pointerTo(type.pointee.type, place.space);
  const whole = array.kind === 'array' && array.count === undefined;
  const pointer = whole
    ? ctx.pointerAs(addressOf(ctx, place), wanted)
    : addressOf(ctx, {
        ...place,
        steps: [...place.steps, ctx.builder.constantInt(ctx.builder.int(32), 0)],
        type: type.pointee.type,
      });
  return addressSpace(ctx, pointer, ctx.types.value(type));
}

const ADDRESSING: readonly SamplerAddressingMode[] = [
  SamplerAddressingMode.None,
  SamplerAddressingMode.ClampToEdge,
  SamplerAddressingMode.Clamp,
  SamplerAddressingMode.Repeat,
  SamplerAddressingMode.RepeatMirrored,
];

/** CLK_NORMALIZED_COORDS_TRUE, the CLK_ADDRESS_… bits and CLK_FILTER_LINEAR, as the headers define them. */
const NORMALIZED = 1;
const ADDRESS_MASK = 0xe;
const FILTER_LINEAR = 0x20;

function opaque(ctx: LoweringContext, cast: CastExpr): Id {
  const { type, operand } = cast;
  if (type.kind !== 'opaque' || type.name !== 'sampler_t')
    return ctx.builder.constantNull(ctx.types.value(type));
  const constant = ctx.constant(operand, operand.type);
  const definition = constant === undefined ? undefined : ctx.builder.definitionOf(constant);
  if (definition === undefined) throw new UnsupportedError('a sampler that is not a constant', cast.location);
  const state = definition.op === Op.ConstantNull ? 0 : definition.operands[0]!;
  return ctx.builder.constantSampler(
    ADDRESSING[(state & ADDRESS_MASK) >> 1] ?? SamplerAddressingMode.None,
    (state & NORMALIZED) !== 0,
    (state & FILTER_LINEAR) !== 0 ? SamplerFilterMode.Linear : SamplerFilterMode.Nearest,
  );
}
