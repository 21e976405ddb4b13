// SPDX-License-Identifier: MIT
//
// The part of a function's declaration before its body.
import type * as Syntax from '../../ast/syntax';
import type { FunctionType } from '../../types';
import type { Checker } from '../checker';
import { contains } from '../types/predicates';
import { spell } from '../types/spelling';
import type { TypeUse } from '../types/type-use';

export interface FunctionHead {
  readonly specifiers: Syntax.Specifiers;
  readonly declarator: Syntax.Declarator;
  readonly attributes: readonly Syntax.Attribute[];
  readonly type: FunctionType;
  readonly parameters: readonly Syntax.Parameter[];
  readonly isDefinition: boolean;
}

export function checkFunctionHead(
  c: Checker,
  specifiers: Syntax.Specifiers,
  declarator: Syntax.Declarator,
  attributes: readonly Syntax.Attribute[],
  base: TypeUse,
  isDefinition: boolean,
): FunctionHead | undefined {
  const declared = c.rules.declarator(c, base, declarator);
  const type = declared?.use.type;
  if (declared === undefined || type?.kind !== 'function') return undefined;
  if (type.variadic) {
    // A program may declare printf, which is predefined.
    if (declarator.name === 'printf' && !isDefinition) return undefined;
    c.reporter.report('variadic-function', declarator.location);
    return undefined;
  }
  if (type.result.kind === 'scalar' && type.result.scalar === 'half' && !c.hasHalf) {
    c.reporter.report('half-not-allowed', declarator.location, { what: 'function return value' });
    return undefined;
  }
  if (
    contains(
      type.result,
      (each) =>
        each.kind === 'image' ||
        each.kind === 'pipe' ||
        (each.kind === 'opaque' && each.name === 'sampler_t'),
    )
  ) {
    c.reporter.report('opaque-result', declarator.location, { type: spell(type.result) });
    return undefined;
  }
  const all = [...specifiers.attributes, ...attributes];
  const parameters = type.parameters.length === 0 ? [] : (declared.parameters ?? []);
  return {
    specifiers,
    declarator,
    attributes: all,
    type,
    parameters,
    isDefinition,
  };
}
