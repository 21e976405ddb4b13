// SPDX-License-Identifier: MIT
//
// Preprocessed tokens as source text again, with `#line` markers: `--emit=preprocessed`.
import type { SourceMap } from '../../diagnostics/source-map';
import type { Token } from '../lex/token';

/** Up to this many line ends are printed; for more, a marker is shorter. */
const LONGEST_GAP = 8;

/** A token that never joins with its neighbour to another one. */
const SEPARATOR = /^[()[\]{},;]$/;

export function printTokens(tokens: readonly Token[], sources: SourceMap): string {
  const parts: string[] = [];
  let file: string | undefined;
  let line = 0;
  let previous: Token | undefined;
  for (const token of tokens) {
    if (token.kind === 'end') break;
    const at = sources.position(sources.expansion(token.location));
    const isPragma = token.kind === 'pragma';
    if (at && (at.file !== file || at.line !== line || isPragma)) {
      if (at.file !== file || at.line < line || at.line > line + LONGEST_GAP) {
        parts.push(`${file === undefined ? '' : '\n'}#line ${at.line} ${quote(at.file)}\n`);
      } else {
        parts.push('\n'.repeat(at.line - line));
        if (at.line === line) parts.push(`\n#line ${at.line} ${quote(at.file)}\n`);
      }
      ({ file, line } = at);
      parts.push(' '.repeat(isPragma ? 0 : at.column - 1));
    } else if (!previous || !areAdjacent(previous, token, sources)) {
      parts.push(' ');
    }
    parts.push(isPragma ? `#pragma ${token.text}\n` : token.text);
    if (isPragma) line++;
    previous = token;
  }
  parts.push('\n');
  return parts.join('');
}

/** In expansions a pasted token is longer than its place, whose end says nothing. */
function areAdjacent(left: Token, right: Token, sources: SourceMap): boolean {
  if (right.location !== left.location + left.text.length) return false;
  if (!sources.isMacro(right.location) || SEPARATOR.test(left.text) || SEPARATOR.test(right.text))
    return true;
  return left.kind === 'punctuator' && left.text !== '.' && right.kind !== 'punctuator';
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
