// SPDX-License-Identifier: MIT
//
// Sizes and alignments of objects in memory (OpenCL C 6.3.5): natural alignment, three-component vectors as large as
// four-component ones.
import { invariant, unreachable } from '../../base/invariant';
import { scalarSize } from '../frontend/scalars';
import type { RecordType, Type } from '../frontend/types';

export interface Layout {
  /** The size in bytes of an array element of the type. */
  readonly size: number;
  readonly align: number;
}

export function layoutOf(type: Type, pointerBytes: 4 | 8): Layout {
  switch (type.kind) {
    case 'scalar': {
      const size = scalarSize(type.scalar);
      return { size, align: size };
    }
    case 'vector': {
      const size = scalarSize(type.element.scalar) * (type.count === 3 ? 4 : type.count);
      return { size, align: size };
    }
    case 'enum':
      return layoutOf(type.underlying, pointerBytes);
    case 'atomic':
      return layoutOf(type.value, pointerBytes);
    case 'array': {
      const element = layoutOf(type.element.type, pointerBytes);
      return { size: element.size * (type.count ?? 0), align: element.align };
    }
    case 'record':
      return { size: type.size, align: type.align };
    case 'void':
      return { size: 1, align: 1 };
    case 'opaque':
      if (type.name === 'ndrange_t') return { size: pointerBytes * 10, align: pointerBytes };
      return { size: pointerBytes, align: pointerBytes };
    case 'pointer':
    case 'function':
    case 'block':
    case 'image':
    case 'pipe':
      return { size: pointerBytes, align: pointerBytes };
    default:
      return unreachable(type, 'type');
  }
}

/**
 * A member of a record's SPIR-V struct: bytes of padding, the field with this index, or numbers of this many bytes, aligned to these,
 * in the place of a field.
 */
export type StructMember =
  | { readonly padding: number }
  | { readonly field: number }
  | { readonly bytes: number; readonly count: number };

export interface StructLayout {
  readonly members: readonly StructMember[];
  /** Field index to member index. */
  readonly memberOf: readonly number[];
  /** The members' offsets differ from those of SPIR-V's own rules, so the struct is decorated CPacked. */
  readonly packed: boolean;
  /** The alignment of the struct by SPIR-V's own rules, which know no attributes. */
  readonly impliedAlign: number;
}

/** Structs of structs are laid out once. */
const known = { 4: new WeakMap<RecordType, StructLayout>(), 8: new WeakMap<RecordType, StructLayout>() };

/**
 * Lays out a record's fields as members of a struct whose members have their natural alignment, or of a packed struct. A
 * union's struct has its most aligned (then largest) field as its only field, and padding up to its size. Where that field has gaps,
 * which constants would lose, numbers are in its place.
 */
export function structLayoutOf(record: RecordType, pointerBytes: 4 | 8): StructLayout {
  const found = known[pointerBytes].get(record);
  if (found) return found;
  invariant(record.fields !== undefined, 'a record is not complete', record.name);
  const made =
    record.tag === 'union' ? unionLayoutOf(record, pointerBytes) : layoutOfStruct(record, pointerBytes);
  known[pointerBytes].set(record, made);
  return made;
}

function layoutOfStruct(record: RecordType, pointerBytes: 4 | 8): StructLayout {
  const fields = record.fields!;
  // A member that attributes align has padding of its own before it: SPIR-V aligns it as its form.
  const layouts = fields.map((field) => ({
    size: layoutOf(field.type.type, pointerBytes).size,
    align: impliedAlignOf(field.type.type, pointerBytes),
  }));
  const naturalAlign = Math.max(1, ...layouts.map(({ align }) => align));
  const packed =
    record.packed ||
    fields.some(({ offset }, i) => offset % layouts[i]!.align !== 0) ||
    record.size % naturalAlign !== 0;
  const members: StructMember[] = [];
  const memberOf: number[] = [];
  let offset = 0;
  for (let i = 0; i < fields.length; i++) {
    const { size, align } = layouts[i]!;
    const natural = packed ? offset : roundUp(offset, align);
    const target = fields[i]!.offset;
    if (target > natural) members.push({ padding: target - offset });
    memberOf.push(members.length);
    members.push({ field: i });
    offset = target + size;
  }
  const end = packed ? offset : roundUp(offset, naturalAlign);
  if (record.size > end) members.push({ padding: record.size - offset });
  return { members, memberOf, packed, impliedAlign: packed ? 1 : naturalAlign };
}

/** The alignment of a type's form in SPIR-V without decorations: its largest member's. */
export function impliedAlignOf(type: Type, pointerBytes: 4 | 8): number {
  if (type.kind === 'array') return impliedAlignOf(type.element.type, pointerBytes);
  if (type.kind !== 'record') return layoutOf(type, pointerBytes).align;
  return structLayoutOf(type, pointerBytes).impliedAlign;
}

function unionLayoutOf(record: RecordType, pointerBytes: 4 | 8): StructLayout {
  let best = -1;
  let layout: Layout = { size: 0, align: 1 };
  record.fields!.forEach((field, i) => {
    const other = layoutOf(field.type.type, pointerBytes);
    if (
      best < 0 ||
      other.align > layout.align ||
      (other.align === layout.align && other.size > layout.size)
    ) {
      best = i;
      layout = other;
    }
  });
  const memberOf = record.fields!.map(() => 0);
  if (best < 0) return { members: [], memberOf, packed: record.packed, impliedAlign: 1 };
  const { type } = record.fields![best]!.type;
  const align = impliedAlignOf(type, pointerBytes);
  const isKept = hasOnlyNumbers(type) && hasGaps(type, pointerBytes) && layout.size > 0;
  const member = isKept ? { bytes: align, count: layout.size / align } : { field: best };
  const padding = record.size > layout.size ? [{ padding: record.size - layout.size }] : [];
  const packed = record.packed || record.size % align !== 0;
  return { members: [member, ...padding], memberOf, packed, impliedAlign: packed ? 1 : align };
}

/** Whether some bytes of a type belong to no number. */
function hasGaps(type: Type, pointerBytes: 4 | 8): boolean {
  if (type.kind === 'vector') return type.count === 3;
  if (type.kind === 'array') return hasGaps(type.element.type, pointerBytes);
  if (type.kind !== 'record') return false;
  if (type.tag === 'union') return false;
  const fields = type.fields ?? [];
  const used = fields.reduce((sum, field) => sum + layoutOf(field.type.type, pointerBytes).size, 0);
  return used < type.size || fields.some((field) => hasGaps(field.type.type, pointerBytes));
}

/** Constants that contain addresses have no bytes. */
function hasOnlyNumbers(type: Type): boolean {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
    case 'enum':
      return true;
    case 'array':
      return hasOnlyNumbers(type.element.type);
    case 'record':
      return (type.fields ?? []).every((field) => hasOnlyNumbers(field.type.type));
    default:
      return false;
  }
}

const roundUp = (value: number, align: number): number => Math.ceil(value / align) * align;
