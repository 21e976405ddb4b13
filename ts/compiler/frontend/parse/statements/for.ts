// SPDX-License-Identifier: MIT
//
// `for`.

import type { Location } from '../../../diagnostics/diagnostic';
import type { Expr, Stmt } from '../../ast/syntax';
import { parseDeclaration } from '../declarations/declarations';
import { isDeclarationStart } from '../lookahead';
import type { Parser } from '../parser';
import { parseNested } from './nested';

/** Counts as two levels of nesting, because its scope needs as much stack as its statement. */
export function parseForInScope(p: Parser, location: Location): Stmt {
  p.deeper();
  const loop = p.names.inScope(() => parseFor(p, location));
  p.shallower();
  return loop;
}

function parseFor(p: Parser, location: Location): Stmt {
  if (!p.is('(')) {
    p.reporter.report('expected-paren-after', p.token.location, { statement: 'for' });
    if (p.skipUntil([';'], 'only')) p.next();
    return { kind: 'error', names: [], location };
  }
  const opener = p.open('(');
  let init: Stmt | undefined;
  if (p.is(';')) p.next();
  else if (isDeclarationStart(p)) {
    const declaration = parseDeclaration(p, 'in for');
    init = declaration.kind === 'declaration' ? declaration : undefined;
    expectForSemicolon(p, true);
  } else {
    const at = p.token.location;
    const expression = parseForPart(p);
    init = { kind: 'expression', expression, location: at };
    expectForSemicolon(p, expression.kind !== 'error');
  }
  const condition = p.is(';') || p.is(')') ? undefined : parseForPart(p);
  expectForSemicolon(p, condition?.kind !== 'error');
  const step = p.is(')') ? undefined : parseForPart(p);
  p.close(')', opener);
  return { kind: 'for', init, condition, step, body: parseNested(p), location };
}

/** One of the expressions between the parentheses of `for`; after a syntax error, up to the next `;` or `)`. */
function parseForPart(p: Parser): Expr {
  const begin = p.token.location;
  const { depth } = p;
  try {
    return p.rules.expression(p);
  } catch (error) {
    p.unwind(error, depth);
    p.skipUntil([')'], 'or semicolon');
    return { kind: 'error', location: begin, begin, end: p.previousEnd };
  }
}

function expectForSemicolon(p: Parser, isRight: boolean): void {
  if (p.accept(';')) return;
  if (isRight)
    p.reporter.report('expected-semicolon', p.token.location, {
      after: "in 'for' statement specifier",
    });
}
