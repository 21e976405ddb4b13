// SPDX-License-Identifier: MIT
//
// Statements.

import type { Location } from '../../../diagnostics/diagnostic';
import type { IfStmt, Stmt } from '../../ast/syntax';
import { SYNTAX_ERROR } from '../cursor';
import { parseInitializer } from '../declarations/initializers';
import type { Parser } from '../parser';
import { parseAttributed } from './block-items';
import { parseForInScope } from './for';
import { expectColon, parseCaseBody, parseLabel } from './labels';
import { parsePragmaStatement } from './loop-pragmas';
import { parseCondition, parseNested } from './nested';

/** A statement; after a syntax error, the rest of it is skipped. */
export function parseStatement(p: Parser): Stmt {
  const { token, depth } = p;
  try {
    return parseAnyStatement(p);
  } catch (error) {
    p.unwind(error, depth);
    p.skipStatement();
    return { kind: 'error', names: [], location: token.location };
  }
}

function parseAnyStatement(p: Parser): Stmt {
  const { token, isListed } = p;
  const { location } = token;
  p.isListed = false;
  if (token.kind === 'pragma') return parsePragmaStatement(p);
  if (token.kind === 'punctuator') {
    if (token.text === '{') return p.rules.compound(p);
    if (token.text === ';') {
      p.next();
      return { kind: 'empty', location };
    }
  } else if (token.kind === 'identifier') {
    const keyword = p.keywords.get(token.text);
    if (keyword === undefined) {
      if (p.isAt(1, ':')) return parseLabel(p);
    } else if (keyword.kind === 'statement') return parseKeywordStatement(p, isListed);
    else if (keyword.kind === 'attribute') return parseAttributed(p);
    else if (keyword.kind === 'asm') {
      p.reporter.report('asm-unsupported', location);
      p.skipStatement();
      return { kind: 'error', names: [], location };
    }
  }
  const expression = p.rules.expression(p);
  if (expression.kind === 'error' && !p.is(';')) p.skipStatement();
  else p.expectSemicolon('after expression', location);
  return { kind: 'expression', expression, location };
}

function parseKeywordStatement(p: Parser, isListed: boolean): Stmt {
  const { text, location } = p.next();
  switch (text) {
    case 'if':
      return parseIf(p, location);
    case 'while': {
      const condition = parseCondition(p, 'while');
      if (condition === undefined) return { kind: 'error', names: [], location };
      return { kind: 'while', condition, body: parseNested(p), location };
    }
    case 'do': {
      const body = parseNested(p);
      if (!p.isWord('while')) {
        if (body.kind !== 'error') p.reporter.report('expected-while', p.token.location);
        throw SYNTAX_ERROR;
      }
      p.next();
      const condition = parseCondition(p, 'do/while');
      if (condition === undefined) return { kind: 'error', names: [], location };
      p.expectSemicolon('after do/while statement', condition.begin);
      return { kind: 'do', body, condition, location };
    }
    case 'for':
      return parseForInScope(p, location);
    case 'switch': {
      const value = parseCondition(p, 'switch');
      if (value === undefined) return { kind: 'error', names: [], location };
      return { kind: 'switch', value, body: parseNested(p), location };
    }
    case 'case': {
      const value = p.rules.conditional(p);
      const last = p.accept('...') ? p.rules.conditional(p) : undefined;
      expectColon(p, `after 'case'`);
      return { kind: 'case', value, last, body: parseCaseBody(p, isListed), location };
    }
    case 'default':
      expectColon(p, `after 'default'`);
      return { kind: 'default', body: parseCaseBody(p, isListed), location };
    case 'goto': {
      const target = p.token;
      if (!p.isIdentifier()) p.fail('expected-identifier');
      p.next();
      p.expectSemicolon('after goto statement');
      const label = p.localLabels.get(target.text) ?? target.text;
      return { kind: 'goto', target: label, targetLocation: target.location, location };
    }
    case 'break':
    case 'continue':
      p.expectSemicolon(`after ${text} statement`);
      return { kind: text, location };
    case 'return': {
      const value = p.is(';') ? undefined : p.is('{') ? parseInitializer(p) : p.rules.expression(p);
      p.expectSemicolon('after return statement', value?.begin);
      return { kind: 'return', value, location };
    }
    default:
      p.reporter.report('expected-expression', location);
      throw SYNTAX_ERROR;
  }
}

/** `if … else if …` may be long: its links are parsed in a loop, and then nested from the last one. */
function parseIf(p: Parser, location: Location): Stmt {
  const links: Omit<IfStmt, 'otherwise'>[] = [];
  let otherwise: Stmt | undefined;
  for (let at = location; ; at = p.next().location) {
    const condition = parseCondition(p, 'if');
    if (condition === undefined) {
      otherwise = { kind: 'error', names: [], location: at };
      break;
    }
    const then = parseNested(p);
    const elseLocation = p.isWord('else') ? p.next().location : undefined;
    links.push({ kind: 'if', condition, then, elseLocation, location: at });
    if (elseLocation !== undefined && p.isWord('if')) continue;
    if (elseLocation !== undefined) otherwise = parseNested(p);
    break;
  }
  for (const link of links.reverse()) otherwise = { ...link, otherwise };
  return otherwise!;
}
