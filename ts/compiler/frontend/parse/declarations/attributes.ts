// SPDX-License-Identifier: MIT
//
// `__attribute__((…))` and `_Alignas`.

import type { Attribute, Expr, TypeName } from '../../ast/syntax';
import { isTypeStart } from '../lookahead';
import type { Parser } from '../parser';

/** Appends the attributes at the current token, if any. */
export function parseAttributes(p: Parser, before: readonly Attribute[]): readonly Attribute[] {
  let all: Attribute[] | undefined;
  while (p.keyword()?.kind === 'attribute') {
    p.next();
    const outer = p.open('(');
    const inner = p.open('(');
    all ??= [...before];
    while (!p.is(')')) {
      if (p.accept(',')) continue;
      all.push(parseAttribute(p));
      if (!p.is(',')) break;
    }
    p.close(')', inner);
    p.close(')', outer);
  }
  return all ?? before;
}

/** `_Alignas(16)` and `_Alignas(int4)` of C11, as the attribute `aligned`. */
export function parseAlignas(p: Parser): Attribute {
  const { location } = p.next();
  const opener = p.open('(');
  const begin = p.token.location;
  const operand = isTypeStart(p) ? p.rules.typeName(p) : p.rules.conditional(p);
  p.close(')', opener);
  const alignment: Expr =
    operand.kind === 'type-name'
      ? { kind: 'type-query', query: 'alignof', operand, location: begin, begin, end: operand.end }
      : operand;
  return { name: 'aligned', arguments: [alignment], type: undefined, isAlignas: true, location };
}

function parseAttribute(p: Parser): Attribute {
  const { text, location, kind } = p.token;
  if (kind !== 'identifier') p.fail('expected-identifier');
  p.next();
  const name = text.startsWith('__') && text.endsWith('__') && text.length > 4 ? text.slice(2, -2) : text;
  const args: Expr[] = [];
  let type: TypeName | undefined;
  if (p.is('(')) {
    const opener = p.open('(');
    while (!p.is(')')) {
      if (name === 'vec_type_hint' && isTypeStart(p)) {
        type = p.rules.typeName(p);
        break;
      }
      args.push(p.rules.conditional(p));
      if (!p.accept(',')) break;
    }
    p.close(')', opener);
  }
  return { name, arguments: args, type, location };
}
