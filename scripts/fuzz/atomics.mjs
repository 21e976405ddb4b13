// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/atomics.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--threads=N] [--mode=check|robust] [--print]: runs COUNT random kernels of atomics
// (tests/fuzz/atomics/random-atomics.ts), beginning with the seed FIRST, on a device (the software device unless named), against a
// model that runs one work-item after the other. `--print` prints the kernels that differ. The exit status is 1 if results differ, or
// a program throws.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);
const MODES = { check: { check: 'all' }, robust: { robust: true } };
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: 'Infinity' },
    device: { type: 'string', default: 'software' },
    mode: { type: 'string' },
    threads: { type: 'string' },
    print: { type: 'boolean' },
  },
});
const [first, count] = positionals.map(Number);
if (!(first >= 0 && count > 0)) {
  console.error(
    'usage: node scripts/fuzz/atomics.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--threads=N] [--mode=check|robust] [--print]',
  );
  process.exit(2);
}

/** The programs as a module. */
async function bundle() {
  const scratch = mkdtempSync(join(tmpdir(), 'anycl-fuzz-'));
  const outfile = join(scratch, 'fuzz.cjs');
  const contents = "export * from './run'; export * from './random-atomics';";
  const resolveDir = join(root, 'tests/fuzz/atomics');
  await build({ stdin: { contents, resolveDir }, bundle: true, platform: 'node', outfile });
  const fuzzer = require(outfile);
  rmSync(scratch, { recursive: true });
  return fuzzer;
}

if (values.threads) process.env.ANYCL_THREADS = values.threads;
const { runAtomics, randomAtomics } = await bundle();
const { openSync } = require(join(root, 'dist/index.cjs'));
const cl = openSync({ device: values.device, ...MODES[values.mode] });
const until = Date.now() + Number(values.seconds) * 1000;
let faults = 0;
let seed = first;
for (; seed < first + count && Date.now() < until; seed++) {
  const found = await runAtomics(seed, cl).catch((error) => `throws: ${error.stack}`);
  if (found === undefined) continue;
  faults++;
  console.log(`seed ${seed}: ${found}`);
  if (values.print) console.log(randomAtomics(seed).source);
}
console.log(`${seed - first} kernels on ${cl.device.name}, seeds ${first} to ${seed - 1}: ${faults} faults`);
cl.close();
process.exit(faults > 0 ? 1 : 0);
