// SPDX-License-Identifier: MIT
//
// Memory: addresses of places, loads and stores, copies of large objects, and the two forms of a value (bool is a byte in memory).
import { Decoration, Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import type { AddressSpace, Type } from '../frontend/types';
import type { LoweringContext } from './context';
import type { Place } from './place';

const VOLATILE = 1;
const ALIGNED = 2;

/** A pointer to the object at a place. */
export function addressOf(ctx: LoweringContext, place: Place): Id {
  const wanted = ctx.types.pointerTo(place.type, place.space);
  if (place.element !== NO_ID || place.steps.length > 0) {
    const op = place.element !== NO_ID ? Op.InBoundsPtrAccessChain : Op.InBoundsAccessChain;
    const operands: number[] =
      place.element !== NO_ID
        ? [place.pointer, place.element, ...place.steps]
        : [place.pointer, ...place.steps];
    const type = chainType(ctx, place);
    return ctx.pointerAs(ctx.emit(op, type, operands), wanted);
  }
  return ctx.pointerAs(place.pointer, wanted);
}

/** The type of the pointer of a place's access chain in the module, which may differ from the place's type. */
function chainType(ctx: LoweringContext, place: Place): Id {
  const { builder } = ctx;
  const pointerType = builder.typeOf(place.pointer);
  let pointee = builder.pointeeOf(pointerType);
  for (const step of place.steps) {
    const definition = builder.definitionOf(pointee)!;
    const index = definition.op === Op.TypeStruct ? builder.definitionOf(step)!.operands[0]! : 0;
    pointee = definition.operands[index] as Id;
  }
  return builder.pointer(builder.storageOf(pointerType), pointee);
}

/** Memory operands of an access to a place. */
export function memoryOperands({ type, align, volatile }: Place): number[] {
  const mask = volatile ? VOLATILE : 0;
  if (type.kind === 'opaque' || type.kind === 'image' || type.kind === 'pipe') return mask ? [mask] : [];
  return [mask | ALIGNED, align];
}

/** The object's value, in the form of `ctx.value`. */
export function loadFrom(ctx: LoweringContext, place: Place): Id {
  const address = addressOf(ctx, place);
  if (ctx.types.isByAddress(place.type)) {
    if (place.align < ctx.types.layout(place.type).align) ctx.lessAligned.set(address, place.align);
    return address;
  }
  const id = ctx.builder.emit(Op.Load, ctx.types.memory(place.type), [address, ...memoryOperands(place)]);
  return fromMemory(ctx, place.type, id);
}

/** Stores a value that is in the form of `ctx.value`. */
export function storeTo(ctx: LoweringContext, place: Place, value: Id): void {
  const address = addressOf(ctx, place);
  if (ctx.types.isByAddress(place.type)) copyObject(ctx, address, value, place);
  else ctx.builder.emitVoid(Op.Store, [address, toMemory(ctx, place.type, value), ...memoryOperands(place)]);
}

/** Copies an object byte by byte. The alignment is that of both addresses. */
function copyObject(ctx: LoweringContext, target: Id, source: Id, place: Place): void {
  const { size, align } = ctx.types.layout(place.type);
  if (size === 0 || target === source) return;
  const both = Math.min(place.align, ctx.lessAligned.get(source) ?? align);
  copyBytes(ctx, target, source, size, both, place.volatile);
}

export function copyBytes(
  ctx: LoweringContext,
  target: Id,
  source: Id,
  size: number,
  align: number,
  isVolatile = false,
): void {
  const { builder } = ctx;
  const byte = builder.int(8);
  const bytePointer = (pointer: Id) =>
    ctx.pointerAs(pointer, builder.pointer(builder.storageOf(builder.typeOf(pointer)), byte));
  builder.emitVoid(Op.CopyMemorySized, [
    bytePointer(target),
    bytePointer(source),
    builder.constantInt(builder.sizeType(), size),
    (isVolatile ? VOLATILE : 0) | ALIGNED,
    align,
  ]);
}

/** Converts the form in memory to that of `ctx.value`: bytes to bools. */
export function fromMemory(ctx: LoweringContext, type: Type, id: Id): Id {
  if (type.kind === 'scalar' && type.scalar === 'bool')
    return ctx.emit(Op.INotEqual, ctx.builder.bool(), [id, ctx.builder.constantInt(ctx.builder.int(8), 0)]);
  // A pointer whose pointee was incomplete at the record's declaration.
  if (type.kind === 'pointer') return ctx.pointerAs(id, ctx.types.memory(type));
  return id;
}

/** Converts the form of `ctx.value` to that in memory. */
export function toMemory(ctx: LoweringContext, type: Type, id: Id): Id {
  if (type.kind === 'scalar' && type.scalar === 'bool') {
    const byte = ctx.builder.int(8);
    return ctx.emit(Op.Select, byte, [
      id,
      ctx.builder.constantInt(byte, 1),
      ctx.builder.constantInt(byte, 0),
    ]);
  }
  return id;
}

/** A new variable of the open function. */
export function makeTemporary(ctx: LoweringContext, type: Type, align = 0): Place {
  const pointerType = ctx.types.pointerTo(type, 'private');
  const pointer = ctx.builder.localVariable(pointerType);
  const place = placeAt(ctx, pointer, type, 'private', align);
  if (place.align > ctx.types.impliedAlign(type))
    ctx.builder.decorate(pointer, Decoration.Alignment, place.align);
  return place;
}

/** The place of an object that a pointer points to, naturally aligned. */
export function placeAt(
  ctx: LoweringContext,
  pointer: Id,
  type: Type,
  space: AddressSpace,
  align = 0,
  isVolatile = false,
): Place {
  return {
    pointer,
    element: NO_ID,
    steps: [],
    type,
    space,
    align: align || ctx.types.layout(type).align,
    volatile: isVolatile,
  };
}
