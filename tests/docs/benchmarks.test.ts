// SPDX-License-Identifier: MIT
//
// The figures of the README are those of docs/performance/benchmarks.json, which the plots are made of.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../helpers/command';

interface Benchmarks {
  readonly speed: {
    readonly workloads: readonly { workload: string; software: number; pocl: number; ratio: number }[];
  };
  readonly alternatives: {
    readonly programs: readonly { name: string; times: readonly number[]; launch: number }[];
  };
}

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const { speed, alternatives } = JSON.parse(
  readFileSync(join(root, 'docs/performance/benchmarks.json'), 'utf8'),
) as Benchmarks;

test('the table of workloads', () => {
  const rows = [...readme.matchAll(/^\| ([a-z0-9-]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)];
  expect(
    rows.map(([, workload, software, pocl, ratio]) => ({
      workload,
      software: Number(software),
      pocl: Number(pocl),
      ratio: Number(ratio),
    })),
  ).toEqual(speed.workloads);
});

/** The numbers that a row of a table has in each cell after the first, without those in parentheses. */
const numbersOf = (row: string): number[][] =>
  row
    .split('|')
    .slice(2, -1)
    .map((cell) => (cell.replace(/\(.*\)/, '').match(/\d+(\.\d+)?/g) ?? []).map(Number));

test('the comparison', () => {
  const times = numbersOf(/^\| time on a processor .*\|$/m.exec(readme)![0]);
  const launches = numbersOf(/^\| a launch of 256 .*\|$/m.exec(readme)![0]);
  const { programs } = alternatives;
  expect(programs.map((program) => program.times)).toEqual(expect.arrayContaining(times));
  expect(programs.map((program) => [program.launch])).toEqual(expect.arrayContaining(launches));
  expect(times).toHaveLength(programs.length);
});
