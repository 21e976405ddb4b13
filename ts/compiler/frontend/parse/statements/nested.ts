// SPDX-License-Identifier: MIT
//
// Statements within statements, and the conditions before them.

import type { Expr, Stmt } from '../../ast/syntax';
import type { Parser } from '../parser';

/** A statement that is a part of another. */
export function parseNested(p: Parser): Stmt {
  p.deeper();
  const statement = p.names.inScope(() => p.rules.statement(p));
  p.shallower();
  return statement;
}

/** Undefined after an error from which the statement's body cannot be found. */
export function parseCondition(p: Parser, statement: string): Expr | undefined {
  if (!p.is('(')) {
    p.reporter.report('expected-paren-after', p.token.location, { statement });
    p.skipUntil([';'], 'only');
    if (statement !== 'do/while') p.accept(';');
    return undefined;
  }
  const { depth } = p;
  const opener = p.open('(');
  const begin = p.token.location;
  let condition: Expr;
  try {
    condition = p.rules.expression(p);
  } catch (error) {
    p.unwind(error, depth + 1);
    if (!p.is(')') && p.skipUntil([';'], 'only')) p.next();
    if (!p.is(')')) {
      p.unwind(error, depth);
      return undefined;
    }
    condition = { kind: 'error', location: begin, begin, end: p.previousEnd };
  }
  if (!p.close(')', opener)) p.doubt(begin);
  while (statement !== 'do/while' && p.is(')')) {
    p.reporter.report('extraneous-paren', p.token.location);
    p.next();
  }
  return condition;
}
