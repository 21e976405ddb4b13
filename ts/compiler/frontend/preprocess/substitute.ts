// SPDX-License-Identifier: MIT
//
// A macro's replacement list with its arguments put in: `#`, `##`, GNU's `, ## __VA_ARGS__` (C99, 6.10.3.1-3) and
// `__VA_OPT__` (C23, 6.10.5.1).
import type { Location } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';
import type { SourceMap } from '../../diagnostics/source-map';
import { DIGRAPHS } from '../lex/characters';
import { lexText } from '../lex/lexer';
import { PpToken } from '../lex/pp-token';
import type { BodyItem, Macro } from './macro';

/** An argument of a call; it is macro-expanded only if the replacement list requires it. */
export interface Argument {
  readonly tokens: readonly PpToken[];
  expanded: readonly PpToken[] | undefined;
  /** Nothing was written for `...`, not even the comma before it. */
  readonly absent?: boolean;
}

/** Tokens of one argument that are closer than this share one entry of the source map. */
const RUN_GAP = 50;

/** What one expansion of a macro has in common. */
interface Expansion {
  readonly macro: Macro;
  readonly args: readonly Argument[];
  readonly expand: (tokens: readonly PpToken[]) => readonly PpToken[];
  /** Produces at most about this many tokens. */
  readonly limit: number;
  readonly reporter: Reporter;
  /** From a location in the definition to that in the expansion. */
  readonly offset: number;
}

/** What a macro is replaced by. */
export interface Replacement {
  readonly tokens: readonly PpToken[];
  /** Whether there is space after them, which the next token gets: before a parameter whose argument is empty, or all is. */
  readonly spaceAfter: boolean;
}

/** Produces at most about `limit` tokens. */
export function substitute(
  macro: Macro,
  use: PpToken,
  args: readonly Argument[],
  expand: (tokens: readonly PpToken[]) => readonly PpToken[],
  limit: number,
  reporter: Reporter,
): Replacement {
  const { body } = macro;
  if (body.length === 0) return { tokens: [], spaceAfter: use.space };
  const { bodyStart } = macro;
  const start = reporter.sources.addExpansion(bodyStart, macro.bodyLength, use.location, macro.name, false);
  return replace(body, use.space, { macro, args, expand, limit, reporter, offset: start - bodyStart });
}

/** Tokens in place of elements of the replacement list. */
interface Piece extends Replacement {
  readonly tokens: PpToken[];
  /** Whether they end in an empty operand of `##`, to which a following `##` applies. */
  readonly endsEmpty: boolean;
}

/** `space`: whether there is space before the first token. */
function replace(body: readonly BodyItem[], space: boolean, expansion: Expansion): Piece {
  const { macro, args, limit, reporter, offset } = expansion;
  const result: PpToken[] = [];
  /** The start of the left operand of `##` in `result`; the operand may be empty. */
  let operand = 0;
  /** Whether the next token has space before it. */
  let pending = space;
  for (let i = 0; i < body.length && result.length <= limit; i++) {
    const item = body[i]!;
    const { token } = item;
    const pastes = i > 0 && body[i - 1]!.pasteNext;
    const location = token.location + offset;
    // Before the first token there is what precedes the macro's name, whichever token that is.
    const before = result.length === 0 ? space : pending || token.space;
    if (item.parameter < 0 && !item.optional && !pastes) {
      operand = result.length;
      result.push(token.at(location, before));
      pending = false;
      continue;
    }

    const left = pastes && result.length > operand ? result.at(-1) : undefined;
    const commaRule = left?.text === ',' && isRest(item, macro);
    const own = commaRule ? args[item.parameter]!.tokens[0]?.space === true : before;
    const { tokens: piece, endsEmpty, spaceAfter } = pieceOf(item, own, pastes || item.pasteNext, expansion);
    if (piece.length > 0 || spaceAfter || !pastes) pending = spaceAfter || (piece.length === 0 && before);
    if (!pastes) {
      operand = result.length;
    } else if (commaRule) {
      if (args[item.parameter]!.absent) result.pop();
    } else if (left && piece.length > 0) {
      result.pop();
      result.push(...paste(left, piece.shift()!, reporter));
    }
    for (const each of piece) result.push(each);
    if (endsEmpty) operand = result.length;
  }
  return { tokens: result, endsEmpty: operand === result.length, spaceAfter: pending };
}

/** What stands for an element of the replacement list. `raw`: without macro expansion of an argument. */
function pieceOf(item: BodyItem, space: boolean, raw: boolean, expansion: Expansion): Piece {
  const { macro, args, expand, reporter, offset } = expansion;
  const { token, parameter, stringize, optional } = item;
  const location = token.location + offset;
  const whole = (tokens: PpToken[]): Piece => ({ tokens, endsEmpty: false, spaceAfter: false });
  const text = (tokens: readonly PpToken[]) =>
    whole([new PpToken('string', textOf(tokens, reporter.sources), location, space, false, false)]);
  if (optional) {
    const piece = hasRest(optional.body, args.at(-1)!, expand)
      ? replace(optional.body, space, expansion)
      : whole([]);
    return stringize ? text(piece.tokens) : piece;
  }
  if (parameter < 0) return whole([token.at(location, space)]);
  const argument = args[parameter]!;
  if (stringize) return text(argument.tokens);
  if (!raw) argument.expanded ??= expand(argument.tokens);
  const tokens = raw ? argument.tokens : argument.expanded!;
  return whole(relocate(tokens, location, space, macro, reporter.sources));
}

/** Whether the content of `__VA_OPT__` is there. As in clang, an argument is not expanded for one without content. */
function hasRest(content: readonly BodyItem[], rest: Argument, expand: Expansion['expand']): boolean {
  if (content.length === 0) return false;
  rest.expanded ??= expand(rest.tokens);
  return rest.expanded.length > 0;
}

/**
 * Whether an element is the argument for `...`. After `, ##` it is not pasted, and if the call has none, the comma is removed. C99
 * demands an argument, and after an empty one the comma stays.
 */
const isRest = ({ parameter, stringize }: BodyItem, { variadic, parameters }: Macro): boolean =>
  variadic && parameter === parameters!.length - 1 && !stringize;

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

function textOf(tokens: readonly PpToken[], sources: SourceMap): string {
  let text = '';
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (i > 0 && token.space) text += ' ';
    text +=
      token.kind === 'string' || token.kind === 'character'
        ? token.text.replace(/[\\"]/g, '\\$&')
        : spellingOf(token, sources);
  }
  // An odd number of backslashes at the end would escape the quote.
  const backslashes = /\\*$/.exec(text)![0].length;
  if (backslashes % 2 === 1) text = text.slice(0, -1);
  return `"${text}"`;
}

/** The text of a token; of a digraph, which is otherwise the token that it represents, as it is written (C99, 6.4.6). */
function spellingOf(token: PpToken, sources: SourceMap): string {
  const digraph = token.kind === 'punctuator' ? DIGRAPHS.get(token.text) : undefined;
  return digraph !== undefined && sources.isWritten(digraph, token.location) ? digraph : token.text;
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
