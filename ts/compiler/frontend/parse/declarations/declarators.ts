// SPDX-License-Identifier: MIT
//
// Declarators.

import type { Declarator, DeclaratorPart, Expr } from '../../ast/syntax';
import { SYNTAX_ERROR } from '../cursor';
import { isTypeStart } from '../lookahead';
import { errorAt } from '../nodes';
import type { Parser } from '../parser';
import type { Named } from '../rules';
import { parseAttributes } from './attributes';
import { parseFunctionPart } from './parameters';
import { parseQualifiers } from './qualifiers';
import { NO_ATTRIBUTES, NO_PARTS, NO_QUALIFIERS } from './specifier-words';

/** Pointers to pointers and arrays of arrays: later stages walk types recursively. */
const PART_LIMIT = 256;

export function parseDeclarator(p: Parser, named: Named): Declarator {
  const before: DeclaratorPart[] = [];
  while (p.is('*') || p.is('^')) {
    const { location, text } = p.next();
    before.push({ kind: text === '*' ? 'pointer' : 'block', qualifiers: parseQualifiers(p), location });
  }
  let { location } = p.token;
  let name: string | undefined;
  let inner: readonly DeclaratorPart[] = [];
  if (p.is('(') && opensGroup(p, named)) {
    const opener = p.open('(');
    parseAttributes(p, NO_ATTRIBUTES);
    const nested = p.rules.declarator(p, named);
    p.close(')', opener);
    ({ name, location } = nested);
    inner = nested.parts;
  } else if (p.isIdentifier() && named !== 'never') {
    name = p.next().text;
    if (named === 'always') p.namesSeen.push(name);
  } else if (named === 'always' || named === 'member') {
    p.reporter.report(named === 'always' ? 'expected-identifier-or-paren' : 'expected-member', location);
    throw SYNTAX_ERROR;
  }
  if (before.length === 0 && inner.length === 0 && !p.is('(') && !p.is('[')) {
    return { name, location, parts: NO_PARTS };
  }
  const after: DeclaratorPart[] = [];
  for (;;) {
    if (p.is('[')) after.push(parseArrayPart(p));
    else if (p.is('(')) after.push(parseFunctionPart(p));
    else break;
  }
  const parts = [...before, ...after.reverse(), ...inner];
  if (parts.length > PART_LIMIT) {
    p.reporter.report('nesting-too-deep', location, { limit: PART_LIMIT });
    throw SYNTAX_ERROR;
  }
  return { name, location, parts };
}

/** Whether a `(` groups a declarator; otherwise it opens parameters of an abstract one. */
function opensGroup(p: Parser, named: Named): boolean {
  if (named === 'always' || named === 'member') return true;
  if (p.isAt(1, ')')) return false;
  if (p.isAt(1, '*') || p.isAt(1, '^') || p.isAt(1, '(') || p.isAt(1, '[')) return true;
  if (isTypeStart(p, 1)) return false;
  return named === 'either' && p.isIdentifier(p.peek());
}

function parseArrayPart(p: Parser): DeclaratorPart {
  const location = p.open('[');
  let qualifiers = parseQualifiers(p);
  const keyword = p.keyword();
  if (keyword?.kind === 'storage' && keyword.storage === 'static') p.next();
  if (qualifiers === NO_QUALIFIERS) qualifiers = parseQualifiers(p);
  let size: Expr | undefined;
  if (p.is('*') && p.isAt(1, ']')) {
    const star = p.next().location;
    p.reporter.report('variable-length-array', star);
    size = errorAt(star, p.previousEnd);
  } else if (!p.is(']')) {
    const { depth } = p;
    try {
      size = p.rules.assignment(p);
    } catch (error) {
      p.unwind(error, depth - 1);
      size = errorAt(location, p.previousEnd);
      return { kind: 'array', size, qualifiers, location };
    }
  }
  p.close(']', location);
  return { kind: 'array', size, qualifiers, location };
}
