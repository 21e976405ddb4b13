// SPDX-License-Identifier: MIT
import { existsSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeKey, fileName } from './cache-entry';
import { DiskCache, isDue } from './disk-cache';

describe('the limit of the disk cache', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'anycl-cache-limit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** An entry of that many bytes, which take no place on the disk. */
  function plant(name: string, bytes: number, seconds: number): string {
    const path = join(folder, name);
    writeFileSync(path, '');
    truncateSync(path, bytes);
    utimesSync(path, seconds, seconds);
    return path;
  }

  function write(parts: string[], bytes: number): void {
    const cache = new DiskCache({ cacheFolder: folder, debug: new Set() } as never);
    cache.write(() => ({ key: parts, bytes: new Uint8Array(bytes) }));
    cache.flush();
    expect(existsSync(join(folder, fileName(encodeKey(parts))))).toBe(true);
  }

  test('the oldest entries are deleted when it is measured', () => {
    const oldest = plant('0000000000000001', 200 << 20, 1000);
    const newer = plant('0000000000000002', 100 << 20, 2000);
    const small = ['first', 'second', 'third', 'fourth'].filter(
      (key) => !isDue(fileName(encodeKey([key])), 100),
    );
    expect(small.length).toBeGreaterThan(2);
    for (const key of small) write([key], 10);
    expect(existsSync(oldest)).toBe(true);
    const bytes = 1 << 16;
    const due = Array.from({ length: 5000 }, (_, i) => `${i}`).find((key) =>
      isDue(fileName(encodeKey([key])), bytes),
    );
    write([due!], bytes);
    expect([existsSync(oldest), existsSync(newer)]).toEqual([false, true]);
    for (const key of small) expect(existsSync(join(folder, fileName(encodeKey([key]))))).toBe(true);
  });

  test('it is measured once for every 8 MiB', () => {
    const names = Array.from({ length: 20000 }, (_, i) => fileName(encodeKey(['entry', `${i}`])));
    const due = names.filter((name) => isDue(name, 4096)).length;
    // 20,000 entries of 4 KiB are 78 MiB.
    expect(due).toBeGreaterThan(4);
    expect(due).toBeLessThan(20);
  });
});
