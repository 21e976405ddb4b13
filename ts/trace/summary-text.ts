// SPDX-License-Identifier: MIT
//
// The summary of a trace as sentences and tables.
import type { CommandRow, Part, Summary, WaitRow } from './summary';

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;

export function time(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1) return `${ms.toFixed(ms >= 100 ? 0 : 2)} ms`;
  return `${(ms * 1000).toFixed(1)} µs`;
}

function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  return `${(count / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** The columns of the table of commands. */
export const COLUMNS: readonly (readonly [heading: string, cell: (row: CommandRow) => string])[] = [
  ['command', (row) => row.name],
  ['count', (row) => String(row.count)],
  ['time', (row) => time(row.ms)],
  ['mean', (row) => time(row.mean_ms)],
  ['longest', (row) => time(row.max_ms)],
  ['share', (row) => percent(row.share)],
  ['bytes', (row) => (row.bytes > 0 ? bytes(row.bytes) : '')],
  ['GB/s', (row) => (row.bytes > 0 ? row.gb_per_s.toFixed(2) : '')],
  ['occupancy', (row) => (row.occupancy === undefined ? '' : percent(row.occupancy))],
];

/** The columns of the table of waits. */
export const WAIT_COLUMNS: readonly (readonly [heading: string, cell: (row: WaitRow) => string])[] = [
  ['wait', (row) => row.name],
  ['count', (row) => String(row.count)],
  ['time', (row) => time(row.ms)],
  ['mean', (row) => time(row.mean_ms)],
  ['no device busy', (row) => time(row.idle_ms)],
];

/** In which calls the program waited most. */
function longestWait([row]: readonly WaitRow[]): readonly string[] {
  if (!row) return [];
  const times = row.count === 1 ? 'once' : `${row.count} times, ${time(row.mean_ms)} each`;
  const idle = row.idle_ms / row.ms >= 0.1 ? `, and no device was busy in ${time(row.idle_ms)} of that` : '';
  return [`It waited longest in “${row.name}”: ${times}, ${time(row.ms)} in all${idle}.`];
}

/** The summary in sentences, the most important first. */
export function sentences({ ms, waits, devices }: Summary): readonly string[] {
  const list = (parts: readonly Part[]): string =>
    [...parts]
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 3)
      .map(({ what, ms: part }) => `${what} (${time(part)})`)
      .join(', ');
  const waited =
    waits.ms > 0
      ? `The program waited for devices in ${percent(waits.share)} of ${time(ms)}, during ${list(waits.parts)}.`
      : `The program took ${time(ms)} and never waited for a device.`;
  return [
    waited,
    ...longestWait(waits.rows),
    ...devices.map(({ name, busy, parts }) => {
      const idle = parts.filter(({ what }) => what.startsWith('idle: '));
      const why = idle.map((part) => ({ ...part, what: part.what.replace('idle: ', '') }));
      return `${name} was busy ${percent(busy)} of the time${why.length > 0 ? `, and idle while ${list(why)}` : ''}.`;
    }),
  ];
}

/** The summary as text, the tables aligned. */
export function summaryText(summary: Summary): string {
  const { commands, builds } = summary;
  const lines = [...sentences(summary)];
  for (const { name } of summary.devices) {
    const rows = commands.filter(({ device }) => device === name);
    lines.push('', name, ...table([COLUMNS.map(([heading]) => heading), ...rows.map(cells)]));
  }
  const { rows: waits } = summary.waits;
  if (waits.length > 0) {
    const rows = waits.map((row) => WAIT_COLUMNS.map(([, cell]) => cell(row)));
    lines.push('', 'program', ...table([WAIT_COLUMNS.map(([heading]) => heading), ...rows]));
  }
  if (builds.length > 0) {
    const rows = builds.map((row) => [row.name, String(row.count), time(row.ms)]);
    lines.push('', 'host', ...table([['build', 'count', 'time'], ...rows]));
  }
  return `${lines.join('\n')}\n`;
}

export const cells = (row: CommandRow): readonly string[] => COLUMNS.map(([, cell]) => cell(row));

/** The first column to the left, numbers to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const aligned = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!);
  return rows.map((row) => `  ${row.map(aligned).join('  ')}`.trimEnd());
}
