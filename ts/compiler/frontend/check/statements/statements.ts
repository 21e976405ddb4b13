// SPDX-License-Identifier: MIT
//
// Statements (6.13): the dispatch.
import type { Location } from '../../../diagnostics/diagnostic';
import { note } from '../../../diagnostics/reporter';
import type { Expr, Stmt } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { checkCondition, rvalue } from '../conversions/implicit';
import { checkLocalDeclaration } from '../declarations/declarations';
import { checkPragma } from '../declarations/pragmas';
import { checkStaticAssert } from '../declarations/static-asserts';
import { warnCondition } from '../warnings/operators';
import { warnUnsequenced } from '../warnings/sequencing';
import { warnIf } from '../warnings/statements';
import { warnUnused } from '../warnings/unused';
import { checkCompound, requiredStatement, scopedStatement } from './compound';
import { checkAttributed, checkFor, checkLoopBody } from './loops';
import { checkReturn } from './returns';
import { checkCase, checkDefault, checkSwitch } from './switches';

/** Undefined if the checked AST has no such statement, or it was wrong. */
export function checkStatement(c: Checker, statement: Syntax.Stmt, unroll?: number): Stmt | undefined {
  const deferral = c.reporter.deferral!;
  const { count } = deferral;
  const checked = checkUnclaimedStatement(c, statement, unroll);
  if (deferral.count > count) deferral.claim(count, checked);
  return checked;
}

export function checkUnclaimedStatement(
  c: Checker,
  statement: Syntax.Stmt,
  unroll?: number,
): Stmt | undefined {
  const { location } = statement;
  switch (statement.kind) {
    case 'compound':
      return checkCompound(c, statement);
    case 'expression':
      return checkExpressionStatement(c, statement);
    case 'declaration': {
      const variables = checkLocalDeclaration(c, statement);
      return variables.length === 0 ? undefined : { kind: 'declaration', variables, location };
    }
    case 'pragma':
      checkPragma(c, statement, false);
      return undefined;
    case 'static-assert':
      checkStaticAssert(c, statement);
      return undefined;
    case 'if':
      return checkIf(c, statement);
    case 'for':
      return checkFor(c, statement, unroll);
    case 'while': {
      warnCondition(c.reporter, statement.condition);
      const condition = checkCondition(c, c.rules.expression(c, statement.condition), statement.condition);
      const body = checkLoopBody(c, statement.body);
      return condition && { kind: 'while', condition, body, unroll, location };
    }
    case 'do': {
      const body = checkLoopBody(c, statement.body);
      warnCondition(c.reporter, statement.condition);
      const { begin, end } = statement.condition;
      // clang reports a wrong condition on the line of the `do`.
      const at = { location, begin, end };
      const condition = checkCondition(c, c.rules.expression(c, statement.condition), at);
      return condition && { kind: 'do', body, condition, unroll, location };
    }
    case 'switch':
      return checkSwitch(c, statement);
    case 'case':
      return checkCase(c, statement);
    case 'default':
      return checkDefault(c, statement);
    case 'label': {
      const before = c.function!.labels.get(statement.name);
      if (before !== undefined) {
        const notes = [note('previous-definition', before)];
        c.reporter.report('redefinition-label', location, { name: statement.name }, { notes });
      }
      c.function!.labels.set(statement.name, location);
      return { kind: 'label', name: statement.name, body: requiredStatement(c, statement.body), location };
    }
    case 'goto':
      c.function!.gotos.push(statement);
      return { kind: 'goto', target: statement.target, location };
    case 'break':
      if (c.function!.breakables === 0) c.reporter.report('break-outside', location);
      return { kind: 'break', location };
    case 'continue':
      if (c.function!.loops === 0) c.reporter.report('continue-outside', location);
      return { kind: 'continue', location };
    case 'return':
      return checkReturn(c, statement);
    case 'empty':
      return { kind: 'empty', location };
    case 'attributed':
      return checkAttributed(c, statement);
    case 'error':
      c.syntaxErrors++;
      for (const name of statement.names) c.symbols.values.set(name, { kind: 'broken' });
      return undefined;
  }
}

function checkExpressionStatement(c: Checker, statement: Syntax.ExprStmt): Stmt | undefined {
  const raw = c.rules.expression(c, statement.expression);
  if (raw === undefined) return undefined;
  const expression = raw.type.kind === 'array' ? raw : rvalue(c, raw);
  warnUnused(c.reporter, expression, statement.expression);
  warnUnsequenced(c.reporter, statement.expression);
  return { kind: 'expression', expression, location: statement.location };
}

/** `if … else if …` may be long: its links are followed without recursion. */
function checkIf(c: Checker, statement: Syntax.IfStmt): Stmt | undefined {
  const links: { condition: Expr | undefined; then: Stmt; location: Location }[] = [];
  let otherwise: Stmt | undefined;
  for (let at = statement; ; ) {
    const syntax = at.condition;
    const condition = checkCondition(c, c.rules.expression(c, syntax), syntax);
    warnCondition(c.reporter, syntax);
    warnIf(c.reporter, at);
    links.push({ condition, then: scopedStatement(c, at.then), location: at.location });
    if (at.otherwise?.kind === 'if') {
      at = at.otherwise;
      continue;
    }
    otherwise = at.otherwise && scopedStatement(c, at.otherwise);
    break;
  }
  for (const { condition, then, location } of links.reverse()) {
    otherwise = condition && { kind: 'if', condition, then, otherwise, location };
  }
  return otherwise;
}
