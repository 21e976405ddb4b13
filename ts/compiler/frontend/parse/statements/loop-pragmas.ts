// SPDX-License-Identifier: MIT
//
// Pragmas within functions; some apply to the loop after them.
import type { Attribute, Stmt } from '../../ast/syntax';
import type { Token } from '../../lex/token';
import type { Parser } from '../parser';
import { applyPragma } from '../pragmas';
import { parseBlockItem } from './block-items';

/** #pragma unroll, nounroll, clang loop unroll and unroll_count, with their argument. */
export const UNROLL = /^(clang\s+loop\s+)?(no)?unroll(?:_count)?\b\s*(?:\(([^()]*)\)|(.*))/;

/** The statements that a loop pragma may precede; 'error' has its own message. */
const CAN_UNROLL: ReadonlySet<Stmt['kind']> = new Set(['for', 'while', 'do', 'attributed', 'error']);

export function parsePragmaStatement(p: Parser): Stmt {
  const token = p.next();
  const { location, text } = token;
  const unroll = UNROLL.exec(text);
  if (unroll) return parseUnroll(p, token, unroll);
  if (applyPragma(p, token)) return { kind: 'empty', location };
  return { kind: 'pragma', text, location };
}

/** `#pragma unroll` and its other forms precede a loop. */
function parseUnroll(p: Parser, { location, text }: Token, found: RegExpExecArray): Stmt {
  const [, loop, no, inside, after] = found;
  const argument = inside ?? after ?? '';
  const number = /^-?\d+$/.exec(argument.trim())?.[0];
  if (number?.startsWith('-')) p.reporter.report('unroll-count', location, { value: number });
  const isOff = no !== undefined || number === '0' || argument.trim() === 'disable';
  const value = isOff ? 1n : BigInt(Math.max(0, Number.parseInt(argument, 10) || 0));
  const at = { location, begin: location, end: location };
  const attribute: Attribute = {
    name: 'unroll',
    arguments: [{ kind: 'integer', value, type: 'int', ...at }],
    type: undefined,
    location,
  };
  if (p.is('}')) {
    p.reporter.report('expected-statement', p.token.location);
    return { kind: 'empty', location };
  }
  while (p.token.kind === 'pragma' && !UNROLL.test(p.token.text)) applyPragma(p, p.next());
  const body = parseBlockItem(p);
  if (!CAN_UNROLL.has(body.kind)) {
    const pragma = loop === undefined ? `#pragma ${/^\w+/.exec(text)![0]}` : '#pragma clang loop';
    p.reporter.report('loop-expected', body.location, { pragma });
    return body;
  }
  return { kind: 'attributed', attributes: [attribute], body, location };
}
