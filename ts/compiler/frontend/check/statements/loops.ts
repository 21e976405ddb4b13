// SPDX-License-Identifier: MIT
//
// Loops, and the attributes before them.
import type { Stmt } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import { checkCondition, rvalue } from '../conversions/implicit';
import { warnCondition } from '../warnings/operators';
import { warnUnsequenced } from '../warnings/sequencing';
import { warnUnused } from '../warnings/unused';
import { scopedStatement } from './compound';

export function checkLoopBody(c: Checker, body: Syntax.Stmt): Stmt {
  c.function!.loops++;
  c.function!.breakables++;
  const checked = scopedStatement(c, body);
  c.function!.loops--;
  c.function!.breakables--;
  return checked;
}

export function checkFor(
  c: Checker,
  statement: Syntax.ForStmt,
  unroll: number | undefined,
): Stmt | undefined {
  if (statement.body.kind === 'compound') c.observer?.scope(statement.location, statement.body.end);
  c.symbols.push();
  const storage = statement.init?.kind === 'declaration' ? statement.init.specifiers.storage : undefined;
  if (storage === 'static' || storage === 'extern')
    c.reporter.report('for-variable', statement.init!.location);
  const init = statement.init && c.rules.statement(c, statement.init);
  const syntax = statement.condition;
  if (syntax !== undefined) warnCondition(c.reporter, syntax);
  const condition = syntax && checkCondition(c, c.rules.expression(c, syntax), syntax);
  const rawStep = statement.step && c.rules.expression(c, statement.step);
  const step = rawStep && rvalue(c, rawStep);
  if (step !== undefined) {
    warnUnused(c.reporter, step, statement.step!);
    warnUnsequenced(c.reporter, statement.step!);
  }
  const body = checkLoopBody(c, statement.body);
  c.symbols.pop();
  return { kind: 'for', init, condition, step, body, unroll, location: statement.location };
}

export function checkAttributed(c: Checker, statement: Syntax.AttributedStmt): Stmt | undefined {
  let unroll: number | undefined;
  const { body } = statement;
  for (const { name, arguments: args, location } of statement.attributes) {
    if (name !== 'opencl_unroll_hint' && name !== 'unroll') {
      if (name !== 'fallthrough' && name !== 'unused')
        c.reporter.report('unknown-attribute', location, { name });
      continue;
    }
    const loop =
      body.kind === 'for' || body.kind === 'while' || body.kind === 'do' || body.kind === 'attributed';
    if (!loop && name === 'opencl_unroll_hint') {
      c.reporter.report('unroll-not-loop', location, { name });
      continue;
    }
    const [argument, second] = args;
    if (second !== undefined) {
      c.reporter.report('unroll-arguments', location, { name });
      continue;
    }
    const isHint = name === 'opencl_unroll_hint' && argument !== undefined;
    const count = argument === undefined ? 0n : checkConstantInteger(c, argument);
    if (count !== undefined && (isHint ? count < 1n : count < 0n))
      c.reporter.report('unroll-negative', location, { name });
    else if (count !== undefined) unroll = Number(count);
  }
  return c.rules.statement(c, body, unroll);
}
