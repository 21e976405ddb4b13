// SPDX-License-Identifier: MIT
//
// The report of `anycl run --counts`: instructions, accesses, cache lines and bank conflicts.
import { basename } from 'node:path';
import pc from 'picocolors';
import { type Coverage, INSTRUCTION_KINDS } from '../../base/coverage';
import type { MemoryTraffic } from '../../base/memory-traffic';

export function countsText(coverage: Coverage): string {
  const { instructions, accesses, memory = [] } = coverage;
  const total = INSTRUCTION_KINDS.reduce((sum, kind) => sum + instructions[kind], 0);
  const kinds = INSTRUCTION_KINDS.filter((kind) => instructions[kind] > 0);
  const share = (count: number) => `${((100 * count) / Math.max(1, total)).toFixed(1)} %`;
  const parts = [
    table(
      'Instructions',
      ['kind', 'executed', 'share'],
      [...kinds.map((kind) => [kind, instructions[kind], share(instructions[kind])]), ['all', total, '']],
    ),
    table(
      'Accesses',
      ['memory', 'access', 'executed', 'bytes'],
      accesses.map(({ space, access, count, bytes }) => [space, access, count, bytes]),
    ),
  ];
  const lined = memory.filter(({ space }) => space !== 'local');
  const banked = memory.filter(({ space }) => space !== 'global');
  if (lined.length > 0)
    parts.push(
      table(
        'Global memory: cache lines of 64 bytes, by sets of 32 work-items',
        ['place', 'access', 'of', 'sets', 'lines', 'at least', 'new lines'],
        lined.map((each) => [...head(each), each.requests, each.lines, each.leastLines, each.newLines]),
      ),
    );
  if (banked.length > 0)
    parts.push(
      table(
        'Local memory: 32 banks of 4 bytes, by sets of 32 work-items',
        ['place', 'access', 'of', 'sets', 'cycles lost to bank conflicts'],
        banked.map((each) => [...head(each), each.requests, each.conflicts]),
      ),
    );
  return parts.join('\n');
}

const head = ({ place, instruction, access, object }: MemoryTraffic): string[] => [
  place
    ? `${basename(place.file)}:${place.line}:${place.column}`
    : instruction
      ? `${instruction.function}, instruction ${instruction.number}`
      : '',
  access,
  object ?? '',
];

function table(
  title: string,
  names: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [names, ...rows.map((row) => row.map(String))];
  const isNumber = names.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${pc.bold(title)}\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
