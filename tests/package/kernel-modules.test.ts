// SPDX-License-Identifier: MIT
// Programs that import a `.cl` file, bundled: they run, and a broken kernel is reported at its line. vite and webpack take longer:
// scripts/package/kernel-modules.mjs tries all.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { node, root, temporaryFolder } from '../helpers/command';

const NAMES = ['esbuild', 'rollup'];

test('bundled programs have their kernels', () => {
  const { status, stdout } = node('scripts/package/kernel-modules.mjs', NAMES, { timeoutMs: 280_000 });
  expect(stdout.trim().split('\n')).toEqual(
    NAMES.map((name) => `${name}: runs, and reports an error at its line, and a missing file`),
  );
  expect(status).toBe(0);
}, 300_000);

test('a CommonJS module requires a kernel, or is told what to do', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'one.cl'), 'kernel void one(global int *a) { a[0] = 1; }\n');
  writeFileSync(join(folder, 'program.cjs'), "console.log(typeof require('./one.cl').one.run);\n");
  const register = pathToFileURL(join(root, 'dist/register.mjs')).href;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', register, join(folder, 'program.cjs')],
    {
      encoding: 'utf8',
    },
  );
  if ('registerHooks' in module) expect(stdout).toBe('function\n');
  else expect(stderr).toContain('needs Node.js 22.15 or newer; here, use await import() or an ES module');
});
