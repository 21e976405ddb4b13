// SPDX-License-Identifier: MIT
//
// Designators of members and elements.

import type { Designator } from '../../ast/syntax';
import { SYNTAX_ERROR } from '../cursor';
import type { Parser } from '../parser';

export function expectDesignatedValue(p: Parser, designators: readonly Designator[]): void {
  if (p.accept('=')) return;
  const [first] = designators;
  if (designators.length === 1 && first!.kind === 'index') {
    p.reporter.report('designator-missing-equal', p.token.location);
    return;
  }
  p.reporter.report('expected-designator', p.token.location);
  throw SYNTAX_ERROR;
}

export function parseFieldDesignator(p: Parser): Designator {
  const { text, location, kind } = p.token;
  if (kind !== 'identifier') p.fail('expected-identifier');
  p.next();
  return { kind: 'field', name: text, location };
}

export function parseIndexDesignator(p: Parser): Designator {
  const location = p.open('[');
  const index = p.rules.conditional(p);
  const last = p.accept('...') ? p.rules.conditional(p) : undefined;
  p.close(']', location);
  return { kind: 'index', index, last, location };
}
