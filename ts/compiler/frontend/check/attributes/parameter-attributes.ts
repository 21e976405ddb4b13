// SPDX-License-Identifier: MIT
//
// `nonnull` and `format`, which count parameters from 1 on.
import type * as Syntax from '../../ast/syntax';
import type { QualType } from '../../types';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';

/** The kinds of formats that `format` knows. */
const FORMAT_KINDS: ReadonlySet<string> = new Set([
  'printf',
  'scanf',
  'strftime',
  'strfmon',
  'NSString',
  'kprintf',
]);

/** The position among the arguments of `format(kind, string, first)` of the first argument that the format describes. */
const FIRST_OF_FORMAT = 2;

export function checkParameterAttributes(
  c: Checker,
  list: readonly Syntax.Attribute[],
  parameters: readonly QualType[],
): void {
  for (const attribute of list) {
    if (attribute.name === 'nonnull') checkNonnull(c, attribute, parameters);
    else if (attribute.name === 'format') checkFormat(c, attribute, parameters);
  }
}

function checkNonnull(
  c: Checker,
  { name, arguments: args, location }: Syntax.Attribute,
  parameters: readonly QualType[],
): void {
  for (const [i, argument] of args.entries()) {
    const index = checkConstantInteger(c, argument);
    if (index === undefined) continue;
    if (index < 1n || index > BigInt(parameters.length))
      c.reporter.report('attribute-bounds', location, { name, index: i + 1 });
    else if (parameters[Number(index) - 1]!.type.kind !== 'pointer')
      c.reporter.report('nonnull-not-pointer', location);
  }
}

function checkFormat(
  c: Checker,
  { name, arguments: [kindName, ...positions], location }: Syntax.Attribute,
  parameters: readonly QualType[],
): void {
  const kind = kindName?.kind === 'name' ? kindName.name.replace(/^__(.+)__$/, '$1') : '';
  if (!FORMAT_KINDS.has(kind)) {
    c.reporter.report('format-kind', location, { kind });
    return;
  }
  for (const [i, argument] of positions.entries()) {
    const index = checkConstantInteger(c, argument);
    if (index === undefined) continue;
    const place = i + 1;
    // The index of a format's arguments may be 0 (none), or follow all parameters.
    const slack = place === FIRST_OF_FORMAT ? 1n : 0n;
    if (index < 1n - slack || index > BigInt(parameters.length) + slack)
      c.reporter.report('attribute-bounds', location, { name, index: place + 1 });
  }
}
