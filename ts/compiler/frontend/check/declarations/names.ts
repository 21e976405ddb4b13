// SPDX-License-Identifier: MIT
//
// Names that a declaration may not take, and names whose declaration is wrong.
import type { Location } from '../../../diagnostics/diagnostic';
import { predefinedType } from '../../predefined-types';
import type { Checker } from '../checker';

export function declareBroken(c: Checker, name: string | undefined): void {
  if (name !== undefined && c.symbols.values.here(name) === undefined) {
    c.symbols.values.set(name, { kind: 'broken' });
  }
}

/** At file scope a name may not be one that the language gives to a type; reports it if it is. */
export function checkPredefined(c: Checker, name: string, location: Location): boolean {
  if (c.symbols.depth > 0 || predefinedType(name, c.language) === undefined) return false;
  c.reporter.report('redefinition-kind', location, { name });
  return true;
}

/** … nor may a variable be called as a built-in function. */
export function checkBuiltinName(c: Checker, name: string, location: Location): boolean {
  if (c.symbols.depth > 0) return false;
  const resolution = c.resolve(name, [], c.language);
  if (!resolution.ok && resolution.problem === 'unknown') return false;
  c.reporter.report('redefinition-kind', location, { name });
  return true;
}
