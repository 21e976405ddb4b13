// SPDX-License-Identifier: MIT
//
// Names of variables, enumerators and predefined constants.

import { closest } from '../../../../base/suggestions';
import type { Expr, VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { foreignWordNote } from '../../foreign-words';
import type { Checker } from '../checker';
import { PREDEFINED_CONSTANTS } from '../constants/predefined';
import { underline } from '../extents';
import { integerConstant } from '../nodes';
import type { FunctionState } from '../symbols';
import { INT } from '../types/scalars';
import { functionName } from './literals';

export function checkName(c: Checker, expr: Syntax.NameExpr): Expr | undefined {
  const { name, location } = expr;
  const symbol = c.symbols.values.get(name);
  if (symbol === undefined) {
    const constant = PREDEFINED_CONSTANTS.get(name);
    if (constant !== undefined && constant.since <= c.language.version) {
      return integerConstant(BigInt(constant.value), INT, location);
    }
    if (name === '__func__' || name === '__FUNCTION__') return functionName(c, expr);
    reportUndeclared(c, expr);
    return undefined;
  }
  switch (symbol.kind) {
    case 'variable': {
      const variable = capturedVariable(c, symbol.variable, symbol.owner, location);
      c.observer?.use(name, { kind: 'variable', identity: symbol.variable }, location);
      const { deprecated } = variable.attributes;
      if (deprecated !== undefined) c.reporter.report('deprecated', location, { name, message: deprecated });
      return { kind: 'variable-ref', variable, object: variable.type, type: variable.type.type, location };
    }
    case 'enumerator':
      c.observer?.use(name, { kind: 'enumerator', identity: symbol, value: symbol.value }, location);
      return { ...integerConstant(symbol.value, symbol.type, location), enumeration: symbol.enumeration };
    case 'function':
      c.reporter.report('function-address', location, { name });
      return undefined;
    case 'typedef':
      c.reporter.report('unexpected-type-name', location, { name });
      return undefined;
    case 'broken':
      return undefined;
  }
}

function reportUndeclared(c: Checker, expr: Syntax.NameExpr): void {
  const { name, location } = expr;
  if (c.function?.hasUnknownParameters) return;
  const foreign = foreignWordNote(name, location);
  const suggestion = foreign ? undefined : closest(name, c.symbols.values.names());
  if (foreign)
    c.reporter.report('undeclared-identifier', location, { name }, { ...underline(expr), notes: [foreign] });
  else if (suggestion === undefined)
    c.reporter.report('undeclared-identifier', location, { name }, underline(expr));
  else c.reporter.report('undeclared-suggest', location, { name, suggestion }, underline(expr));
}

/** A variable of an enclosing function as a block captures it: a copy. */
function capturedVariable(
  c: Checker,
  variable: VariableDecl,
  owner: FunctionState | undefined,
  location: number,
): VariableDecl {
  const local = variable.storage === 'local-scope' || variable.storage === 'parameter';
  const state = c.function?.state;
  if (!local || owner === undefined || state === undefined || owner === state) return variable;
  if (variable.type.type.kind === 'block') c.reporter.report('block-reference-in-block', location);
  const chain: FunctionState[] = [];
  for (let at: FunctionState | undefined = state; at !== undefined && at !== owner; at = at.outer)
    chain.push(at);
  let seen = variable;
  for (const each of chain.reverse()) {
    let inner = each.captures.get(seen);
    if (inner === undefined) {
      inner = {
        ...variable,
        storage: 'local-scope',
        type: { ...variable.type, const: true },
        init: undefined,
      };
      each.captures.set(seen, inner);
    }
    seen = inner;
  }
  return seen;
}
