// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/device.mjs FIRST COUNT [--reduce]: runs as many random kernels (tests/fuzz/random-kernel.ts), beginning with the
// seed FIRST, on tiles of all shapes against the interpreter. `--reduce` makes what
// fails as small as it can, and prints it.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const words = process.argv.slice(2);
const [first, count] = words.filter((word) => !word.startsWith('--')).map(Number);
if (!(first >= 0 && count > 0)) {
  console.error('usage: node scripts/fuzz/device.mjs FIRST COUNT [--reduce]');
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'anycl-fuzz-'));
const bundle = join(scratch, 'fuzz.cjs');
await build({
  stdin: {
    contents: ['random-kernel', 'run-kernel', 'reduce']
      .map((file) => `export * from './tests/fuzz/${file}';`)
      .join('\n'),
    resolveDir: root,
  },
  bundle: true,
  platform: 'node',
  outfile: bundle,
});
const { randomKernel, firstDifference, NotCompiled, reduce } = createRequire(import.meta.url)(bundle);
rmSync(scratch, { recursive: true });
const dist = join(root, 'dist');

/** What is wrong with a kernel: at which tile, what kind of fault, and the details. */
function fault(kernel, tiles) {
  try {
    const found = firstDifference(kernel, dist, tiles);
    return (
      found && { tile: found.tile, kind: 'differs', text: `tile ${found.tile.join(' x ')}: ${found.what}` }
    );
  } catch (error) {
    const [line] = `${error.message}`.split('\n');
    const text = `${error instanceof NotCompiled ? 'does not compile' : 'throws'}: ${line}`;
    return { kind: text.replace(/-?\d+/g, ''), text };
  }
}

let faults = 0;
for (let seed = first; seed < first + count; seed++) {
  const kernel = randomKernel(seed);
  const found = fault(kernel);
  if (found === undefined) continue;
  faults++;
  console.log(`seed ${seed}: ${found.text}`);
  if (!words.includes('--reduce')) continue;
  // The scalar code must stay right, unless it is what is wrong.
  const isScalar = found.tile?.join() === '1,1';
  const tiles = found.tile && (isScalar ? [[1, 1]] : [[1, 1], found.tile]);
  const source = reduce(kernel.source, (text) => {
    const now = fault({ ...kernel, source: text }, tiles);
    return now?.kind === found.kind && (now.tile?.join() === '1,1') === isScalar;
  });
  console.log(
    `global ${kernel.global}, local ${kernel.local}: ${fault({ ...kernel, source }, tiles).text}\n${source}\n`,
  );
}
console.log(`${count} kernels, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
