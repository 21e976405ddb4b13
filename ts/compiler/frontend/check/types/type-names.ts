// SPDX-License-Identifier: MIT
//
// Type names: in casts, compound literals, sizeof.
import type * as Syntax from '../../ast/syntax';
import type { QualType } from '../../types';
import type { Checker } from '../checker';
import { placedIn, type TypeUse } from './type-use';

export function checkTypeUse(c: Checker, name: Syntax.TypeName): TypeUse | undefined {
  const base = c.rules.specifiers(c, name.specifiers);
  return base && c.rules.declarator(c, base, name.declarator)?.use;
}

/** The type of a type name that is used for objects: casts, compound literals, sizeof. */
export function checkTypeName(c: Checker, name: Syntax.TypeName): QualType | undefined {
  const use = checkTypeUse(c, name);
  return use && placedIn(use, 'private');
}
