// SPDX-License-Identifier: MIT
//
// Compound statements.

import type { CompoundStmt, Stmt } from '../../ast/syntax';
import type { Parser } from '../parser';
import { parseBlockItem } from './block-items';

export function parseCompound(p: Parser): CompoundStmt {
  return p.names.inScope(() => {
    const location = p.open('{');
    const statements: Stmt[] = [];
    const { localLabels } = p;
    while (p.keyword()?.kind === 'local-label') parseLocalLabels(p);
    while (!p.is('}') && p.token.kind !== 'end' && !p.reporter.stopped) {
      statements.push(parseBlockItem(p));
    }
    const end = p.token.location;
    p.close('}', location);
    p.localLabels = localLabels;
    return { kind: 'compound', statements, location, end };
  });
}

/** GNU's `__label__ a, b;`: labels that belong to the block. */
function parseLocalLabels(p: Parser): void {
  p.next();
  const labels = new Map(p.localLabels);
  do {
    const { text } = p.token;
    if (!p.isIdentifier()) p.fail('expected-identifier');
    p.next();
    labels.set(text, `${text}.${++p.labelCount}`);
  } while (p.accept(','));
  p.localLabels = labels;
  p.expectSemicolon('after label declaration');
}
