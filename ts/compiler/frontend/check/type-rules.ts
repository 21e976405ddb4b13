// SPDX-License-Identifier: MIT
//
// Questions about types that need no context: what kind they are of, their rank, and which types go with them.
import type { LanguageOptions } from '../language';
import {
  type AddressSpace,
  type ArrayType,
  type PointerType,
  pointerTo,
  type QualType,
  type RecordType,
  type ScalarKind,
  type ScalarType,
  sameType,
  scalarOf,
  type Type,
  type VectorType,
  vectorOf,
} from '../types';

/** A type as the source has it: an address space that is not written is not decided yet. */
export interface TypeUse {
  readonly type: Type;
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  readonly space: AddressSpace | undefined;
}

export const INT = scalarOf('int');

const INTEGER_RANK: Readonly<Record<ScalarKind, number>> = {
  bool: 1,
  char: 2,
  uchar: 2,
  short: 3,
  ushort: 3,
  int: 4,
  uint: 4,
  long: 5,
  ulong: 5,
  half: 0,
  float: 0,
  double: 0,
};
const FLOAT_RANK: Readonly<Record<ScalarKind, number>> = {
  bool: 0,
  char: 0,
  uchar: 0,
  short: 0,
  ushort: 0,
  int: 0,
  uint: 0,
  long: 0,
  ulong: 0,
  half: 1,
  float: 2,
  double: 3,
};
const SIZE: Readonly<Record<ScalarKind, number>> = {
  bool: 1,
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  long: 8,
  ulong: 8,
  half: 2,
  float: 4,
  double: 8,
};
const UNSIGNED: Readonly<Record<ScalarKind, boolean>> = {
  bool: true,
  char: false,
  uchar: true,
  short: false,
  ushort: true,
  int: false,
  uint: true,
  long: false,
  ulong: true,
  half: false,
  float: false,
  double: false,
};

export const integerRank = (kind: ScalarKind): number => INTEGER_RANK[kind];
export const floatRank = (kind: ScalarKind): number => FLOAT_RANK[kind];
export const isUnsigned = (kind: ScalarKind): boolean => UNSIGNED[kind];
export const isFloatKind = (kind: ScalarKind): boolean => FLOAT_RANK[kind] > 0;
export const scalarSize = (kind: ScalarKind): number => SIZE[kind];
export const unsignedOf = (kind: ScalarKind): ScalarKind =>
  INTEGER_RANK[kind] >= 2 && !UNSIGNED[kind] ? (`u${kind}` as ScalarKind) : kind;

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

/** Integer of the given size, signed. */
export function signedOfSize(size: number): ScalarKind {
  return size === 1 ? 'char' : size === 2 ? 'short' : size === 4 ? 'int' : 'long';
}

/** What a comparison of such vectors gives. */
export function maskType(type: VectorType): VectorType {
  return vectorOf(signedOfSize(SIZE[type.element.scalar]), type.count);
}

export function promoted(kind: ScalarKind): ScalarKind {
  const rank = INTEGER_RANK[kind];
  return rank > 0 && rank < 4 ? 'int' : kind;
}

/** C's usual arithmetic conversions of two scalars. */
export function commonScalar(a: ScalarKind, b: ScalarKind): ScalarKind {
  if (a === b) return promoted(a);
  if (FLOAT_RANK[a] > 0 || FLOAT_RANK[b] > 0) return FLOAT_RANK[a] >= FLOAT_RANK[b] ? a : b;
  const left = promoted(a);
  const right = promoted(b);
  if (left === right) return left;
  if (INTEGER_RANK[left] === INTEGER_RANK[right]) return UNSIGNED[left] ? left : right;
  return INTEGER_RANK[left] > INTEGER_RANK[right] ? left : right;
}

// ---- layout

export function pointerBytes(language: LanguageOptions): number {
  return language.addressBits / 8;
}

/** Bytes; 0 for what has none (incomplete types, functions). */
export function sizeOf(type: Type, language: LanguageOptions): number {
  switch (type.kind) {
    case 'scalar':
      return SIZE[type.scalar];
    case 'vector':
      return SIZE[type.element.scalar] * (type.count === 3 ? 4 : type.count);
    case 'array':
      return (type.count ?? 0) * sizeOf(type.element.type, language);
    case 'record':
      return type.size;
    case 'enum':
      return SIZE[type.underlying.scalar];
    case 'atomic':
      return sizeOf(type.value, language);
    case 'void':
    case 'function':
      return 1;
    case 'opaque':
      return type.name === 'sampler_t' ? 4 : pointerBytes(language);
    default:
      return pointerBytes(language);
  }
}

export function alignOf(type: Type, language: LanguageOptions): number {
  switch (type.kind) {
    case 'array':
      return alignOf(type.element.type, language);
    case 'record':
      return type.align;
    default:
      return sizeOf(type, language);
  }
}

/** Whether objects of the type can exist. */
export function isComplete(type: Type): boolean {
  switch (type.kind) {
    case 'void':
    case 'function':
      return false;
    case 'array':
      return type.count !== undefined && isComplete(type.element.type);
    case 'record':
      return type.fields !== undefined;
    case 'enum':
      return type.enumerators !== undefined;
    default:
      return true;
  }
}

// ---- pointers

/** What an array decays to, where the array itself lies as `object` says. */
export function decayed(array: ArrayType, object: QualType): PointerType {
  const { element } = array;
  return pointerTo(
    {
      type: element.type,
      const: element.const || object.const,
      volatile: element.volatile || object.volatile,
      restrict: element.restrict,
      space: object.space,
    },
    object.space,
  );
}

/** Whether a pointer into `from` may become one into `to` without a cast. */
export function spaceConverts(from: AddressSpace, to: AddressSpace): boolean {
  return from === to || (to === 'generic' && from !== 'constant');
}

/** Whether an explicit cast may change the space. */
export function spaceCasts(from: AddressSpace, to: AddressSpace): boolean {
  return spaceConverts(from, to) || (from === 'generic' && to !== 'constant');
}

/** Types that differ in qualifiers below the first level only, or not at all. */
export function samePointee(a: Type, b: Type): boolean {
  if (sameType(a, b)) return true;
  if (a.kind === 'array' && b.kind === 'array') {
    const count = a.count === b.count || a.count === undefined || b.count === undefined;
    return count && samePointee(a.element.type, b.element.type);
  }
  if (a.kind === 'enum') return a.underlying === b;
  if (b.kind === 'enum') return b.underlying === a;
  return false;
}

/** Same but for signedness: `int *` and `uint *`. */
export function differsInSign(a: Type, b: Type): boolean {
  if (a.kind !== 'scalar' || b.kind !== 'scalar' || a === b) return false;
  return INTEGER_RANK[a.scalar] >= 2 && INTEGER_RANK[a.scalar] === INTEGER_RANK[b.scalar];
}

/** A member by name, through anonymous records: the indices that lead to it. */
export function findField(record: RecordType, name: string): readonly number[] | undefined {
  const fields = record.fields ?? [];
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    if (field.name === name) return [i];
    if (field.name === undefined && field.type.type.kind === 'record') {
      const inner = findField(field.type.type, name);
      if (inner) return [i, ...inner];
    }
  }
  return undefined;
}

/** Whether a pointer, or something else that must not leave the device, is in the type. */
export function contains(type: Type, test: (type: Type) => boolean): boolean {
  /** Records that were looked into: two members of one type each time would double the work at each level. */
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

/** A type as specifiers leave it, without qualifiers. */
export const unspecified = (type: Type): TypeUse => ({
  type,
  const: false,
  volatile: false,
  restrict: false,
  space: undefined,
});

/** Objects of the device: their values have no bits that a program may look at. */
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
