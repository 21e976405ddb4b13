// SPDX-License-Identifier: MIT
//
// Adds qualifiers to a type.
import type { Location } from '../../../diagnostics/diagnostic';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { spell } from './spelling';
import type { TypeUse } from './type-use';

export function applyQualifiers(
  c: Checker,
  use: TypeUse,
  qualifiers: Syntax.Qualifiers,
  location: Location,
): TypeUse | undefined {
  const { const: isConst, volatile, restrict, space } = qualifiers;
  if (!isConst && !volatile && !restrict && space === undefined) return use;
  if (space !== undefined && use.space !== undefined && space !== use.space) {
    c.reporter.report('multiple-address-spaces', qualifiers.spaceLocation);
    return undefined;
  }
  if (restrict && use.type.kind !== 'pointer') {
    c.reporter.report('restrict-requires-pointer', location, { type: spell(use.type) });
  }
  return {
    ...use,
    const: use.const || isConst,
    volatile: use.volatile || volatile,
    restrict: use.restrict || (restrict && use.type.kind === 'pointer'),
    space: space ?? use.space,
  };
}
