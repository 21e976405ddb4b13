// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/images.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--mode=check|robust]: runs COUNT random programs of images
// (tests/fuzz/images/program.ts), beginning with the seed FIRST, on a device (the software device unless named), against a model of
// the specification. The exit status is 1 if a texel differs, or a program throws.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { load, root } from './bundle.mjs';
import { MODES, readSeeds, runSeeds } from './seeds.mjs';

const require = createRequire(import.meta.url);
const seeds = readSeeds('images.mjs', '[--device=SELECTOR] [--mode=check|robust]', {
  device: { type: 'string', default: 'software' },
  mode: { type: 'string' },
});
const { device, mode } = seeds.values;
const { runImages, listedFormats } = await load([
  'tests/fuzz/images/program',
  'tests/fuzz/images/listed-formats',
]);
const { openSync } = require(join(root, 'dist/index.cjs'));
const cl = openSync({ device, ...MODES[mode] });
const options = { formats: listedFormats(cl.context), overBuffers: cl.device.type === 'software' };
const faults = await runSeeds(seeds, `programs on ${cl.device.name}`, async (seed) => {
  const found = await runImages(seed, cl, options).catch((error) => `throws: ${error.stack}`);
  return found && `: ${found}`;
});
cl.close();
process.exit(faults > 0 ? 1 : 0);
