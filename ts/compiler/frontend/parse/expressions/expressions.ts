// SPDX-License-Identifier: MIT
//
// Expressions of two and three operands, by precedence climbing.
import type { ArithmeticOp } from '../../ast/operators';
import type { BinaryOp, Expr } from '../../ast/syntax';
import type { Token } from '../../lex/token';
import { SYNTAX_ERROR } from '../cursor';
import { isTypeStart } from '../lookahead';
import type { Parser } from '../parser';
import { CHAIN_LIMIT, failLongChain } from './chains';
import { parseUnary } from './unary';

const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['*', 10],
  ['/', 10],
  ['%', 10],
  ['+', 9],
  ['-', 9],
  ['<<', 8],
  ['>>', 8],
  ['<', 7],
  ['>', 7],
  ['<=', 7],
  ['>=', 7],
  ['==', 6],
  ['!=', 6],
  ['&', 5],
  ['^', 4],
  ['|', 3],
  ['&&', 2],
  ['||', 1],
]);

const ASSIGNMENTS: ReadonlyMap<string, ArithmeticOp | undefined> = new Map([
  ['=', undefined],
  ['+=', '+'],
  ['-=', '-'],
  ['*=', '*'],
  ['/=', '/'],
  ['%=', '%'],
  ['&=', '&'],
  ['|=', '|'],
  ['^=', '^'],
  ['<<=', '<<'],
  ['>>=', '>>'],
]);

/** Statements that are not taken for an expression after a `,`, as in clang. */
const NOT_EXPRESSIONS: ReadonlySet<string> = new Set(['for', 'while', 'if', 'else', 'goto']);

export function parseExpression(p: Parser): Expr {
  let left = p.rules.assignment(p);
  let length = 0;
  while (p.is(',') && !cannotBeginExpression(p, p.peek())) {
    if (++length > CHAIN_LIMIT) failLongChain(p);
    const { location } = p.next();
    const right = p.rules.assignment(p);
    left = { kind: 'binary', op: ',', left, right, location, begin: left.begin, end: right.end };
  }
  return left;
}

/** After a `,`: whether a statement or a declaration begins, so that a `;` was meant. */
function cannotBeginExpression(p: Parser, token: Token): boolean {
  if (token.kind === 'punctuator') return token.text === '{' || token.text === '}';
  if (token.kind !== 'identifier') return false;
  const kind = p.keywords.get(token.text)?.kind;
  if (kind === 'statement') return NOT_EXPRESSIONS.has(token.text);
  return kind === 'storage' || (kind !== 'attribute' && isTypeStart(p, 1));
}

/** An assignment-expression: an expression without commas. */
export function parseAssignment(p: Parser): Expr {
  const left = p.rules.conditional(p);
  const { token } = p;
  if (token.kind !== 'punctuator' || !ASSIGNMENTS.has(token.text)) return left;
  p.next();
  p.deeper();
  const right = p.rules.assignment(p);
  p.shallower();
  const op = ASSIGNMENTS.get(token.text);
  return { kind: 'assign', op, left, right, location: token.location, begin: left.begin, end: right.end };
}

/** A constant-expression by its grammar. */
export function parseConditional(p: Parser): Expr {
  const condition = parseBinary(p, parseUnary(p), 1);
  if (!p.is('?')) return condition;
  const { location } = p.next();
  p.deeper();
  const then = p.is(':') ? undefined : p.rules.expression(p);
  if (!p.accept(':')) {
    p.reporter.report('expected-token', p.token.location, { token: ':' });
    throw SYNTAX_ERROR;
  }
  const otherwise = p.rules.conditional(p);
  p.shallower();
  return {
    kind: 'conditional',
    condition,
    then,
    otherwise,
    location,
    begin: condition.begin,
    end: otherwise.end,
  };
}

function parseBinary(p: Parser, left: Expr, least: number): Expr {
  let length = 0;
  for (;;) {
    const { token } = p;
    const precedence = token.kind === 'punctuator' ? PRECEDENCE.get(token.text) : undefined;
    if (precedence === undefined || precedence < least) return left;
    if (++length > CHAIN_LIMIT) failLongChain(p);
    p.next();
    let right = parseUnary(p);
    const following = p.token.kind === 'punctuator' ? PRECEDENCE.get(p.token.text) : undefined;
    if (following !== undefined && following > precedence) right = parseBinary(p, right, precedence + 1);
    left = {
      kind: 'binary',
      op: token.text as BinaryOp,
      left,
      right,
      location: token.location,
      begin: left.begin,
      end: right.end,
    };
  }
}
