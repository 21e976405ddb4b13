// SPDX-License-Identifier: MIT
//
// The fenced blocks of a Markdown page, and the JavaScript module that runs those of one kind.
//
// - A block after a line that ends with a file's name and a colon (`kernel.cl`:) is that file.
// - A block of JavaScript or TypeScript that imports something begins a module; the others continue the one before.
// - What a `console.log` on one line writes must be what the comment after it says; `…` there stands for anything.
import { transformSync } from 'esbuild';

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The line of the page at which the text begins, from 1. */
  readonly line: number;
  /** The file that it is, if the text before names one. */
  readonly file: string | undefined;
}

/** The blocks of a page in their order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const open = /^```(\w*)/.exec(lines[i]!);
    if (!open) continue;
    const close = lines.indexOf('```', i + 1);
    if (close < 0) throw new Error(`line ${i + 1}: a block without an end`);
    const before = lines.slice(0, i).findLast((line) => line.trim() !== '') ?? '';
    blocks.push({
      language: open[1]!,
      text: lines.slice(i + 1, close).join('\n'),
      line: i + 2,
      file: /`([\w./-]+\.\w+)`[^`]*:$/.exec(before)?.[1],
    });
    i = close;
  }
  return blocks;
}

/** A stretch of JavaScript that is one module, with the lines of the page that it was written on. */
export interface Part {
  readonly name: string;
  readonly code: string;
}

const isCode = ({ language, file }: Block): boolean =>
  file === undefined && ['js', 'mjs', 'ts'].includes(language);

/** The modules of a page. A page that begins with a fragment has `prelude` before it. */
export function partsOf(blocks: readonly Block[], prelude = ''): Part[] {
  const parts: { name: string; code: string }[] = [];
  for (const block of blocks.filter(isCode)) {
    const code = checkedOutput(block);
    if (parts.length === 0 || /^import\s/m.test(block.text))
      parts.push({ name: `line-${block.line}.mjs`, code: parts.length === 0 ? `${prelude}\n${code}` : code });
    else parts.at(-1)!.code += `\n${code}`;
  }
  return parts.map(({ name, code }) => ({ name, code: transformSync(code, TYPESCRIPT).code }));
}

const TYPESCRIPT = {
  loader: 'ts',
  format: 'esm',
  target: 'node20',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
} as const;

/** The block with a comparison for each output that a comment foretells. */
function checkedOutput({ text, line }: Block): string {
  return text
    .split('\n')
    .map((row, i) =>
      row.replace(
        /console\.log\((.*)\);?\s+\/\/ (.*)$/,
        (_, args: string, said: string) => `expectOutput(${line + i}, ${JSON.stringify(said)}, ${args});`,
      ),
    )
    .join('\n');
}

/** Defines `expectOutput` for the modules; imported before them. */
export const EXPECT_OUTPUT = `
import { format } from 'node:util';
const plain = (text) => text.replace(/\\s+/g, ' ').trim();
globalThis.expectOutput = (line, wanted, ...values) => {
  const got = plain(format(...values));
  const pattern = plain(wanted).split('…').map((part) => part.replace(/[.*+?^\${}()|[\\]\\\\]/g, '\\\\$&')).join('.*');
  if (!new RegExp('^' + pattern + '$', 's').test(got))
    throw new Error('line ' + line + ' writes ' + got + ', not ' + wanted);
};
`;
