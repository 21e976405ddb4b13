// SPDX-License-Identifier: MIT
//
// Structures and unions: their members and layout (6.3, 6.11).
import type { Location } from '../../../diagnostics/diagnostic';
import { note } from '../../../diagnostics/reporter';
import type * as Syntax from '../../ast/syntax';
import type { Field, QualType, RecordType, Type } from '../../types';
import { alignAttribute, checkAlignas } from '../attributes/alignment';
import { checkAttributeSubjects } from '../attributes/placement';
import type { Checker } from '../checker';
import { checkStaticAssert } from '../declarations/static-asserts';
import { observeTag, warnTagInParameters } from './enumerations';
import { checkFieldType } from './fields';
import { alignOfObject, sizeOf } from './layout';
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
  if (name !== undefined) observeTag(c, name, record, fields !== undefined, location);
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
  record.packed = isPacked(spec.attributes);
  const layout = new RecordLayout(record.tag);
  const names: MemberNames = new Map();
  const last = declarations.at(-1);
  for (const declaration of declarations) {
    const isLast = declaration === last;
    const type = checkFieldType(c, declaration, record, isLast, layout.fields.length > 0);
    if (type === 'none') continue;
    if (type === undefined) {
      c.types.brokenRecords.add(record);
      continue;
    }
    if (!isLast) warnFlexible(c, record, type.type, declaration);
    if (c.types.deviceSizedNames.has(declaration.specifiers.spelling)) c.types.deviceSized.add(record);
    if (!declareField(c, names, type.type, declaration)) continue;
    const align = fieldAlignment(c, record, spec.pack, type, declaration);
    const { name, location } = declaration.declarator;
    const field = layout.add(name, type, sizeOf(type.type, c.language), align);
    if (name !== undefined)
      c.observer?.declare(name, { kind: 'field', identity: field, record, type }, location);
  }
  for (const each of spec.asserts) checkStaticAssert(c, each);
  layout.finish(record, alignAttribute(c, spec.attributes) ?? 1);
}

const isPacked = (attributes: readonly Syntax.Attribute[]): boolean =>
  attributes.some(({ name }) => name === 'packed');

/** Places members one after the other, or all at the start of a union (6.3.5). */
class RecordLayout {
  readonly fields: Field[] = [];
  private end = 0;
  private size = 0;
  private align = 1;

  constructor(private readonly tag: RecordType['tag']) {}

  add(name: string | undefined, type: QualType, size: number, align: number): Field {
    const offset = this.tag === 'union' ? 0 : roundUp(this.end, align);
    const field = { name, type, offset, align };
    this.fields.push(field);
    this.end = offset + size;
    this.size = Math.max(this.size, this.end);
    this.align = Math.max(this.align, align);
    return field;
  }

  /** Completes the record. */
  finish(record: RecordType, leastAlign: number): void {
    record.align = Math.max(this.align, leastAlign);
    record.size = roundUp(this.size, record.align);
    record.fields = this.fields;
  }
}

const roundUp = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple;

/** The alignment of a member: that of its type unless the record is packed, but at least that of its own attributes. */
function fieldAlignment(
  c: Checker,
  record: RecordType,
  pack: number | undefined,
  type: QualType,
  { specifiers, attributes }: Syntax.FieldDeclaration,
): number {
  const own = [...specifiers.attributes, ...attributes];
  let align = record.packed || isPacked(own) ? 1 : alignOfObject(type, c.language);
  if (pack !== undefined) align = Math.min(align, pack);
  checkAttributeSubjects(c, own, 'field');
  checkAlignas(c, own, align, type.type);
  return Math.max(align, alignAttribute(c, own) ?? 1);
}

/** Only the last member of a structure may end in an array without a size. */
function warnFlexible(
  c: Checker,
  { tag }: RecordType,
  type: Type,
  { declarator, location }: Syntax.FieldDeclaration,
): void {
  if (tag !== 'struct' || type.kind !== 'record' || !c.types.flexibleRecords.has(type)) return;
  c.reporter.report('flexible-not-last', location, { name: declarator.name ?? '', type: spell(type) });
}

/** Declares a member's name, or those of an anonymous member's members; false, and reported, if the name is taken. */
function declareField(
  c: Checker,
  names: MemberNames,
  type: Type,
  { declarator: { name }, location }: Syntax.FieldDeclaration,
): boolean {
  if (name === undefined) {
    if (type.kind === 'record') declareAnonymousMembers(c, type, names, location);
    return true;
  }
  const before = declareMember(names, name, location);
  if (before === undefined) return true;
  const notes = [note('previous-declaration', before)];
  c.reporter.report('duplicate-member', location, { name }, { notes });
  return false;
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

/** The names of a record's members, and their places. */
type MemberNames = Map<string, Location>;

/** Returns the place of an earlier declaration of the name; otherwise records it. */
function declareMember(names: MemberNames, name: string, location: Location): Location | undefined {
  const before = names.get(name);
  if (before === undefined) names.set(name, location);
  return before;
}
