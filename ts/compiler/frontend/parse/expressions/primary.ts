// SPDX-License-Identifier: MIT
//
// Names, parentheses and blocks.

import type { BlockExpr, Declarator, DeclaratorPart, Expr, Parameter, TypeName } from '../../ast/syntax';
import { parseFunctionPart } from '../declarations/parameters';
import { parseQualifiers } from '../declarations/qualifiers';
import type { Parser } from '../parser';

export function parseName(p: Parser): Expr {
  const { text, location } = p.next();
  return { kind: 'name', name: text, location, begin: location, end: location + text.length };
}

export function parseParenthesized(p: Parser): Expr {
  const begin = p.open('(');
  if (p.is('{')) {
    const body = p.rules.compound(p);
    p.close(')', begin);
    return { kind: 'statement-expression', body, location: begin, begin, end: p.previousEnd };
  }
  const inner = p.rules.expression(p);
  p.close(')', begin);
  return { kind: 'paren', inner, location: begin, begin, end: p.previousEnd };
}

export function parseBlock(p: Parser): BlockExpr {
  const { location } = p.next();
  return p.names.inScope(() => {
    const { result, parameters } = parseBlockSignature(p);
    const body = p.rules.compound(p);
    return { kind: 'block', result, parameters, body, location, begin: location, end: p.previousEnd };
  });
}

/** The parts between a block's `^` and its body. */
function parseBlockSignature(p: Parser): {
  readonly result: TypeName | undefined;
  readonly parameters: readonly Parameter[] | undefined;
} {
  if (p.is('{')) return { result: undefined, parameters: undefined };
  let result: TypeName | undefined;
  if (!p.is('(')) {
    const { location } = p.token;
    const specifiers = p.rules.specifiers(p);
    const parts: DeclaratorPart[] = [];
    while (p.is('*')) {
      const star = p.next().location;
      parts.push({ kind: 'pointer', qualifiers: parseQualifiers(p), location: star });
    }
    const declarator: Declarator = { name: undefined, location, parts };
    result = {
      kind: 'type-name',
      specifiers,
      declarator,
      location,
      begin: location,
      end: p.previousEnd,
    };
  }
  const part = p.is('(') ? parseFunctionPart(p) : undefined;
  const parameters = part?.kind === 'function' ? (part.parameters ?? []) : undefined;
  for (const parameter of parameters ?? []) p.names.declare(parameter.declarator.name, false);
  return { result, parameters };
}
