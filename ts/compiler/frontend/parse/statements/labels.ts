// SPDX-License-Identifier: MIT
//
// Labels, `case` and `default`.

import type { Stmt } from '../../ast/syntax';
import { parseAttributes } from '../declarations/attributes';
import { NO_ATTRIBUTES } from '../declarations/specifier-words';
import { isDeclarationStart } from '../lookahead';
import type { Parser } from '../parser';
import { parseBlockItem } from './block-items';

export function parseLabel(p: Parser): Stmt {
  const { text: name, location } = p.next();
  p.next();
  parseAttributes(p, NO_ATTRIBUTES);
  return { kind: 'label', name: p.localLabels.get(name) ?? name, body: parseLabelled(p), location };
}

/** The statement after a label; like clang, requires one at the end of a block. */
function parseLabelled(p: Parser): Stmt {
  if (p.is('}')) {
    p.reporter.report('label-at-end', p.token.location);
    return { kind: 'empty', location: p.token.location };
  }
  if (isDeclarationStart(p) && p.keyword()?.kind !== 'attribute') {
    p.reporter.report('expected-expression', p.token.location);
    return parseBlockItem(p);
  }
  p.deeper();
  const body = p.rules.statement(p);
  p.shallower();
  return body;
}

/** In a block each of several consecutive labels is a separate statement, as there may be thousands. */
export function parseCaseBody(p: Parser, isListed: boolean): Stmt {
  if (isListed && (p.isWord('case') || p.isWord('default')))
    return { kind: 'empty', location: p.token.location };
  return parseLabelled(p);
}

export function expectColon(p: Parser, after: string): void {
  if (p.accept(':')) return;
  p.reporter.report('expected-colon', p.previousEnd, { after });
  p.accept(';');
}
