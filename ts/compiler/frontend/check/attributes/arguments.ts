// SPDX-License-Identifier: MIT
//
// The arguments of attributes: how many there may be, and of which kind.
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import { underline } from '../extents';
import { IGNORED } from './placement';
import { attributeRule } from './subjects';

/** Attributes without arguments. */
const WITHOUT_ARGUMENTS: ReadonlySet<string> = new Set(
  (
    'always_inline cold const convergent flatten gnu_inline hot malloc ' +
    'may_alias minsize naked no_instrument_function nodebug noduplicate noinline noreturn ' +
    'nothrow optnone overloadable packed pure returns_twice transparent_union unused ' +
    'used weak'
  ).split(' '),
);

const VISIBILITIES: ReadonlySet<string> = new Set(['default', 'hidden', 'internal', 'protected']);

export function checkAttributeArguments(c: Checker, attribute: Syntax.Attribute): void {
  const { name, arguments: args, location } = attribute;
  if (WITHOUT_ARGUMENTS.has(name) && args.length > 0)
    c.reporter.report('attribute-no-arguments', location, { name });
  if (name === 'visibility') checkVisibility(c, attribute);
  // The first argument of an unknown attribute may be any word; the others are expressions.
  if (name === 'endian' || (!IGNORED.has(name) && attributeRule(name) === undefined))
    for (const argument of args.slice(1)) if (argument.kind === 'name') c.rules.expression(c, argument);
}

function checkVisibility(c: Checker, { name, arguments: args, location }: Syntax.Attribute): void {
  const [kind] = args;
  if (kind === undefined || args.length > 1) {
    c.reporter.report('attribute-arguments', location, { name, count: 1 });
    return;
  }
  if (kind.kind !== 'string') {
    c.reporter.report('attribute-string', location, { name });
    return;
  }
  const value = new TextDecoder().decode(kind.bytes);
  if (!VISIBILITIES.has(value)) c.reporter.report('attribute-argument', location, { name, value });
}

/** An argument that must be a positive integer of 32 bits. */
export function positiveArgument(
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
