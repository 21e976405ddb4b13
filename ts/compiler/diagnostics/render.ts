// SPDX-License-Identifier: MIT
//
// Diagnostics as text, in clang's form: `file:line:column: error: message [-Wflag]`, the source line, a caret under the
// place and tildes under the ranges.
import type { Diagnostic, Position } from './diagnostic';

export interface RenderOptions {
  /** With ANSI colours, as clang's on a terminal. */
  readonly colours?: boolean;
}

const TAB_STOP = 8;
/** Lines longer than this are not shown. */
const LONGEST_LINE = 4096;

const SEVERITY_COLOUR = { error: '\x1b[0;1;31m', warning: '\x1b[0;1;35m', note: '\x1b[0;1;30m' };
const BOLD = '\x1b[1m';
const GREEN = '\x1b[0;1;32m';
const RESET = '\x1b[0m';

/** All messages and the closing count, each line ended. Empty if there are none. */
export function render(diagnostics: readonly Diagnostic[], options: RenderOptions = {}): string {
  const lines: string[] = [];
  const state = { lines, colours: options.colours ?? false, includes: '' };
  for (const diagnostic of diagnostics) renderOne(diagnostic, state);
  const summary = summarize(diagnostics);
  if (summary) lines.push(summary);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** `2 warnings and 1 error generated.`; empty if there is nothing to count. */
function summarize(diagnostics: readonly Diagnostic[]): string {
  let errors = 0;
  let warnings = 0;
  for (const { severity, code } of diagnostics) {
    if (severity === 'warning') warnings++;
    else if (severity === 'error' && code !== 'too-many-errors') errors++;
  }
  const parts: string[] = [];
  if (warnings > 0) parts.push(`${warnings} warning${warnings === 1 ? '' : 's'}`);
  if (errors > 0) parts.push(`${errors} error${errors === 1 ? '' : 's'}`);
  return parts.length === 0 ? '' : `${parts.join(' and ')} generated.`;
}

interface State {
  readonly lines: string[];
  readonly colours: boolean;
  /** The include stack that was printed last: a stack is printed only when it changes. */
  includes: string;
}

function renderOne(diagnostic: Diagnostic, state: State): void {
  const { position, severity } = diagnostic;
  if (position) renderIncludes(diagnostic.includedFrom ?? [], state);
  const where = position ? `${position.file}:${position.line}:${position.column}: ` : '';
  const label = diagnostic.fatal ? 'fatal error' : severity;
  const flag =
    diagnostic.flag === undefined
      ? ''
      : ` [${diagnostic.promoted ? '-Werror,' : ''}${flagName(diagnostic.flag)}]`;
  if (state.colours) {
    const text =
      severity === 'note' ? diagnostic.message + flag : `${BOLD}${diagnostic.message}${flag}${RESET}`;
    state.lines.push(`${BOLD}${where}${RESET}${SEVERITY_COLOUR[severity]}${label}: ${RESET}${text}`);
  } else {
    state.lines.push(`${where}${label}: ${diagnostic.message}${flag}`);
  }
  if (position && diagnostic.sourceLine !== undefined) renderSnippet(diagnostic, position, state);
  for (const note of diagnostic.notes) renderOne(note, state);
}

function flagName(flag: string): string {
  return `-W${flag}`;
}

function renderIncludes(stack: readonly Position[], state: State): void {
  const key = stack.map((at) => `${at.file}:${at.line}`).join('\n');
  if (key !== state.includes) {
    for (let i = stack.length - 1; i >= 0; i--) {
      state.lines.push(`In file included from ${stack[i]!.file}:${stack[i]!.line}:`);
    }
  }
  state.includes = key;
}

function renderSnippet(diagnostic: Diagnostic, position: Position, state: State): void {
  const source = diagnostic.sourceLine!;
  if (source.length > LONGEST_LINE) return;
  const { text, columns } = expand(source);
  const column = (at: number) => columns[Math.min(Math.max(at - 1, 0), columns.length - 1)]!;

  const marks: string[] = [];
  const put = (from: number, to: number, mark: string) => {
    while (marks.length < to) marks.push(' ');
    for (let i = from; i < to; i++) marks[i] = mark;
  };
  for (const range of diagnostic.ranges) put(column(range.begin), column(range.end), '~');
  const caret = column(position.column);
  put(caret, caret + 1, '^');
  const markLine = marks.join('').trimEnd();
  state.lines.push(text, state.colours ? `${GREEN}${markLine}${RESET}` : markLine);
}

/** The line as it is printed, and for each of its UTF-16 units (and its end) the column where it is printed. */
function expand(source: string): { text: string; columns: readonly number[] } {
  const columns: number[] = [];
  let text = '';
  let width = 0;
  for (const character of source) {
    for (let i = 0; i < character.length; i++) columns.push(width);
    const code = character.codePointAt(0)!;
    const shown =
      code === 9
        ? ' '.repeat(TAB_STOP - (width % TAB_STOP))
        : code < 32 || (code >= 127 && code < 160) || code === 0xfffd
          ? `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
          : character;
    text += shown;
    width += code === 9 || shown !== character ? shown.length : 1;
  }
  columns.push(width);
  return { text, columns };
}
