// SPDX-License-Identifier: MIT
//
// A macro's replacement list with its arguments put in: `#`, `##` and GNU's `, ## __VA_ARGS__` (C99, 6.10.3.1-3).
import type { Location } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';
import type { SourceMap } from '../../diagnostics/source-map';
import { lexText } from '../lex/lexer';
import { PpToken } from '../lex/pp-token';
import type { BodyItem, Macro } from './macro';

/** An argument of a call; it is macro-expanded only if the replacement list requires it. */
export interface Argument {
  readonly tokens: readonly PpToken[];
  expanded: readonly PpToken[] | undefined;
}

/** Tokens of one argument that are closer than this share one entry of the source map. */
const RUN_GAP = 50;

/** Produces at most about `limit` tokens. */
export function substitute(
  macro: Macro,
  use: PpToken,
  args: readonly Argument[],
  expand: (tokens: readonly PpToken[]) => readonly PpToken[],
  limit: number,
  reporter: Reporter,
): PpToken[] {
  const result: PpToken[] = [];
  const { body } = macro;
  if (body.length === 0) return result;
  const { sources } = reporter;
  const offset =
    sources.addExpansion(macro.bodyStart, macro.bodyLength, use.location, macro.name, false) -
    macro.bodyStart;

  /** The start of the left operand of `##` in `result`; the operand may be empty. */
  let operand = 0;
  for (let i = 0; i < body.length && result.length <= limit; i++) {
    const item = body[i]!;
    const { token } = item;
    const pastes = i > 0 && body[i - 1]!.pasteNext;
    const location = token.location + offset;
    const space = i === 0 ? use.space : token.space;
    if (item.parameter < 0 && !pastes) {
      operand = result.length;
      result.push(token.at(location, space));
      continue;
    }

    const argument = item.parameter < 0 ? undefined : args[item.parameter]!;
    const commaRule = pastes && isCommaRule(macro, body[i - 1]!, item);
    let piece: PpToken[];
    if (!argument) {
      piece = [token.at(location, space)];
    } else if (item.stringize) {
      piece = [new PpToken('string', stringize(argument.tokens), location, space, false, false)];
    } else {
      const raw = (pastes && !commaRule) || item.pasteNext;
      if (!raw) argument.expanded ??= expand(argument.tokens);
      piece = relocate(raw ? argument.tokens : argument.expanded!, location, space, macro, sources);
    }

    if (!pastes) {
      operand = result.length;
    } else if (commaRule) {
      if (piece.length === 0 && result.length > operand) result.pop();
    } else if (piece.length > 0 && result.length > operand) {
      const pasted = paste(result.pop()!, piece[0]!, reporter);
      result.push(...pasted);
      piece.shift();
    }
    for (const each of piece) result.push(each);
  }
  return result;
}

/** `, ## rest`: the comma is removed if the rest is empty; otherwise nothing is pasted. */
function isCommaRule(macro: Macro, left: BodyItem, right: BodyItem): boolean {
  return (
    macro.variadic &&
    right.parameter === macro.parameters!.length - 1 &&
    !right.stringize &&
    left.parameter < 0 &&
    left.token.text === ','
  );
}

/** The argument's tokens in the expansion, at `location`. */
function relocate(
  tokens: readonly PpToken[],
  location: Location,
  space: boolean,
  macro: Macro,
  sources: SourceMap,
): PpToken[] {
  const result: PpToken[] = [];
  for (let i = 0; i < tokens.length; ) {
    const first = tokens[i]!;
    let end = i + 1;
    while (end < tokens.length) {
      const gap = tokens[end]!.location - tokens[end - 1]!.location;
      if (gap < 0 || gap > RUN_GAP) break;
      end++;
    }
    const length = tokens[end - 1]!.end - first.location;
    const start = sources.addExpansion(first.location, length, location, macro.name, true);
    for (; i < end; i++) {
      const token = tokens[i]!;
      result.push(token.at(start + (token.location - first.location), i === 0 ? space : token.space));
    }
  }
  return result;
}

function stringize(tokens: readonly PpToken[]): string {
  let text = '';
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (i > 0 && token.space) text += ' ';
    text +=
      token.kind === 'string' || token.kind === 'character'
        ? token.text.replace(/[\\"]/g, '\\$&')
        : token.text;
  }
  // An odd number of backslashes at the end would escape the quote.
  const backslashes = /\\*$/.exec(text)![0].length;
  if (backslashes % 2 === 1) text = text.slice(0, -1);
  return `"${text}"`;
}

const WORD = /^[\w$]+$/;

function paste(left: PpToken, right: PpToken, reporter: Reporter): PpToken[] {
  const text = left.text + right.text;
  if (left.kind === 'identifier' && WORD.test(right.text)) {
    return [new PpToken('identifier', text, left.location, left.space, false, false)];
  }
  const tokens = text.includes('//') || text.includes('/*') ? [] : lexText(text, left.location, reporter);
  if (tokens.length !== 1 || tokens[0]!.kind === 'unknown') {
    reporter.report('paste-invalid', left.location, { text });
    return [left, right];
  }
  return [new PpToken(tokens[0]!.kind, tokens[0]!.text, left.location, left.space, false, false)];
}
