// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/arrays.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR]: runs COUNT random programs of arrays
// (tests/fuzz/arrays/program.ts), beginning with the seed FIRST, on a device (the software device unless named), against plain
// JavaScript. The exit status is 1 if an element differs, or a program throws.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load, root } from './bundle.mjs';

const require = createRequire(import.meta.url);
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: 'Infinity' },
    device: { type: 'string', default: 'software' },
  },
});
const [first, count] = positionals.map(Number);
if (!(first >= 0 && count > 0)) {
  console.error('usage: node scripts/fuzz/arrays.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR]');
  process.exit(2);
}

const { runProgram, PROFILES } = await load(['tests/fuzz/arrays/program', 'tests/fuzz/arrays/profiles']);
const { openSync } = require(join(root, 'dist/index.cjs'));
const { arrays } = require(join(root, 'dist/array.cjs'));
const cl = openSync({ device: values.device });
const spaces = PROFILES.map((profile) => arrays(cl, { profile }));
const until = Date.now() + Number(values.seconds) * 1000;
let faults = 0;
let seed = first;
for (; seed < first + count && Date.now() < until; seed++) {
  const nd = spaces[seed % spaces.length];
  const found = await runProgram(seed, nd);
  // Programs have kernels of their own: they would fill the memory.
  if (nd.kernelSources.length > 400) nd.release();
  if (found === undefined) continue;
  faults++;
  console.log(`seed ${seed}, ${JSON.stringify(PROFILES[seed % PROFILES.length])}: ${found}`);
}
console.log(`${seed - first} programs on ${cl.device.name}, seeds ${first} to ${seed - 1}: ${faults} faults`);
cl.close();
process.exit(faults > 0 ? 1 : 0);
