// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/arrays.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR]: runs COUNT random programs of arrays
// (tests/fuzz/arrays/program.ts), beginning with the seed FIRST, on a device (the software device unless named), against plain
// JavaScript. The exit status is 1 if an element differs, or a program throws.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { load, root } from './bundle.mjs';
import { readSeeds, runSeeds } from './seeds.mjs';

const require = createRequire(import.meta.url);
const seeds = readSeeds('arrays.mjs', '[--device=SELECTOR]', {
  device: { type: 'string', default: 'software' },
});
const { runProgram, PROFILES } = await load(['tests/fuzz/arrays/program', 'tests/fuzz/arrays/profiles']);
const { openSync } = require(join(root, 'dist/index.cjs'));
const { arrays } = require(join(root, 'dist/array.cjs'));
const cl = openSync({ device: seeds.values.device });
const spaces = PROFILES.map((profile) => arrays(cl, { profile }));
const faults = await runSeeds(seeds, `programs on ${cl.device.name}`, async (seed) => {
  const nd = spaces[seed % spaces.length];
  const found = await runProgram(seed, nd);
  // Programs have kernels of their own: they would fill the memory.
  if (nd.kernelSources.length > 400) nd.release();
  return found && `, ${JSON.stringify(PROFILES[seed % PROFILES.length])}: ${found}`;
});
cl.close();
process.exit(faults > 0 ? 1 : 0);
