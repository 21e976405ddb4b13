// SPDX-License-Identifier: MIT
//
// Type names: specifiers and an abstract declarator.

import type { TypeName } from '../../ast/syntax';
import type { Parser } from '../parser';

export function parseTypeName(p: Parser): TypeName {
  const { location } = p.token;
  const specifiers = p.rules.specifiers(p, 'of a type');
  const declarator = p.rules.declarator(p, 'never');
  return { kind: 'type-name', specifiers, declarator, location, begin: location, end: p.previousEnd };
}
