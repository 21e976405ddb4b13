// SPDX-License-Identifier: MIT
//
// Declarations that do not end as they should.

import type { Expr, InitDeclarator, Specifiers } from '../../ast/syntax';
import { isDeclarationStart } from '../lookahead';
import { errorAt } from '../nodes';
import type { Parser } from '../parser';
import { assumeSemicolon, isDefinition } from './specifiers';

export type Where = 'at file scope' | 'in a block' | 'in for';

/** A function's declarator has neither a body nor a `;` after it: reports that, and skips the tokens in its place. */
export function recoverWithoutBody(p: Parser, where: Where): boolean {
  if (where === 'at file scope') {
    if (isDeclarationStart(p)) return false;
    p.reporter.report('expected-function-body', p.token.location);
    skipExternal(p);
    return true;
  }
  if (!p.is('{')) return false;
  // Most likely a `}` is missing: all following functions are then inside this one.
  if (!p.hasInnerFunction) p.reporter.report('function-definition-here', p.token.location);
  p.hasInnerFunction = true;
  p.skipDeclaration();
  return true;
}

/** The file ends after a definition without its `;`. */
export function endsWithDefinition(p: Parser, { type }: Specifiers): boolean {
  if (!isDefinition(type)) return false;
  assumeSemicolon(p, type);
  p.semicolonAssumed = false;
  return true;
}

/** The tokens that can begin a declarator, and those that can follow a declarator's name; as in clang. */
const DECLARATOR_STARTS: ReadonlySet<string> = new Set(['(', '*', '^', '=', ',', ';']);

const DECLARATOR_NEXT: ReadonlySet<string> = new Set([...',=;()[]{}', '->', '==', ':']);

/** Whether the current `,` was meant as `;`: no declarator can begin after it on the next line. */
export function endsInComma(p: Parser): boolean {
  if (!p.is(',')) return false;
  const next = p.peek();
  if (next.kind === 'punctuator' && DECLARATOR_STARTS.has(next.text)) return false;
  if (p.keyword(next)?.kind === 'attribute') return false;
  if (p.isIdentifier(next) && !p.isIdentifier(p.peek(2))) {
    const { kind, text } = p.peek(2);
    if (kind === 'punctuator' && DECLARATOR_NEXT.has(text)) return false;
  }
  const { sources } = p.reporter;
  return sources.position(p.token.location)?.line !== sources.position(next.location)?.line;
}

/**
 * After an initializer there is neither `,` nor `;`; an error that the checker finds in the initializer explains it. The
 * declarators after it are declared all the same.
 */
export function endsInMistake(p: Parser, init: Expr): boolean {
  return init.kind !== 'error' && !p.is(',') && !p.is(';') && !isDeclarationStart(p);
}

export function isBeforeDeclarator(p: Parser): boolean {
  return p.is(',') && p.isIdentifier(p.peek(p.isAt(1, '*') ? 2 : 1));
}

export function reportMissingSemicolon(p: Parser, where: Where): void {
  const after = where === 'at file scope' ? 'after top level declarator' : 'at end of declaration';
  p.reporter.report('expected-semicolon', p.previousEnd, { after });
}

export function recoverMissingSemicolon(
  p: Parser,
  where: Where,
  isTypedef: boolean,
  declarators: InitDeclarator[],
): void {
  const last = declarators.at(-1);
  reportMissingSemicolon(p, where);
  p.doubt(last?.init?.begin);
  if (isDeclarationStart(p)) return;
  const outermost = last?.declarator.parts.at(-1)?.kind;
  if (last !== undefined && last.init === undefined && !isTypedef && outermost !== 'function') {
    const init = errorAt(last.declarator.location, p.previousEnd);
    declarators[declarators.length - 1] = { ...last, init };
  }
  if (where === 'at file scope') skipExternal(p);
  else p.skipStatement();
}

/** Skips past the next `;` or block at file scope, or before a line that begins like a declaration. */
export function skipExternal(p: Parser): void {
  for (let isFirst = true; p.token.kind !== 'end'; isFirst = false) {
    if (p.is('{')) {
      p.next();
      p.brackets.push('}');
      if (p.skipUntil(['}'], 'only')) p.next();
      p.brackets.pop();
      p.accept(';');
      return;
    }
    if (p.accept(';') || (!isFirst && isNextDeclaration(p))) return;
    p.next();
  }
}

function isNextDeclaration(p: Parser): boolean {
  if (p.keyword() === undefined || !isDeclarationStart(p)) return false;
  const { sources } = p.reporter;
  return sources.position(p.token.location)?.line !== sources.position(p.previousEnd)?.line;
}
