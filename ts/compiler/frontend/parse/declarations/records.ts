// SPDX-License-Identifier: MIT
//
// Definitions of structures and unions.

import type { Declarator, FieldDeclaration, RecordSpec, StaticAssert } from '../../ast/syntax';
import { SYNTAX_ERROR } from '../cursor';
import type { Parser } from '../parser';
import { applyPragma } from '../pragmas';
import { parseAttributes } from './attributes';
import { NO_ATTRIBUTES } from './specifier-words';
import { parseStaticAssert } from './static-asserts';

export function parseRecord(p: Parser, tag: 'struct' | 'union'): RecordSpec {
  const { location: start } = p.next();
  let attributes = parseAttributes(p, NO_ATTRIBUTES);
  let { location } = p.token;
  let name: string | undefined;
  if (p.isIdentifier()) name = p.next().text;
  let fields: FieldDeclaration[] | undefined;
  const asserts: StaticAssert[] = [];
  const { pack } = p;
  if (p.is('{')) {
    if (name === undefined) location = p.token.location;
    const opener = p.open('{');
    fields = [];
    while (!p.is('}') && p.token.kind !== 'end') {
      const into = fields;
      p.attempt(
        () => {
          if (p.keyword()?.kind === 'static-assert') asserts.push(parseStaticAssert(p));
          else parseFieldDeclarations(p, into);
        },
        () => p.skipStatement(),
      );
    }
    p.close('}', opener);
    attributes = parseAttributes(p, attributes);
  } else if (name === undefined) {
    p.reporter.report('anonymous-without-definition', start, { tag });
    throw SYNTAX_ERROR;
  }
  return { kind: 'record', tag, name, fields, asserts, attributes, pack, location };
}

function parseFieldDeclarations(p: Parser, into: FieldDeclaration[]): void {
  if (p.token.kind === 'pragma') {
    applyPragma(p, p.next());
    return;
  }
  if (p.accept(';')) return;
  const specifiers = p.rules.specifiers(p, 'of a type');
  if (p.is(';')) {
    const { location } = p.token;
    const declarator: Declarator = { name: undefined, location: specifiers.location, parts: [] };
    into.push({ specifiers, declarator, bitField: undefined, attributes: NO_ATTRIBUTES, location });
  } else {
    do {
      const { location } = p.token;
      const declarator: Declarator = p.is(':')
        ? { name: undefined, location, parts: [] }
        : p.rules.declarator(p, 'member');
      const bitField = p.accept(':') ? p.rules.conditional(p) : undefined;
      const attributes = parseAttributes(p, NO_ATTRIBUTES);
      into.push({ specifiers, declarator, bitField, attributes, location: declarator.location });
    } while (p.accept(','));
  }
  if (!p.accept(';')) {
    if (p.is('}')) {
      p.reporter.report('semicolon-before-brace', p.previousEnd);
      return;
    }
    p.reporter.report('expected-semicolon', p.previousEnd, { after: 'at end of declaration list' });
    p.skipStatement();
  }
}
