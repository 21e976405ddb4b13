// SPDX-License-Identifier: MIT
//
// Sizes and alignments (6.2.1, 6.3), and which types are complete.
import type { LanguageOptions } from '../../language';
import { scalarSize } from '../../scalars';
import type { QualType, RecordType, Type } from '../../types';

function pointerBytes(language: LanguageOptions): number {
  return language.addressBits / 8;
}

/** Size in bytes; 0 for types without one (incomplete types, functions). */
export function sizeOf(type: Type, language: LanguageOptions): number {
  switch (type.kind) {
    case 'scalar':
      return scalarSize(type.scalar);
    case 'vector':
      return scalarSize(type.element.scalar) * (type.count === 3 ? 4 : type.count);
    case 'array':
      return (type.count ?? 0) * sizeOf(type.element.type, language);
    case 'record':
      return type.size;
    case 'enum':
      return scalarSize(type.underlying.scalar);
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

/** The alignment of objects that are declared so. */
export function alignOfObject(
  { type, align }: Pick<QualType, 'type' | 'align'>,
  language: LanguageOptions,
): number {
  return align ?? alignOf(type, language);
}

export function alignOf(type: Type, language: LanguageOptions): number {
  switch (type.kind) {
    case 'array':
      return alignOfObject(type.element, language);
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

/** A member by name, also inside anonymous records: the path of indices to it. */
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
