// SPDX-License-Identifier: MIT
//
// Attributes of functions and variables (6.11).
import type { Attributes } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { QualType } from '../types';
import { StatementChecker } from './statements';

/** Attributes that are read elsewhere, or that change nothing here. */
const IGNORED: ReadonlySet<string> = new Set([
  'packed',
  'aligned',
  'endian',
  'unused',
  'used',
  'overloadable',
  'may_alias',
  'cold',
  'hot',
  'format',
  'malloc',
  'nothrow',
  'deprecated',
  'section',
  'convergent',
  'noduplicate',
  'visibility',
  'flatten',
  'optnone',
  'minsize',
  'mode',
  'ext_vector_type',
  'vector_size',
  'annotate',
  'artificial',
  'gnu_inline',
  'nonnull',
  'noreturn',
  'transparent_union',
  'nodebug',
  'enable_if',
  'unavailable',
  'max_work_group_size',
  'amdgpu_flat_work_group_size',
  'amdgpu_waves_per_eu',
  'address_space',
  'opencl_global',
  'opencl_local',
  'opencl_constant',
  'opencl_private',
  'opencl_generic',
  'no_sanitize',
  'xcl_pipeline_loop',
  'reqd_pipe_depth',
]);

/** The functions whose formats `format` knows. */
const FORMAT_KINDS: ReadonlySet<string> = new Set([
  'printf',
  'scanf',
  'strftime',
  'strfmon',
  'NSString',
  'kprintf',
]);

type Size3 = readonly [number, number, number];
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const isOverloadable = (attributes: readonly Syntax.Attribute[]): boolean =>
  attributes.some((attribute) => attribute.name === 'overloadable');

export abstract class AttributeChecker extends StatementChecker {
  protected attributes(list: readonly Syntax.Attribute[], isKernel: boolean): Attributes {
    if (list.length === 0) return NONE;
    const result: Mutable<Attributes> = {};
    for (const attribute of list) {
      const { name, location } = attribute;
      this.attributeArguments(attribute);
      switch (name) {
        case 'reqd_work_group_size':
        case 'work_group_size_hint': {
          const size = this.workGroupSize(attribute);
          if (!isKernel) this.reporter.report('kernel-attribute', location, { name });
          else if (size !== undefined) {
            if (name === 'reqd_work_group_size') result.reqdWorkGroupSize = size;
            else result.workGroupSizeHint = size;
          }
          break;
        }
        case 'vec_type_hint': {
          const type = attribute.type && this.typeName(attribute.type)?.type;
          if (attribute.type === undefined)
            this.reporter.report('attribute-arguments', location, { name, count: 1 });
          else if (!isKernel) this.reporter.report('kernel-attribute', location, { name });
          else if (type !== undefined) {
            if ((type.kind === 'scalar' && type.scalar !== 'bool') || type.kind === 'vector')
              result.vecTypeHint = type;
            else this.reporter.report('vec-type-hint', location, {});
          }
          break;
        }
        case 'intel_reqd_sub_group_size': {
          const size = this.positive(attribute, attribute.arguments[0]);
          if (!isKernel) this.reporter.report('kernel-attribute', location, { name });
          else if (size !== undefined) result.reqdSubGroupSize = size;
          break;
        }
        case 'noinline':
          result.noinline = true;
          break;
        case 'always_inline':
          result.alwaysInline = true;
          break;
        case 'opencl_unroll_hint':
          this.reporter.report('attribute-on-declaration', location, { name });
          break;
        case 'nosvm':
          if (this.language.version < 200) {
            this.reporter.report('attribute-since', location, { name, version: '2.0' });
          }
          break;
        case 'const':
        case 'pure':
          result.effect = name;
          break;
        case 'warn_unused_result':
          result.mustUse = true;
          break;
        case 'weak':
          result.weak = true;
          break;
        default:
          if (!IGNORED.has(name)) this.reporter.report('unknown-attribute', location, { name });
      }
    }
    const align = this.alignAttribute(list);
    if (align !== undefined) result.align = align;
    return result;
  }

  /** A name may stand first; what follows are expressions. */
  private attributeArguments({ name, arguments: args, location }: Syntax.Attribute): void {
    if (name === 'packed' && args.length > 0)
      this.reporter.report('attribute-no-arguments', location, { name });
    if (!IGNORED.has(name) || name === 'endian')
      for (const argument of args.slice(1)) if (argument.kind === 'name') this.expression(argument);
  }

  /** Attributes that count parameters: from 1 on. */
  protected parameterAttributes(list: readonly Syntax.Attribute[], parameters: readonly QualType[]): void {
    for (const { name, arguments: args, location } of list) {
      if (name !== 'nonnull' && name !== 'format') continue;
      const isFormat = name === 'format';
      const kind = args[0]?.kind === 'name' ? args[0].name.replace(/^__(.+)__$/, '$1') : '';
      if (isFormat && !FORMAT_KINDS.has(kind)) {
        this.reporter.report('format-kind', location, { kind });
        continue;
      }
      for (const [i, argument] of args.entries()) {
        if (isFormat && i === 0) continue;
        const index = this.constantInteger(argument);
        if (index === undefined) continue;
        // The arguments of a format may be none of the function's.
        const least = isFormat && i === 2 ? 0n : 1n;
        if (index < least || index > BigInt(parameters.length) + (isFormat && i === 2 ? 1n : 0n))
          this.reporter.report('attribute-bounds', location, { name, index: i + 1 });
        else if (!isFormat && parameters[Number(index) - 1]!.type.kind !== 'pointer')
          this.reporter.report('nonnull-not-pointer', location);
      }
    }
  }

  private workGroupSize(attribute: Syntax.Attribute): Size3 | undefined {
    const { arguments: args, name, location } = attribute;
    if (args.length !== 3) {
      this.reporter.report('attribute-arguments', location, { name, count: 3 });
      return undefined;
    }
    const x = this.positive(attribute, args[0]);
    const y = this.positive(attribute, args[1]);
    const z = this.positive(attribute, args[2]);
    return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];
  }

  private positive(attribute: Syntax.Attribute, argument: Syntax.Expr | undefined): number | undefined {
    const { name, location } = attribute;
    if (argument === undefined) {
      this.reporter.report('attribute-arguments', location, { name, count: 1 });
      return undefined;
    }
    const value = this.constantInteger(argument);
    if (value === undefined) return undefined;
    if (value > 0n && value <= 0xffffffffn) return Number(value);
    this.reporter.report('attribute-zero', location, { name }, this.underline(argument));
    return undefined;
  }
}

const NONE: Attributes = {};
