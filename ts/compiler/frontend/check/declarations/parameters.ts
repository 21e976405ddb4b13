// SPDX-License-Identifier: MIT
//
// Parameters as variables.
import { note } from '../../../diagnostics/reporter';
import type { VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { FunctionType, QualType } from '../../types';
import { checkAttributes } from '../attributes/attributes';
import type { Checker } from '../checker';
import type { OpenFunction } from '../open-function';
import { isComplete } from '../types/layout';
import { spell } from '../types/spelling';

export function parameterVariables(
  c: Checker,
  parameters: readonly Syntax.Parameter[],
  type: FunctionType,
): VariableDecl[] {
  return type.parameters.map((parameterType, i) => {
    const parameter = parameters[i];
    // A function declared by a typedef has no names for its parameters.
    if (parameter === undefined) return anonymousParameter(parameterType);
    const { specifiers, declarator } = parameter;
    const stars = declarator.parts.filter((part) => part.kind === 'pointer' || part.kind === 'array').length;
    const variable: VariableDecl = {
      kind: 'variable',
      name: declarator.name ?? '',
      location: declarator.location,
      type: parameterType,
      storage: 'parameter',
      external: false,
      attributes: checkAttributes(c, [...specifiers.attributes, ...parameter.attributes], 'parameter'),
      init: undefined,
      typeName: specifiers.spelling + '*'.repeat(stars),
    };
    const array = c.facts.declaredArrays.get(declarator);
    if (array !== undefined) c.facts.arrayParameters.set(variable, array);
    return variable;
  });
}

export function declareParameters(
  c: Checker,
  parameters: readonly Syntax.Parameter[],
  type: FunctionType,
  current: OpenFunction,
): VariableDecl[] {
  const declared = parameterVariables(c, parameters, type);
  for (const variable of declared) {
    const { name, location } = variable;
    if (name === '') continue;
    const before = c.symbols.values.here(name);
    if (before?.kind === 'variable') {
      const notes = [note('previous-declaration', before.variable.location)];
      c.reporter.report('redefinition-parameter', location, { name }, { notes });
      c.symbols.values.set(name, { kind: 'broken' });
      continue;
    }
    if (!isComplete(variable.type.type)) {
      c.reporter.report('variable-incomplete', location, { type: spell(variable.type.type) });
    }
    c.symbols.values.set(name, { kind: 'variable', variable, owner: current.state });
    c.observer?.declare(name, { kind: 'variable', identity: variable }, location);
  }
  return declared;
}

export const anonymousParameter = (type: QualType): VariableDecl => ({
  kind: 'variable',
  name: '',
  location: 0,
  type,
  storage: 'parameter',
  external: false,
  attributes: {},
  init: undefined,
  typeName: '',
});
