// SPDX-License-Identifier: MIT
//
// Compares `anycl validate` with spirv-val on mutants of valid modules (tests/fuzz/mutate-module.ts): how often the two
// agree, and the mutants on which they do not, by the rule that the one or the other names.
//
//   node scripts/compare/validators.mjs [--mutants 5000] [--seed 1] [--examples 2] [--keep FOLDER]
//
// The modules are those of kernels/examples and tests/compile. docs/validation.md lists the differences that remain.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');
const BATCH = 500;
const { values: options } = parseArgs({
  options: {
    mutants: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    examples: { type: 'string', default: '2' },
    keep: { type: 'string' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'anycl-validators-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));
const bundle = join(scratch, 'tools.cjs');
const contents = [
  './ts/compiler/compile',
  './ts/spirv/encode',
  './ts/spirv/decode',
  './ts/spirv/spirv-error',
  './ts/spirv/validate',
  './tests/fuzz/mutate-module',
]
  .map((module) => `export * from '${module}';`)
  .join('\n');
await build({ stdin: { contents, resolveDir: ROOT }, bundle: true, platform: 'node', outfile: bundle });
const { compile, encode, decode, SpirvError, validate, mutateModule } = createRequire(import.meta.url)(
  bundle,
);

/** Some modules use features that the environment does not have. */
function isValid(bytes, environment) {
  const file = join(scratch, 'module.spv');
  writeFileSync(file, bytes);
  return spawnSync('spirv-val', ['--target-env', environment, file]).status === 0;
}

/** Valid modules, each with the environment for spirv-val. */
function corpus() {
  const modules = [];
  for (const folder of ['kernels/examples', 'tests/compile'])
    for (const name of readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.cl'))) {
      const text = readFileSync(join(ROOT, folder, name), 'utf8');
      const written = /^\/\/ options: (.*)$/m.exec(text)?.[1] ?? '-cl-std=CL2.0';
      const { module } = compile({ name, text, options: `-w ${written}` });
      if (!module) continue;
      const bytes = encode(module);
      const minor = (module.version >> 8) & 0xff;
      const environment = minor <= 2 ? 'opencl2.2' : `spv1.${minor}`;
      if (bytes.length < 40_000 && isValid(bytes, environment)) modules.push({ name, bytes, environment });
    }
  return modules;
}

function ours(bytes) {
  try {
    return validate(decode(bytes)) ?? '';
  } catch (error) {
    if (error instanceof SpirvError) return error.message;
    return `THREW ${error}`;
  }
}

/** spirv-val on many files in one shell, which is several times as fast as a process for each. */
function spirvVal(mutants) {
  mutants.forEach(({ bytes, environment }, at) => {
    writeFileSync(join(scratch, `${at}.spv`), bytes);
    writeFileSync(join(scratch, `${at}.env`), environment);
  });
  const loop = `for ((i = 0; i < ${mutants.length}; i++)); do
    timeout 10 spirv-val --target-env "$(<$i.env)" $i.spv >$i.out 2>&1 || echo "status $?" >>$i.out; done`;
  spawnSync('bash', ['-c', loop], { cwd: scratch, stdio: 'ignore' });
  return mutants.map((_, at) => readFileSync(join(scratch, `${at}.out`), 'utf8').trim());
}

const shape = (message) =>
  message
    .split('\n')[0]
    .replaceAll(/'[^']*'/g, "'…'")
    .replaceAll(/\d+(\[%\w+\])?/g, '#')
    .replaceAll(/%\w+/g, '%#');

const modules = corpus();
const groups = new Map();
let [agreed, total, threw] = [0, 0, 0];
for (let first = 0; first < Number(options.mutants); first += BATCH) {
  const mutants = [];
  for (let k = first; k < Math.min(first + BATCH, Number(options.mutants)); k++) {
    const module = modules[k % modules.length];
    const seed = Number(options.seed) * 1_000_000 + k;
    mutants.push({ ...module, ...mutateModule(module.bytes, seed), seed });
  }
  const theirs = spirvVal(mutants);
  mutants.forEach((mutant, at) => {
    const mine = ours(mutant.bytes);
    total++;
    if (mine.startsWith('THREW')) threw++;
    else if ((mine === '') === (theirs[at] === '')) {
      agreed++;
      return;
    }
    const kind = mine.startsWith('THREW') ? 'threw' : mine === '' ? 'accepted' : 'refused';
    const key = `${kind}: ${shape(kind === 'accepted' ? theirs[at] : mine)}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ ...mutant, said: kind === 'accepted' ? theirs[at] : mine });
  });
}
console.log(
  `${total} mutants of ${modules.length} modules, ${agreed} judged alike (${((100 * agreed) / total).toFixed(3)}%), ${threw} threw`,
);
for (const [key, list] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
  console.log(`\n${list.length} ${key}`);
  for (const { name, seed, what, said } of list.slice(0, Number(options.examples)))
    console.log(`    ${name} seed ${seed}: ${what}\n      ${said.split('\n').slice(0, 2).join(' | ')}`);
  if (options.keep === undefined) continue;
  mkdirSync(options.keep, { recursive: true });
  for (const { seed, bytes } of list) writeFileSync(join(options.keep, `${seed}.spv`), bytes);
}
