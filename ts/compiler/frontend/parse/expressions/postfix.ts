// SPDX-License-Identifier: MIT
//
// Subscripts, calls, members and postfix operators.

import type { Expr } from '../../ast/syntax';
import { parseMisplacedList } from '../declarations/initializers';
import { errorWithParts } from '../nodes';
import type { Parser } from '../parser';
import { failLongChain } from './chains';

export function parsePostfix(p: Parser, base: Expr): Expr {
  let length = 0;
  for (;;) {
    const { token } = p;
    if (token.kind !== 'punctuator') return base;
    switch (token.text) {
      case '[': {
        const opener = p.open('[');
        const index = p.rules.expression(p);
        if (!p.close(']', opener)) return errorWithParts(p, base.begin, [index]);
        base = { kind: 'index', base, index, location: opener, begin: base.begin, end: p.previousEnd };
        break;
      }
      case '(': {
        const opener = p.open('(');
        const args: Expr[] = [];
        if (!p.is(')')) {
          do args.push(p.is('{') ? parseMisplacedList(p) : p.rules.assignment(p));
          while (p.accept(','));
        }
        if (!p.close(')', opener)) return errorWithParts(p, base.begin, args);
        base = {
          kind: 'call',
          callee: base,
          arguments: args,
          location: opener,
          begin: base.begin,
          end: p.previousEnd,
        };
        break;
      }
      case '.':
      case '->': {
        p.next();
        const { text: name, location: nameLocation, kind } = p.token;
        if (kind !== 'identifier') p.fail('expected-identifier');
        p.next();
        const arrow = token.text === '->';
        const { location } = token;
        base = {
          kind: 'member',
          base,
          name,
          arrow,
          nameLocation,
          location,
          begin: base.begin,
          end: p.previousEnd,
        };
        break;
      }
      case '++':
      case '--':
        p.next();
        base = {
          kind: 'postfix',
          op: token.text as '++' | '--',
          operand: base,
          location: token.location,
          begin: base.begin,
          end: p.previousEnd,
        };
        break;
      default:
        return base;
    }
    if (++length > 1000) failLongChain(p);
  }
}
