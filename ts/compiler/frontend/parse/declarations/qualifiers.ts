// SPDX-License-Identifier: MIT
//
// Qualifiers: of declarations, pointers and arrays.

import type { Qualifiers } from '../../ast/syntax';
import type { Parser } from '../parser';
import { parseAttributes } from './attributes';
import { addSpaceOf, NO_ATTRIBUTES, QualifierSet } from './specifier-words';

/** Consumes the current token, a qualifier. */
export function parseQualifier(p: Parser, into: QualifierSet): void {
  const token = p.next();
  const keyword = p.keywords.get(token.text)!;
  into.any = true;
  const repeated = () => p.reporter.report('duplicate-qualifier', token.location, { qualifier: token.text });
  if (keyword.kind === 'qualifier') {
    if (into[keyword.qualifier]) repeated();
    into[keyword.qualifier] = true;
  } else if (keyword.kind === 'space') {
    if (into.space === keyword.space) repeated();
    else if (into.space !== undefined) p.reporter.report('multiple-address-spaces', token.location);
    into.space = keyword.space;
    into.spaceLocation = token.location;
  }
}

/** Qualifiers after a `*`. */
export function parseQualifiers(p: Parser): Qualifiers {
  const set = new QualifierSet();
  for (;;) {
    const kind = p.keyword()?.kind;
    if (kind === 'qualifier' || kind === 'space') parseQualifier(p, set);
    else if (kind === 'attribute') addSpaceOf(parseAttributes(p, NO_ATTRIBUTES), set);
    else return set.finish();
  }
}
