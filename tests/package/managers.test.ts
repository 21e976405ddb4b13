// SPDX-License-Identifier: MIT
// The packed package with npm and pnpm, in worker threads, and in the test runners that projects have. What takes longer is in
// scripts/package/managers.mjs: yarn, Bun, Deno, and four versions of Node.js.
import { node } from '../helpers/command';

test('an installed package runs programs and tests', () => {
  const { status, stdout } = node('scripts/package/managers.mjs', ['--ci'], { timeoutMs: 580_000 });
  const version = process.versions.node;
  expect(stdout.trim().replace(/ \([\d.]+ s\)$/gm, '')).toBe(
    [
      ...['npm', 'pnpm'].flatMap((name) =>
        ['program.mjs', 'thread.mjs'].map((file) => `${name}, Node.js ${version}, ${file}: runs`),
      ),
      'jest: runs',
      'jest-workers: runs',
      'vitest: runs',
    ].join('\n'),
  );
  expect(status).toBe(0);
}, 600_000);
