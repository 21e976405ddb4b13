// SPDX-License-Identifier: MIT
//
// The package as its users load it: the bundles in dist/.
import { join } from 'node:path';
import { inspect } from 'node:util';
import { root } from '../helpers/command';

const anycl = require(join(root, 'dist/index.cjs')) as typeof import('../../ts/index');

test('classes have the names under which they are exported, in messages as well', () => {
  const { local: _, ...exported } = anycl;
  for (const [name, value] of Object.entries(exported)) {
    if (typeof value === 'function' && /^[A-Z]/.test(name)) expect(value.name).toBe(name);
  }
  const cl = anycl.openSync({ device: 'software' });
  const buffer = cl.buffer(new Int32Array(4));
  expect(inspect(buffer)).toMatch(/^Buffer /);
  buffer.release();
  expect(() => buffer.readSync()).toThrow(/this Buffer was released/);
  cl.close();
});
