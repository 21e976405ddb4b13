// SPDX-License-Identifier: MIT
//
// Some hundred calls with numbers at the limits of 31, 32, 53 and 64 bits. `FUZZ=FIRST:COUNT` chooses the seeds.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../helpers/command';

const [first = 1, count = 300] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);

test('calls at the limits of numbers are done, or refused with an OpenCLError', () => {
  const script = join(root, 'tests/fuzz/host-parameters.mjs');
  const args = ['--max-old-space-size=512', script, 'software', String(first), String(count)];
  const { stdout, status, signal } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect({ stdout, status, signal }).toEqual({
    stdout: `0 of ${count} calls failed otherwise than by an OpenCLError\n`,
    status: 0,
    signal: null,
  });
}, 150_000);
