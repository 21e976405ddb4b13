// SPDX-License-Identifier: MIT
//
// Measures the mathematical functions of devices against MPFR (check.c), and keeps their largest errors in accuracy.json, from
// which docs/builtins.md has its table.
//
//     node scripts/numerics/compare.mjs [--samples 20000] NAME=DEVICE...
//     node scripts/numerics/compare.mjs anycl=software 'PoCL 3.1=0:0'
//
// NAME is the table's heading, DEVICE what `open` takes. Needs what check.sh needs; dist/ must be built.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { samples: { type: 'string', default: '20000' } },
});
const { open } = createRequire(import.meta.url)(join(import.meta.dirname, '../../dist/index.cjs'));

/** The kind of each function (F1, F2: numbers; FI: a number and an integer), from the checker's table. */
const KINDS = new Map(
  [
    ...readFileSync(join(import.meta.dirname, 'rows.inc'), 'utf8').matchAll(
      /^(F1|F2|FI)\((\w+),.* (\S+)\)$/gm,
    ),
  ].flatMap(([, kind, name, limit]) => (limit === '0' ? [] : [[name, kind]])),
);
const folder = mkdtempSync(join(tmpdir(), 'anycl-accuracy-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function check(...args) {
  const { stdout, stderr } = spawnSync(
    'sh',
    [join(import.meta.dirname, 'check.sh'), '-n', flags.samples, ...args],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  );
  if (!stdout) throw new Error(stderr);
  return stdout.trim().split('\n');
}

const KERNEL = {
  F1: (name, type) => `kernel void k(global const ${type} *x, global const ${type} *y, global ${type} *r) {
  size_t i = get_global_id(0); r[i] = ${name}(x[i]); }`,
  F2: (name, type) => `kernel void k(global const ${type} *x, global const ${type} *y, global ${type} *r) {
  size_t i = get_global_id(0); r[i] = ${name}(x[i], y[i]); }`,
  FI: (name, type) => `kernel void k(global const ${type} *x, global const int *y, global ${type} *r) {
  size_t i = get_global_id(0); r[i] = ${name}(x[i], y[i]); }`,
};

async function compute(cl, name, isDouble, pairs) {
  const kind = KINDS.get(name);
  const count = pairs.length / 2;
  const Real = isDouble ? Float64Array : Float32Array;
  const Second = kind === 'FI' ? Int32Array : Real;
  const { kernels } = await cl.build(KERNEL[kind](name, isDouble ? 'double' : 'float'));
  const x = cl.buffer(Real.from({ length: count }, (_, i) => pairs[2 * i]));
  const y = cl.buffer(Second.from({ length: count }, (_, i) => pairs[2 * i + 1]));
  const r = cl.buffer(Real, count);
  await kernels.k.run({ global: count }, x, y, r);
  return Float64Array.from(await r.read());
}

const names = [...KINDS.keys()];
const argumentsFile = join(folder, 'arguments');
const parts = check('-w', argumentsFile, ...names).map((line) => line.split(' '));
const bytes = readFileSync(argumentsFile);
const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
const devices = {};
for (const positional of positionals) {
  const [heading, device] = positional.split('=');
  const cl = await open({ device });
  const results = [];
  let at = 0;
  for (const [name, type, end] of parts) {
    results.push(await compute(cl, name, type === 'f64', all.subarray(2 * at, 2 * Number(end))));
    at = Number(end);
  }
  cl.close();
  const file = join(folder, 'results');
  writeFileSync(file, Buffer.concat(results.map((part) => Buffer.from(part.buffer))));
  const errors = {};
  for (const line of check('-r', file, ...names)) {
    const [name, type, error] = line.trim().split(/\s+/);
    errors[name] ??= {};
    errors[name][type] = error === 'inf' ? 'wrong' : Number(error);
  }
  devices[heading] = errors;
  console.log(`${heading}: measured`);
}
const measured = { samples: Number(flags.samples), devices };
writeFileSync(join(import.meta.dirname, 'accuracy.json'), `${JSON.stringify(measured, null, 2)}\n`);
