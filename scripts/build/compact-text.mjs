// SPDX-License-Identifier: MIT
// Removes indentation and the comments that esbuild keeps. V8 reads the text of each file at each start, and the first access to each
// page of memory takes a good part of that time. Line breaks stay, so that stacks and the lines that Node.js prints with errors are
// readable.
import { transform } from 'esbuild';

/**
 * @param code of esbuild
 * @throws Error if the result would be another program
 */
export async function compactText(code) {
  const compact = withoutComments(code);
  const [before, after] = await Promise.all([minified(code), minified(compact)]);
  if (before !== after) throw new Error('scripts/build/compact-text.mjs changed more than spaces');
  return compact;
}

const minified = async (code) => (await transform(`chunks = ${code}`, { minifyWhitespace: true })).code;

/** Lines that begin in a template are its text. Comments that begin a line are left out: esbuild's name source files. */
function withoutComments(code) {
  const lines = [];
  let depths = [];
  let inComment = false;
  for (const line of code.split('\n')) {
    if (depths.at(-1) === TEMPLATE) {
      lines.push(line);
      depths = depthsAfter(line, depths);
      continue;
    }
    const text = line.trimStart();
    if (!inComment && text.startsWith('//')) continue;
    if (inComment || text.startsWith('/**')) {
      inComment = !text.endsWith('*/');
      continue;
    }
    lines.push(text);
    depths = depthsAfter(text, depths);
  }
  return lines.join('\n');
}

/** On the stack of `depthsAfter`: the text of a template. A number counts the open braces of an expression in one. */
const TEMPLATE = -1;
const TOKEN =
  /\\.|`|\$\{|[{}]|\/\/.*|\/\*.*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<=(?:^|[(,=:[!&|?{};+]|return|=>) *)\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/|./g;
const IN_TEMPLATE = /\\.|`|\$\{|./g;

/** Which templates are open after a line. */
function depthsAfter(line, before) {
  const depths = [...before];
  let at = 0;
  while (at < line.length) {
    const inText = depths.at(-1) === TEMPLATE;
    const token = inText ? IN_TEMPLATE : TOKEN;
    token.lastIndex = at;
    const [found] = token.exec(line);
    at = token.lastIndex;
    if (inText) {
      if (found === '`') depths.pop();
      else if (found === '${') depths.push(0);
    } else if (found === '`') depths.push(TEMPLATE);
    else if (depths.length > 0 && found === '{') depths.push(depths.pop() + 1);
    else if (depths.length > 0 && found === '}') {
      const open = depths.pop();
      if (open > 0) depths.push(open - 1);
    }
  }
  return depths;
}
