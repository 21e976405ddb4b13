// SPDX-License-Identifier: MIT
// Programs that import a `.cl` file, bundled: they run, and a broken kernel is reported at its line. vite and webpack take longer:
// scripts/package/kernel-modules.mjs tries all.
import { node } from '../helpers/command';

const NAMES = ['esbuild', 'rollup'];

test('bundled programs have their kernels', () => {
  const { status, stdout } = node('scripts/package/kernel-modules.mjs', NAMES, { timeoutMs: 280_000 });
  expect(stdout.trim().split('\n')).toEqual(
    NAMES.map((name) => `${name}: runs, and reports an error at its line`),
  );
  expect(status).toBe(0);
}, 300_000);
