// SPDX-License-Identifier: MIT
//
// Initializers: lists in braces and their designators.

import type { Designator, ErrorExpr, Expr, InitItem, InitList } from '../../ast/syntax';
import { SYNTAX_ERROR } from '../cursor';
import type { Parser } from '../parser';
import { expectDesignatedValue, parseFieldDesignator, parseIndexDesignator } from './designators';

/** The initializer after `=`. */
export function parseInitializer(p: Parser): Expr {
  return p.is('{') ? parseInitList(p) : p.rules.assignment(p);
}

export function parseInitList(p: Parser): InitList | ErrorExpr {
  const begin = p.token.location;
  const { depth } = p;
  try {
    return parseBracedList(p);
  } catch (error) {
    p.unwind(error, depth + 1);
    if (p.depth > depth) {
      p.skipUntil(['}'], 'only');
      p.unwind(error, depth);
    }
    return { kind: 'error', location: begin, begin, end: p.previousEnd };
  }
}

/** Braces in place of an expression; their contents are skipped. */
export function parseMisplacedList(p: Parser): Expr {
  const begin = p.token.location;
  p.reporter.report('expected-expression', begin);
  p.skipUntil([',', ')'], 'only');
  return { kind: 'error', location: begin, begin, end: p.previousEnd };
}

function parseBracedList(p: Parser): InitList {
  const begin = p.open('{');
  const items: InitItem[] = [];
  while (!p.is('}')) {
    const designators: Designator[] = [];
    for (;;) {
      if (p.is('.')) {
        p.next();
        designators.push(parseFieldDesignator(p));
      } else if (p.is('[')) designators.push(parseIndexDesignator(p));
      else break;
    }
    if (designators.length > 0) expectDesignatedValue(p, designators);
    else if (p.isIdentifier() && p.isAt(1, ':')) {
      p.reporter.report('designator-old-style', p.token.location);
      designators.push(parseFieldDesignator(p));
      p.next();
    }
    items.push({ designators, value: parseInitializer(p) });
    if (!p.accept(',')) break;
  }
  if (!p.close('}', begin)) throw SYNTAX_ERROR;
  return { kind: 'init-list', items, location: begin, begin, end: p.previousEnd };
}
