// SPDX-License-Identifier: MIT

/**
 * The comment that stands directly above the line of a declaration, as plain text without its marks; empty if there is
 * none. `//` lines and a block comment count; an empty line between comment and declaration ends the search.
 */
export function commentAbove(text: string, declaration: number): string {
  const lines = text.slice(0, text.lastIndexOf('\n', declaration - 1) + 1).split('\n');
  lines.pop();
  const last = lines.at(-1)?.trim() ?? '';
  if (last.startsWith('//')) return lineComments(lines);
  return last.endsWith('*/') ? blockComment(lines) : '';
}

function lineComments(lines: readonly string[]): string {
  const first = lines.findLastIndex((line) => !line.trim().startsWith('//')) + 1;
  return joined(lines.slice(first).map((line) => line.trim().replace(/^\/\/[/!]? ?/, '')));
}

/** Code before the comment makes it that code's comment. */
function blockComment(lines: readonly string[]): string {
  const first = lines.findLastIndex((line) => line.includes('/*'));
  if (first < 0 || !lines[first]!.trim().startsWith('/*')) return '';
  const whole = lines.slice(first).join('\n').trim();
  const inner = whole.replace(/^\/\*[*!]?/, '').replace(/\*\/$/, '');
  return joined(inner.split('\n').map((line) => line.trim().replace(/^\* ?/, '')));
}

const joined = (lines: readonly string[]): string => lines.join('\n').trim();
