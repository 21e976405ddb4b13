// SPDX-License-Identifier: MIT
//
// The rate of each math function, float and double, beside PoCL's and SLEEF's, as a table.
//
//     node bench/math.mjs [--only NAME,…] [--repeat N] [--json]
//
// Elements per microsecond on one thread. Operands and results are in the second cache; a launch computes each element ROUNDS times.
// Launches of both devices take turns in one process; the least times count. SLEEF's C program (bench/native/sleef.c) is left out
// where its header, libsleef-dev, is missing. It is called with whole vectors of the processor, which no compiler does better.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { geometricMean } from './statistics.mjs';

process.env.ANYCL_THREADS = '1';
process.env.POCL_MAX_PTHREAD_COUNT = '1';
const { open } = await import('anycl');

const here = dirname(fileURLToPath(import.meta.url));
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    repeat: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const COUNT = 16384;
const ROUNDS = 16;

/**
 * A function, the range of its first operand, and the suffix of SLEEF's function of the accuracy that OpenCL asks for, if there is
 * one. The second operand is from 0.5 to 2.5.
 */
const FUNCTIONS = [
  ...['sin', 'cos', 'tan'].map((name) => [name, -100, 100, 'u10']),
  ...['sinpi', 'cospi'].map((name) => [name, -100, 100, 'u05']),
  ['tanpi', -100, 100],
  ...['asin', 'acos', 'atan', 'atanh'].map((name) => [name, -0.99, 0.99, 'u10']),
  ...['asinpi', 'acospi', 'atanpi'].map((name) => [name, -0.99, 0.99]),
  ...['sinh', 'cosh', 'tanh', 'asinh', 'exp', 'exp2', 'exp10', 'expm1'].map((name) => [name, -20, 20, 'u10']),
  ['acosh', 1, 100, 'u10'],
  ...['log', 'log2', 'log10', 'log1p'].map((name) => [name, 0.001, 1000, 'u10']),
  ['logb', 0.001, 1000],
  ['sqrt', 0, 1000, 'u05'],
  ['cbrt', -1000, 1000, 'u10'],
  ['rsqrt', 0.001, 1000],
  ['erf', -3, 3, 'u10'],
  ['erfc', -3, 3, 'u15'],
  ['tgamma', 0.5, 20, 'u10'],
  ['lgamma', 0.5, 20, 'u10'],
  ...['floor', 'ceil', 'rint', 'round', 'trunc', 'fabs'].map((name) => [name, -100, 100]),
  ['pow', 0.001, 30, 'u10', 2],
  ['powr', 0.001, 30, undefined, 2],
  ['atan2', -30, 30, 'u10', 2],
  ['hypot', -30, 30, 'u05', 2],
  ['fmod', -30, 30, undefined, 2],
  ['remainder', -30, 30, undefined, 2],
  ['fdim', -30, 30, undefined, 2],
  ['copysign', -30, 30, undefined, 2],
  ['nextafter', -30, 30, undefined, 2],
  ['maxmag', -30, 30, undefined, 2],
  ...['native_sin', 'native_cos', 'native_exp', 'native_log', 'native_rsqrt', 'half_exp'].map((name) => [
    name,
    0.1,
    3,
    undefined,
    1,
    ['float'],
  ]),
];
const chosen = flags.only?.split(',');

/** Elements per microsecond of SLEEF's functions by "name type"; empty where it cannot be built. */
function sleef() {
  const out = join(dirname(here), 'build', 'bench');
  mkdirSync(out, { recursive: true });
  const rows = FUNCTIONS.filter(([, , , ulp]) => ulp !== undefined).map(
    ([name, from, to, ulp, operands = 1]) =>
      `${operands === 1 ? 'ONE' : 'TWO'}(${name}, ${ulp}, ${from}, ${to});`,
  );
  writeFileSync(join(out, 'sleef-rows.h'), `${rows.join('\n')}\n`);
  const program = join(out, 'sleef');
  const source = join(here, 'native', 'sleef.c');
  const built = spawnSync('cc', ['-O2', '-march=native', `-I${out}`, source, '-o', program, '-lsleef'], {
    encoding: 'utf8',
  });
  if (built.status !== 0) {
    console.error(`SLEEF is left out: ${(built.stderr ?? String(built.error)).split('\n')[0]}`);
    return {};
  }
  return JSON.parse(spawnSync(program, [flags.repeat], { encoding: 'utf8' }).stdout);
}

const source = (name, type, operands) => `
${type === 'double' ? '#pragma OPENCL EXTENSION cl_khr_fp64 : enable' : ''}
kernel void work(global const ${type} *a, global const ${type} *b, global ${type} *o) {
  size_t i = get_global_id(0);
  o[i + ${COUNT} * get_global_id(1)] = ${name}(a[i]${operands === 2 ? ', b[i]' : ''});
}`;

function inputs(type, from, to) {
  const array = type === 'double' ? Float64Array : Float32Array;
  return [
    array.from({ length: COUNT }, (_, i) => from + ((to - from) * ((i * 7919) % COUNT)) / COUNT),
    array.from({ length: COUNT }, (_, i) => 0.5 + (2 * ((i * 104729) % COUNT)) / COUNT),
  ];
}

async function prepare(cl, [name, from, to, , operands = 1], type) {
  const { work } = (await cl.build(source(name, type, operands))).kernels;
  const [a, b] = inputs(type, from, to);
  const buffers = [cl.buffer(a), cl.buffer(b), cl.buffer(a.constructor, COUNT * ROUNDS)];
  const range = { global: [COUNT, ROUNDS], local: [64, 1] };
  let least = Infinity;
  return {
    async once() {
      const started = performance.now();
      await work.run(range, ...buffers);
      least = Math.min(least, performance.now() - started);
    },
    rate: () => (COUNT * ROUNDS) / (least * 1000),
    release() {
      for (const buffer of buffers) buffer.release();
    },
  };
}

const bySleef = sleef();
const devices = [await open({ device: 'software' }), await open({ device: 'portable' })];
const rows = [];
if (!flags.json) console.log(`${'function'.padEnd(20)}    anycl     PoCL    SLEEF   over PoCL  over SLEEF`);
for (const row of FUNCTIONS) {
  const [name, , , , , types = ['float', 'double']] = row;
  if (chosen && !chosen.includes(name)) continue;
  for (const type of types) {
    const states = [];
    for (const cl of devices) states.push(await prepare(cl, row, type));
    for (let turn = 0; turn < Number(flags.repeat) + 3; turn++)
      for (const state of states) await state.once();
    const [anycl, pocl] = states.map((state) => state.rate());
    for (const state of states) state.release();
    const other = bySleef[`${name} ${type}`];
    rows.push({ name, type, anycl, pocl, sleef: other });
    const cell = (value, width) =>
      (value === undefined ? '' : value.toFixed(value < 10 ? 2 : 0)).padStart(width);
    if (!flags.json)
      console.log(
        `${`${name} ${type}`.padEnd(20)}${cell(anycl, 9)}${cell(pocl, 9)}${cell(other, 9)}${cell(anycl / pocl, 12)}${cell(other && anycl / other, 12)}`,
      );
  }
}
const overSleef = rows.filter((row) => row.sleef !== undefined);
if (flags.json) console.log(JSON.stringify(rows));
else {
  console.log(
    `geometric mean over PoCL ${geometricMean(rows.map(({ anycl, pocl }) => anycl / pocl)).toFixed(2)}`,
  );
  if (overSleef.length > 0)
    console.log(
      `geometric mean over SLEEF ${geometricMean(overSleef.map((row) => row.anycl / row.sleef)).toFixed(2)}`,
    );
}
process.exit(0);
