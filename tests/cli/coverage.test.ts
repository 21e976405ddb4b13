// SPDX-License-Identifier: MIT
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anycl, temporaryFolder } from '../helpers/command';

const folder = temporaryFolder();
const kernel = join(folder, 'clip.cl');
writeFileSync(
  kernel,
  `float clip(float x) {
  if (x > 5)
    return 5;
  return x;
}
kernel void run(global float *a) {
  int i = get_global_id(0);
  a[i] = clip(a[i]);
}
kernel void other(global float *a) {
  a[0] = 0;
}
`,
);
const run = (...more: string[]) =>
  anycl('run', kernel, '--kernel', 'run', '--global', '8', '--arg', 'float[8]=range', ...more);

test('--coverage=FILE writes lcov, summed over the runs', () => {
  const file = join(folder, 'lcov.info');
  expect(run(`--coverage=${file}`, '--repeat', '2')).toEqual({
    status: 0,
    signal: null,
    stdout: '',
    stderr: '',
  });
  expect(readFileSync(file, 'utf8')).toBe(`TN:
SF:${kernel}
FN:1,clip
FN:6,run
FN:10,other
FNDA:16,clip
FNDA:16,run
FNDA:0,other
FNF:3
FNH:2
BRDA:2,0,0,2
BRDA:2,0,1,14
BRF:2
BRH:2
DA:2,16
DA:3,2
DA:4,14
DA:7,16
DA:8,16
DA:9,16
DA:11,0
DA:12,0
LF:8
LH:6
end_of_record
`);
});

test('--coverage prints the source with executions and branches', () => {
  const { status, stdout } = run('--coverage');
  expect(status).toBe(0);
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    `${kernel}: 6 of 8 lines were executed (executions | line)`,
    '             |    1  float clip(float x) {',
    '           8 |    2    if (x > 5)  [taken 2, not taken 6] 18 % of the instructions',
    '           2 |    3      return 5;',
    '           6 |    4    return x;',
  ]);
  expect(stdout).toContain('           0 |   11    a[0] = 0;\n');
});

test('--counts prints tables, and with --json the numbers', () => {
  const { stdout } = run('--counts');
  expect(stdout).toMatch(/^ {2}global +load +8 +32$/m);
  expect(stdout).toMatch(/^ {2}clip\.cl:8:\d+ +store +a +1 +1 +1 +0$/m);
  const { coverage } = JSON.parse(run('--counts', '--json').stdout) as {
    coverage: { accesses: object[]; memory: { place: { file: string } }[] };
  };
  expect(coverage.accesses).toContainEqual({ space: 'global', access: 'store', count: 8, bytes: 32 });
  expect(coverage.memory.map(({ place }) => place.file)).toEqual(['clip.cl', 'clip.cl']);
});
