// SPDX-License-Identifier: MIT
//
// Structures and unions: their members and layout (6.3, 6.11).
import type { Location } from '../../../diagnostics/diagnostic';
import { note } from '../../../diagnostics/reporter';
import type * as Syntax from '../../ast/syntax';
import type { Field, RecordType } from '../../types';
import { alignAttribute, checkAlignas } from '../attributes/alignment';
import { checkAttributeSubjects } from '../attributes/placement';
import type { Checker } from '../checker';
import { checkStaticAssert } from '../declarations/static-asserts';
import { warnTagInParameters } from './enumerations';
import { checkFieldType } from './fields';
import { alignOf, sizeOf } from './layout';
import { spell } from './spelling';
import { type TypeUse, unspecified } from './type-use';

export function checkRecord(c: Checker, spec: Syntax.RecordSpec): TypeUse | undefined {
  const { tag, name, fields, location } = spec;
  let record: RecordType | undefined;
  if (name !== undefined) {
    const found = fields === undefined ? c.symbols.tags.get(name) : c.symbols.tags.here(name);
    if (found !== undefined) {
      if (found.kind !== 'record' || found.tag !== tag) {
        c.reporter.report('tag-kind', location, { name });
        return undefined;
      }
      record = found;
      if (fields !== undefined && record.fields !== undefined) {
        c.reporter.report('redefinition', location, { name });
        return unspecified(record);
      }
    }
  }
  if (record === undefined) {
    record = { kind: 'record', tag, name, fields: undefined, packed: false, size: 0, align: 1 };
    if (name !== undefined) warnTagInParameters(c, tag, name, location);
    if (name !== undefined) c.symbols.tags.set(name, record);
  }
  if (fields !== undefined) defineRecord(c, record, spec, fields);
  return unspecified(record);
}

function defineRecord(
  c: Checker,
  record: RecordType,
  spec: Syntax.RecordSpec,
  declarations: readonly Syntax.FieldDeclaration[],
): void {
  for (const { name, arguments: args, location } of spec.attributes)
    if (name === 'packed' && args.length > 0) c.reporter.report('attribute-no-arguments', location, { name });
  checkAttributeSubjects(c, spec.attributes, 'record');
  record.packed = spec.attributes.some((attribute) => attribute.name === 'packed');
  const fields: Field[] = [];
  const names: MemberNames = new Map();
  let offset = 0;
  let align = 1;
  let size = 0;
  for (const declaration of declarations) {
    const isLast = declaration === declarations.at(-1);
    const type = checkFieldType(c, declaration, record, isLast, fields.length > 0);
    if (type === 'none') continue;
    if (type === undefined) {
      c.types.brokenRecords.add(record);
      continue;
    }
    if (
      !isLast &&
      record.tag === 'struct' &&
      type.type.kind === 'record' &&
      c.types.flexibleRecords.has(type.type)
    ) {
      const args = { name: declaration.declarator.name ?? '', type: spell(type.type) };
      c.reporter.report('flexible-not-last', declaration.location, args);
    }
    if (c.types.deviceSizedNames.has(declaration.specifiers.spelling)) c.types.deviceSized.add(record);
    const { name } = declaration.declarator;
    if (name !== undefined) {
      const before = declareMember(names, name, declaration.location);
      if (before !== undefined) {
        const notes = [note('previous-declaration', before)];
        c.reporter.report('duplicate-member', declaration.location, { name }, { notes });
        continue;
      }
    } else if (type.type.kind === 'record')
      declareAnonymousMembers(c, type.type, names, declaration.location);
    const own = [...declaration.specifiers.attributes, ...declaration.attributes];
    let fieldAlign = alignOf(type.type, c.language);
    if (record.packed || own.some((attribute) => attribute.name === 'packed')) fieldAlign = 1;
    if (spec.pack !== undefined) fieldAlign = Math.min(fieldAlign, spec.pack);
    checkAttributeSubjects(c, own, 'field');
    checkAlignas(c, own, fieldAlign, type.type);
    fieldAlign = Math.max(fieldAlign, alignAttribute(c, own) ?? 1);
    const at = record.tag === 'union' ? 0 : Math.ceil(offset / fieldAlign) * fieldAlign;
    fields.push({ name, type, offset: at });
    offset = at + sizeOf(type.type, c.language);
    size = Math.max(size, offset);
    align = Math.max(align, fieldAlign);
  }
  for (const each of spec.asserts) checkStaticAssert(c, each);
  align = Math.max(align, alignAttribute(c, spec.attributes) ?? 1);
  record.align = align;
  record.size = Math.ceil(size / align) * align;
  record.fields = fields;
}

/** The members of an anonymous member are the record's own. */
function declareAnonymousMembers(
  c: Checker,
  member: RecordType,
  names: MemberNames,
  location: Location,
): void {
  for (const { name, type } of member.fields ?? []) {
    if (name === undefined) {
      if (type.type.kind === 'record') declareAnonymousMembers(c, type.type, names, location);
      continue;
    }
    const before = declareMember(names, name, location);
    if (before === undefined) continue;
    const notes = [note('previous-declaration', before)];
    c.reporter.report('anonymous-redeclares', location, { name, tag: member.tag }, { notes });
  }
}

/** The names of a record's members, and where they are. */
type MemberNames = Map<string, Location>;

/** Where the name was declared before; otherwise it now is. */
function declareMember(names: MemberNames, name: string, location: Location): Location | undefined {
  const before = names.get(name);
  if (before === undefined) names.set(name, location);
  return before;
}
