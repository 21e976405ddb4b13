// SPDX-License-Identifier: MIT
// The short form of leaks.mjs, which makes a million objects when run by hand.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { node, root } from '../helpers/command';
import { testNeeding } from '../helpers/needs';
import { buildStub } from './stub';

const addon = existsSync(join(process.env['ANYCL_PREBUILD'] ?? root, 'build', 'Release', 'anycl.node'));
const library = addon ? buildStub() : undefined;

testNeeding('the stub driver', Boolean(library))(
  'released objects leave nothing behind',
  () => {
    const script = join('tests', 'stub-icd', 'leaks.mjs');
    const { status, stdout } = node('--expose-gc', [script, '20000', library!], {
      bare: true,
      timeoutMs: 280_000,
    });
    expect(stdout).toMatch(/^\d+ objects: -?\d+ stay/m);
    // Methods that do not work on the stub would be omitted.
    expect(stdout).not.toContain('not on this driver');
    if (status !== 0) console.error(stdout);
    expect(status).toBe(0);
  },
  300_000,
);
