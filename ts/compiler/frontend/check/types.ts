// SPDX-License-Identifier: MIT
//
// From specifiers and declarators to types.
import type { Location } from '../../diagnostics/diagnostic';
import { note } from '../../diagnostics/reporter';
import type { Expr, VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { predefinedType } from '../predefined-types';
import {
  type Access,
  type AddressSpace,
  type EnumType,
  type Field,
  type FunctionType,
  imageOf,
  pointerTo,
  type QualType,
  type RecordType,
  type ScalarKind,
  sameType,
  scalarOf,
  type Type,
  vectorOf,
} from '../types';
import { evaluate, evaluateInteger, isIntegerConstantExpression } from './constant-evaluation';
import { Conversions } from './conversions';
import { spell } from './spelling';
import { depthOf, TYPE_DEPTH_LIMIT } from './type-depth';
import { alignOf, contains, INT, isComplete, isInteger, sizeOf, type TypeUse } from './type-rules';

const unspecified = (type: Type): TypeUse => ({
  type,
  const: false,
  volatile: false,
  restrict: false,
  space: undefined,
});

/** The type that a declarator declares; undefined if something about it was wrong (and reported). */
export interface Declared {
  readonly use: TypeUse;
  /** The parameters of the outermost function declarator, for a definition. */
  readonly parameters: readonly Syntax.Parameter[] | undefined;
}

export abstract class TypeChecker extends Conversions {
  /** A member's declaration was wrong: what it would be called may be missing. */
  protected readonly brokenRecords = new Set<RecordType>();
  private readonly definedEnums = new Set<EnumType>();
  /** Records that hold a size_t or the like. */
  protected readonly deviceSized = new Set<RecordType>();
  /** `size_t` and its kind, and typedefs of them. */
  protected readonly deviceSizedNames = new Set(['size_t', 'ptrdiff_t', 'intptr_t', 'uintptr_t']);

  protected abstract staticAssert(declaration: Syntax.StaticAssert): void;
  /** The expression's type, without evaluating it. */
  protected abstract typeOfOperand(expr: Syntax.Expr): QualType | undefined;

  // ---- specifiers

  protected baseType(specifiers: Syntax.Specifiers): TypeUse | undefined {
    const base = this.specifiedType(specifiers);
    if (base === undefined) return undefined;
    const vector = this.vectorAttribute(specifiers.attributes, base);
    const use = this.qualify(vector, specifiers.qualifiers, specifiers.location);
    return use && this.numberedSpace(use, specifiers.attributes);
  }

  private specifiedType(specifiers: Syntax.Specifiers): TypeUse | undefined {
    const spec = specifiers.type;
    switch (spec.kind) {
      case 'builtin':
        return this.supported(spec.type, specifiers.location) ? unspecified(spec.type) : undefined;
      case 'typedef':
        return this.typedefAccess(this.typedef(spec.name, specifiers), spec.access, specifiers.location);
      case 'image':
        return this.imageType(spec, specifiers.location);
      case 'pipe': {
        const packet = this.baseType(spec.packet);
        if (packet === undefined) return undefined;
        if (spec.access === 'read_write') {
          this.reporter.report('pipe-read-write', specifiers.location);
          return undefined;
        }
        return unspecified({ kind: 'pipe', packet: packet.type, access: spec.access ?? 'read_only' });
      }
      case 'record':
        return this.record(spec);
      case 'enum':
        return this.enumeration(spec);
      case 'typeof': {
        if (spec.operand.kind === 'type-name') return this.typeUse(spec.operand);
        const object = this.typeOfOperand(spec.operand);
        return object && { ...object, space: undefined };
      }
      case 'auto':
        this.reporter.report('auto-type-without-initializer', specifiers.location);
        return undefined;
      case 'error':
        return undefined;
    }
  }

  private typedef(name: string, specifiers: Syntax.Specifiers): TypeUse | undefined {
    const symbol = this.symbols.values.get(name);
    if (symbol?.kind === 'typedef') return symbol.use;
    if (symbol !== undefined) return undefined;
    const type = predefinedType(name, this.language);
    if (type === undefined || !this.supported(type, specifiers.location)) return undefined;
    return unspecified(type);
  }

  /** An access qualifier before a typedef's name can only say again what the typedef said. */
  private typedefAccess(
    use: TypeUse | undefined,
    access: Access | undefined,
    location: Location,
  ): TypeUse | undefined {
    if (use === undefined || access === undefined) return use;
    const { type } = use;
    if (type.kind !== 'image' && type.kind !== 'pipe') {
      this.reporter.report('access-qualifier-misplaced', location);
    } else if (type.access === access) {
      this.reporter.report('duplicate-specifier', location, { specifier: access });
    } else this.reporter.report('multiple-access-qualifiers', location);
    return use;
  }

  /** Whether the device claims what the type needs. */
  private supported(type: Type, location: Location): boolean {
    const scalar = type.kind === 'vector' ? type.element : type.kind === 'atomic' ? type.value : type;
    if (scalar.kind !== 'scalar') return true;
    if (scalar.scalar === 'double' && !this.hasDouble()) {
      const needs = this.language.version >= 300 ? 'cl_khr_fp64 and __opencl_c_fp64' : 'cl_khr_fp64';
      this.reporter.report('type-requires', location, { type: spell(type), needs });
      return false;
    }
    return true;
  }

  private imageType(spec: Syntax.TypeSpec & { kind: 'image' }, location: Location): TypeUse | undefined {
    const { image, access = 'read_only' } = spec;
    if (access === 'read_write' && this.language.version < 200) {
      this.reporter.report('read-write-image', location, { type: `${image}_t` });
      return undefined;
    }
    const { version } = this.language;
    if (version >= 300 && !this.has('__opencl_c_images')) {
      this.reporter.report('type-requires', location, { type: `${image}_t`, needs: '__opencl_c_images' });
      return undefined;
    }
    const needs3d = version >= 300 ? '__opencl_c_3d_image_writes' : 'cl_khr_3d_image_writes';
    if (image === 'image3d' && access === 'write_only' && version !== 200 && !this.has(needs3d)) {
      this.reporter.report('type-requires', location, { type: 'image3d_t', needs: needs3d });
      return undefined;
    }
    if (image.includes('msaa') && !this.has('cl_khr_gl_msaa_sharing')) {
      this.reporter.report('type-requires', location, {
        type: `${image}_t`,
        needs: 'cl_khr_gl_msaa_sharing',
      });
      return undefined;
    }
    return unspecified(imageOf(image, access));
  }

  protected vectorAttribute(attributes: readonly Syntax.Attribute[], base: TypeUse): TypeUse {
    for (const { name, arguments: args, location } of attributes) {
      if (name !== 'ext_vector_type' && name !== 'vector_size') continue;
      const size = args[0] && this.constantInteger(args[0]);
      if (size === undefined) continue;
      if (base.type.kind !== 'scalar' || base.type.scalar === 'bool') {
        this.reporter.report('vector-element', location, { type: spell(base.type) });
        continue;
      }
      const bytes = sizeOf(base.type, this.language);
      const count = name === 'vector_size' ? Number(size) / bytes : Number(size);
      if (count === 2 || count === 3 || count === 4 || count === 8 || count === 16) {
        return { ...base, type: vectorOf(base.type.scalar, count) };
      }
      this.reporter.report('vector-size', location, { count });
    }
    return base;
  }

  /** `__attribute__((address_space(n)))` with the numbers that SPIR's targets have. */
  private numberedSpace(use: TypeUse, attributes: readonly Syntax.Attribute[]): TypeUse | undefined {
    for (const { name, arguments: args, location } of attributes) {
      if (name !== 'address_space') continue;
      const [argument, more] = args;
      if (argument === undefined || more !== undefined) {
        this.reporter.report('attribute-arguments', location, { name, count: 1 });
        return undefined;
      }
      const value = this.constantInteger(argument);
      if (value === undefined) return undefined;
      const space = SPACE_NUMBERS[Number(value)];
      if (space === undefined || (space === 'generic' && !this.hasGeneric)) {
        this.reporter.report('address-space-number', location, { value });
        return undefined;
      }
      if (use.space !== undefined && use.space !== space) {
        this.reporter.report('multiple-address-spaces', location);
        return undefined;
      }
      return { ...use, space };
    }
    return use;
  }

  private qualify(use: TypeUse, qualifiers: Syntax.Qualifiers, location: Location): TypeUse | undefined {
    const { const: isConst, volatile, restrict, space } = qualifiers;
    if (!isConst && !volatile && !restrict && space === undefined) return use;
    if (space !== undefined && use.space !== undefined && space !== use.space) {
      this.reporter.report('multiple-address-spaces', qualifiers.spaceLocation);
      return undefined;
    }
    if (restrict && use.type.kind !== 'pointer') {
      this.reporter.report('restrict-requires-pointer', location, { type: spell(use.type) });
    }
    return {
      type: use.type,
      const: use.const || isConst,
      volatile: use.volatile || volatile,
      restrict: use.restrict || (restrict && use.type.kind === 'pointer'),
      space: space ?? use.space,
    };
  }

  // ---- declarators

  protected typeUse(name: Syntax.TypeName): TypeUse | undefined {
    const base = this.baseType(name.specifiers);
    return base && this.declared(base, name.declarator)?.use;
  }

  /** The type of a type name where objects are made of it: casts, compound literals, sizeof. */
  protected typeName(name: Syntax.TypeName): QualType | undefined {
    const use = this.typeUse(name);
    return use && this.settle(use, 'private');
  }

  protected declared(base: TypeUse, declarator: Syntax.Declarator): Declared | undefined {
    let use = base;
    let parameters: readonly Syntax.Parameter[] | undefined;
    for (const part of declarator.parts) {
      switch (part.kind) {
        case 'pointer': {
          const pointer = this.pointerPart(use, part);
          if (pointer === undefined) return undefined;
          use = pointer;
          break;
        }
        case 'array': {
          const array = this.arrayPart(use, part);
          if (array === undefined) return undefined;
          use = array;
          break;
        }
        case 'function': {
          const type = this.functionPart(use, part);
          if (type === undefined) return undefined;
          use = unspecified(type);
          ({ parameters } = part);
          break;
        }
        case 'block': {
          if (!this.hasBlocks()) {
            this.reporter.report('blocks-disabled', part.location);
            return undefined;
          }
          if (use.type.kind !== 'function') {
            this.reporter.report('block-pointer-non-function', part.location);
            return undefined;
          }
          if (use.type.variadic) {
            this.reporter.report('variadic-function', part.location);
            return undefined;
          }
          const block = this.qualify(
            unspecified({ kind: 'block', signature: use.type }),
            part.qualifiers,
            part.location,
          );
          if (block === undefined) return undefined;
          use = block;
          break;
        }
      }
    }
    if (declarator.parts.length > 0 && depthOf(use.type) > TYPE_DEPTH_LIMIT) {
      this.reporter.report('type-too-deep', declarator.location, { limit: TYPE_DEPTH_LIMIT });
      return undefined;
    }
    return { use, parameters };
  }

  private pointerPart(
    pointee: TypeUse,
    part: Syntax.DeclaratorPart & { kind: 'pointer' },
  ): TypeUse | undefined {
    const { type } = pointee;
    if (type.kind === 'function' && !this.has('__cl_clang_function_pointers')) {
      this.reporter.report('function-pointer', part.location);
      return undefined;
    }
    if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || isHandle(type)) {
      const allowed = type.kind === 'block' ? false : isHandle(type) && type.name !== 'sampler_t';
      if (!allowed) {
        this.reporter.report('pointer-to-opaque', part.location, { type: spell(type) });
        return undefined;
      }
    }
    const space = pointee.space ?? (type.kind === 'function' ? 'private' : this.defaultPointee);
    if (space === 'generic') this.usesGenericSpace = true;
    return this.qualify(
      unspecified(pointerTo(this.settle(pointee, space), space)),
      part.qualifiers,
      part.location,
    );
  }

  private arrayPart(element: TypeUse, part: Syntax.DeclaratorPart & { kind: 'array' }): TypeUse | undefined {
    const { type } = element;
    if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || isSampler(type)) {
      this.reporter.report('array-of-opaque', part.location, { type: spell(type) });
      return undefined;
    }
    if (type.kind === 'function' || !isComplete(type)) {
      this.reporter.report('array-of-incomplete', part.location, { type: spell(type) });
      return undefined;
    }
    let count: number | undefined;
    if (part.size !== undefined) {
      const size = this.arraySize(part.size);
      if (size === undefined) return undefined;
      count = size;
    }
    const qualified = this.settle(element, element.space ?? 'private');
    return {
      type: { kind: 'array', element: qualified, count },
      const: element.const,
      volatile: element.volatile,
      restrict: false,
      space: element.space,
    };
  }

  private arraySize(expr: Syntax.Expr): number | undefined {
    const raw = this.expression(expr);
    if (raw === undefined) return undefined;
    const value = this.value(raw);
    if (!isInteger(value.type)) {
      this.reporter.report('array-size-type', expr.begin, { type: spell(value.type) }, this.underline(expr));
      return undefined;
    }
    const isConstant = isIntegerConstantExpression(value);
    const size = isConstant
      ? evaluateInteger(value, { language: this.language, readVariables: true })
      : undefined;
    if (size === undefined) {
      this.reporter.report('variable-length-array', expr.begin, {}, this.underline(expr));
      return undefined;
    }
    if (size < 0n) {
      this.reporter.report('array-size-negative', expr.begin, {}, this.underline(expr));
      return undefined;
    }
    if (size > 0x7fffffffffffn) {
      this.reporter.report('array-too-large', expr.begin, { count: size }, this.underline(expr));
      return undefined;
    }
    return Number(size);
  }

  private functionPart(
    result: TypeUse,
    part: Syntax.DeclaratorPart & { kind: 'function' },
  ): FunctionType | undefined {
    const { type } = result;
    if (type.kind === 'array' || type.kind === 'function') {
      const what = type.kind === 'array' ? 'array' : 'function';
      this.reporter.report('function-returning', part.location, { what, type: spell(type) });
      return undefined;
    }
    if (type.kind === 'block') {
      this.reporter.report('returning-block', part.location, { type: spell(type) });
      return undefined;
    }
    if (result.space !== undefined && result.space !== 'private') {
      this.reporter.report('return-address-space', part.location);
      return undefined;
    }
    // Later parameters may name earlier ones.
    this.symbols.push();
    const parameters = this.parameterTypes(part.parameters ?? []);
    this.symbols.pop();
    return parameters && { kind: 'function', result: type, parameters, variadic: part.variadic };
  }

  private parameterTypes(list: readonly Syntax.Parameter[]): QualType[] | undefined {
    const parameters: QualType[] = [];
    for (const parameter of list) {
      const type = this.parameterType(parameter);
      if (type === undefined) return undefined;
      const { name, location } = parameter.declarator;
      if (type.type.kind === 'void') {
        if (list.length === 1 && name === undefined) break;
        this.reporter.report('void-parameter', location);
        return undefined;
      }
      parameters.push(type);
      if (name === undefined) continue;
      const variable: VariableDecl = {
        kind: 'variable',
        name,
        location,
        type,
        storage: 'parameter',
        external: false,
        attributes: {},
        init: undefined,
        typeName: '',
      };
      this.symbols.values.set(name, { kind: 'variable', variable, owner: undefined });
    }
    return parameters;
  }

  /** A parameter's type after its adjustments: arrays become pointers. */
  protected parameterType({ specifiers, declarator }: Syntax.Parameter): QualType | undefined {
    if (specifiers.kernel) this.reporter.report('kernel-not-function', specifiers.location);
    if (specifiers.inline) this.reporter.report('inline-not-function', specifiers.location);
    if (specifiers.storage !== undefined && specifiers.storage !== 'register') {
      this.reporter.report('parameter-storage', specifiers.storageLocation);
    }
    const base = this.baseType(specifiers);
    const use = base && this.declared(base, declarator)?.use;
    if (use === undefined) return undefined;
    const { type } = use;
    if (type.kind === 'array') {
      const space = use.space ?? this.defaultPointee;
      if (space === 'generic') this.usesGenericSpace = true;
      const { const: isConst, volatile, restrict } = arrayQualifiers(declarator);
      const pointer = pointerTo({ ...type.element, space }, space);
      return { type: pointer, const: isConst, volatile, restrict, space: 'private' };
    }
    if (type.kind === 'function') {
      this.reporter.report('function-pointer', declarator.location);
      return undefined;
    }
    if (type.kind === 'block') {
      this.reporter.report('block-parameter', declarator.location, { type: spell(type) });
      return undefined;
    }
    if (use.space !== undefined && use.space !== 'private') {
      this.reporter.report('parameter-address-space', declarator.location);
      return undefined;
    }
    if (type.kind === 'scalar' && type.scalar === 'half' && !this.hasHalf()) {
      this.reporter.report('half-not-allowed', declarator.location, { what: 'parameter' });
      return undefined;
    }
    return this.settle(use, 'private');
  }

  /** The type of an object that lies in `space` if the source does not say where. */
  protected settle(use: TypeUse, space: QualType['space']): QualType {
    return use.space === space ? (use as QualType) : { ...use, space: use.space ?? space };
  }

  // ---- records

  private record(spec: Syntax.RecordSpec): TypeUse | undefined {
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
    record.packed = spec.attributes.some((attribute) => attribute.name === 'packed');
    const fields: Field[] = [];
    const names = new Map<string, Location>();
    let offset = 0;
    let align = 1;
    let size = 0;
    for (const declaration of declarations) {
      const isLast = declaration === declarations.at(-1);
      const type = this.fieldType(declaration, record, isLast, fields.length > 0);
      if (type === undefined) {
        this.brokenRecords.add(record);
        continue;
      }
      if (this.deviceSizedNames.has(declaration.specifiers.spelling)) this.deviceSized.add(record);
      const { name } = declaration.declarator;
      if (name !== undefined) {
        const before = names.get(name);
        if (before !== undefined) {
          const notes = [note('previous-declaration', before)];
          this.reporter.report('duplicate-member', declaration.location, { name }, { notes });
          continue;
        }
        names.set(name, declaration.location);
      }
      const own = [...declaration.specifiers.attributes, ...declaration.attributes];
      let fieldAlign = alignOf(type.type, this.language);
      if (record.packed || own.some((attribute) => attribute.name === 'packed')) fieldAlign = 1;
      if (spec.pack !== undefined) fieldAlign = Math.min(fieldAlign, spec.pack);
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

  private fieldType(
    declaration: Syntax.FieldDeclaration,
    record: RecordType,
    isLast: boolean,
    hasFields: boolean,
  ): QualType | undefined {
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
      this.reporter.report('declares-nothing', location);
      return undefined;
    }
    const use = this.declared(base, declarator)?.use;
    if (use === undefined) return undefined;
    if (use.space !== undefined && use.space !== 'private') {
      this.reporter.report('field-address-space', location);
      return undefined;
    }
    const { type } = use;
    if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || isFieldless(type)) {
      this.reporter.report('field-opaque', location, { type: spell(type) });
      return undefined;
    }
    if (type.kind === 'scalar' && type.scalar === 'half' && !this.hasHalf()) {
      this.reporter.report('half-not-allowed', location, { what: 'field' });
      return undefined;
    }
    if (type.kind === 'array' && type.count === undefined && isLast && record.tag === 'struct') {
      if (hasFields) return this.settle({ ...use, type: { ...type, count: 0 } }, 'private');
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

  protected alignAttribute(attributes: readonly Syntax.Attribute[]): number | undefined {
    let align: number | undefined;
    for (const attribute of attributes) {
      if (attribute.name !== 'aligned') continue;
      const [argument, more] = attribute.arguments;
      if (more !== undefined) {
        this.reporter.report('attribute-too-many', attribute.location, { name: 'aligned', count: 1 });
        continue;
      }
      const value = argument === undefined ? 16n : this.constantInteger(argument);
      if (value === undefined) continue;
      if (value <= 0n || (value & (value - 1n)) !== 0n) {
        this.reporter.report('alignment-not-power', attribute.location);
        continue;
      }
      align = Math.max(align ?? 1, Number(value));
    }
    return align;
  }

  // ---- enums

  private enumeration(spec: Syntax.EnumSpec): TypeUse | undefined {
    const { name, enumerators, location } = spec;
    let type: EnumType | undefined;
    if (name !== undefined) {
      const found = enumerators === undefined ? this.symbols.tags.get(name) : this.symbols.tags.here(name);
      if (found?.kind === 'record') {
        this.reporter.report('tag-kind', location, { name });
        return undefined;
      }
      if (found !== undefined && enumerators !== undefined && this.definedEnums.has(found)) {
        this.reporter.report('redefinition', location, { name });
        return unspecified(found);
      }
      type = found;
    }
    if (type === undefined) {
      type = { kind: 'enum', name, underlying: scalarOf('uint') };
      if (name !== undefined) this.symbols.tags.set(name, type);
    }
    if (enumerators !== undefined) {
      this.definedEnums.add(type);
      if (enumerators.length === 0) this.reporter.report('enum-empty', location);
      this.enumerators(type, enumerators);
    }
    return unspecified(type);
  }

  private enumerators(type: EnumType, enumerators: readonly Syntax.Enumerator[]): void {
    const values = new Map<string, bigint>();
    type.enumerators = values;
    let next = 0n;
    let least = 0n;
    let greatest = 0n;
    for (const enumerator of enumerators) {
      if (enumerator.value !== undefined) next = this.constantInteger(enumerator.value) ?? next;
      values.set(enumerator.name, next);
      if (next < least) least = next;
      if (next > greatest) greatest = next;
      const before = this.symbols.values.here(enumerator.name);
      if (before !== undefined) {
        this.reporter.report('redefinition', enumerator.location, { name: enumerator.name });
      } else {
        const fits = next >= -0x80000000n && next <= 0x7fffffffn;
        const wide = next <= 0xffffffffn && next >= 0n ? scalarOf('uint') : scalarOf('long');
        this.symbols.values.set(enumerator.name, {
          kind: 'enumerator',
          value: next,
          type: fits ? INT : wide,
          location: enumerator.location,
        });
      }
      next++;
    }
    let underlying: ScalarKind = least < 0n ? 'int' : 'uint';
    if (least < -0x80000000n || greatest > (least < 0n ? 0x7fffffffn : 0xffffffffn)) {
      underlying = least < 0n ? 'long' : 'ulong';
    }
    type.underlying = scalarOf(underlying);
  }

  // ---- constants

  /** An integer constant expression's value. Undefined, and reported, for anything else. */
  protected constantInteger(expr: Syntax.Expr): bigint | undefined {
    const raw = this.expression(expr);
    return raw && this.constantValue(this.value(raw), expr);
  }

  protected constantValue(value: Expr, at: Syntax.Expr): bigint | undefined {
    const result = isInteger(value.type)
      ? evaluateInteger(value, { language: this.language, readVariables: true })
      : undefined;
    if (result === undefined) {
      this.reporter.report('not-integer-constant', at.begin, {}, this.underline(at));
    }
    return result;
  }

  protected isConstant(value: Expr): boolean {
    return evaluate(value, { language: this.language, readVariables: true }) !== undefined;
  }

  /** The same type for two declarations of a name. */
  protected sameUse(a: TypeUse, b: TypeUse): boolean {
    return sameType(a.type, b.type) && a.const === b.const && a.volatile === b.volatile;
  }
}

const SPACE_NUMBERS: readonly AddressSpace[] = ['private', 'global', 'constant', 'local', 'generic'];

/** `int a[const]`: what the pointer that the array becomes is qualified with. */
function arrayQualifiers({ parts }: Syntax.Declarator): {
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
} {
  const outermost = parts.at(-1);
  return outermost?.kind === 'array'
    ? outermost.qualifiers
    : { const: false, volatile: false, restrict: false };
}

const isHandle = (type: Type): type is Type & { kind: 'opaque' } => type.kind === 'opaque';
/** The handles that no record may hold (6.11): of device-side enqueue and of pipes they may. */
const isFieldless = (type: Type): boolean => isHandle(type) && /^(?:sampler|event)_t$/.test(type.name);
const isSampler = (type: Type): boolean => isHandle(type) && type.name === 'sampler_t';
