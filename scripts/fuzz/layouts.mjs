// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/layouts.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--clang=clang-15] [--print]: runs COUNT random programs of
// structures as arguments and variables at program scope (tests/fuzz/layouts), beginning with the seed FIRST, on a device (the
// software device unless named), and compares what they store with the same programs as C. `--print` prints the kernels that differ.
// The exit status is 1 if results differ, or a program throws.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { load, root, scratchFolder } from './bundle.mjs';
import { readSeeds } from './seeds.mjs';

const require = createRequire(import.meta.url);
/** Programs of one program in C. */
const BATCH = 40;
const SALT = 3;
const OPTIONS = '-cl-std=CL3.0 -w';
const words = '[--device=SELECTOR] [--clang=COMMAND] [--print]';
const { first, count, values } = readSeeds('layouts.mjs', words, {
  device: { type: 'string', default: 'software' },
  clang: { type: 'string', default: 'clang-15' },
  print: { type: 'boolean' },
});
const scratch = scratchFolder();
const { randomLayouts, inC, CL_HEAD, ITEMS } = await load(['tests/fuzz/layouts/random-layouts']);
const { openSync } = require(join(root, 'dist/index.cjs'));
const cl = openSync({ device: values.device });

/** By seed: the sizes of both arguments and the words. */
function resultsInC(programs) {
  const [file, program] = ['all.c', 'all'].map((name) => join(scratch, name));
  writeFileSync(file, inC(programs, SALT));
  const made = spawnSync(values.clang, ['-w', '-O0', '-o', program, file], { encoding: 'utf8' });
  if (made.error || made.status !== 0) throw made.error ?? new Error(made.stderr.slice(0, 3000));
  const { stdout } = spawnSync(program, [], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  return new Map(
    lines.map(([seed, a, b, ...words]) => [
      Number(seed),
      { sizes: [Number(a), Number(b)], words: words.map((word) => BigInt(`0x${word}`)) },
    ]),
  );
}

/** What differs, or undefined. */
async function difference({ seed, source, bytes, words }, expected) {
  const { kernels } = await cl.build(CL_HEAD + source, OPTIONS);
  const out = cl.buffer(new BigUint64Array(ITEMS * words));
  const [a, b] = expected.sizes;
  await kernels[`fuzz_${seed}`].run(
    { global: ITEMS },
    bytes.slice(0, a),
    bytes.slice(2048, 2048 + b),
    out,
    SALT,
  );
  const found = await out.read();
  out.release();
  const at = expected.words.findIndex((word, k) => word !== found[k]);
  if (at < 0) return undefined;
  const line = source.split('\n').find((each) => each.startsWith(`  out[${at % words}] =`));
  return `work-item ${Math.floor(at / words)}: ${line?.trim()} is 0x${found[at].toString(16)}, not 0x${expected.words[at].toString(16)}`;
}

const until = Date.now() + Number(values.seconds) * 1000;
let faults = 0;
let seed = first;
while (seed < first + count && Date.now() < until) {
  const size = Math.min(BATCH, first + count - seed);
  const programs = Array.from({ length: size }, (_, i) => randomLayouts(seed + i));
  const expected = resultsInC(programs);
  for (const program of programs) {
    const found = await difference(program, expected.get(program.seed)).catch(
      (error) => `throws: ${error.message}`,
    );
    if (found === undefined) continue;
    faults++;
    console.log(`seed ${program.seed}: ${found}`);
    if (values.print) console.log(program.source);
  }
  seed += size;
}
console.log(`${seed - first} programs on ${cl.device.name}, seeds ${first} to ${seed - 1}: ${faults} faults`);
cl.close();
process.exit(faults > 0 ? 1 : 0);
