// SPDX-License-Identifier: MIT
//
// Coverage for a terminal: the source with the executions of each line and the ways that its branches took. Modules without lines
// are shown by function and basic block.
import pc from 'picocolors';
import type { BranchCoverage, Coverage } from '../../base/coverage';

const WIDTH = 12;
/** Lines with at least this part of all instructions are marked as hot. */
const HOT = 0.1;

export interface SourceFiles {
  pathOf(file: string): string;
  textOf(file: string): string | undefined;
}

export function annotated(coverage: Coverage, files: SourceFiles): string {
  const names = [...new Set(coverage.lines.map(({ file }) => file))];
  if (names.length === 0) return byFunction(coverage);
  return names.map((file) => annotatedFile(coverage, file, files)).join('\n');
}

function annotatedFile(coverage: Coverage, file: string, files: SourceFiles): string {
  const own = coverage.lines.filter((line) => line.file === file);
  const counts = new Map(own.map((line) => [line.line, line]));
  const total = coverage.lines.reduce((sum, { instructions }) => sum + instructions, 0);
  const text = files.textOf(file)?.replace(/\n$/, '').split('\n');
  const last = text?.length ?? own.at(-1)!.line;
  const executed = own.filter(({ count }) => count > 0).length;
  const out = [
    pc.bold(`${files.pathOf(file)}: ${executed} of ${own.length} lines were executed (executions | line)`),
  ];
  for (let number = 1; number <= last; number++) {
    const line = counts.get(number);
    if (!line && !text) continue;
    const share = line && total > 0 ? line.instructions / total : 0;
    const ways = coverage.branches.filter(({ place }) => place?.file === file && place.line === number);
    const notes = [
      ...ways.map(waysText),
      ...(share >= HOT ? [pc.yellow(`${Math.round(share * 100)} % of the instructions`)] : []),
    ];
    const source = text?.[number - 1]?.trimEnd() ?? '';
    const head = `${countText(line?.count)} | ${String(number).padStart(4)}  `;
    out.push(`${head}${source}${notes.length > 0 ? `  ${notes.join(' ')}` : ''}`.trimEnd());
  }
  return `${out.join('\n')}\n`;
}

function countText(count: number | undefined): string {
  if (count === undefined) return ' '.repeat(WIDTH);
  const text = String(count).padStart(WIDTH);
  return count === 0 ? pc.red(text) : text;
}

function waysText({ taken }: BranchCoverage): string {
  const ways =
    taken.length === 2
      ? `taken ${taken[0]}, not taken ${taken[1]}`
      : `default ${taken[0]}, cases ${taken.slice(1).join(', ')}`;
  const isReached = taken.some((count) => count > 0);
  return (isReached && taken.includes(0) ? pc.red : pc.cyan)(`[${ways}]`);
}

function byFunction({ functions }: Coverage): string {
  const out = [pc.bold('The module has no source lines (executions | basic block)')];
  for (const { name, blocks } of functions)
    blocks.forEach((count, block) => {
      out.push(`${countText(count)} | ${name}, block ${block}`);
    });
  return `${out.join('\n')}\n`;
}
