// SPDX-License-Identifier: MIT
//
// Attributes of functions and variables (6.11).
import type { Attributes } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { alignAttribute } from './alignment';
import { checkAttributeArguments } from './arguments';
import { type AttributeMeaning, KERNEL_ATTRIBUTES, type OpenAttributes } from './kernel-attributes';
import { checkAttributeSubjects } from './placement';
import type { AttributeSubject } from './subjects';

const NONE: Attributes = {};

/** Reads a declaration's attributes; reports unknown and misplaced ones and those with wrong arguments. */
export function checkAttributes(
  c: Checker,
  list: readonly Syntax.Attribute[],
  subject: AttributeSubject,
): Attributes {
  if (list.length === 0) return NONE;
  checkAttributeSubjects(c, list, subject);
  const open: OpenAttributes = { isKernel: subject === 'kernel', values: {} };
  for (const attribute of list) {
    checkAttributeArguments(c, attribute);
    MEANINGS.get(attribute.name)?.(c, open, attribute);
  }
  const align = alignAttribute(c, list);
  if (align !== undefined) open.values.align = align;
  return open.values;
}

/** Attributes with an effect on compilation; all others are only checked. */
const MEANINGS: ReadonlyMap<string, AttributeMeaning> = new Map<string, AttributeMeaning>([
  ...Object.entries(KERNEL_ATTRIBUTES),
  ['noinline', flag('noinline')],
  ['always_inline', flag('alwaysInline')],
  ['noreturn', flag('noReturn')],
  ['warn_unused_result', flag('mustUse')],
  ['weak', flag('weak')],
  ['const', (_c, { values }) => (values.effect = 'const')],
  ['pure', (_c, { values }) => (values.effect = 'pure')],
  [
    'deprecated',
    (_c, { values }, { arguments: [text] }) => {
      values.deprecated = text?.kind === 'string' ? `: ${new TextDecoder().decode(text.bytes)}` : '';
    },
  ],
  [
    'opencl_unroll_hint',
    (c, _open, { name, location }) => c.reporter.report('attribute-on-declaration', location, { name }),
  ],
  [
    'nosvm',
    (c, _open, { name, location }) => {
      if (c.language.version >= 200) c.reporter.report('attribute-deprecated', location, { name });
      else c.reporter.report('attribute-since', location, { name, version: '2.0' });
    },
  ],
]);

function flag(key: 'noinline' | 'alwaysInline' | 'noReturn' | 'mustUse' | 'weak'): AttributeMeaning {
  return (_c, { values }) => {
    values[key] = true;
  };
}
