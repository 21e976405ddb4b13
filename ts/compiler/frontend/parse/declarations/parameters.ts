// SPDX-License-Identifier: MIT
//
// Parameter lists: of prototypes, and identifier lists as in C before 1989.

import type { Location } from '../../../diagnostics/diagnostic';
import type { DeclaratorPart, NameExpr, Parameter, Specifiers } from '../../ast/syntax';
import { scalarOf } from '../../types';
import { isDeclarationStart, isTypeNameToken } from '../lookahead';
import type { Parser } from '../parser';
import { parseAttributes } from './attributes';
import { NO_ATTRIBUTES, NO_PARTS, NO_QUALIFIERS } from './specifier-words';

export function parseFunctionPart(p: Parser): DeclaratorPart {
  const location = p.open('(');
  let parameters: Parameter[] | undefined;
  let variadic = false;
  let isBroken = false;
  let names: NameExpr[] | undefined;
  if (p.isIdentifier() && !isTypeNameToken(p, p.token) && (p.isAt(1, ',') || p.isAt(1, ')'))) {
    names = parseIdentifierList(p);
  } else if (!p.is(')')) {
    parameters = [];
    const into = parameters;
    variadic = p.names.inScope(() => {
      do {
        if (p.accept('...')) return true;
        const parameter = parseParameter(p);
        if (parameter) into.push(parameter);
        else isBroken = true;
      } while (p.accept(','));
      return false;
    });
  }
  if (!p.close(')', location)) isBroken = true;
  const more = { ...(names && { names }), ...(isBroken && { isBroken }) };
  return { kind: 'function', parameters, variadic, location, ...more };
}

/**
 * The identifier list of a definition that declares its parameters' types after the parentheses, as in C
 * before 1989.
 */
function parseIdentifierList(p: Parser): NameExpr[] {
  const names: NameExpr[] = [];
  do {
    const { text: name, location, kind } = p.token;
    if (kind !== 'identifier') p.fail('expected-identifier');
    p.next();
    names.push({ kind: 'name', name, location, begin: location, end: p.previousEnd });
  } while (p.accept(','));
  return names;
}

/** The declarations between an identifier list and the body; parameters that have none are int. */
export function parseOldStyleParameters(p: Parser, names: readonly NameExpr[]): Parameter[] {
  const declared = new Map<string, Parameter>();
  while (!p.is('{') && isDeclarationStart(p)) {
    const specifiers = p.rules.specifiers(p);
    do {
      const declarator = p.rules.declarator(p, 'always');
      const attributes = parseAttributes(p, NO_ATTRIBUTES);
      const { name = '', location } = declarator;
      if (declared.has(name)) p.reporter.report('redefinition-parameter', location, { name });
      else if (names.some((each) => each.name === name))
        declared.set(name, { specifiers, declarator, attributes });
      else p.reporter.report('not-a-parameter', location, { name });
    } while (p.accept(','));
    p.expectSemicolon('at end of declaration');
  }
  return names.map(({ name, location, end }) => {
    const found = declared.get(name);
    if (found !== undefined) return found;
    p.reporter.report('parameter-without-type', location, { name });
    return {
      specifiers: intSpecifiers(location, end),
      declarator: { name, location, parts: NO_PARTS },
      attributes: NO_ATTRIBUTES,
    };
  });
}

/** Undefined, and reported, if there is none. */
function parseParameter(p: Parser): Parameter | undefined {
  const { location } = p.token;
  if (!isParameterStart(p)) {
    p.reporter.report('expected-parameter', location);
    p.skipUntil([')'], 'or semicolon');
    return undefined;
  }
  const specifiers = p.rules.specifiers(p);
  const declarator = p.rules.declarator(p, 'either');
  const attributes = parseAttributes(p, NO_ATTRIBUTES);
  p.names.declare(declarator.name, false);
  if (declarator.name === undefined && p.keyword() !== undefined) {
    p.reporter.report('keyword-as-parameter', p.token.location, { word: p.next().text });
    return undefined;
  }
  return { specifiers, declarator, attributes };
}

function isParameterStart(p: Parser): boolean {
  const { kind } = p.token;
  return kind === 'identifier' || p.is('*') || p.is('(') || p.is('^') || p.is('[');
}

const intSpecifiers = (location: Location, end: Location): Specifiers => ({
  type: { kind: 'builtin', type: scalarOf('int') },
  qualifiers: NO_QUALIFIERS,
  storage: undefined,
  storageLocation: 0,
  inline: false,
  noreturn: false,
  kernel: false,
  attributes: NO_ATTRIBUTES,
  spelling: 'int',
  location,
  end,
});
