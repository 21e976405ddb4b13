// SPDX-License-Identifier: MIT
//
// node scripts/compare/wasm.mjs OTHER [THIS] [--only TEXT] [--hoists]: compiles the kernels of bench/ and kernels/examples/, and a kernel for
// each operation, with the JITs of two checkouts, and reports the plans and modules that differ: a change that only moves or
// renames code must leave every module as it is. It also compares their CPU time. THIS is by default the script's own checkout.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { sets } from '../../bench/workloads/registry.mjs';
import { operationKernels } from './operation-kernels.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    // As for Node.js 20 and 22, whose V8 moves what does not change out of loops by itself.
    hoists: { type: 'boolean', default: false },
  },
});
if (positionals.length < 1) {
  console.error('usage: node scripts/compare/wasm.mjs OTHER [THIS] [--only TEXT] [--hoists]');
  process.exit(2);
}

/** Tile shapes, of which 0 is the choice of the cost model, and engines. */
const SHAPES = [
  { lanes: 0, rows: 0, engine: { relaxedSimd: true, isX64: true } },
  { lanes: 4, rows: 2, engine: { relaxedSimd: false } },
  { lanes: 16, rows: 1, engine: { relaxedSimd: true } },
].map((shape) => ({ ...shape, engine: { ...shape.engine, hoists: flags.hoists } }));

const scratch = mkdtempSync(join(tmpdir(), 'anycl-wasm-'));

/** The JIT of a checkout, with the library of this checkout, so that only the JIT differs. */
async function jitOf(folder, name) {
  const outfile = join(scratch, `${name}.cjs`);
  await build({
    stdin: {
      contents: `
        export { compile } from './ts/compiler/compile';
        export { loadProgram } from './ts/jit';
        export { openLibrary } from './ts/backend/software/build/library-file';`,
      resolveDir: folder,
    },
    bundle: true,
    platform: 'node',
    outfile,
  });
  const { compile, loadProgram, openLibrary } = createRequire(import.meta.url)(outfile);
  const library = openLibrary(() => readFileSync(join(root, 'dist/library.bin')));
  return { compile, load: (module) => loadProgram(module, library), cpu: 0 };
}

/** Sources by name: those of the benchmarks, the examples, and a kernel for each operation and type. */
function sources() {
  const found = new Map();
  for (const [name, workload] of Object.entries(Object.assign({}, ...Object.values(sets)))) {
    const text = workload.source();
    if (![...found.values()].includes(text)) found.set(name, text);
  }
  const examples = join(root, 'kernels/examples');
  for (const file of readdirSync(examples).filter((name) => name.endsWith('.cl')))
    found.set(file, readFileSync(join(examples, file), 'utf8'));
  for (const [name, text] of operationKernels()) found.set(name, text);
  return found;
}

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Hashes of a module's plans and modules, by kernel and tile. */
function hashes(jit, module) {
  const started = process.cpuUsage();
  const made = new Map();
  const program = jit.load(module);
  for (const kernel of program.binary.kernels.keys())
    for (const shape of SHAPES) {
      const key = `${kernel} ${shape.lanes}x${shape.rows}`;
      try {
        let plan = '';
        const stage = (_, printed) => {
          plan += printed;
        };
        const binary = program.compileKernel(kernel, shape, { stage });
        made.set(`${key} plan`, plan);
        // With code for partial tiles, which includes the code for whole ones.
        made.set(key, binary.module('any').wasm);
        if (binary.privatized.length > 0)
          made.set(`${key} privatized`, binary.module('any', 'privatized').wasm);
      } catch (error) {
        made.set(`${key} error`, String(error.message));
      }
    }
  const { user, system } = process.cpuUsage(started);
  jit.cpu += user + system;
  return new Map([...made].map(([key, bytes]) => [key, hashOf(bytes)]));
}

const ours = await jitOf(positionals[1] ?? root, 'ours');
const theirs = await jitOf(positionals[0], 'theirs');
let count = 0;
let errors = 0;
const different = [];
for (const [name, text] of sources()) {
  if (!name.includes(flags.only)) continue;
  const compiled = () => {
    const { module, log } = ours.compile({ name, text, options: '-cl-std=CL3.0', target: 'spir' });
    if (!module) throw new Error(`${name}: ${log}`);
    return module;
  };
  // The order alternates, so that neither always runs second.
  const order = count & 1 ? [ours, theirs] : [theirs, ours];
  const results = new Map(order.map((jit) => [jit, hashes(jit, compiled())]));
  const [mine, other] = [results.get(ours), results.get(theirs)];
  for (const key of new Set([...mine.keys(), ...other.keys()])) {
    count++;
    if (key.endsWith(' error')) errors++;
    if (mine.get(key) !== other.get(key)) different.push(`${name}: ${key}`);
  }
}
rmSync(scratch, { recursive: true });
for (const key of different.slice(0, 40)) console.log(`differs: ${key}`);
const seconds = (jit) => (jit.cpu / 1e6).toFixed(2);
console.log(`${count} plans and modules (${errors} not compiled), ${different.length} differ`);
console.log(`CPU time: ${seconds(ours)} s, of the other ${seconds(theirs)} s`);
process.exit(different.length > 0 ? 1 : 0);
