// SPDX-License-Identifier: MIT
//
// Lookahead: what the next tokens can begin. C cannot be parsed without knowing which names are types.

import type { Token } from '../lex/token';
import type { Parser } from './parser';

/** Kinds of keywords that can begin the specifiers of a type name. */
const TYPE_STARTS: ReadonlySet<string> = new Set([
  'base',
  'image',
  'qualifier',
  'space',
  'access',
  'record',
  'enum',
  'typeof',
  'auto-type',
  'pipe',
]);

/** … and kinds that can only begin those of a declaration. */
const DECLARATION_STARTS: ReadonlySet<string> = new Set([
  'storage',
  'inline',
  'kernel',
  'noreturn',
  'attribute',
  'alignas',
  'static-assert',
  'unsupported',
]);

/** The tokens that can follow a declarator's name. */
const AFTER_NAME: ReadonlySet<string> = new Set(['=', ';', ',', '[', '(', ')', '{', '}']);

export function isTypeNameToken(p: Parser, token: Token): boolean {
  return token.kind === 'identifier' && p.names.isType(token.text);
}

export function isTypeStart(p: Parser, distance = 0): boolean {
  const token = p.peek(distance);
  if (token.kind !== 'identifier') return false;
  const keyword = p.keywords.get(token.text);
  return keyword === undefined ? isTypeNameToken(p, token) : TYPE_STARTS.has(keyword.kind);
}

function isAfterName({ kind, text }: Token): boolean {
  return kind === 'end' || (kind === 'punctuator' && AFTER_NAME.has(text));
}

export function isDeclarationStart(p: Parser): boolean {
  const { token } = p;
  if (token.kind !== 'identifier') return false;
  const keyword = p.keywords.get(token.text);
  if (keyword === undefined) {
    if (isTypeNameToken(p, token)) return !p.isAt(1, ':');
    // `unknown x;`: only a declaration looks like this.
    return !p.names.has(token.text) && p.isIdentifier(p.peek()) && isAfterName(p.peek(2));
  }
  if (keyword.kind === 'extension') {
    const next = p.peek();
    const kind = p.keyword(next)?.kind;
    return kind === undefined
      ? isTypeNameToken(p, next)
      : TYPE_STARTS.has(kind) || DECLARATION_STARTS.has(kind);
  }
  return TYPE_STARTS.has(keyword.kind) || DECLARATION_STARTS.has(keyword.kind);
}
