// SPDX-License-Identifier: MIT
// V8's code for the package (ts/host/node/code-cache.ts): made by the processes that use it, taken where it fits, ignored where
// it does not.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../helpers/command';

const folder = temporaryFolder();
const cache = join(folder, 'user');
/** A newly installed package, with an empty cache. */
function freshDist(name: string): string {
  const copy = join(folder, name);
  cpSync(join(__dirname, '../..', 'dist'), copy, { recursive: true, filter: (path) => !/cache/.test(path) });
  return copy;
}

/** Loaded before anything else: writes, for each file of the package, whether V8 rejected its code, once the process ends. */
const spy = join(folder, 'spy.cjs');
writeFileSync(
  spy,
  `const vm = require('node:vm');
  const { basename } = require('node:path');
  const rejected = {};
  vm.Script = class extends vm.Script {
    constructor(text, options) {
      super(text, options);
      rejected[basename(options.filename, '.mjs')] = this.cachedDataRejected ?? 'none';
    }
  };
  process.on('exit', () => console.log(JSON.stringify(rejected)));`,
);
const source = join(folder, 'a.cl');
writeFileSync(source, 'kernel void f(global int *a) { a[get_global_id(0)] += 1; }');

function rejected(
  args: readonly string[],
  env: Record<string, string> = {},
): Readonly<Record<string, boolean | 'none'>> {
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
/** The files whose code was rejected or missing. */
const of = (answer: boolean | 'none', ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, answer]));
const LIBRARY = ['base', 'anycl'];
const COMPILE = ['base', 'compiler'];
const files = (dist: string) => readdirSync(join(dist, 'cache')).filter((name) => name.endsWith('.bin'));

/** A program that launches a kernel once. */
const launch = (dist: string, options: string) => `
  const { openSync } = require(${JSON.stringify(join(dist, 'index.cjs'))});
  const cl = openSync({ device: 'software', ${options} });
  const { f } = cl.buildSync('kernel void f(global int *a, int n) { a[get_global_id(0) * n] += 1; }').kernels;
  f.runSync({ global: 4 }, cl.buffer(new Int32Array(4)), 1);
  cl.close();`;

test('the first process keeps the code that the second takes', () => {
  const dist = freshDist('second');
  expect(rejected(library(dist))).toEqual(of('none', ...LIBRARY));
  expect(rejected(library(dist))).toEqual(of(false, ...LIBRARY));
  expect(rejected(compile(dist))).toEqual({ base: false, compiler: 'none' });
  expect(rejected(compile(dist))).toEqual(of(false, ...COMPILE));
  expect(files(dist)).toHaveLength(3);
});

test('the code is kept by one listener, of whatever number of files', () => {
  const dist = freshDist('listener');
  const program = `${launch(dist, '')} console.log(process.listenerCount('exit'));`;
  const run = (cacheMode: string) =>
    Number(
      execFileSync(process.execPath, ['-e', program], {
        encoding: 'utf8',
        env: { ...process.env, ANYCL_CACHE_DIR: cache, ANYCL_CACHE: cacheMode },
      }),
    );
  // What is not for the code, such as the disk cache's, is there with ANYCL_CACHE=0, too, or is one more.
  expect(run('') - run('0')).toBeLessThanOrEqual(2);
});

test('processes add the code of what they ran, and then no more', () => {
  const dist = freshDist('adding');
  const build = `const { openSync } = require(${JSON.stringify(join(dist, 'index.cjs'))});
    openSync({ device: 'software' }).context.createProgram('kernel void f(global int *a) { a[0] = 1; }').buildSync();`;
  const lower = build.replace("'kernel", "'float g(float x) { return sin(x) + 2; } kernel");
  rejected(['-e', build]);
  const file = join(dist, 'cache', files(dist).find((name) => name.startsWith('compiler'))!);
  const first = statSync(file).size;
  for (let i = 0; i < 8; i++) rejected(['-e', lower]);
  expect(statSync(file).size).toBeGreaterThan(first * 1.02);
  const { mtimeMs } = statSync(file);
  rejected(['-e', build]);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
});

test('a command loads what it works with, and nothing else', () => {
  const dist = freshDist('commands');
  const loadedBy = (...args: readonly string[]) =>
    Object.keys(rejected([join(dist, 'cli.cjs'), ...args])).sort();
  expect(loadedBy('--help')).toEqual(['base', 'commands']);
  expect(loadedBy('completion', 'bash')).toEqual(['base', 'commands']);
  expect(loadedBy('info', '--json')).toEqual(['anycl', 'base', 'commands']);
  expect(loadedBy('compile', '--help')).toEqual(['base', 'compiler']);
});

test('what plain launches do not use is loaded when it is needed', () => {
  const dist = freshDist('seldom');
  const run = (options: string) =>
    Object.keys(rejected(['-e', launch(dist, options)], { ANYCL_CACHE: '0' })).sort();
  const plain = ['anycl', 'base', 'compiler', 'toolchain'];
  expect(run('')).toEqual(plain);
  expect(run('robust: true')).toEqual([...plain.slice(0, 3), 'seldom', 'toolchain']);
});

test('code made with other flags does no harm', () => {
  const dist = freshDist('flags');
  rejected(library(dist));
  expect(rejected(['--max-lazy', ...library(dist)])).toEqual(of('none', ...LIBRARY));
  expect(rejected(['--max-lazy', ...library(dist)])).toEqual(of(false, ...LIBRARY));
  expect(rejected(library(dist))).toEqual(of(false, ...LIBRARY));
});

test('processes without options take the same code, and replace what was made with other flags', () => {
  const dist = freshDist('usual');
  const program = join(folder, 'usual.cjs');
  writeFileSync(
    program,
    `if (process.argv[2]) require('node:v8').setFlagsFromString(process.argv[2]);
    const vm = require('node:vm');
    const answers = [];
    vm.Script = class extends vm.Script {
      constructor(text, options) {
        super(text, options);
        answers.push(this.cachedDataRejected);
      }
    };
    require(${JSON.stringify(join(dist, 'index.cjs'))}).platforms();
    console.log(JSON.stringify(answers));`,
  );
  const env = { ...process.env, ANYCL_CACHE_DIR: cache, NODE_OPTIONS: '' };
  const answers = (...args: readonly string[]) =>
    JSON.parse(execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', env }));
  answers();
  expect(answers()).toEqual([false, false]);
  expect(files(dist)).toHaveLength(2);
  expect(answers('--max-lazy')).toEqual([true, true]);
  expect(answers()).toEqual([true, true]);
  expect(answers()).toEqual([false, false]);
});

test('where nothing shall be kept nothing is', () => {
  const dist = freshDist('nothing');
  rejected(library(dist), { ANYCL_CACHE: '0' });
  expect(readdirSync(dist)).not.toContain('cache');
});

test('a package that cannot be written has its code in the user’s cache', () => {
  const dist = freshDist('read-only');
  // A file in place of the folder: the tests may run as root, who ignores permissions.
  writeFileSync(join(dist, 'cache'), '');
  chmodSync(dist, 0o555);
  expect(rejected(library(dist))).toEqual(of('none', ...LIBRARY));
  expect(rejected(library(dist))).toEqual(of(false, ...LIBRARY));
  expect(readdirSync(join(cache, 'code'))).toHaveLength(2);
  chmodSync(dist, 0o755);
});

test('half a file of code, or none, does no harm', () => {
  const dist = freshDist('half');
  mkdirSync(join(dist, 'cache'));
  rejected(compile(dist));
  const file = join(dist, 'cache', files(dist).find((name) => name.startsWith('compiler'))!);
  for (const [size, taken] of [
    [10000, true],
    [0, 'none'],
  ] as const) {
    truncateSync(file, size);
    expect(rejected(compile(dist))).toEqual({ base: false, compiler: taken });
    expect(rejected(compile(dist))).toEqual(of(false, ...COMPILE));
  }
});
