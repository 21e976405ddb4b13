// SPDX-License-Identifier: MIT
//
// External declarations: those at file scope.

import type { ExternalDeclaration } from '../../ast/syntax';
import type { Parser } from '../parser';
import { applyPragma } from '../pragmas';
import { UNROLL } from '../statements/loop-pragmas';
import { parseDeclaration } from './declarations';
import { skipExternal } from './recovery';
import { parseStaticAssert } from './static-asserts';

/** Undefined at the end of the unit. */
export function parseExternal(p: Parser): ExternalDeclaration | undefined {
  while (p.token.kind !== 'end' && !p.reporter.stopped) {
    const declaration = p.attempt(
      () => parseOneExternal(p),
      () => {
        skipExternal(p);
        return undefined;
      },
    );
    if (declaration !== undefined) return declaration;
  }
  return undefined;
}

function parseOneExternal(p: Parser): ExternalDeclaration | undefined {
  const { token } = p;
  const { location } = token;
  p.hasInnerFunction = false;
  if (token.kind === 'pragma') {
    p.next();
    if (UNROLL.test(token.text)) {
      p.reporter.report('expected-identifier-or-paren', location);
      return undefined;
    }
    return applyPragma(p, token) ? undefined : { kind: 'pragma', text: token.text, location };
  }
  if (p.accept(';')) return { kind: 'empty', location };
  if (p.is('}')) {
    p.reporter.report('extraneous-brace', location);
    p.next();
    return undefined;
  }
  const kind = p.keyword()?.kind;
  if (kind === 'static-assert') return parseStaticAssert(p);
  if (kind === 'asm') {
    p.reporter.report('asm-unsupported', location);
    p.skipStatement();
    return undefined;
  }
  if (token.kind !== 'identifier' && !p.is('*') && !p.is('(')) {
    p.reporter.report('expected-identifier-or-paren', location);
    skipExternal(p);
    return undefined;
  }
  return parseDeclaration(p, 'at file scope');
}
