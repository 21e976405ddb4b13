// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/pipes.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--threads=N] [--mode=check|robust]: runs COUNT random programs of
// launches that share a pipe (tests/fuzz/pipes/run.ts), beginning with the seed FIRST, on a device (the software device unless named), against
// a model. The exit status is 1 if results differ, or a program throws.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { load, root } from './bundle.mjs';
import { MODES, readSeeds, runSeeds } from './seeds.mjs';

const require = createRequire(import.meta.url);
const seeds = readSeeds('pipes.mjs', '[--device=SELECTOR] [--threads=N] [--mode=check|robust]', {
  device: { type: 'string', default: 'software' },
  mode: { type: 'string' },
  threads: { type: 'string' },
});
const { device, mode, threads } = seeds.values;
if (threads) process.env.ANYCL_THREADS = threads;
const { runPipes } = await load(['tests/fuzz/pipes/run']);
const { openSync } = require(join(root, 'dist/index.cjs'));
const cl = openSync({ device, ...MODES[mode] });
const faults = await runSeeds(seeds, `programs on ${cl.device.name}`, async (seed) => {
  const found = await runPipes(seed, cl).catch((error) => `throws: ${error.stack}`);
  return found && `: ${found}`;
});
cl.close();
process.exit(faults > 0 ? 1 : 0);
