// SPDX-License-Identifier: MIT
// V8's code for the package, stored by scripts/code-cache.cjs: taken where it fits, ignored where it does not.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../helpers/command';

const dist = join(__dirname, '../..', 'dist');
const folder = temporaryFolder();

/** Loaded before anything else: writes whether V8 took the code of each bundle, once the process ends. */
const spy = join(folder, 'spy.cjs');
writeFileSync(
  spy,
  `const vm = require('node:vm');
  const rejected = [];
  vm.Script = class extends vm.Script {
    constructor(text, options) {
      super(text, options);
      rejected.push(this.cachedDataRejected);
    }
  };
  process.on('exit', () => console.log(JSON.stringify(rejected)));`,
);
const source = join(folder, 'a.cl');
writeFileSync(source, 'kernel void f(global int *a) { a[get_global_id(0)] += 1; }');

function rejected(args: readonly string[]): unknown {
  const output = execFileSync(process.execPath, ['--require', spy, ...args], { encoding: 'utf8' });
  return JSON.parse(output.trim().split('\n').at(-1)!);
}

const library = [
  '-e',
  `require(${JSON.stringify(join(dist, 'index.cjs'))}).openSync({ device: 'software' })`,
];
const compile = (of: string): string[] => [
  ...[join(of, 'cli.cjs'), 'compile', source, '-o'],
  join(folder, 'a.spv'),
];

test('stored code is taken by the version and the flags that it was made with', () => {
  expect(rejected(library)).toEqual([false]);
  expect(rejected(compile(dist))).toEqual([false]);
  expect(rejected([join(dist, 'cli.cjs'), '--version'])).toEqual([false]);
});

test('without stored code the files are modules as any others', () => {
  const copy = join(folder, 'without-code');
  cpSync(dist, copy, { recursive: true, filter: (path) => !/code-.*\.bin$/.test(path) });
  expect(rejected(compile(copy))).toEqual([]);
});

test('code made with other flags does no harm', () => {
  expect(rejected(['--max-lazy', ...library])).toEqual([true]);
});

test('what the compiler’s bundle does without is loaded where it is needed', () => {
  expect(
    rejected([join(dist, 'cli.cjs'), 'compile', source, '--emit=wat', '-o', join(folder, 'a.wat')]),
  ).toEqual([false, false]);
});

test('half a file of code, or none, does no harm', () => {
  const copy = join(folder, 'dist');
  cpSync(dist, copy, { recursive: true });
  // Other versions of Node.js may have left theirs.
  const code = readdirSync(copy).find(
    (name) => /^code-compile-/.test(name) && name.includes(process.version),
  );
  truncateSync(join(copy, code!), 10000);
  expect(rejected(compile(copy))).toEqual([true]);
  truncateSync(join(copy, code!), 0);
  expect(rejected(compile(copy))).toEqual([true]);
});
