// SPDX-License-Identifier: MIT
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { jitSettings } from '../../backend/software/build/jit-settings';
import { readSettings } from '../../base/settings';
import { decodeEntry, encodeEntry, encodeKey, fileName } from './cache-entry';
import { NodeHost } from './node-host';

class TestHost extends NodeHost {
  constructor(variables: Readonly<Record<string, string>>) {
    super(readSettings((name) => variables[name]));
  }
}

/** A read finds everything that was written before, so the entry is on the disk then. */
function store(host: NodeHost, bytes: Uint8Array): void {
  host.cacheWrite(() => ({ key: ['a'], bytes }));
  host.cacheRead(['b']);
}

test('the cache keeps entries, and its trouble is nobody else’s', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-test-'));
  try {
    const host = new TestHost({ ANYCL_CACHE_DIR: join(folder, 'cache') });
    expect(host.cacheRead(['a'])).toBeUndefined();
    store(host, new Uint8Array([1, 2, 3]));
    expect([...host.cacheRead(['a'])!]).toEqual([1, 2, 3]);
    expect(readdirSync(join(folder, 'cache'))).toHaveLength(1);

    writeFileSync(join(folder, 'file'), '');
    const broken = new TestHost({ ANYCL_CACHE_DIR: join(folder, 'file') });
    store(broken, new Uint8Array([1]));
    expect(broken.cacheRead(['a'])).toBeUndefined();

    const off = new TestHost({ ANYCL_CACHE: '0', ANYCL_CACHE_DIR: join(folder, 'off') });
    store(off, new Uint8Array([1]));
    expect(readdirSync(folder).sort()).toEqual(['cache', 'file']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what is stored is not asked for before somebody reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-test-'));
  try {
    const host = new TestHost({ ANYCL_CACHE_DIR: folder });
    let asked = 0;
    host.cacheWrite(() => {
      asked++;
      return { key: ['a'], bytes: new Uint8Array([1]) };
    });
    expect(asked).toBe(0);
    expect([...host.cacheRead(['a'])!]).toEqual([1]);
    expect([...host.cacheRead(['a'])!]).toEqual([1]);
    expect(asked).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an entry is found by its whole key, and only if it is undamaged', () => {
  const key = encodeKey(['opencl-c', 'kernel void f() {}']);
  const entry = encodeEntry(key, new Uint8Array([1, 2, 3, 4, 5]));
  expect([...decodeEntry(key, entry)!]).toEqual([1, 2, 3, 4, 5]);
  expect(decodeEntry(encodeKey(['opencl-c', 'kernel void g() {}']), entry)).toBeUndefined();
  expect(encodeKey(['ab', 'c'])).not.toEqual(encodeKey(['a', 'bc']));
  expect(fileName(encodeKey(['ab', 'c']))).not.toBe(fileName(encodeKey(['a', 'bc'])));
  for (let length = 0; length < entry.length; length++)
    expect(decodeEntry(key, entry.subarray(0, length))).toBeUndefined();
  for (let at = 0; at < entry.length; at++) {
    const damaged = entry.slice();
    damaged[at]! ^= 0x10;
    expect(decodeEntry(key, damaged)).toBeUndefined();
  }
});

test('a damaged file is a missing entry, and is replaced', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-test-'));
  try {
    const host = new TestHost({ ANYCL_CACHE_DIR: folder });
    store(host, new Uint8Array(1000).fill(7));
    const [file] = readdirSync(folder);
    for (const size of [500, 0]) {
      truncateSync(join(folder, file!), size);
      expect(host.cacheRead(['a'])).toBeUndefined();
    }
    store(host, new Uint8Array([1]));
    expect([...host.cacheRead(['a'])!]).toEqual([1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('relaxed SIMD is there on every version of Node.js that is supported', () => {
  expect(jitSettings(new NodeHost()).engine.relaxedSimd).toBe(true);
});

test('experiments ask for tiles that there are', () => {
  const { lanes, rows } = jitSettings(new TestHost({ ANYCL_LANES: '8', ANYCL_COARSENING: '' }));
  expect([lanes, rows]).toEqual([8, 0]);
  for (const name of ['ANYCL_LANES', 'ANYCL_COARSENING'])
    for (const value of ['3', '-1', 'many'])
      expect(() => jitSettings(new TestHost({ [name]: value }))).toThrow(
        `${name} is '${value}'; it can be 1,`,
      );
});

/** V8's hash of its flags, the fourth word of stored code: V8 accepts only code with the same hash. */
function flagHash(name: string): number {
  return new Script(`function ${name}() {}`).createCachedData().readUInt32LE(12);
}

const TIER_UP_IS_DELAYED = ['20', '22', '24', '26'].includes(process.versions.node.split('.')[0]!);

test('compiling a kernel leaves V8’s flags as they were', () => {
  const before = flagHash('before');
  // An empty module.
  const host = new NodeHost();
  host.compileWasm(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  expect(host.smallStep(() => 'result')).toBe('result');
  expect(() => host.smallStep(() => JSON.parse('?'))).toThrow(SyntaxError);
  const [endFirst, endSecond] = [host.beginLongStep(), host.beginLongStep()];
  if (TIER_UP_IS_DELAYED) expect(flagHash('during')).not.toBe(before);
  endFirst();
  endFirst();
  if (TIER_UP_IS_DELAYED) expect(flagHash('still')).not.toBe(before);
  endSecond();
  expect(flagHash('after')).toBe(before);
});
