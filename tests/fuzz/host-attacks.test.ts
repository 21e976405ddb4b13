// SPDX-License-Identifier: MIT
//
// Some hundred sequences of calls by a hostile script, on the software device and on PoCL, in processes of their own. `FUZZ=FIRST:COUNT`
// chooses the seeds.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { platforms } from '../../ts';
import { root } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const [first = 1, count = 60] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);

function attack(device: string): void {
  const script = join(root, 'tests/fuzz/host-attacks.mjs');
  const args = ['--max-old-space-size=512', script, device, String(first), String(count)];
  const { stdout, status, signal } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 240_000,
  });
  expect({ stdout, status, signal }).toEqual({
    stdout: `0 faults in ${count} sequences\n`,
    status: 0,
    signal: null,
  });
}

test('every promise settles, and every error is ours or the script’s', () => attack('software'), 250_000);

const hasPocl = platforms().some(({ name }) => name === 'Portable Computing Language');
testNeeding('PoCL', hasPocl)('the same on PoCL', () => attack('Portable Computing'), 250_000);
