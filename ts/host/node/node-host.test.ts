// SPDX-License-Identifier: MIT
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jitSettings } from '../../backend/software/jit-settings';
import { NodeHost } from './node-host';

class TestHost extends NodeHost {
  constructor(private readonly variables: Readonly<Record<string, string>>) {
    super();
  }

  override env(name: string): string | undefined {
    return this.variables?.[name];
  }
}

test('the cache keeps entries, and its trouble is nobody else’s', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-test-'));
  try {
    const host = new TestHost({ ANYCL_CACHE_DIR: join(folder, 'cache') });
    expect(host.cacheRead('a')).toBeUndefined();
    host.cacheWrite('a', new Uint8Array([1, 2, 3]));
    expect([...host.cacheRead('a')!]).toEqual([1, 2, 3]);
    expect(readdirSync(join(folder, 'cache'))).toEqual(['a']);

    writeFileSync(join(folder, 'file'), '');
    const broken = new TestHost({ ANYCL_CACHE_DIR: join(folder, 'file') });
    broken.cacheWrite('a', new Uint8Array([1]));
    expect(broken.cacheRead('a')).toBeUndefined();

    const off = new TestHost({ ANYCL_CACHE: '0', ANYCL_CACHE_DIR: join(folder, 'off') });
    off.cacheWrite('a', new Uint8Array([1]));
    expect(readdirSync(folder).sort()).toEqual(['cache', 'file']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('hashes keep their parts apart', () => {
  const host = new NodeHost();
  expect(host.hash(['ab', 'c'])).not.toBe(host.hash(['a', 'bc']));
  expect(host.hash(['a', new Uint8Array([98])])).toBe(host.hash(['a', 'b']));
});

test('relaxed SIMD is there on every version of Node.js that is supported', () => {
  expect(jitSettings(new NodeHost()).engine.relaxedSimd).toBe(true);
});
