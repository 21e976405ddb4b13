// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/enqueue.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--threads=N] [--mode=check|robust] [--print]: runs COUNT random
// programs whose kernels enqueue blocks (tests/fuzz/enqueue/run.ts), beginning with the seed FIRST, on a device (the software device
// unless named), against a model. `--print` shows them. The exit status is 1 if results differ, or a program throws.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { load, root } from './bundle.mjs';
import { MODES, readSeeds, runSeeds } from './seeds.mjs';

const require = createRequire(import.meta.url);
const seeds = readSeeds('enqueue.mjs', '[--device=SELECTOR] [--threads=N] [--mode=check|robust] [--print]', {
  device: { type: 'string', default: 'software' },
  mode: { type: 'string' },
  print: { type: 'boolean', default: false },
  threads: { type: 'string' },
});
const { device, mode, print, threads } = seeds.values;
if (threads) process.env.ANYCL_THREADS = threads;
const { runEnqueue } = await load(['tests/fuzz/enqueue/run']);
const { openSync } = require(join(root, 'dist/index.cjs'));
const cl = openSync({ device, ...MODES[mode] });
const faults = await runSeeds(seeds, `programs on ${cl.device.name}`, async (seed) => {
  const found = await runEnqueue(seed, cl, print).catch((error) => `throws: ${error.stack}`);
  return found && `: ${found}`;
});
cl.close();
process.exit(faults > 0 ? 1 : 0);
