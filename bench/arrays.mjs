// SPDX-License-Identifier: MIT
//
// Arrays against the project's own kernels, against plain loops of JavaScript and, with --pyopencl, against PyOpenCL's arrays on PoCL (PYTHON names the interpreter).
// Repetitions are interleaved; the least time of each counts, and CPU time, which other work of the machine changes less.
//
//     node bench/arrays.mjs [--device software] [--n 10000000] [--repeat 7] [--only sum,sort] [--pyopencl]
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { local, open } from 'anycl';
import { arrays } from 'anycl/array';

const { values: flags } = parseArgs({
  options: {
    device: { type: 'string', default: 'software' },
    n: { type: 'string', default: '10000000' },
    repeat: { type: 'string', default: '7' },
    only: { type: 'string' },
    pyopencl: { type: 'boolean', default: false },
  },
});
const n = Number(flags.n);
const cl = await open({ device: flags.device });
const nd = arrays(cl);
const source = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const words = await nd.random(1).bits(n).read();
const floats = Float32Array.from(words, (word) => (word >>> 8) / 2 ** 24);
const ints = new Int32Array(words.buffer);
const [x, y, i] = [nd.array(floats), nd.array(floats), nd.array(ints)];
const { triad } = (await cl.build(source('bench/kernels/triad.cl'))).kernels;
const { reduction } = (await cl.build(source('kernels/examples/reduction.cl'))).kernels;
const { scan } = (await cl.build(source('bench/kernels/scan.cl'))).kernels;
const { bitonic } = (await cl.build(source('bench/kernels/bitonic.cl'))).kernels;
// Kernels by hand read the memory of the arrays themselves.
const [fx, fy, fi] = [await x.buffer(), await y.buffer(), await i.buffer()];
const [fout, iout] = [cl.buffer(Float32Array, n), cl.buffer(Int32Array, n)];
const totals = cl.buffer(Int32Array, Math.ceil(n / 256));
const sums = cl.buffer(Float32Array, 256);

/** What arrays, a kernel by hand and JavaScript do for the same result. */
const WORKLOADS = {
  axpy: {
    arrays: () => nd.elementwise('z = x + a * y')({ a: 2, x, y }),
    kernel: () => triad.run({ global: n }, fout, fx, fy, 2),
    loop: () => {
      const out = new Float32Array(n);
      for (let k = 0; k < n; k++) out[k] = floats[k] + 2 * floats[k];
    },
  },
  math: {
    arrays: () => x.sin().mul(x.exp()).add(x.sqrt()),
    loop: () => {
      const out = new Float32Array(n);
      for (let k = 0; k < n; k++) out[k] = Math.sin(floats[k]) * Math.exp(floats[k]) + Math.sqrt(floats[k]);
    },
  },
  sum: {
    arrays: () => x.sum(),
    kernel: () => reduction.run({ global: 256 * 256, local: 256 }, fx, sums, local(Float32Array, 256), n),
    loop: () => {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += floats[k];
      return sum;
    },
  },
  dot: {
    arrays: () => x.mul(y).sum(),
    loop: () => {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += floats[k] * floats[k];
      return sum;
    },
  },
  cumsum: {
    arrays: () => i.cumsum(),
    // The blocks of whole groups alone: less than the arrays do.
    kernel: () => scan.run({ global: n - (n % 256), local: 256 }, fi, iout, totals, local(Int32Array, 512)),
    loop: () => {
      const out = new Int32Array(n);
      let sum = 0;
      for (let k = 0; k < n; k++) {
        sum = (sum + ints[k]) | 0;
        out[k] = sum;
      }
    },
  },
  sort: {
    arrays: () => i.sort(),
    // A bitonic sort, of unsigned numbers.
    ...(Number.isInteger(Math.log2(n)) ? { kernel: sortByHand } : {}),
    loop: () => ints.slice().sort(),
  },
  'sort-float': { arrays: () => x.sort(), loop: () => floats.slice().sort() },
  argsort: { arrays: () => i.argsort() },
  histogram: {
    arrays: () => i.and(255).histogram({ bins: 256 }),
    loop: () => {
      const counts = new Uint32Array(256);
      for (let k = 0; k < n; k++) counts[ints[k] & 255]++;
    },
  },
  random: {
    arrays: () => nd.random(1).uniform(n),
    loop: () => {
      const out = new Float32Array(n);
      for (let k = 0; k < n; k++) out[k] = Math.random();
    },
  },
};

async function sortByHand() {
  cl.queue.enqueueCopy(fi, iout);
  for (let block = 2; block <= n; block *= 2)
    for (let distance = block / 2; distance >= 1; distance /= 2) {
      bitonic.setArgs(iout, block, distance);
      cl.queue.enqueueNDRange(bitonic, { global: n / 2 }, { event: false });
    }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

async function measured(run) {
  // The collection of what the measurement before has left (40 MB for each loop of JavaScript) must not fall into this one.
  collectGarbage();
  const cpu = process.cpuUsage();
  const started = performance.now();
  const result = run();
  await (result?.evaluate?.() ?? result);
  await cl.queue.finish();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  if (result?.evaluate) result.release();
  return { ms, cpu: (user + system) / 1000 };
}

const names = flags.only ? flags.only.split(',') : Object.keys(WORKLOADS);
const rows = Object.fromEntries(names.map((name) => [name, {}]));
for (let k = 0; k < Number(flags.repeat); k++)
  for (const name of names)
    for (const [who, run] of Object.entries(WORKLOADS[name])) {
      const { ms, cpu } = await measured(run);
      const best = rows[name][who] ?? { ms, cpu };
      rows[name][who] = { ms: Math.min(best.ms, ms), cpu: Math.min(best.cpu, cpu) };
    }

const text = (value) => (value === undefined ? '-' : value.toFixed(1)).padStart(9);
const ratio = (value, to) => (value && to ? (value / to).toFixed(2) : '-').padStart(9);
console.log(
  `${cl.device.name}, ${n} elements; milliseconds, and how much faster than the alternative in time | CPU time`,
);
console.log('workload      arrays   kernel     loop | by hand   CPU      | loop      CPU');
for (const [name, { arrays: own, kernel, loop }] of Object.entries(rows))
  console.log(
    `${name.padEnd(11)}${text(own.ms)}${text(kernel?.ms)}${text(loop?.ms)} |${ratio(kernel?.ms, own.ms)}${ratio(kernel?.cpu, own.cpu)} |${ratio(loop?.ms, own.ms)}${ratio(loop?.cpu, own.cpu)}`,
  );
cl.close();
if (flags.pyopencl) {
  const args = [
    new URL('arrays-pyopencl.py', import.meta.url).pathname,
    String(n),
    flags.repeat,
    names.join(','),
  ];
  const { stdout, stderr } = spawnSync(process.env.PYTHON ?? 'python3', args, { encoding: 'utf8' });
  console.log(`\nPyOpenCL, milliseconds (least) and CPU time:\n${stdout || stderr}`);
}
process.exit(0);
