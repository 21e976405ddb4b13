// SPDX-License-Identifier: MIT
// The cache of compiled programs as processes see it: found again, missed where anything differs, never in the way.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './command';

const SOURCE = 'kernel void f(global int *a) { a[get_global_id(0)] += K; }';

/** Builds and runs in a process of its own; gives the kernel's result. */
function run(cache: string, options: string): number {
  const program = `
    const { open } = require(${JSON.stringify(join(__dirname, '..', 'dist', 'index.cjs'))});
    (async () => {
      const cl = await open({ device: 'software' });
      const { kernels } = await cl.build(${JSON.stringify(SOURCE)}, process.argv[1]);
      const a = cl.buffer(new Int32Array(4));
      await kernels.f.run({ global: 4 }, a);
      console.log((await a.read())[3]);
      process.exit(0);
    })();`;
  const env = { ...process.env, ANYCL_CACHE_DIR: cache, ANYCL_CACHE: '' };
  return Number(execFileSync(process.execPath, ['-e', program, '--', options], { encoding: 'utf8', env }));
}

const entries = (cache: string) =>
  readdirSync(cache).map((name) => ({ path: join(cache, name), inode: statSync(join(cache, name)).ino }));

test('a program is stored once, and found again by text and options', () => {
  const cache = temporaryFolder();
  expect(run(cache, '-DK=1')).toBe(1);
  const first = entries(cache);
  // Opening a device compiles, too, but stores nothing.
  expect(first).toHaveLength(1);
  expect(run(cache, '-DK=1')).toBe(1);
  expect(entries(cache)).toEqual(first);
  expect(run(cache, '-DK=2')).toBe(2);
  expect(entries(cache)).toHaveLength(2);
});

test('what is damaged is compiled anew, and replaced', () => {
  const cache = temporaryFolder();
  run(cache, '-DK=3');
  const [entry] = entries(cache);
  const bytes = readFileSync(entry!.path);
  const damages = [
    bytes.subarray(0, bytes.length >> 1),
    Buffer.alloc(0),
    Buffer.from(bytes).fill(1, bytes.length - 8),
  ];
  for (const damaged of damages) {
    writeFileSync(entry!.path, damaged);
    expect(run(cache, '-DK=3')).toBe(3);
    expect(readFileSync(entry!.path).equals(bytes)).toBe(true);
  }
});

test('a folder that cannot be written is no cache', () => {
  const cache = temporaryFolder();
  writeFileSync(join(cache, 'file'), '');
  expect(run(join(cache, 'file', 'below'), '-DK=4')).toBe(4);
  chmodSync(cache, 0o500);
  try {
    expect(run(cache, '-DK=5')).toBe(5);
  } finally {
    chmodSync(cache, 0o700);
  }
});
