// SPDX-License-Identifier: MIT
//
// Random kernels have the same results plainly, with robust access and with checks, and no reports. `FUZZ=FIRST:COUNT` chooses the
// seeds; scripts/fuzz/device.mjs --modes runs many.
import { join } from 'node:path';
import { root } from '../helpers/command';
import { randomAsyncCopies } from './kernels/async-copies';
import { BODY } from './kernels/model';
import { randomObjectKernel } from './kernels/objects';
import { randomKernel } from './random-kernel';
import { Modes } from './run-in-modes';

const [first = 1, count = 3] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);
const TIMEOUT = 60_000;

const open = () => Modes.open(require(join(root, 'dist/index.cjs')), TIMEOUT);

const GENERATORS = [
  ['kernel', randomKernel],
  ['objects', randomObjectKernel],
  ['asynchronous copies', randomAsyncCopies],
] as const;

test.each(GENERATORS)(
  'results do not depend on the mode: the %s',
  async (_, generate) => {
    const modes = await open();
    const found: string[] = [];
    for (let seed = first; seed < first + count; seed++) {
      const difference = await modes.firstDifference(generate(seed));
      if (difference !== undefined) found.push(`seed ${seed}: ${difference}`);
    }
    modes.close();
    expect(found).toEqual([]);
  },
  300_000,
);

test('a report counts as a difference', async () => {
  const modes = await open();
  const { source, ...sizes } = randomKernel(first);
  const found = await modes.firstDifference({
    ...sizes,
    source: source.replace(BODY, 'if (in[256] == 77u) return;'),
  });
  modes.close();
  expect(found).toMatch(
    /^checked, separate arguments: .* error: the kernel reads 4 bytes outside of argument 'in'/,
  );
}, 300_000);
