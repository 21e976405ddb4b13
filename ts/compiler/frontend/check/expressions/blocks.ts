// SPDX-License-Identifier: MIT
//
// Blocks (6.14) and GNU's statement expressions.
import type { Expr, Stmt } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { type FunctionType, type Type, VOID } from '../../types';
import type { Checker } from '../checker';
import { rvalue } from '../conversions/implicit';
import { declareParameters } from '../declarations/parameters';
import { OpenFunction } from '../open-function';
import { checkBody } from '../statements/bodies';
import { checkUnclaimedStatement } from '../statements/statements';
import type { FunctionEntity } from '../symbols';
import { checkParameterType } from '../types/parameters';
import { checkTypeName } from '../types/type-names';

export function checkBlock(c: Checker, expr: Syntax.BlockExpr): Expr | undefined {
  const { location } = expr;
  if (!c.hasBlocks) {
    c.reporter.report('blocks-disabled', location);
    return undefined;
  }
  const declaredResult = expr.result && checkTypeName(c, expr.result)?.type;
  if (expr.result !== undefined && declaredResult === undefined) return undefined;
  const parameterTypes = [];
  for (const parameter of expr.parameters ?? []) {
    const type = checkParameterType(c, parameter);
    if (type === undefined) return undefined;
    if (type.type.kind !== 'void') parameterTypes.push(type);
  }
  const outer = c.function;
  const current = new OpenFunction({
    state: { outer: outer?.state, captures: new Map() },
    entity: outer?.entity,
    result: declaredResult,
    isKernel: false,
    isBlock: true,
    callees: new Set(),
    depth: c.symbols.depth + 1,
  });
  c.symbols.push();
  const unfinished: FunctionType = {
    kind: 'function',
    result: VOID,
    parameters: parameterTypes,
    variadic: false,
  };
  c.observer?.scope(location, expr.body.end);
  const named = (expr.parameters ?? []).slice(0, parameterTypes.length);
  const parameters = declareParameters(c, named, unfinished, current);
  const body = checkBody(c, expr.body, current);
  c.symbols.pop();
  const type: FunctionType = { ...unfinished, result: current.result ?? VOID };
  const entity: FunctionEntity = {
    kind: 'function',
    name: `__${outer?.entity?.name ?? 'global'}_block_invoke_${c.blockCount++}`,
    location,
    type,
    parameters,
    isKernel: false,
    external: false,
    inlineOnly: false,
    attributes: {},
    body,
  };
  c.functions.push(entity);
  c.calls.set(entity, current.callees);
  const captures = [...current.state.captures].map(([outerVariable, inner]) => ({
    outer: outerVariable,
    inner,
  }));
  return { kind: 'block', function: entity, captures, type: { kind: 'block', signature: type }, location };
}

/** GNU's `({ …; value; })` */
export function checkStatementExpression(c: Checker, expr: Syntax.StatementExpr): Expr | undefined {
  if (c.function === undefined) {
    c.reporter.report('statement-expression-outside', expr.location);
    return undefined;
  }
  c.symbols.push();
  const statements: Stmt[] = [];
  const list = expr.body.statements;
  let value: Expr | undefined;
  let broken = false;
  for (let i = 0; i < list.length; i++) {
    const each = list[i]!;
    if (i === list.length - 1 && each.kind === 'expression') {
      const raw = c.rules.expression(c, each.expression);
      if (raw === undefined) broken = true;
      else value = rvalue(c, raw);
      continue;
    }
    // Messages that are deferred until reachability is known belong to the statement around it.
    const checked = checkUnclaimedStatement(c, each);
    if (checked !== undefined) statements.push(checked);
  }
  c.symbols.pop();
  if (broken) return undefined;
  const type: Type = value?.type ?? VOID;
  return { kind: 'statement-expression', statements, value, type, location: expr.location };
}
