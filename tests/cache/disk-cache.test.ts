// SPDX-License-Identifier: MIT
// The cache of compiled programs and kernels as processes see it: found again, missed where anything differs, never in
// the way.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { decodeEntry, encodeEntry } from '../../ts/host/node/cache-entry';
import { userSecret } from '../../ts/host/node/user-secret';
import { temporaryFolder } from '../helpers/command';

const SOURCE = 'kernel void f(global int *a) { a[get_global_id(0)] += K; }';

interface Run {
  readonly source?: string;
  readonly options?: string;
  readonly items?: number;
  readonly env?: Record<string, string>;
}

/**
 * Builds and runs in a separate process; returns its output, which ends with the kernel's result for the last
 * work-item.
 */
function output(cache: string, { source = SOURCE, options = '', items = 4, env = {} }: Run): string {
  return outputOf(
    cache,
    `const { kernels } = await cl.build(${JSON.stringify(source)}, process.argv[1]);
      const a = cl.buffer(new Int32Array(${items}));
      await kernels.f.run({ global: ${items} }, a);
      console.log((await a.read()).at(-1));`,
    options,
    env,
  );
}

/** What a process prints that has opened the software device as `cl`. */
function outputOf(
  cache: string,
  body: string,
  options = '',
  env: Readonly<Record<string, string>> = {},
): string {
  const program = `
    const { open } = require(${JSON.stringify(join(__dirname, '../..', 'dist', 'index.cjs'))});
    (async () => {
      const cl = await open({ device: 'software' });
      ${body}
      process.exit(0);
    })();`;
  return execFileSync(process.execPath, ['-e', program, '--', options], {
    encoding: 'utf8',
    env: { ...process.env, ANYCL_CACHE_DIR: cache, ANYCL_CACHE: '', ANYCL_LANES: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 100_000,
  });
}

const run = (cache: string, options: string) => Number(output(cache, { options }));

const entries = (cache: string) =>
  readdirSync(cache).map((name) => ({ path: join(cache, name), inode: statSync(join(cache, name)).ino }));

/** A program and, as WebAssembly, its kernel. */
const ONE_PROGRAM = 2;

test('a program and its kernel are stored once, and found again by text and options', () => {
  const cache = temporaryFolder();
  expect(run(cache, '-DK=1')).toBe(1);
  const first = entries(cache);
  // Opening a device compiles, too, but stores nothing.
  expect(first).toHaveLength(ONE_PROGRAM);
  expect(run(cache, '-DK=1')).toBe(1);
  expect(entries(cache)).toEqual(first);
  expect(run(cache, '-DK=2')).toBe(2);
  expect(entries(cache)).toHaveLength(2 * ONE_PROGRAM);
});

test('a kernel whose code the engine takes only with flags is found again', () => {
  const cache = temporaryFolder();
  // Node.js 20 has fused multiplications behind a flag.
  const source =
    'kernel void f(global int *a) { size_t i = get_global_id(0); a[i] = (int)fma((float)a[i], 2.0f, 3.0f); }';
  const result = () => Number(output(cache, { source, items: 64 }));
  expect(result()).toBe(3);
  const first = entries(cache);
  expect(first).toHaveLength(ONE_PROGRAM);
  expect(result()).toBe(3);
  expect(entries(cache)).toEqual(first);
});

test('code for separate arguments and code for any are stored beside each other, and found again', () => {
  const cache = temporaryFolder();
  const source = `kernel void f(global const uchar *from, global uchar *to) {
    size_t i = get_global_id(0);
    to[2 * i] = from[2 * i + 1];
    to[2 * i + 1] = from[2 * i];
  }`;
  const launches = (order: string) =>
    outputOf(
      cache,
      `const { kernels } = await cl.build(${JSON.stringify(source)});
      const results = {};
      for (const kind of ${JSON.stringify(order.split(' '))}) {
        const a = cl.buffer(Uint8Array.from({ length: 128 }, (_, i) => i));
        const b = kind === 'overlapping' ? a : cl.buffer(new Uint8Array(128));
        await kernels.f.run({ global: 64 }, a, b);
        results[kind] = [...(await b.read())].slice(126).join();
      }
      console.log(results.separate, results.overlapping);`,
    ).trim();
  expect(launches('separate overlapping')).toBe('127,126 127,127');
  const first = entries(cache);
  expect(first).toHaveLength(ONE_PROGRAM + 1);
  expect(launches('overlapping separate')).toBe('127,126 127,127');
  expect(launches('separate overlapping')).toBe('127,126 127,127');
  expect(entries(cache)).toEqual(first);
});

test('a damaged entry is compiled again, and replaced', () => {
  const cache = temporaryFolder();
  run(cache, '-DK=3');
  for (const { path } of entries(cache)) {
    const bytes = readFileSync(path);
    const damages = [
      bytes.subarray(0, bytes.length >> 1),
      Buffer.alloc(0),
      Buffer.from(bytes).fill(1, bytes.length - 8),
    ];
    for (const damaged of damages) {
      writeFileSync(path, damaged);
      expect(run(cache, '-DK=3')).toBe(3);
      expect(readFileSync(path).equals(bytes)).toBe(true);
    }
  }
});

test('a kernel is stored for each form of ND-range and for each way of compiling it', () => {
  const cache = temporaryFolder();
  const options = '-DK=6';
  const kernels = () => entries(cache).length - 1;
  const whole = { options, items: 64 };
  const odd = { options, items: 67 };
  expect(Number(output(cache, whole))).toBe(6);
  expect(kernels()).toBe(1);
  for (const range of [odd, whole]) expect(Number(output(cache, range))).toBe(6);
  expect(kernels()).toBe(2);
  // The module for any ND-range is used for whole tiles too.
  const other = temporaryFolder();
  for (const range of [odd, whole]) expect(Number(output(other, range))).toBe(6);
  expect(entries(other)).toHaveLength(ONE_PROGRAM);
  const scalar = { ANYCL_LANES: '1' };
  for (let i = 0; i < 2; i++) expect(Number(output(cache, { ...odd, env: scalar }))).toBe(6);
  expect(kernels()).toBe(3);
});

test('what ANYCL_DEBUG=jit tells does not depend on the cache', () => {
  const cache = temporaryFolder();
  const told = () => {
    const script = `process.stderr.write = (text) => process.stdout.write(text);`;
    const preload = join(cache, '..', 'told.cjs');
    writeFileSync(preload, script);
    const env = { ANYCL_DEBUG: 'jit', NODE_OPTIONS: `--require ${JSON.stringify(preload)}` };
    return output(cache, { options: '-DK=7', items: 64, env });
  };
  const first = told();
  expect(first).toContain('work-items');
  expect(told()).toBe(first);
});

test('programs that read files are not stored, whatever their comments speak of', () => {
  const cache = temporaryFolder();
  const folder = temporaryFolder();
  const header = join(folder, 'k.h');
  const including = { source: `#include "k.h"\n${SOURCE}`, options: `-I ${folder}` };
  writeFileSync(header, '#define K 8');
  expect(Number(output(cache, including))).toBe(8);
  writeFileSync(header, '#define K 9');
  expect(Number(output(cache, including))).toBe(9);
  const programs = () => entries(cache).filter(({ path }) => readFileSync(path).includes('opencl-c'));
  expect(programs()).toEqual([]);
  expect(Number(output(cache, { source: `/* #include */ ${SOURCE}`, options: '-DK=1' }))).toBe(1);
  expect(programs()).toHaveLength(1);
});

test('kernels that print do so from the cache, too', () => {
  const cache = temporaryFolder();
  const source = `kernel void f(global int *a) { if (get_global_id(0) == 1) printf("%d of %s\\n", K, "them"); a[3] = K; }`;
  for (let i = 0; i < 2; i++) expect(output(cache, { source, options: '-DK=5' }).trim()).toBe('5 of them\n5');
});

test('a folder that cannot be written is not a cache', () => {
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

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a folder where none can be made is not a cache', () => {
  expect(run('/proc/anycl/cache', '-DK=6')).toBe(6);
});

const onUnix = process.platform === 'win32' ? test.skip : test;

onUnix('the folder is the user’s alone, and one that others can write to is not used', () => {
  const cache = join(temporaryFolder(), 'cache');
  expect(run(cache, '-DK=1')).toBe(1);
  const mode = () => statSync(cache).mode & 0o777;
  expect(mode()).toBe(0o700);
  for (const { path } of entries(cache)) expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(cache, 0o755);
  expect(run(cache, '-DK=1')).toBe(1);
  expect(mode()).toBe(0o700);
  const before = entries(cache).length;
  chmodSync(cache, 0o777);
  const preload = join(cache, '..', 'told.cjs');
  writeFileSync(preload, 'process.stderr.write = (text) => process.stdout.write(text);');
  const env = { ANYCL_DEBUG: 'cache', NODE_OPTIONS: `--require ${JSON.stringify(preload)}` };
  expect(output(cache, { options: '-DK=2', env })).toMatch(
    /are not cached in .*: other users can write to it/,
  );
  expect(entries(cache)).toHaveLength(before);
});

onUnix('what has an entry’s name and is not a file of its own is a missing entry', () => {
  const cache = temporaryFolder();
  run(cache, '-DK=3');
  const [first, second] = entries(cache).map(({ path }) => path) as [string, string];
  const content = readFileSync(first);
  unlinkSync(first);
  execFileSync('mkfifo', [first]);
  unlinkSync(second);
  mkdirSync(second);
  expect(run(cache, '-DK=3')).toBe(3);
  // A pipe is replaced by a rename; a link is one, too, and not followed.
  const elsewhere = join(temporaryFolder(), 'entry');
  writeFileSync(elsewhere, content);
  unlinkSync(first);
  symlinkSync(elsewhere, first);
  expect(run(cache, '-DK=3')).toBe(3);
  expect(statSync(first).ino).not.toBe(statSync(elsewhere).ino);
});

test('an entry that is sealed, but is not what its key says, is a missing entry', () => {
  const cache = temporaryFolder();
  run(cache, '-DK=4');
  for (const { path } of entries(cache)) {
    const bytes = readFileSync(path);
    const [, keyLength] = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 8));
    const key = bytes.subarray(32, 32 + keyLength!);
    const content = decodeEntry(key, bytes)!;
    const header = new DataView(content.buffer, content.byteOffset).getUint32(8, true);
    const facts = (text: string): Uint8Array => {
      const other = content.slice();
      other.set(new TextEncoder().encode(text.padEnd(header)).subarray(0, header), 12);
      return other;
    };
    const forged = [facts('{"facts":null,"scratch":{}}'), content.subarray(0, content.length - 4)];
    for (const other of forged) {
      writeFileSync(path, encodeEntry(key, other));
      expect(run(cache, '-DK=4')).toBe(4);
    }
  }
});

test('a stored kernel that says of itself that it ends does not block the calling thread', () => {
  const cache = temporaryFolder();
  expect(WebAssembly.validate(ENDLESS)).toBe(true);
  const env = { XDG_STATE_HOME: temporaryFolder(), ANYCL_TIMEOUT: '500' };
  expect(output(cache, { options: '-DK=5', env })).toBe('5\n');
  for (const { path } of entries(cache)) {
    const bytes = readFileSync(path);
    const [, keyLength] = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 8));
    const key = bytes.subarray(32, 32 + keyLength!);
    if (!key.toString().startsWith('6:kernel')) continue;
    const content = decodeEntry(key, bytes)!;
    expect(Buffer.from(content).toString('latin1')).toContain('"bounded":true');
    const code = content.length - wasmLength(content);
    const endless = Buffer.concat([content.subarray(0, code), ENDLESS]);
    writeFileSync(path, encodeEntry(key, endless));
  }
  // The forged code does not run: the kernel is compiled again. Otherwise the process would not end.
  expect(output(cache, { options: '-DK=5', env })).toBe('5\n');
});

test('a cache from another machine brings no trust with it', () => {
  const cache = temporaryFolder();
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  expect(output(cache, { options: '-DK=6', env: { XDG_STATE_HOME: there } })).toBe('6\n');
  const before = new Map(entries(cache).map(({ path, inode }) => [path, inode]));
  expect(output(cache, { options: '-DK=6', env: { XDG_STATE_HOME: here } })).toBe('6\n');
  // The program is found; the kernel is compiled again, and replaced.
  const replaced = entries(cache).filter(({ path, inode }) => before.get(path) !== inode);
  expect(replaced).toHaveLength(1);
});

onUnix('the secret is the user’s alone, and stays', () => {
  const state = temporaryFolder();
  const env = (name: string) => (name === 'XDG_STATE_HOME' ? state : undefined);
  const secret = userSecret(env);
  expect(secret).toHaveLength(16);
  const file = join(state, 'anycl', 'cache-secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(userSecret(env)).toEqual(secret);
  chmodSync(file, 0o644);
  expect(userSecret(env)).toBeUndefined();
});

/** A module with the interface of the JIT's whose `run` loops for ever. */
const ENDLESS = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 11, 1, 0x60, 7, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0],
  ...[2, 18, 1, 3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 3, 1, 0x80, 0x80, 4],
  ...[3, 2, 1, 0],
  ...[7, 7, 1, 3, 0x72, 0x75, 0x6e, 0, 0],
  ...[10, 9, 1, 7, 0, 3, 0x40, 0x0c, 0, 0x0b, 0x0b],
);

/** Bytes of the WebAssembly at an entry's end. */
function wasmLength(content: Uint8Array): number {
  const at = Buffer.from(content).indexOf(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  return content.length - at;
}
