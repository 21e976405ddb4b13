// SPDX-License-Identifier: MIT
//
// Attributes of functions and variables (6.11).
import type { Attributes } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { type QualType, sameType } from '../types';
import { type AttributeSubject, attributeRule } from './attribute-subjects';
import { BlockChecker } from './blocks';

/** Attributes that may stand anywhere, or whose place is judged where they are read. */
const IGNORED: ReadonlySet<string> = new Set([
  'aligned',
  'endian',
  'unused',
  'may_alias',
  'deprecated',
  'vector_size',
  'annotate',
  'enable_if',
  'unavailable',
  'max_work_group_size',
  'address_space',
  'opencl_global',
  'opencl_local',
  'opencl_constant',
  'opencl_private',
  'opencl_generic',
  'xcl_pipeline_loop',
  'reqd_pipe_depth',
  'reqd_work_group_size',
  'work_group_size_hint',
  'vec_type_hint',
  'intel_reqd_sub_group_size',
  'opencl_unroll_hint',
  'const',
  'pure',
  'fallthrough',
  'selectany',
  'availability',
  'unroll',
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

/** Attributes that say all with their name. */
const WITHOUT_ARGUMENTS: ReadonlySet<string> = new Set(
  (
    'always_inline cold const convergent flatten gnu_inline hot malloc ' +
    'may_alias minsize naked no_instrument_function nodebug noduplicate noinline noreturn ' +
    'nothrow optnone overloadable packed pure returns_twice transparent_union unused ' +
    'used weak'
  ).split(' '),
);

const VISIBILITIES: ReadonlySet<string> = new Set(['default', 'hidden', 'internal', 'protected']);
const OF_KERNELS: ReadonlySet<string> = new Set([
  'reqd_work_group_size',
  'work_group_size_hint',
  'vec_type_hint',
  'intel_reqd_sub_group_size',
]);

type Size3 = readonly [number, number, number];
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const isOverloadable = (attributes: readonly Syntax.Attribute[]): boolean =>
  attributes.some((attribute) => attribute.name === 'overloadable');

export abstract class AttributeChecker extends BlockChecker {
  protected attributes(list: readonly Syntax.Attribute[], subject: AttributeSubject): Attributes {
    if (list.length === 0) return NONE;
    const isKernel = subject === 'kernel';
    const result: Mutable<Attributes> = {};
    this.attributeSubjects(list, subject);
    for (const attribute of list) {
      const { name, location } = attribute;
      this.attributeArguments(attribute);
      switch (name) {
        case 'reqd_work_group_size':
        case 'work_group_size_hint': {
          const size = this.workGroupSize(attribute);
          if (!isKernel) this.reporter.report('kernel-attribute', location, { name });
          else if (size !== undefined) {
            const before =
              name === 'reqd_work_group_size' ? result.reqdWorkGroupSize : result.workGroupSizeHint;
            if (before !== undefined && before.join() !== size.join()) this.repeated(attribute);
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
            if ((type.kind === 'scalar' && type.scalar !== 'bool') || type.kind === 'vector') {
              if (result.vecTypeHint !== undefined && !sameType(result.vecTypeHint, type))
                this.repeated(attribute);
              result.vecTypeHint = type;
            } else this.reporter.report('vec-type-hint', location, {});
          }
          break;
        }
        case 'intel_reqd_sub_group_size': {
          const size = this.positive(attribute, attribute.arguments[0]);
          if (!isKernel) this.reporter.report('kernel-attribute', location, { name });
          else if (size !== undefined) {
            if (result.reqdSubGroupSize !== undefined && result.reqdSubGroupSize !== size)
              this.repeated(attribute);
            result.reqdSubGroupSize = size;
          }
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
          } else this.reporter.report('attribute-deprecated', location, { name });
          break;
        case 'const':
        case 'pure':
          result.effect = name;
          break;
        case 'deprecated': {
          const [text] = attribute.arguments;
          result.deprecated = text?.kind === 'string' ? `: ${new TextDecoder().decode(text.bytes)}` : '';
          break;
        }
        case 'noreturn':
          result.noReturn = true;
          break;
        case 'warn_unused_result':
          result.mustUse = true;
          break;
        case 'weak':
          result.weak = true;
          break;
      }
    }
    const align = this.alignAttribute(list);
    if (align !== undefined) result.align = align;
    return result;
  }

  private repeated({ name, location }: Syntax.Attribute): void {
    this.reporter.report('attribute-repeated', location, { name });
  }

  /** Whether the attributes are known, and may stand there. */
  protected attributeSubjects(list: readonly Syntax.Attribute[], subject: AttributeSubject): void {
    for (const { name, location } of list) {
      const rule = attributeRule(name);
      const isType =
        subject === 'typedef' || subject === 'record' || subject === 'field' || subject === 'enum';
      if (isType && OF_KERNELS.has(name)) {
        this.reporter.report('attribute-subject', location, { name, appliesTo: 'functions' });
      } else if (rule === undefined) {
        if (!IGNORED.has(name)) this.reporter.report('unknown-attribute', location, { name });
      } else if (!rule.subjects.includes(subject)) {
        const { appliesTo, isError } = rule;
        if (appliesTo === undefined) this.reporter.report('attribute-ignored', location, { name });
        else if (isError) this.reporter.report('attribute-subject', location, { name, appliesTo });
        else this.reporter.report('attribute-off-subject', location, { name, appliesTo });
      }
    }
  }

  /** A name may stand first; what follows are expressions. */
  private attributeArguments({ name, arguments: args, location }: Syntax.Attribute): void {
    if (WITHOUT_ARGUMENTS.has(name) && args.length > 0)
      this.reporter.report('attribute-no-arguments', location, { name });
    if (name === 'visibility') {
      const [kind] = args;
      if (kind === undefined || args.length > 1)
        this.reporter.report('attribute-arguments', location, { name, count: 1 });
      else if (kind.kind !== 'string') this.reporter.report('attribute-string', location, { name });
      else if (!VISIBILITIES.has(new TextDecoder().decode(kind.bytes))) {
        const value = new TextDecoder().decode(kind.bytes);
        this.reporter.report('attribute-argument', location, { name, value });
      }
    }
    if (name === 'endian' || (!IGNORED.has(name) && attributeRule(name) === undefined))
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
