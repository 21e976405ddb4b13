// SPDX-License-Identifier: MIT
// V8's code for the package (ts/host/node/code-cache.ts): made by the processes that use it, taken where it fits, ignored where
// it does not.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../helpers/command';

const folder = temporaryFolder();
const cache = join(folder, 'user');
/** A package as it was installed: nothing is in its cache. */
function freshDist(name: string): string {
  const copy = join(folder, name);
  cpSync(join(__dirname, '../..', 'dist'), copy, { recursive: true, filter: (path) => !/cache/.test(path) });
  return copy;
}

/** Loaded before anything else: writes whether V8 took the code of each bundle, once the process ends. */
const spy = join(folder, 'spy.cjs');
writeFileSync(
  spy,
  `const vm = require('node:vm');
  const rejected = [];
  vm.Script = class extends vm.Script {
    constructor(text, options) {
      super(text, options);
      rejected.push(this.cachedDataRejected ?? 'none');
    }
  };
  process.on('exit', () => console.log(JSON.stringify(rejected)));`,
);
const source = join(folder, 'a.cl');
writeFileSync(source, 'kernel void f(global int *a) { a[get_global_id(0)] += 1; }');

function rejected(args: readonly string[], env: Record<string, string> = {}): unknown {
  const output = execFileSync(process.execPath, ['--require', spy, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ANYCL_CACHE_DIR: cache, ...env },
  });
  return JSON.parse(output.trim().split('\n').at(-1)!);
}

const library = (dist: string) => [
  '-e',
  `require(${JSON.stringify(join(dist, 'index.cjs'))}).openSync({ device: 'software' })`,
];
const compile = (dist: string) => [join(dist, 'cli.cjs'), 'compile', source, '-o', join(folder, 'a.spv')];
const files = (dist: string) => readdirSync(join(dist, 'cache')).filter((name) => name.endsWith('.bin'));

test('the first process keeps the code that the second takes', () => {
  const dist = freshDist('second');
  expect(rejected(library(dist))).toEqual(['none']);
  expect(rejected(library(dist))).toEqual([false]);
  expect(rejected(compile(dist))).toEqual(['none']);
  expect(rejected(compile(dist))).toEqual([false]);
  expect(files(dist)).toHaveLength(2);
});

test('processes add the code of what they ran, and then no more', () => {
  const dist = freshDist('adding');
  rejected(library(dist));
  const file = join(dist, 'cache', files(dist)[0]!);
  const first = statSync(file).size;
  const build = `const { openSync } = require(${JSON.stringify(join(dist, 'index.cjs'))});
    openSync({ device: 'software' }).context.createProgram('kernel void f(global int *a) { a[0] = 1; }').buildSync();`;
  for (let i = 0; i < 8; i++) rejected(['-e', build]);
  expect(statSync(file).size).toBeGreaterThan(first * 1.2);
  const { mtimeMs } = statSync(file);
  rejected(['-e', build]);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
});

test('code made with other flags does no harm', () => {
  const dist = freshDist('flags');
  rejected(library(dist));
  expect(rejected(['--max-lazy', ...library(dist)])).toEqual(['none']);
  expect(rejected(['--max-lazy', ...library(dist)])).toEqual([false]);
  expect(rejected(library(dist))).toEqual([false]);
});

test('where nothing shall be kept nothing is', () => {
  const dist = freshDist('nothing');
  rejected(library(dist), { ANYCL_CACHE: '0' });
  expect(readdirSync(dist)).not.toContain('cache');
});

test('a package that cannot be written has its code in the user’s cache', () => {
  const dist = freshDist('read-only');
  // A file in the folder's place: the tests may run as root, whom no permissions stop.
  writeFileSync(join(dist, 'cache'), '');
  chmodSync(dist, 0o555);
  expect(rejected(library(dist))).toEqual(['none']);
  expect(rejected(library(dist))).toEqual([false]);
  expect(readdirSync(join(cache, 'code'))).toHaveLength(1);
  chmodSync(dist, 0o755);
});

test('half a file of code, or none, does no harm', () => {
  const dist = freshDist('half');
  mkdirSync(join(dist, 'cache'));
  rejected(compile(dist));
  const file = join(dist, 'cache', files(dist)[0]!);
  for (const [size, taken] of [
    [10000, true],
    [0, 'none'],
  ] as const) {
    truncateSync(file, size);
    expect(rejected(compile(dist))).toEqual([taken]);
    expect(rejected(compile(dist))).toEqual([false]);
  }
});
