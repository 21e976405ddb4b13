// SPDX-License-Identifier: MIT
//
// From specifiers and declarators to types.
import type { Location } from '../../diagnostics/diagnostic';
import type { VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { predefinedType } from '../predefined-types';
import {
  type Access,
  type AddressSpace,
  type ArrayType,
  type FunctionType,
  imageOf,
  pointerTo,
  type QualType,
  sameType,
  type Type,
  vectorOf,
} from '../types';
import { evaluateInteger, isIntegerConstantExpression } from './constant-evaluation';
import { type Declared, RecordChecker } from './records';
import { spell } from './spelling';
import { depthOf, TYPE_DEPTH_LIMIT } from './type-depth';
import { isComplete, isInteger, sizeOf, type TypeUse, unspecified } from './type-rules';

export abstract class TypeChecker extends RecordChecker {
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

  /** Parameters that are written as arrays. */
  protected readonly declaredArrays = new WeakMap<Syntax.Declarator, ArrayType>();

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

  protected declared(
    base: TypeUse,
    declarator: Syntax.Declarator,
    isParameter = false,
  ): Declared | undefined {
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
          const { const: isConst, volatile, restrict, space } = part.qualifiers;
          if (!isParameter && (isConst || volatile || restrict || space !== undefined))
            this.reporter.report('array-qualifier', part.location);
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
    if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || type.kind === 'opaque') {
      const allowed = type.kind === 'block' ? false : type.kind === 'opaque' && type.name !== 'sampler_t';
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
    const raw = this.unlessNever(true, expr);
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
    if (result.space !== undefined) {
      this.reporter.report('return-address-space', part.location);
      return undefined;
    }
    // Later parameters may name earlier ones.
    this.symbols.push();
    this.prototypes++;
    const parameters = this.parameterTypes(part.parameters ?? []);
    this.prototypes--;
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
    const use = base && this.declared(base, declarator, true)?.use;
    if (use === undefined) return undefined;
    const { type } = use;
    if (type.kind === 'array') {
      this.declaredArrays.set(declarator, type);
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

const isSampler = (type: Type): boolean => type.kind === 'opaque' && type.name === 'sampler_t';
