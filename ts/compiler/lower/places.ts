// SPDX-License-Identifier: MIT
//
// Lvalues as places, and targets of assignments, which may be some components of a place.
import { invariant } from '../../base/invariant';
import { Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import { insertVector } from '../../spirv/vectors';
import { isZeroConstant } from '../../spirv/zero';
import type {
  DerefExpr,
  ElementExpr,
  Expr,
  LValue,
  MemberExpr,
  PointerAdd,
  StringLiteral,
  SwizzleExpr,
  VariableRef,
} from '../frontend/ast/checked';
import { isLValue } from '../frontend/ast/lvalues';
import { isSigned, scalarSize } from '../frontend/scalars';
import type { AddressSpace, QualType, Type } from '../frontend/types';
import type { LoweringContext } from './context';
import { initialize } from './initializers';
import { addressOf, loadFrom, makeTemporary, placeAt, storeTo } from './memory';
import type { Place } from './place';
import { stringVariable } from './strings';
import { elementKind } from './types';

export function lowerPlace(ctx: LoweringContext, lvalue: LValue): Place {
  switch (lvalue.kind) {
    case 'variable-ref':
      return variablePlace(ctx, lvalue);
    case 'deref':
      return derefPlace(ctx, lvalue);
    case 'member':
      return memberPlace(ctx, lvalue);
    case 'swizzle':
      invariant(lvalue.indices.length === 1, 'several components have no one address');
      return componentPlace(
        ctx,
        basePlace(ctx, lvalue.base),
        ctx.builder.constantInt(ctx.builder.int(32), lvalue.indices[0]!),
        lvalue.type,
      );
    case 'element': {
      const { base, indices } = vectorOf(lvalue);
      const vector = basePlace(ctx, base);
      return componentPlace(ctx, vector, elementIndex(ctx, lvalue, indices), lvalue.type);
    }
    case 'compound-literal':
      return literalPlace(ctx, lvalue);
    case 'string':
      return stringPlace(ctx, lvalue);
  }
}

/** The place of an object, or of a temporary that holds a value. */
function basePlace(ctx: LoweringContext, base: Expr): Place {
  if (isLValue(base)) return ctx.place(base);
  const value = ctx.value(base);
  if (ctx.types.isByAddress(base.type)) {
    return placeAt(ctx, value, base.type, spaceOf(ctx, value), ctx.lessAligned.get(value));
  }
  const place = makeTemporary(ctx, base.type);
  storeTo(ctx, place, value);
  return place;
}

function spaceOf(ctx: LoweringContext, pointer: Id): AddressSpace {
  const storage = ctx.builder.storageOf(ctx.builder.typeOf(pointer));
  for (const space of ['private', 'local', 'global', 'constant', 'generic'] as const)
    if (ctx.types.storageClass(space) === storage) return space;
  invariant(false, `no address space has storage class ${storage}`);
}

function variablePlace(ctx: LoweringContext, ref: VariableRef): Place {
  const { variable } = ref;
  if (variable.storage === 'local-scope' || variable.storage === 'parameter') {
    const place = ctx.function?.places.get(variable);
    invariant(place !== undefined, 'a variable is used before it is declared', variable.name);
    return place;
  }
  const { type, space, volatile } = variable.type;
  const align = Math.max(variable.attributes.align ?? 0, ctx.types.layout(type).align);
  const pointer = ctx.pointerAs(ctx.globalVariable(variable), ctx.types.pointerTo(type, space));
  return placeAt(ctx, pointer, type, space, align, volatile);
}

function derefPlace(ctx: LoweringContext, lvalue: DerefExpr): Place {
  const { pointer, object } = lvalue;
  if (pointer.kind === 'pointer-add') return elementPlace(ctx, lvalue, pointer);
  if (pointer.kind === 'cast' && pointer.cast === 'array-to-pointer' && hasCount(pointer.operand.type)) {
    const array = ctx.place(pointer.operand as LValue);
    return step(array, ctx.builder.constantInt(ctx.builder.int(32), 0), object.type, object.volatile, ctx);
  }
  if (pointer.kind === 'address-of') return ctx.place(pointer.of);
  return placeOf(ctx, ctx.value(pointer), object, spaceOfPointer(pointer.type));
}

/** `pointer[index]` */
function elementPlace(ctx: LoweringContext, lvalue: DerefExpr, add: PointerAdd): Place {
  const { object } = lvalue;
  const base = add.pointer;
  if (base.kind === 'cast' && base.cast === 'array-to-pointer' && hasCount(base.operand.type)) {
    const array = ctx.place(base.operand as LValue);
    return step(array, indexOf(ctx, add), object.type, object.volatile, ctx);
  }
  const pointer = ctx.value(base);
  const index = indexOf(ctx, add);
  const element = isZeroConstant(ctx.builder.definitionOf(index)) ? NO_ID : index;
  return {
    ...placeOf(ctx, pointer, object, spaceOfPointer(base.type)),
    element,
  };
}

/** The place of an object that a pointer points to; a typedef may give it less than its type's alignment. */
function placeOf(ctx: LoweringContext, pointer: Id, object: QualType, space: AddressSpace): Place {
  const { type, align = 0 } = object;
  const own = ctx.types.layout(type).align;
  return placeAt(ctx, pointer, type, space, Math.min(align || own, own), object.volatile);
}

const hasCount = (type: Type): boolean => type.kind === 'array' && type.count !== undefined;

function spaceOfPointer(type: Type): AddressSpace {
  invariant(type.kind === 'pointer', 'a type is not a pointer', type.kind);
  return type.space;
}

/** The index of a pointer addition as SPIR-V requires it: signed, at least 32 bits, no wider than a pointer. */
export function indexOf(ctx: LoweringContext, add: PointerAdd): Id {
  const index = signedIndex(ctx, add.index);
  if (!add.subtract) return index;
  return ctx.emit(Op.SNegate, ctx.builder.typeOf(index), [index]);
}

export function signedIndex(ctx: LoweringContext, expr: Expr): Id {
  const value = ctx.value(expr);
  const kind = elementKind(expr.type)!;
  const { builder } = ctx;
  if (kind === 'bool')
    return ctx.emit(Op.Select, builder.int(32), [
      value,
      builder.constantInt(builder.int(32), 1),
      builder.constantInt(builder.int(32), 0),
    ]);
  const width = scalarSize(kind) * 8;
  if (width > builder.addressBits) return ctx.emit(Op.UConvert, builder.sizeType(), [value]);
  if (isSigned(kind)) return width < 32 ? ctx.emit(Op.SConvert, builder.int(32), [value]) : value;
  return width < builder.addressBits ? ctx.emit(Op.UConvert, builder.sizeType(), [value]) : value;
}

/** Into an array, a struct or a vector. */
function step(place: Place, index: Id, type: Type, isVolatile: boolean, ctx: LoweringContext): Place {
  const { align } = ctx.types.layout(type);
  return {
    ...place,
    steps: [...place.steps, index],
    type,
    align: Math.min(align, place.align),
    volatile: place.volatile || isVolatile,
  };
}

function componentPlace(ctx: LoweringContext, vector: Place, index: Id, type: Type): Place {
  return step(vector, index, type, false, ctx);
}

/** The vector of `a[i]`, or of `a.wzyx[i]` with the components that `i` counts. */
function vectorOf({ base }: ElementExpr): { base: Expr; indices?: readonly number[] } {
  return base.kind === 'swizzle' ? flatten(base) : { base };
}

/** Which component `[i]` is: the i-th, or the i-th of `chosen`. */
function elementIndex(ctx: LoweringContext, lvalue: ElementExpr, chosen: readonly number[] | undefined): Id {
  const index = signedIndex(ctx, lvalue.index);
  if (!chosen) return index;
  const { builder } = ctx;
  const int = builder.int(32);
  const components = builder.constantComposite(
    builder.vector(int, chosen.length),
    chosen.map((i) => builder.constantInt(int, i)),
  );
  return ctx.emit(Op.VectorExtractDynamic, int, [components, index]);
}

function memberPlace(ctx: LoweringContext, lvalue: MemberExpr): Place {
  const record = lvalue.base.type;
  invariant(record.kind === 'record', 'a member of a type that is not a record');
  const base = basePlace(ctx, lvalue.base);
  const { field, object } = lvalue;
  const align = memberAlign(ctx, base.align, field.offset, field.type.type, record.packed);
  const isVolatile = base.volatile || object.volatile;
  if (record.tag === 'union') {
    const pointer = ctx.pointerAs(addressOf(ctx, base), ctx.types.pointerTo(field.type.type, base.space));
    return { ...placeAt(ctx, pointer, field.type.type, base.space, align, isVolatile) };
  }
  const member = ctx.types.record(record).layout.memberOf[lvalue.index]!;
  return {
    ...base,
    steps: [...base.steps, ctx.builder.constantInt(ctx.builder.int(32), member)],
    type: field.type.type,
    align,
    volatile: isVolatile,
  };
}

function memberAlign(
  ctx: LoweringContext,
  base: number,
  offset: number,
  type: Type,
  packed: boolean,
): number {
  const { align } = ctx.types.layout(type);
  const known = offset === 0 ? base : Math.min(base, offset & -offset);
  return packed ? known : Math.min(known, Math.max(align, 1));
}

function literalPlace(ctx: LoweringContext, lvalue: LValue & { kind: 'compound-literal' }): Place {
  const { variable } = lvalue;
  if (variable.storage !== 'local-scope') {
    return placeAt(ctx, ctx.globalVariable(variable), variable.type.type, variable.type.space);
  }
  const state = ctx.current;
  let place = state.places.get(variable);
  if (!place) {
    place = makeTemporary(ctx, variable.type.type);
    state.places.set(variable, place);
  }
  invariant(variable.init !== undefined, 'a compound literal without initializer');
  initialize(ctx, place, variable.init);
  return place;
}

function stringPlace(ctx: LoweringContext, literal: StringLiteral): Place {
  const { type } = literal;
  const pointer = ctx.pointerAs(stringVariable(ctx, literal.bytes), ctx.types.pointerTo(type, 'constant'));
  return placeAt(ctx, pointer, type, 'constant');
}

// ---- targets of assignments

/**
 * The target of an assignment: an object, some components of a vector object, or one component that is chosen
 * at run time.
 */
export type Target =
  | { readonly kind: 'object'; readonly place: Place }
  | { readonly kind: 'components'; readonly place: Place; readonly indices: readonly number[] }
  | { readonly kind: 'component'; readonly place: Place; readonly index: Id };

/** Evaluates an lvalue once, for reading and writing. */
export function targetOf(ctx: LoweringContext, lvalue: LValue): Target {
  if (lvalue.kind === 'swizzle') {
    const { base, indices } = flatten(lvalue);
    const place = fixed(ctx, ctx.place(base as LValue));
    if (indices.length > 1 || isPlainVariable(place)) return { kind: 'components', place, indices };
    const index = ctx.builder.constantInt(ctx.builder.int(32), indices[0]!);
    return { kind: 'object', place: fixed(ctx, componentPlace(ctx, place, index, lvalue.type)) };
  }
  if (lvalue.kind === 'element') {
    const { base, indices } = vectorOf(lvalue);
    const place = fixed(ctx, ctx.place(base as LValue));
    const index = elementIndex(ctx, lvalue, indices);
    if (isPlainVariable(place)) return { kind: 'component', place, index };
    return { kind: 'object', place: fixed(ctx, componentPlace(ctx, place, index, lvalue.type)) };
  }
  return { kind: 'object', place: ctx.place(lvalue) };
}

/** A variable of the function itself, which can be promoted to a value if it is only read and written as a whole. */
const isPlainVariable = (place: Place): boolean =>
  place.space === 'private' && place.steps.length === 0 && place.element === NO_ID && !place.volatile;

/** The place with its address computed, for more than one use. */
function fixed(ctx: LoweringContext, place: Place): Place {
  if (place.element === NO_ID && place.steps.length === 0) return place;
  return { ...place, pointer: addressOf(ctx, place), element: NO_ID, steps: [] };
}

/** `a.wzyx.xy` as components of `a`. */
export function flatten(expr: SwizzleExpr): { base: Expr; indices: readonly number[] } {
  let { base, indices } = expr;
  while (base.kind === 'swizzle' && base.indices.length > 1) {
    const inner = base.indices;
    indices = indices.map((i) => inner[i] ?? inner.length);
    base = base.base;
  }
  return { base, indices };
}

export function readTarget(ctx: LoweringContext, target: Target, type: Type): Id {
  const value = loadFrom(ctx, target.place);
  switch (target.kind) {
    case 'object':
      return value;
    case 'components':
      return extractComponents(ctx, value, target.indices, type);
    case 'component':
      return ctx.emit(Op.VectorExtractDynamic, ctx.types.value(type), [value, target.index]);
  }
}

export function writeTarget(ctx: LoweringContext, target: Target, value: Id): void {
  const { place } = target;
  if (target.kind === 'object') {
    storeTo(ctx, place, value);
    return;
  }
  // A checked run must not see accesses to the other components, which other work-items may write.
  if (target.kind === 'components' && ctx.language.checked && !isPlainVariable(place)) {
    storeComponents(ctx, place, value, target.indices);
    return;
  }
  const old = loadFrom(ctx, place);
  const type = ctx.types.value(place.type);
  if (target.kind === 'component')
    storeTo(ctx, place, ctx.emit(Op.VectorInsertDynamic, type, [old, value, target.index]));
  else storeTo(ctx, place, insertComponents(ctx, old, value, target.indices, type));
}

function storeComponents(ctx: LoweringContext, place: Place, value: Id, indices: readonly number[]): void {
  const { builder } = ctx;
  const { type } = place;
  invariant(type.kind === 'vector', 'components of no vector');
  const { element } = type;
  indices.forEach((index, at) => {
    if (index >= type.count) return;
    const to = componentPlace(ctx, place, builder.constantInt(builder.int(32), index), element);
    const id = ctx.types.value(element);
    storeTo(ctx, to, indices.length === 1 ? value : ctx.emit(Op.CompositeExtract, id, [value, at]));
  });
}

function insertComponents(
  ctx: LoweringContext,
  old: Id,
  value: Id,
  indices: readonly number[],
  type: Id,
): Id {
  // `.hi` and `.odd` of three components name a fourth one that does not exist.
  if (indices.length === 1) {
    if (indices[0]! >= ctx.builder.countOf(type)) return old;
    return ctx.emit(Op.CompositeInsert, type, [value, old, indices[0]!]);
  }
  return insertVector(ctx.builder, type, old, value, indices);
}

const UNDEFINED_COMPONENT = 0xffffffff;

/** Components of a vector value by index. */
export function extractComponents(
  ctx: LoweringContext,
  vector: Id,
  indices: readonly number[],
  type: Type,
): Id {
  const id = ctx.types.value(type);
  const count = ctx.builder.countOf(ctx.builder.typeOf(vector));
  if (indices.length === 1) {
    if (indices[0]! >= count) return ctx.builder.undef(id);
    return ctx.emit(Op.CompositeExtract, id, [vector, indices[0]!]);
  }
  if (indices.length === count && indices.every((index, i) => index === i)) return vector;
  const sources = indices.map((index) => (index < count ? index : UNDEFINED_COMPONENT));
  return ctx.emit(Op.VectorShuffle, id, [vector, vector, ...sources]);
}
