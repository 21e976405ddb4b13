// SPDX-License-Identifier: MIT
//
// The short form of scripts/compare/prototypes.mjs: every prototype of the header of an installed clang, for one version.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { testNeeding } from '../../../../tests/helpers/needs';

const clang = ['clang-19', 'clang-15', 'clang'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);
const root = join(__dirname, '../../../..');

testNeeding('clang', clang !== undefined)("every prototype of clang's opencl-c.h is accepted", () => {
  const flags = ['scripts/compare/prototypes.mjs', '--clang', clang ?? '', '--std', 'CL3.0'];
  const { stdout } = spawnSync(process.execPath, flags, { cwd: root, encoding: 'utf8' });
  const [, accepted = '0', , refused = ''] = /: (\d+) of (\d+) accepted, (\d+) refused/.exec(stdout) ?? [];
  expect(Number(accepted)).toBeGreaterThan(13000);
  expect(refused).toBe('0');
});
