// SPDX-License-Identifier: MIT
//
// `anycl doctor` where something is wrong, as far as an environment can make it so.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { anycl, node, temporaryFolder, writerIn } from '../helpers/command';

interface Report {
  readonly software: { readonly test: string };
  readonly variables: Readonly<Record<string, string>>;
  readonly findings: readonly {
    readonly id: string;
    readonly severity: 'error' | 'warning';
    readonly message: string;
    readonly advice: readonly string[];
  }[];
}

function doctor(env: Record<string, string>): { status: number | null; report: Report } {
  const { status, stdout } = node('dist/cli.cjs', ['doctor', '--json'], { env });
  return { status, report: JSON.parse(stdout) as Report };
}

const folder = temporaryFolder();
const file = writerIn(folder);
const aFile = file('file', '');
const empty = join(folder, 'empty');
mkdirSync(empty);

test('reports as JSON, and runs a kernel with sin', () => {
  const { status, report } = doctor({ ANYCL_DEVICE: 'software' });
  expect(report.software.test).toMatch(/^ok/);
  expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(status).toBe(0);
});

describe('what was asked for and does not work is an error, with status 1', () => {
  test.each<[id: string, env: Record<string, string>, says: RegExp]>([
    ['library-file', { ANYCL_OPENCL_LIBRARY: join(folder, 'none.so') }, /none\.so, which cannot be opened/],
    ['wanted-device', { ANYCL_DEVICE: 'no such device' }, /no device 'no such device'; there are /],
    ['setting', { ANYCL_THREADS: 'many' }, /^ANYCL_THREADS is 'many'; it can be a whole number/],
    ['setting', { ANYCL_TIMEOUT: 'soon' }, /^ANYCL_TIMEOUT is 'soon'; /],
    ['setting', { ANYCL_CHECK: 'everything' }, /^ANYCL_CHECK is 'everything'; it can be a list of bounds, /],
    ['setting', { ANYCL_WIDE: 'yes', ANYCL_LANES: '5' }, /ANYCL_WIDE is 'yes'.*; ANYCL_LANES is '5'/],
    ['setting', { ANYCL_BUILD_OPTIONS: '-oops' }, /^ANYCL_BUILD_OPTIONS is '-oops': .*unknown argument/],
    ['setting', { ANYCL_TRACE: join(empty, 'no', 'trace.json') }, /ANYCL_TRACE.*cannot be written: ENOENT/],
    ['setting', { ANYCL_TRACE: join(empty, 'trace.txt') }, /ANYCL_TRACE.* must end in \.json/],
    ['cache-folder', { ANYCL_CACHE_DIR: aFile }, /^ANYCL_CACHE_DIR is .*file, where .*: it is not a folder$/],
    ['cache-folder', { ANYCL_CACHE_DIR: join(aFile, 'in') }, /cannot be kept: ENOTDIR/],
    ['remote-client', { POCL_DEVICES: 'cpu remote' }, /POCL_REMOTE0_PARAMETERS is not set/],
  ])('%s: %j', (id, env, says) => {
    const { status, report } = doctor(env);
    const errors = report.findings.filter(({ severity }) => severity === 'error');
    expect(errors.map((finding) => finding.id)).toEqual([id]);
    expect(errors[0]!.message).toMatch(says);
    expect(report.software.test).toMatch(/^ok/);
    expect(status).toBe(1);
    for (const [name, value] of Object.entries(env))
      if (name.startsWith('ANYCL_')) expect(report.variables[name]).toBe(value);
  });

  if (process.platform === 'linux') {
    test('a cache in /proc, where nothing can be made', () => {
      const { status, report } = doctor({ ANYCL_CACHE_DIR: '/proc/anycl' });
      expect(report.findings[0]).toMatchObject({ id: 'cache-folder', severity: 'error' });
      expect(status).toBe(1);
    });

    test('a cache that others can write to', () => {
      const open = join(folder, 'open');
      mkdirSync(open);
      chmodSync(open, 0o777);
      const { status, report } = doctor({ ANYCL_CACHE_DIR: open });
      expect(report.findings[0]!.message).toMatch(/other users can write to it \(mode 777\)$/);
      expect(status).toBe(1);
    });
  }
});

describe('what the machine could have is a warning, with status 0', () => {
  test.each<[id: string, env: Record<string, string>, says: RegExp]>([
    ['addon-missing', { ANYCL_PREBUILD: empty }, /^the native addon is not there/],
    ['cmake-missing', { ANYCL_PREBUILD: empty, PATH: empty }, /^CMake is not installed/],
    [
      'no-cache',
      { ANYCL_CACHE_DIR: '', XDG_CACHE_HOME: aFile },
      /^compiled kernels are not kept in .*: ENOTDIR/,
    ],
    [
      'driver-library',
      { OCL_ICD_VENDORS: join(folder, 'vendors') },
      /gone\.icd names \/usr\/lib\/gone\.so, which is not there$/,
    ],
  ])('%s: %j', (id, env, says) => {
    mkdirSync(join(folder, 'vendors'), { recursive: true });
    file('vendors/gone.icd', '/usr/lib/gone.so\n');
    const { status, report } = doctor(env);
    const finding = report.findings.find((each) => each.id === id);
    expect(finding?.severity).toBe('warning');
    expect(finding!.message).toMatch(says);
    expect(finding!.advice).not.toEqual([]);
    expect(status).toBe(0);
  });

  test('a cache that is switched off is not a finding', () => {
    const { report } = doctor({ ANYCL_CACHE: '0', ANYCL_CACHE_DIR: aFile });
    expect(report.findings.filter(({ id }) => id.includes('cache'))).toEqual([]);
  });
});

test('the report for people has the cure below each finding', () => {
  const { status, stdout } = node('dist/cli.cjs', ['doctor'], { env: { ANYCL_CACHE_DIR: aFile } });
  expect(stdout).toMatch(
    /✗ ANYCL_CACHE_DIR is .*\n {4}let ANYCL_CACHE_DIR name a folder .*\n {4}without a cache/,
  );
  expect(status).toBe(1);
  expect(anycl('doctor', 'x').status).toBe(2);
});
