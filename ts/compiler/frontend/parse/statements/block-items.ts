// SPDX-License-Identifier: MIT
//
// The items of a block: declarations and statements.

import type { Stmt } from '../../ast/syntax';
import { parseAttributes } from '../declarations/attributes';
import { parseDeclaration } from '../declarations/declarations';
import { NO_ATTRIBUTES } from '../declarations/specifier-words';
import { parseStaticAssert } from '../declarations/static-asserts';
import { isDeclarationStart, isTypeStart } from '../lookahead';
import type { Parser } from '../parser';

export function parseBlockItem(p: Parser): Stmt {
  const { location } = p.token;
  if (!isDeclarationStart(p)) {
    p.isListed = true;
    return p.rules.statement(p);
  }
  p.namesSeen = [];
  const { depth } = p;
  try {
    return parseDeclarationOrAttributed(p);
  } catch (error) {
    const names = p.namesSeen;
    p.unwind(error, depth);
    p.skipDeclaration(names);
    return { kind: 'error', names, location };
  }
}

function parseDeclarationOrAttributed(p: Parser): Stmt {
  const kind = p.keyword()?.kind;
  if (kind === 'static-assert') return parseStaticAssert(p);
  if (kind === 'attribute' && !attributeBeginsDeclaration(p)) return parseAttributed(p);
  const declaration = parseDeclaration(p, 'in a block');
  return declaration.kind === 'declaration'
    ? declaration
    : { kind: 'error', names: [], location: declaration.location };
}

/** Looks past `__attribute__((…))` for a type. */
function attributeBeginsDeclaration(p: Parser): boolean {
  let distance = 0;
  for (;;) {
    if (p.keyword(p.peek(distance))?.kind !== 'attribute') break;
    distance++;
    let depth = 0;
    do {
      const token = p.peek(distance++);
      if (token.kind === 'end') return false;
      if (token.kind !== 'punctuator') continue;
      if (token.text === '(') depth++;
      else if (token.text === ')') depth--;
    } while (depth > 0);
  }
  const kind = p.keyword(p.peek(distance))?.kind;
  return isTypeStart(p, distance) || kind === 'storage' || kind === 'inline';
}

export function parseAttributed(p: Parser): Stmt {
  const { location } = p.token;
  const attributes = parseAttributes(p, NO_ATTRIBUTES);
  if (p.accept(';')) return { kind: 'empty', location };
  return { kind: 'attributed', attributes, body: p.rules.statement(p), location };
}
