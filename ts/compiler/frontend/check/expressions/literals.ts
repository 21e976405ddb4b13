// SPDX-License-Identifier: MIT
//
// Literals and compound literals.
import type { Expr, LValue, VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { unqualified } from '../../predefined-types';
import { type QualType, scalarOf } from '../../types';
import type { Checker } from '../checker';
import { underline } from '../extents';
import { checkInitializer } from '../initializers/initializers';
import { isComplete } from '../types/layout';
import { spell } from '../types/spelling';
import { checkTypeUse } from '../types/type-names';

export function checkString(c: Checker, expr: Syntax.StringExpr): Expr {
  const literal = stringLiteral(expr.bytes, expr.location);
  c.facts.literals.set(literal, expr);
  return literal;
}

export function checkFloating(c: Checker, expr: Syntax.FloatingExpr): Expr | undefined {
  const type = scalarOf(expr.type);
  if (expr.type === 'half' && !c.hasHalf) {
    c.reporter.report('half-literal', expr.location);
    return undefined;
  }
  return { kind: 'float', value: expr.value, type, location: expr.location };
}

export function functionName(c: Checker, expr: Syntax.NameExpr): Expr {
  const bytes = new TextEncoder().encode(c.function?.entity?.name ?? '');
  return stringLiteral(bytes, expr.location);
}

function stringLiteral(text: Uint8Array, location: number): LValue {
  const bytes = new Uint8Array(text.length + 1);
  bytes.set(text);
  const element: QualType = { ...unqualified(scalarOf('char')), space: 'constant' };
  const type = { kind: 'array', element, count: bytes.length } as const;
  return { kind: 'string', bytes, type, object: { ...element, type }, location };
}

export function checkCompoundLiteral(c: Checker, expr: Syntax.CompoundLiteralExpr): Expr | undefined {
  const use = checkTypeUse(c, expr.type);
  if (use === undefined) return undefined;
  const { location } = expr;
  if (!isComplete(use.type) && !(use.type.kind === 'array' && use.type.count === undefined)) {
    c.reporter.report('incomplete-type', location, { type: spell(use.type) }, underline(expr));
    return undefined;
  }
  const init = checkInitializer(c, expr.init, use.type);
  if (init === undefined) return undefined;
  const type = use.type.kind === 'array' ? init.type : use.type;
  // A vector literal in braces is a value, as in clang.
  if (type.kind === 'vector') return init;
  const atFileScope = c.function === undefined;
  const space = atFileScope ? (c.hasProgramScopeVariables ? 'global' : 'constant') : 'private';
  const object: QualType = { ...use, type, space: use.space ?? space };
  const variable: VariableDecl = {
    kind: 'variable',
    name: '',
    location,
    type: object,
    storage: atFileScope ? 'program' : 'local-scope',
    external: false,
    attributes: {},
    init,
    typeName: '',
  };
  if (atFileScope) c.variables.push(variable);
  return { kind: 'compound-literal', variable, object, type, location };
}
