// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/atomics.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--threads=N] [--mode=check|robust] [--print]: runs COUNT random kernels of atomics
// (tests/fuzz/atomics/random-atomics.ts), beginning with the seed FIRST, on a device (the software device unless named), against a
// model that runs one work-item after the other. `--print` prints the kernels that differ. The exit status is 1 if results differ, or
// a program throws.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { load, root } from './bundle.mjs';
import { MODES, readSeeds, runSeeds } from './seeds.mjs';

const require = createRequire(import.meta.url);
const words = '[--device=SELECTOR] [--threads=N] [--mode=check|robust] [--print]';
const seeds = readSeeds('atomics.mjs', words, {
  device: { type: 'string', default: 'software' },
  mode: { type: 'string' },
  threads: { type: 'string' },
  print: { type: 'boolean' },
});
const { device, mode, threads, print } = seeds.values;
if (threads) process.env.ANYCL_THREADS = threads;
const { runAtomics, randomAtomics } = await load([
  'tests/fuzz/atomics/run',
  'tests/fuzz/atomics/random-atomics',
]);
const { openSync } = require(join(root, 'dist/index.cjs'));
const cl = openSync({ device, ...MODES[mode] });
const faults = await runSeeds(seeds, `kernels on ${cl.device.name}`, async (seed) => {
  const found = await runAtomics(seed, cl).catch((error) => `throws: ${error.stack}`);
  return found && `: ${found}${print ? `\n${randomAtomics(seed).source}` : ''}`;
});
cl.close();
process.exit(faults > 0 ? 1 : 0);
