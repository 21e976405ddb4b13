// SPDX-License-Identifier: MIT
//
// The applications in examples/ have tests of their own, for Node.js's test runner. They run here as their users would run them: in
// a copy of the folder beside which its dependencies are installed.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryFolder } from '../helpers/command';

const applications = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'package.json')),
);

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
    symlinkSync(join(root, 'tests/helpers/electron'), join(folder, 'node_modules/electron'));
    for (const dependency of ['fastify', 'pngjs'])
      symlinkSync(join(root, 'node_modules', dependency), join(folder, 'node_modules', dependency));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--test'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...process.env, ANYCL_DEVICE: 'software', NODE_OPTIONS: '' },
    });
    expect({ status, report: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, report: '' });
    expect(stdout).toMatch(/^# pass [1-9]/m);
  },
  180_000,
);
