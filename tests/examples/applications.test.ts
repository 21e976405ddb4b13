// SPDX-License-Identifier: MIT
//
// The applications in examples/ have tests of their own, for Node.js's test runner. They run here as their users would run them: in
// a copy of the folder, by the script `test` of its package.json, with its dependencies installed.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryFolder } from '../helpers/command';

const applications = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'package.json')),
);

/** What `npm test` would give to node. */
function testArguments(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { test: string };
  };
  const [program, ...args] = scripts.test.split(' ');
  expect(program).toBe('node');
  return args;
}

test('there are applications', () => {
  expect(applications).toEqual(expect.arrayContaining(['csv-totals', 'electron', 'fleet', 'image-server']));
});

test.each(applications)(
  '%s',
  (name) => {
    const folder = join(temporaryFolder(), name);
    cpSync(join(root, 'examples', name), folder, { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/anycl'));
    for (const dependency of ['fastify', 'pngjs'])
      symlinkSync(join(root, 'node_modules', dependency), join(folder, 'node_modules', dependency));
    const { status, stdout, stderr } = spawnSync(process.execPath, testArguments(folder), {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...process.env, ANYCL_DEVICE: 'software', NODE_OPTIONS: '' },
    });
    expect({ status, report: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, report: '' });
    // `#` in TAP, which Node.js 20 prints into a pipe; later versions print `ℹ`.
    expect(stdout).toMatch(/^[#ℹ] pass [1-9]/m);
  },
  180_000,
);
