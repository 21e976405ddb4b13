// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSource } from './source-files';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anycl-sources-')));
const inside = join(root, 'inside');
const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

beforeAll(() => {
  mkdirSync(join(inside, 'deep'), { recursive: true });
  mkdirSync(join(root, 'inside-not'));
  writeFileSync(join(inside, 'a.h'), 'a');
  writeFileSync(join(inside, 'empty.h'), '');
  writeFileSync(join(inside, 'deep', 'b.h'), 'b');
  writeFileSync(join(root, 'secret'), 'secret');
  writeFileSync(join(root, 'inside-not', 'c.h'), 'c');
  writeFileSync(join(inside, 'huge.h'), '');
  truncateSync(join(inside, 'huge.h'), 1 << 30);
});
afterAll(() => rmSync(root, { recursive: true }));

test('files below the folders are read', () => {
  expect(text(readSource(join(inside, 'a.h'), [inside]))).toBe('a');
  expect(text(readSource(join(inside, 'deep/../deep/b.h'), ['/nowhere', inside]))).toBe('b');
  expect(text(readSource(join(inside, 'empty.h'), [inside]))).toBe('');
  expect(text(readSource(join(root, 'secret'), [inside, root]))).toBe('secret');
});

test('no others are', () => {
  expect(readSource(join(inside, 'a.h'), [])).toBeUndefined();
  for (const path of ['../secret', '../inside-not/c.h', 'huge.h', 'deep', 'missing.h', 'a.h/b.h'])
    expect([path, readSource(join(inside, path), [inside])]).toEqual([path, undefined]);
  expect(readSource(join(root, 'secret'), [inside])).toBeUndefined();
});

(process.platform === 'win32' ? test.skip : test)(
  'neither devices, pipes, processes nor links that leave',
  () => {
    for (const path of ['/proc/self/environ', '/dev/zero', '/dev/stdin', '/etc/passwd'])
      expect(readSource(path, [inside])).toBeUndefined();
    expect(readSource('/dev/zero', ['/dev'])).toBeUndefined();
    execFileSync('mkfifo', [join(inside, 'pipe.h')]);
    expect(readSource(join(inside, 'pipe.h'), [inside])).toBeUndefined();
    symlinkSync(join(root, 'secret'), join(inside, 'leaves.h'));
    expect(readSource(join(inside, 'leaves.h'), [inside])).toBeUndefined();
    symlinkSync(join(inside, 'a.h'), join(inside, 'stays.h'));
    expect(text(readSource(join(inside, 'stays.h'), [inside]))).toBe('a');
    symlinkSync(inside, join(root, 'other-name'));
    expect(text(readSource(join(root, 'other-name', 'a.h'), [join(root, 'other-name')]))).toBe('a');
  },
);
