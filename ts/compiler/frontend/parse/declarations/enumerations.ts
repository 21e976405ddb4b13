// SPDX-License-Identifier: MIT
//
// Definitions of enumerations.

import type { Enumerator, EnumSpec, Expr } from '../../ast/syntax';
import { SYNTAX_ERROR } from '../cursor';
import type { Parser } from '../parser';
import { parseAttributes } from './attributes';
import { NO_ATTRIBUTES } from './specifier-words';

export function parseEnum(p: Parser): EnumSpec {
  p.next();
  let attributes = parseAttributes(p, NO_ATTRIBUTES);
  const { location } = p.token;
  let name: string | undefined;
  if (p.isIdentifier()) name = p.next().text;
  const underlying = p.accept(':') ? p.rules.specifiers(p, 'of a type') : undefined;
  let enumerators: Enumerator[] | undefined;
  if (p.is('{')) {
    const opener = p.open('{');
    enumerators = [];
    const { errors } = p.reporter;
    while (!p.is('}') && p.token.kind !== 'end') if (!parseEnumerator(p, enumerators)) break;
    // Empty because of errors.
    if (enumerators.length === 0 && p.reporter.errors > errors)
      enumerators.push({ name: '', value: undefined, location });
    p.close('}', opener);
    attributes = parseAttributes(p, attributes);
  } else if (name === undefined && underlying === undefined) {
    p.reporter.report('expected-identifier-or-brace', location);
    throw SYNTAX_ERROR;
  }
  return { kind: 'enum', name, enumerators, attributes, location, ...(underlying && { underlying }) };
}

/** One enumerator and the comma after it; false if there is no other. */
function parseEnumerator(p: Parser, into: Enumerator[]): boolean {
  const { token, depth } = p;
  if (!p.isIdentifier()) {
    p.reporter.report('expected-identifier', token.location);
    return p.skipUntil([',', '}'], 'only') && p.accept(',');
  }
  p.next();
  parseAttributes(p, NO_ATTRIBUTES);
  const hasValue = p.accept('=');
  let value: Expr | undefined;
  if (hasValue) {
    try {
      value = p.rules.conditional(p);
    } catch (error) {
      p.unwind(error, depth);
      p.skipUntil([',', '}'], 'only');
    }
  }
  into.push({ name: token.text, value, location: token.location });
  p.names.declare(token.text, false);
  if (p.isIdentifier()) {
    p.reporter.report('expected-enumerator-comma', p.previousEnd);
    return true;
  }
  if (!p.is(',') && !p.is('}')) {
    p.reporter.report(hasValue ? 'expected-brace-or-comma' : 'expected-enumerator-end', p.token.location);
    p.skipUntil([',', '}'], 'only');
  }
  return p.accept(',');
}
