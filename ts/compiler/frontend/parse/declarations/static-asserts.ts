// SPDX-License-Identifier: MIT
//
// `_Static_assert`.
import type { StaticAssert, StringExpr } from '../../ast/syntax';
import { SYNTAX_ERROR } from '../cursor';
import { parseString } from '../expressions/literals';
import type { Parser } from '../parser';

export function parseStaticAssert(p: Parser): StaticAssert {
  const { location } = p.next();
  if (!p.is('(')) {
    p.reporter.report('expected-token', p.token.location, { token: '(' });
    throw SYNTAX_ERROR;
  }
  const opener = p.open('(');
  const condition = p.rules.conditional(p);
  const message = p.accept(',') ? parseAssertMessage(p) : undefined;
  p.close(')', opener);
  p.expectSemicolon('after static_assert');
  return { kind: 'static-assert', condition, message, location };
}

function parseAssertMessage(p: Parser): StringExpr {
  if (p.token.kind === 'string') return parseString(p);
  p.reporter.report('expected-assert-message', p.token.location);
  throw SYNTAX_ERROR;
}
