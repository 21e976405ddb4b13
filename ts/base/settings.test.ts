// SPDX-License-Identifier: MIT
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, VARIABLES } from './settings';

const settingsOf = (variables: Readonly<Record<string, string>>) => readSettings((name) => variables[name]);

test('what is unset or empty has its default', () => {
  const names = Object.values(VARIABLES).map(({ name }) => name);
  for (const settings of [settingsOf({}), settingsOf(Object.fromEntries(names.map((name) => [name, ''])))])
    expect({ ...settings, debug: [...settings.debug] }).toEqual({
      check: [],
      device: undefined,
      openclLibrary: undefined,
      buildOptions: undefined,
      threads: undefined,
      timeout: undefined,
      remoteTimeout: undefined,
      wide: 0,
      affinity: 1,
      cacheFolder: undefined,
      cache: undefined,
      debug: [],
      addonFolder: undefined,
      lanes: 0,
      rows: 0,
    });
});

test('values have their types', () => {
  const settings = settingsOf({
    ANYCL_THREADS: '3',
    ANYCL_TIMEOUT: '0',
    ANYCL_LANES: '8',
    ANYCL_DEBUG: 'jit, stacks',
  });
  const { threads, timeout, lanes, debug } = settings;
  expect([threads, timeout, lanes, [...debug]]).toEqual([3, 0, 8, ['jit', 'stacks']]);
});

test.each([
  ['ANYCL_THREADS', 'threads', ['many', '-1', '1.5'], 'a whole number of threads'],
  ['ANYCL_TIMEOUT', 'timeout', ['soon', '-1'], 'a number of milliseconds, 0 or more'],
  ['ANYCL_REMOTE_TIMEOUT', 'remoteTimeout', ['soon', '-1', '1e9'], 'a number of seconds from 0 to 1000000'],
  ['ANYCL_LANES', 'lanes', ['3', '-1', 'many'], '1, 4, 8, 16, 32'],
  ['ANYCL_COARSENING', 'rows', ['3', '-1', 'many'], '1, 2, 4'],
] as const)('%s refuses what it cannot be, when it is needed', (name, key, wrong, values) => {
  for (const value of wrong) {
    const settings = settingsOf({ [name]: value });
    expect(settings.device).toBeUndefined();
    expect(() => settings[key]).toThrow(`${name} is '${value}'; it can be ${values}, or empty`);
  }
});

test('one file reads variables of the environment', () => {
  const sources = join(__dirname, '..');
  const readers = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => /process\.env(\.|\[|\?)/.test(readFileSync(join(sources, name), 'utf8')));
  expect(readers).toEqual([join('host', 'node', 'environment.ts')]);
});

test('a script may set a variable until it is needed', () => {
  const variables: Record<string, string> = {};
  const settings = settingsOf(variables);
  variables['ANYCL_DEVICE'] = 'gpu';
  expect(settings.device).toBe('gpu');
});
