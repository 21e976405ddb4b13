// SPDX-License-Identifier: MIT
//
// Arrays against kernels by hand, against plain loops of JavaScript and, with --pyopencl, against PyOpenCL's arrays on PoCL (PYTHON
// names the interpreter). In each repetition all of them run a workload one after the other; medians. A ratio is how many times as
// long the other one takes, the median of the repetitions' ratios: of time, and of CPU time, which other work of the machine changes less.
//
//     node bench/arrays.mjs [--device software] [--n 10000000] [--repeat 7] [--only sum,sort] [--pyopencl]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { open } from 'anycl';
import { arrays } from 'anycl/array';
import { byHand } from './arrays/by-hand.mjs';
import { loops } from './arrays/loops.mjs';

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
if (n % 16 !== 0) throw new Error(`--n is a multiple of 16, not ${flags.n}`);
/** Rows of the matrices. */
const SIZE = 1024;
/** Sorts with a function take seconds. */
const SLOW_LOOPS = new Set(['argsort', 'unique', 'matmul']);

const cl = await open({ device: flags.device });
const nd = arrays(cl);
const words = await nd.random(1).bits(n).read();
const floats = Float32Array.from(words, (word) => (word >>> 8) / 2 ** 24);
const ints = new Int32Array(words.buffer);
const [x, y, i] = [nd.array(floats), nd.array(floats), nd.array(ints)];
const [a, b] = [nd.random(2).uniform([SIZE, SIZE]), nd.random(3).uniform([SIZE, SIZE])];
const hand = await byHand(cl, {
  n,
  size: SIZE,
  x: await x.buffer(),
  y: await y.buffer(),
  i: await i.buffer(),
  a: await a.buffer(),
  b: await b.buffer(),
});
const loop = loops({ n, floats, ints, a: await a.read(), b: await b.read(), size: SIZE });
const axpy = nd.elementwise('z = x + a * y');
const own = {
  axpy: () => axpy({ a: 2, x, y }),
  math: () => x.sin().mul(x.exp()).add(x.sqrt()),
  sum: () => x.sum(),
  dot: () => x.mul(y).sum(),
  cumsum: () => i.cumsum(),
  sort: () => i.sort(),
  argsort: () => i.argsort(),
  sortBy: () => x.sortBy(i),
  compact: () => x.compact(x.gt(0.5)),
  unique: () => i.unique(),
  histogram: () => i.and(255).histogram({ bins: 256 }),
  random: () => nd.random(1).uniform(n),
  matmul: () => a.matmul(b),
};

/** PyOpenCL in a process of its own, which runs a workload when it is told to. */
function pyOpenCl() {
  const script = new URL('arrays/server.py', import.meta.url).pathname;
  const child = spawn(process.env.PYTHON ?? 'python3', [script, String(n)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A run that was stopped leaves a lock in the cache, which the next one would wait for.
    env: { ...process.env, PYOPENCL_NO_CACHE: '1' },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(name) {
      child.stdin.write(`${name}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('PyOpenCL ended');
      const [ms, cpu] = value.split(' ').map(Number);
      return value === '-' ? undefined : { ms, cpu };
    },
    end: () => child.stdin.end(),
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

async function measured(run) {
  if (!run) return undefined;
  // The collection of what the measurement before has left must not fall into this one.
  collectGarbage();
  const cpu = process.cpuUsage();
  const started = performance.now();
  const result = await run();
  await result?.evaluate?.();
  await cl.queue.finish();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  if (result?.evaluate) result.release();
  return { ms, cpu: (user + system) / 1000 };
}

const names = flags.only ? flags.only.split(',') : Object.keys(own);
const rows = Object.fromEntries(names.map((name) => [name, []]));
const python = flags.pyopencl ? pyOpenCl() : undefined;
for (let k = 0; k < Number(flags.repeat) + 1; k++)
  for (const name of names) {
    const others = {
      hand: await measured(hand[name]),
      loop: SLOW_LOOPS.has(name) && k > 2 ? undefined : await measured(loop[name]),
      python: await python?.run(name),
    };
    const row = { own: await measured(own[name]), ...others };
    // The first time, kernels are built.
    if (k > 0) rows[name].push(row);
  }
python?.end();

const median = (list) => list.sort((p, q) => p - q)[list.length >> 1];
const text = (value, digits = 2) => (value === undefined ? '-' : value.toFixed(digits));
const ratio = (list, who, what) =>
  text(median(list.filter((row) => row[who]).map((row) => row[who][what] / row.own[what])));
console.log(
  `${cl.device.name}, ${n} elements, matrices of ${SIZE} rows, Node.js ${process.version}: medians of ${flags.repeat}\n`,
);
const others = ['hand', 'loop', ...(python ? ['python'] : [])];
const titles = { hand: 'by hand', loop: 'JavaScript', python: 'PyOpenCL' };
const head = ['workload', 'ms', 'CPU ms', ...others.flatMap((who) => [`${titles[who]}, time`, 'CPU'])];
console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
for (const [name, list] of Object.entries(rows)) {
  const cells = others.flatMap((who) => [ratio(list, who, 'ms'), ratio(list, who, 'cpu')]);
  const times = ['ms', 'cpu'].map((what) => text(median(list.map((row) => row.own[what])), 1));
  console.log(`| ${[name, ...times, ...cells].join(' | ')} |`);
}
cl.close();
process.exit(0);
