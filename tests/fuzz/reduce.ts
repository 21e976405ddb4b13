// SPDX-License-Identifier: MIT
//
// Makes a failing source smaller: takes out statements (lines, and blocks with all they hold), unwraps blocks, replaces
// parenthesized expressions by constants or by what they hold.
import { BODY, OWN_TEXEL } from './kernels/model';

type Fails = (source: string) => boolean | Promise<boolean>;

/** The smallest source found for which `fails` is still true. */
export async function reduce(source: string, fails: Fails): Promise<string> {
  let lines = source.split('\n').filter((line) => line.trim() !== '');
  for (let size = lines.length + 1; ; ) {
    lines = await withoutStatements(lines, fails);
    lines = await simplerExpressions(lines, fails);
    const now = lines.join('').length;
    if (now >= size) return lines.join('\n');
    size = now;
  }
}

const isMarker = (line: string): boolean => line.trim() === BODY;

/** The line after the end of the statement that starts at a line. */
function endOf(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let i = start; i < lines.length; i++) {
    for (const c of lines[i]!) depth += c === '{' ? 1 : c === '}' ? -1 : 0;
    if (depth <= 0) return i + 1;
  }
  return lines.length;
}

async function withoutStatements(source: readonly string[], fails: Fails): Promise<string[]> {
  let lines = [...source];
  const attempt = async (smaller: string[]): Promise<boolean> => {
    if (!smaller.some(isMarker) || !(await fails(smaller.join('\n')))) return false;
    lines = smaller;
    return true;
  };
  // Many at once first.
  for (const chunk of [16, 8, 4, 2])
    for (let i = lines.length - chunk; i >= 0; i -= chunk) {
      let end = i;
      while (end < i + chunk && end < lines.length) end = endOf(lines, end);
      await attempt([...lines.slice(0, i), ...lines.slice(end)]);
    }
  for (let i = lines.length - 1; i >= 0; i--) {
    if (i >= lines.length) continue;
    const end = endOf(lines, i);
    if (await attempt([...lines.slice(0, i), ...lines.slice(end)])) continue;
    if (end > i + 1) {
      if (await attempt([...lines.slice(0, i), ...lines.slice(i + 1, end - 1), ...lines.slice(end)]))
        continue;
      await attempt([...lines.slice(0, i), '{', ...lines.slice(i + 1, end - 1), '}', ...lines.slice(end)]);
    }
  }
  return lines;
}

async function simplerExpressions(source: readonly string[], fails: Fails): Promise<string[]> {
  const lines = [...source];
  // Code that gives each work-item its own places is kept, and so is code between barriers: races would fail as well.
  for (let i = lines.findIndex(isMarker) + 1; i < lines.length; i++) {
    if (lines[i]!.includes('barrier')) continue;
    for (let at = 0; at < lines[i]!.length; at++) {
      const line = lines[i]!;
      if (line[at] !== '(') continue;
      const end = closing(line, at);
      if (end < 0) continue;
      const before = line.slice(0, at);
      const callee = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? '';
      const inner = line.slice(at + 1, end);
      const outer = before.slice(0, before.length - callee.length);
      const rest = line.slice(end + 1);
      const candidates = [
        `${outer}1${rest}`,
        `${outer}0${rest}`,
        ...parts(inner).map((part) => `${outer}(${part})${rest}`),
        `${outer}${inner}${rest}`,
      ];
      for (const candidate of candidates) {
        if (candidate.length >= line.length) continue;
        if (line.includes(OWN_TEXEL) && !candidate.includes(OWN_TEXEL)) continue;
        lines[i] = candidate;
        if (await fails(lines.join('\n'))) {
          at = -1;
          break;
        }
        lines[i] = line;
      }
    }
  }
  return lines;
}

function closing(line: string, open: number): number {
  let depth = 0;
  for (let i = open; i < line.length; i++) {
    if (line[i] === '(') depth++;
    else if (line[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

/** Operands and arguments. */
function parts(inner: string): string[] {
  const result: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= inner.length; i++) {
    const c = inner[i] ?? ',';
    if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (depth === 0 && ',?:&|<>=!+-*/%^'.includes(c)) {
      const part = inner.slice(start, i).trim();
      if (part !== '' && part !== inner.trim()) result.push(part);
      start = i + 1;
    }
  }
  return result;
}
