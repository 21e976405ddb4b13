// SPDX-License-Identifier: MIT
//
// Unary operators, casts and sizeof.

import type { Expr, TypeName, UnaryOp } from '../../ast/syntax';
import { parseInitList } from '../declarations/initializers';
import { isTypeStart } from '../lookahead';
import type { Parser } from '../parser';
import { parseLiteral } from './literals';
import { parsePostfix } from './postfix';
import { parseBlock, parseName, parseParenthesized } from './primary';
import { parseAsType, parseGeneric, parseOffsetof, parseTypesCompatible } from './type-operators';

/** A cast-expression by C's grammar: unary operators and casts. */
export function parseUnary(p: Parser): Expr {
  const { token } = p;
  const begin = token.location;
  if (token.kind === 'punctuator') {
    switch (token.text) {
      case '+':
      case '-':
      case '~':
      case '!':
      case '*':
      case '&':
      case '++':
      case '--': {
        p.next();
        p.deeper();
        const operand = parseUnary(p);
        p.shallower();
        return {
          kind: 'unary',
          op: token.text as UnaryOp,
          operand,
          location: begin,
          begin,
          end: operand.end,
        };
      }
      case '(':
        if (isTypeStart(p, 1)) return parseCastOrLiteral(p);
        return parsePostfix(p, parseParenthesized(p));
      case '^':
        return parsePostfix(p, parseBlock(p));
    }
    return p.fail('expected-expression');
  }
  if (token.kind === 'identifier') {
    const keyword = p.keywords.get(token.text);
    if (keyword === undefined) return parsePostfix(p, parseName(p));
    switch (keyword.kind) {
      case 'query':
        return parseTypeQuery(p, keyword.query);
      case 'extension': {
        p.next();
        p.deeper();
        const operand = parseUnary(p);
        p.shallower();
        return operand;
      }
      case 'offsetof':
        return parsePostfix(p, parseOffsetof(p));
      case 'astype':
        return parsePostfix(p, parseAsType(p, keyword.form));
      case 'types-compatible':
        return parsePostfix(p, parseTypesCompatible(p));
      case 'generic':
        return parsePostfix(p, parseGeneric(p));
    }
    return p.fail('expected-expression');
  }
  return parsePostfix(p, parseLiteral(p));
}

function parseCastOrLiteral(p: Parser): Expr {
  const begin = p.open('(');
  const type = p.rules.typeName(p);
  p.close(')', begin);
  if (p.is('{')) {
    const init = parseInitList(p);
    return parsePostfix(p, { kind: 'compound-literal', type, init, location: begin, begin, end: init.end });
  }
  p.deeper();
  const operand = parseUnary(p);
  p.shallower();
  return { kind: 'cast', type, operand, location: begin, begin, end: operand.end };
}

function parseTypeQuery(p: Parser, query: 'sizeof' | 'alignof' | 'vec_step'): Expr {
  const { location, text } = p.next();
  let operand: Expr | TypeName;
  if (p.is('(') && isTypeStart(p, 1)) {
    const opener = p.open('(');
    operand = p.rules.typeName(p);
    p.close(')', opener);
    if (p.is('{')) {
      const init = parseInitList(p);
      operand = parsePostfix(p, {
        kind: 'compound-literal',
        type: operand,
        init,
        location: opener,
        begin: opener,
        end: init.end,
      });
    }
  } else {
    p.deeper();
    operand = parseUnary(p);
    p.shallower();
  }
  return {
    kind: 'type-query',
    query,
    operand,
    location,
    begin: location,
    end: p.previousEnd,
    ...(text === '_Alignof' && { isStandardAlignof: true }),
  };
}
