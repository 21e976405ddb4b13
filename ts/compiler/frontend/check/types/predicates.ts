// SPDX-License-Identifier: MIT
//
// Kinds of types, for the rules of operators.

import { isFloatKind } from '../../scalars';
import type { ScalarType, Type } from '../../types';

/** A scalar, or an enum's underlying one. */
export function asScalar(type: Type): ScalarType | undefined {
  if (type.kind === 'scalar') return type;
  if (type.kind === 'enum') return type.underlying;
  return undefined;
}

export function isInteger(type: Type): boolean {
  return type.kind === 'scalar' ? !isFloatKind(type.scalar) : type.kind === 'enum';
}

export function isFloating(type: Type): boolean {
  return type.kind === 'scalar' && isFloatKind(type.scalar);
}

export function isArithmetic(type: Type): boolean {
  return type.kind === 'scalar' || type.kind === 'enum';
}

/** A scalar in C's sense: it can be compared with 0. */
export function isConditionType(type: Type): boolean {
  return type.kind === 'scalar' || type.kind === 'enum' || type.kind === 'pointer' || type.kind === 'block';
}

export function isIntegerVector(type: Type): boolean {
  return type.kind === 'vector' && !isFloatKind(type.element.scalar);
}

/** Handles of objects of the device, whose bits a program cannot access. */
export function isHandle(type: Type): boolean {
  const { kind } = type;
  return kind === 'image' || kind === 'pipe' || (kind === 'opaque' && type.name !== 'ndrange_t');
}

/** Handles that have a null value. */
export function isNullableHandle(type: Type): boolean {
  return (
    type.kind === 'opaque' &&
    (type.name === 'queue_t' || type.name === 'clk_event_t' || type.name === 'reserve_id_t')
  );
}

/** Whether a value of the type can be reinterpreted as one of another type. */
export function hasBits(type: Type): boolean {
  switch (type.kind) {
    case 'scalar':
    case 'enum':
    case 'vector':
    case 'pointer':
      return true;
    case 'record':
      return (type.fields ?? []).every((field) => hasBits(field.type.type));
    case 'array':
      return hasBits(type.element.type);
    default:
      return false;
  }
}

/** Types that no operator takes. */
export function isForFunctionsOnly(type: Type): boolean {
  const { kind } = type;
  return (
    kind === 'image' ||
    kind === 'pipe' ||
    kind === 'block' ||
    (kind === 'opaque' && type.name === 'sampler_t')
  );
}

export const isSampler = (type: Type): boolean => type.kind === 'opaque' && type.name === 'sampler_t';

/** Whether the type, an element or a member of it passes the test. */
export function contains(type: Type, test: (type: Type) => boolean): boolean {
  /** Visited records: two members of one type would otherwise double the work at each level. */
  const seen = new Set<Type>();
  const search = (each: Type): boolean => {
    if (test(each)) return true;
    if (each.kind === 'array') return search(each.element.type);
    if (each.kind !== 'record' || seen.has(each)) return false;
    seen.add(each);
    return (each.fields ?? []).some((field) => search(field.type.type));
  };
  return search(type);
}
