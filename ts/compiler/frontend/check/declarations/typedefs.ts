// SPDX-License-Identifier: MIT
//
// Typedefs.
import { note } from '../../../diagnostics/reporter';
import type * as Syntax from '../../ast/syntax';
import { predefinedType } from '../../predefined-types';
import { sameType } from '../../types';
import { alignAttribute } from '../attributes/alignment';
import { checkAttributeSubjects } from '../attributes/placement';
import type { Checker } from '../checker';
import { spell } from '../types/spelling';
import { applyVectorAttribute } from '../types/type-attributes';
import { sameUse, type TypeUse } from '../types/type-use';

export function checkTypedef(
  c: Checker,
  name: string,
  declared: TypeUse,
  init: Syntax.InitDeclarator,
  specifiers: Syntax.Specifiers,
): void {
  const { location } = init.declarator;
  const align = alignAttribute(c, [...specifiers.attributes, ...init.attributes]);
  const vector = vectorOfAttributes(c, init, declared);
  const use = align === undefined ? vector : { ...vector, align };
  const predefined = c.symbols.depth === 0 ? predefinedType(name, c.language) : undefined;
  if (predefined !== undefined && !sameType(predefined, use.type)) {
    const types = { name, type: spell(use.type), before: spell(predefined) };
    c.reporter.report('typedef-redefinition', location, types);
    return;
  }
  if (init.init !== undefined) c.reporter.report('typedef-initializer', location);
  const before = c.symbols.values.here(name);
  if (before !== undefined) {
    if (before.kind === 'broken') return;
    if (before.kind !== 'typedef') c.reporter.report('redefinition-kind', location, { name });
    else if (!sameUse(before.use, use)) {
      const types = { name, type: spell(use.type), before: spell(before.use.type) };
      const notes = [note('previous-definition', before.location)];
      c.reporter.report('typedef-redefinition', location, types, { notes });
    } else {
      c.reporter.report('typedef-again', location, { name });
    }
    return;
  }
  checkAttributeSubjects(c, init.attributes, 'typedef');
  const symbol = { kind: 'typedef', use, location } as const;
  c.symbols.values.set(name, symbol);
  c.observer?.declare(name, { kind: 'typedef', identity: symbol, type: use.type }, location);
}

export function vectorOfAttributes(c: Checker, init: Syntax.InitDeclarator, use: TypeUse): TypeUse {
  return init.attributes.length === 0 ? use : applyVectorAttribute(c, init.attributes, use);
}
