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

/** A member of a record's SPIR-V struct: bytes of padding, or the field with this index. */
export type StructMember = { readonly padding: number } | { readonly field: number };

export interface StructLayout {
  readonly members: readonly StructMember[];
  /** Field index to member index. */
  readonly memberOf: readonly number[];
  /** The members' offsets differ from those of SPIR-V's own rules, so the struct is decorated CPacked. */
  readonly packed: boolean;
}

/**
 * Lays out a record's fields as members of a struct whose members have their natural alignment, or of a packed struct. A
 * union's struct has its most aligned (then largest) field as its only field, and padding up to its size.
 */
export function structLayoutOf(record: RecordType, pointerBytes: 4 | 8): StructLayout {
  const fields = record.fields;
  invariant(fields !== undefined, 'a record is not complete', record.name);
  if (record.tag === 'union') return unionLayoutOf(record, pointerBytes);
  const layouts = fields.map((field) => layoutOf(field.type.type, pointerBytes));
  let packed = record.packed;
  let offset = 0;
  let naturalAlign = 1;
  for (let i = 0; i < fields.length && !packed; i++) {
    naturalAlign = Math.max(naturalAlign, layouts[i]!.align);
    if (fields[i]!.offset % layouts[i]!.align !== 0) packed = true;
  }
  if (!packed && record.size % naturalAlign !== 0) packed = true;
  const members: StructMember[] = [];
  const memberOf: number[] = [];
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
  return { members, memberOf, packed };
}

/** The alignment of a type's form in SPIR-V without decorations: its largest member's. */
export function impliedAlignOf(type: Type, pointerBytes: 4 | 8): number {
  if (type.kind === 'array') return impliedAlignOf(type.element.type, pointerBytes);
  if (type.kind !== 'record') return layoutOf(type, pointerBytes).align;
  const { members, packed } = structLayoutOf(type, pointerBytes);
  if (packed) return 1;
  const fields = members.flatMap((member) => ('field' in member ? [type.fields![member.field]!] : []));
  return Math.max(1, ...fields.map((field) => impliedAlignOf(field.type.type, pointerBytes)));
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
  const members: StructMember[] = best < 0 ? [] : [{ field: best }];
  if (record.size > layout.size) members.push({ padding: record.size - layout.size });
  return { members, memberOf: record.fields!.map(() => 0), packed: record.packed };
}

const roundUp = (value: number, align: number): number => Math.ceil(value / align) * align;
