// SPDX-License-Identifier: MIT
//
// Structures and unions: their members and layout (6.3, 6.11).
import type { Location } from '../../diagnostics/diagnostic';
import { note } from '../../diagnostics/reporter';
import type * as Syntax from '../ast/syntax';
import type { Field, QualType, RecordType, Type } from '../types';
import type { AttributeSubject } from './attribute-subjects';
import { EnumerationChecker } from './enumerations';
import { spell } from './spelling';
import { depthOf, TYPE_DEPTH_LIMIT } from './type-depth';
import { alignOf, contains, isComplete, isInteger, sizeOf, type TypeUse, unspecified } from './type-rules';

/** The type that a declarator declares; undefined if something about it was wrong (and reported). */
export interface Declared {
  readonly use: TypeUse;
  /** The parameters of the outermost function declarator, for a definition. */
  readonly parameters: readonly Syntax.Parameter[] | undefined;
}

export abstract class RecordChecker extends EnumerationChecker {
  /** A member's declaration was wrong: what it would be called may be missing. */
  protected readonly brokenRecords = new Set<RecordType>();
  /** Records whose last member is an array without a size. */
  private readonly flexibleRecords = new Set<RecordType>();
  /** Records that hold a size_t or the like. */
  protected readonly deviceSized = new Set<RecordType>();
  /** `size_t` and its kind, and typedefs of them. */
  protected readonly deviceSizedNames = new Set(['size_t', 'ptrdiff_t', 'intptr_t', 'uintptr_t']);

  protected abstract attributeSubjects(list: readonly Syntax.Attribute[], subject: AttributeSubject): void;
  protected abstract staticAssert(declaration: Syntax.StaticAssert): void;
  protected abstract declared(base: TypeUse, declarator: Syntax.Declarator): Declared | undefined;
  protected abstract settle(use: TypeUse, space: QualType['space']): QualType;

  protected record(spec: Syntax.RecordSpec): TypeUse | undefined {
    const { tag, name, fields, location } = spec;
    let record: RecordType | undefined;
    if (name !== undefined) {
      const found = fields === undefined ? this.symbols.tags.get(name) : this.symbols.tags.here(name);
      if (found !== undefined) {
        if (found.kind !== 'record' || found.tag !== tag) {
          this.reporter.report('tag-kind', location, { name });
          return undefined;
        }
        record = found;
        if (fields !== undefined && record.fields !== undefined) {
          this.reporter.report('redefinition', location, { name });
          return unspecified(record);
        }
      }
    }
    if (record === undefined) {
      record = { kind: 'record', tag, name, fields: undefined, packed: false, size: 0, align: 1 };
      if (name !== undefined) this.warnInvisible(tag, name, location);
      if (name !== undefined) this.symbols.tags.set(name, record);
    }
    if (fields !== undefined) this.defineRecord(record, spec, fields);
    return unspecified(record);
  }

  private defineRecord(
    record: RecordType,
    spec: Syntax.RecordSpec,
    declarations: readonly Syntax.FieldDeclaration[],
  ): void {
    for (const { name, arguments: args, location } of spec.attributes)
      if (name === 'packed' && args.length > 0)
        this.reporter.report('attribute-no-arguments', location, { name });
    this.attributeSubjects(spec.attributes, 'record');
    record.packed = spec.attributes.some((attribute) => attribute.name === 'packed');
    const fields: Field[] = [];
    const names: MemberNames = new Map();
    let offset = 0;
    let align = 1;
    let size = 0;
    for (const declaration of declarations) {
      const isLast = declaration === declarations.at(-1);
      const type = this.fieldType(declaration, record, isLast, fields.length > 0);
      if (type === 'none') continue;
      if (type === undefined) {
        this.brokenRecords.add(record);
        continue;
      }
      if (
        !isLast &&
        record.tag === 'struct' &&
        type.type.kind === 'record' &&
        this.flexibleRecords.has(type.type)
      ) {
        const args = { name: declaration.declarator.name ?? '', type: spell(type.type) };
        this.reporter.report('flexible-not-last', declaration.location, args);
      }
      if (this.deviceSizedNames.has(declaration.specifiers.spelling)) this.deviceSized.add(record);
      const { name } = declaration.declarator;
      if (name !== undefined) {
        const before = declareMember(names, name, declaration.location);
        if (before !== undefined) {
          const notes = [note('previous-declaration', before)];
          this.reporter.report('duplicate-member', declaration.location, { name }, { notes });
          continue;
        }
      } else if (type.type.kind === 'record') this.anonymousNames(type.type, names, declaration.location);
      const own = [...declaration.specifiers.attributes, ...declaration.attributes];
      let fieldAlign = alignOf(type.type, this.language);
      if (record.packed || own.some((attribute) => attribute.name === 'packed')) fieldAlign = 1;
      if (spec.pack !== undefined) fieldAlign = Math.min(fieldAlign, spec.pack);
      this.attributeSubjects(own, 'field');
      this.checkAlignas(own, fieldAlign, type.type);
      fieldAlign = Math.max(fieldAlign, this.alignAttribute(own) ?? 1);
      const at = record.tag === 'union' ? 0 : Math.ceil(offset / fieldAlign) * fieldAlign;
      fields.push({ name, type, offset: at });
      offset = at + sizeOf(type.type, this.language);
      size = Math.max(size, offset);
      align = Math.max(align, fieldAlign);
    }
    for (const each of spec.asserts) this.staticAssert(each);
    align = Math.max(align, this.alignAttribute(spec.attributes) ?? 1);
    record.align = align;
    record.size = Math.ceil(size / align) * align;
    record.fields = fields;
  }

  /** The members of an anonymous member are the record's own. */
  private anonymousNames(member: RecordType, names: MemberNames, location: Location): void {
    for (const { name, type } of member.fields ?? []) {
      if (name === undefined) {
        if (type.type.kind === 'record') this.anonymousNames(type.type, names, location);
        continue;
      }
      const before = declareMember(names, name, location);
      if (before === undefined) continue;
      const notes = [note('previous-declaration', before)];
      this.reporter.report('anonymous-redeclares', location, { name, tag: member.tag }, { notes });
    }
  }

  /** `none` if it declares nothing; undefined, and reported, if it is wrong. */
  private fieldType(
    declaration: Syntax.FieldDeclaration,
    record: RecordType,
    isLast: boolean,
    hasFields: boolean,
  ): QualType | 'none' | undefined {
    const { specifiers, declarator, location } = declaration;
    const base = this.baseType(specifiers);
    if (base === undefined) return undefined;
    if (declaration.bitField !== undefined) {
      this.reporter.report('bit-field', location);
      return undefined;
    }
    if (declarator.name === undefined && declarator.parts.length === 0) {
      if (base.type.kind === 'record' && specifiers.type.kind === 'record' && base.type.name === undefined) {
        return this.settle(base, 'private');
      }
      const declares = specifiers.type.kind === 'enum' && specifiers.type.enumerators !== undefined;
      if (!declares) this.reporter.report('declares-nothing', location);
      return 'none';
    }
    const use = this.declared(base, declarator)?.use;
    if (use === undefined) return undefined;
    if (specifiers.kernel) this.reporter.report('kernel-not-function', specifiers.location);
    if (use.space !== undefined) {
      this.reporter.report('field-address-space', location);
      return undefined;
    }
    const { type } = use;
    if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || isFieldless(type)) {
      this.reporter.report('field-opaque', location, { type: spell(type) });
      return undefined;
    }
    if (type.kind === 'array' && type.count === undefined && isLast && record.tag === 'struct') {
      if (hasFields) {
        this.flexibleRecords.add(record);
        return this.settle({ ...use, type: { ...type, count: 0 } }, 'private');
      }
      this.reporter.report('flexible-array-alone', location, { name: declarator.name ?? '' });
      return undefined;
    }
    if (type.kind === 'array' && type.count === undefined) {
      this.reporter.report('flexible-array', location);
      return undefined;
    }
    if (depthOf(type) >= TYPE_DEPTH_LIMIT) {
      this.reporter.report('type-too-deep', declarator.location, { limit: TYPE_DEPTH_LIMIT });
      return undefined;
    }
    if (!isComplete(type) || contains(type, (each) => each === record)) {
      this.reporter.report('field-incomplete', location, {
        name: declarator.name ?? '',
        type: spell(type),
      });
      return undefined;
    }
    return this.settle(use, 'private');
  }

  /** `_Alignas` may only make stricter. */
  protected checkAlignas(attributes: readonly Syntax.Attribute[], least: number, type: Type): void {
    const first = attributes.find(({ isAlignas }) => isAlignas);
    if (first === undefined) return;
    // The strictest counts.
    const align = this.alignAttribute(attributes);
    if (align !== undefined && align < least)
      this.reporter.report('alignment-too-small', first.location, { least, type: spell(type) });
  }

  protected alignAttribute(attributes: readonly Syntax.Attribute[]): number | undefined {
    let align: number | undefined;
    for (const attribute of attributes) {
      if (attribute.name !== 'aligned') continue;
      const [argument, more] = attribute.arguments;
      if (more !== undefined) {
        this.reporter.report('attribute-too-many', attribute.location, { name: 'aligned', count: 1 });
        continue;
      }
      const value = argument === undefined ? 16n : this.alignment(argument, attribute);
      if (value === undefined || (attribute.isAlignas && value === 0n)) continue;
      if (value <= 0n || (value & (value - 1n)) !== 0n) {
        this.reporter.report('alignment-not-power', attribute.location);
        continue;
      }
      align = Math.max(align ?? 1, Number(value));
    }
    return align;
  }

  private alignment(argument: Syntax.Expr, { isAlignas, location }: Syntax.Attribute): bigint | undefined {
    const raw = this.expression(argument);
    if (raw === undefined || isAlignas || isInteger(this.value(raw).type))
      return raw && this.constantValue(this.value(raw), argument);
    this.reporter.report('attribute-integer', location, { name: 'aligned' });
    return undefined;
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

/** The handles that no record may hold (6.11): of device-side enqueue and of pipes they may. */
const isFieldless = (type: Type): boolean =>
  type.kind === 'opaque' && /^(?:sampler|event)_t$/.test(type.name);
