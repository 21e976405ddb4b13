// SPDX-License-Identifier: MIT
//
// Attributes of functions and variables (6.11).
import type { Attributes } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { type QualType, sameType } from '../../types';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import { underline } from '../extents';
import { checkTypeName } from '../types/type-names';
import { alignAttribute } from './alignment';
import { checkAttributeSubjects, IGNORED } from './placement';
import { type AttributeSubject, attributeRule } from './subjects';

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

type Size3 = readonly [number, number, number];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function checkAttributes(
  c: Checker,
  list: readonly Syntax.Attribute[],
  subject: AttributeSubject,
): Attributes {
  if (list.length === 0) return NONE;
  const isKernel = subject === 'kernel';
  const result: Mutable<Attributes> = {};
  checkAttributeSubjects(c, list, subject);
  for (const attribute of list) {
    const { name, location } = attribute;
    checkAttributeArguments(c, attribute);
    switch (name) {
      case 'reqd_work_group_size':
      case 'work_group_size_hint': {
        const size = workGroupSize(c, attribute);
        if (!isKernel) c.reporter.report('kernel-attribute', location, { name });
        else if (size !== undefined) {
          const before =
            name === 'reqd_work_group_size' ? result.reqdWorkGroupSize : result.workGroupSizeHint;
          if (before !== undefined && before.join() !== size.join()) reportRepeated(c, attribute);
          if (name === 'reqd_work_group_size') result.reqdWorkGroupSize = size;
          else result.workGroupSizeHint = size;
        }
        break;
      }
      case 'vec_type_hint': {
        const type = attribute.type && checkTypeName(c, attribute.type)?.type;
        if (attribute.type === undefined)
          c.reporter.report('attribute-arguments', location, { name, count: 1 });
        else if (!isKernel) c.reporter.report('kernel-attribute', location, { name });
        else if (type !== undefined) {
          if ((type.kind === 'scalar' && type.scalar !== 'bool') || type.kind === 'vector') {
            if (result.vecTypeHint !== undefined && !sameType(result.vecTypeHint, type))
              reportRepeated(c, attribute);
            result.vecTypeHint = type;
          } else c.reporter.report('vec-type-hint', location, {});
        }
        break;
      }
      case 'intel_reqd_sub_group_size': {
        const size = positive(c, attribute, attribute.arguments[0]);
        if (!isKernel) c.reporter.report('kernel-attribute', location, { name });
        else if (size !== undefined) {
          if (result.reqdSubGroupSize !== undefined && result.reqdSubGroupSize !== size)
            reportRepeated(c, attribute);
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
        c.reporter.report('attribute-on-declaration', location, { name });
        break;
      case 'nosvm':
        if (c.language.version < 200) {
          c.reporter.report('attribute-since', location, { name, version: '2.0' });
        } else c.reporter.report('attribute-deprecated', location, { name });
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
  const align = alignAttribute(c, list);
  if (align !== undefined) result.align = align;
  return result;
}

function reportRepeated(c: Checker, { name, location }: Syntax.Attribute): void {
  c.reporter.report('attribute-repeated', location, { name });
}

/** A name may stand first; what follows are expressions. */
function checkAttributeArguments(c: Checker, { name, arguments: args, location }: Syntax.Attribute): void {
  if (WITHOUT_ARGUMENTS.has(name) && args.length > 0)
    c.reporter.report('attribute-no-arguments', location, { name });
  if (name === 'visibility') {
    const [kind] = args;
    if (kind === undefined || args.length > 1)
      c.reporter.report('attribute-arguments', location, { name, count: 1 });
    else if (kind.kind !== 'string') c.reporter.report('attribute-string', location, { name });
    else if (!VISIBILITIES.has(new TextDecoder().decode(kind.bytes))) {
      const value = new TextDecoder().decode(kind.bytes);
      c.reporter.report('attribute-argument', location, { name, value });
    }
  }
  if (name === 'endian' || (!IGNORED.has(name) && attributeRule(name) === undefined))
    for (const argument of args.slice(1)) if (argument.kind === 'name') c.rules.expression(c, argument);
}

/** Attributes that count parameters: from 1 on. */
export function checkParameterAttributes(
  c: Checker,
  list: readonly Syntax.Attribute[],
  parameters: readonly QualType[],
): void {
  for (const { name, arguments: args, location } of list) {
    if (name !== 'nonnull' && name !== 'format') continue;
    const isFormat = name === 'format';
    const kind = args[0]?.kind === 'name' ? args[0].name.replace(/^__(.+)__$/, '$1') : '';
    if (isFormat && !FORMAT_KINDS.has(kind)) {
      c.reporter.report('format-kind', location, { kind });
      continue;
    }
    for (const [i, argument] of args.entries()) {
      if (isFormat && i === 0) continue;
      const index = checkConstantInteger(c, argument);
      if (index === undefined) continue;
      // The arguments of a format may be none of the function's.
      const least = isFormat && i === 2 ? 0n : 1n;
      if (index < least || index > BigInt(parameters.length) + (isFormat && i === 2 ? 1n : 0n))
        c.reporter.report('attribute-bounds', location, { name, index: i + 1 });
      else if (!isFormat && parameters[Number(index) - 1]!.type.kind !== 'pointer')
        c.reporter.report('nonnull-not-pointer', location);
    }
  }
}

function workGroupSize(c: Checker, attribute: Syntax.Attribute): Size3 | undefined {
  const { arguments: args, name, location } = attribute;
  if (args.length !== 3) {
    c.reporter.report('attribute-arguments', location, { name, count: 3 });
    return undefined;
  }
  const x = positive(c, attribute, args[0]);
  const y = positive(c, attribute, args[1]);
  const z = positive(c, attribute, args[2]);
  return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];
}

function positive(
  c: Checker,
  attribute: Syntax.Attribute,
  argument: Syntax.Expr | undefined,
): number | undefined {
  const { name, location } = attribute;
  if (argument === undefined) {
    c.reporter.report('attribute-arguments', location, { name, count: 1 });
    return undefined;
  }
  const value = checkConstantInteger(c, argument);
  if (value === undefined) return undefined;
  if (value > 0n && value <= 0xffffffffn) return Number(value);
  c.reporter.report('attribute-zero', location, { name }, underline(argument));
  return undefined;
}

const NONE: Attributes = {};
