// SPDX-License-Identifier: MIT
//
// Initializers of variables of a function.
import { Decoration, Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { Expr, InitializerList } from '../frontend/ast/checked';
import type { LoweringContext } from './context';
import { addressOf, copyBytes, memoryOperands, placeAt, storeTo } from './memory';
import type { Place } from './place';

/** Constants beyond this size are copied from a constant variable instead of stored. */
const LARGEST_STORE = 64;

export function initialize(ctx: LoweringContext, place: Place, init: Expr): void {
  ctx.at(init.location);
  const { type } = place;
  const isAggregate = type.kind === 'array' || type.kind === 'record';
  if (isAggregate && (init.kind === 'initializer' || init.kind === 'string')) {
    const constant = ctx.constant(init, type);
    if (constant !== undefined) storeConstant(ctx, place, constant);
    else if (init.kind === 'initializer') initializeParts(ctx, place, init);
  } else if (init.kind === 'initializer') {
    const [first] = init.elements;
    if (first) initialize(ctx, place, first);
    else storeConstant(ctx, place, ctx.builder.constantNull(ctx.types.memory(type)));
  } else storeTo(ctx, place, ctx.value(init));
}

function storeConstant(ctx: LoweringContext, place: Place, constant: Id): void {
  const { builder } = ctx;
  const { size, align } = ctx.types.layout(place.type);
  if (size <= LARGEST_STORE || place.type.kind === 'vector') {
    builder.emitVoid(Op.Store, [addressOf(ctx, place), constant, ...memoryOperands(place)]);
    return;
  }
  const type = builder.typeOf(constant);
  const image = builder.globalVariable(builder.pointer(StorageClass.UniformConstant, type), constant);
  builder.decorate(image, Decoration.Constant);
  builder.decorate(image, Decoration.Alignment, align);
  ctx.usesGlobal(image);
  copyBytes(ctx, addressOf(ctx, place), image, size, Math.min(align, place.align), place.volatile);
}

function initializeParts(ctx: LoweringContext, place: Place, list: InitializerList): void {
  const { type } = place;
  if (type.kind === 'record' && type.tag === 'union') {
    const index = list.member ?? 0;
    const init = list.elements[list.elements.length > 1 ? index : 0];
    if (!init) return;
    const field = type.fields![index]!.type.type;
    const pointer = ctx.pointerAs(addressOf(ctx, place), ctx.types.pointerTo(field, place.space));
    initialize(ctx, placeAt(ctx, pointer, field, place.space, 0, place.volatile), init);
    return;
  }
  const count = type.kind === 'array' ? (type.count ?? 0) : type.kind === 'record' ? type.fields!.length : 0;
  let missing = list.elements.length < count;
  for (const element of list.elements) if (element === undefined) missing = true;
  if (missing) storeConstant(ctx, place, ctx.builder.constantNull(ctx.types.memory(type)));
  list.elements.forEach((element, i) => {
    if (element) initialize(ctx, partOf(ctx, place, i), element);
  });
}

function partOf(ctx: LoweringContext, place: Place, index: number): Place {
  const { type } = place;
  const int = ctx.builder.int(32);
  if (type.kind === 'array') {
    const element = type.element.type;
    return {
      ...place,
      steps: [...place.steps, ctx.builder.constantInt(int, index)],
      type: element,
      align: Math.min(place.align, ctx.types.layout(element).align),
    };
  }
  if (type.kind !== 'record') throw new TypeError('only aggregates have parts');
  const member = ctx.types.record(type).layout.memberOf[index]!;
  const field = type.fields![index]!;
  const { align } = ctx.types.layout(field.type.type);
  const known = field.offset === 0 ? place.align : Math.min(place.align, field.offset & -field.offset);
  return {
    ...place,
    steps: [...place.steps, ctx.builder.constantInt(int, member)],
    type: field.type.type,
    align: Math.min(known, align),
  };
}
