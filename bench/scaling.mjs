// SPDX-License-Identifier: MIT
//
// Whether the cost per work-item is independent of their number, how much more threads help, and whether second runs are as fast
// as later ones.
//
//     node bench/scaling.mjs [--only NAME,…] [--least WORK-ITEMS] [--most WORK-ITEMS] [--threads N,…] [--repeat N]
//
// For each kernel, number of threads and number of work-items, nanoseconds per work-item (medians of the later half of the runs);
// then how many times faster the threads are than the first number of threads, and the second run over the last one of `repeat`,
// both for the most work-items.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './statistics.mjs';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    least: { type: 'string', default: '1e5' },
    most: { type: 'string', default: '1e8' },
    threads: { type: 'string', default: '1,2' },
    repeat: { type: 'string', default: '10' },
    child: { type: 'string' },
  },
});

const source = (parameters, body) =>
  `kernel void work(${parameters}) { size_t i = get_global_id(0); ${body} }`;
/** Bytes wrap at 4 MB where the work-items' own data would not fit the memory, or the cache at their fewest. */
const KERNELS = {
  triad: source(
    'global float *a, global const float *b',
    'size_t k = i & 0xfffff; a[k] = b[k] + 3.0f * b[k + 0x100000];',
  ),
  mandelbrot: source(
    'global uchar *a, global const float *b',
    `float x = (float)(i % 1000) * 0.003f - 2.0f, y = (float)(i / 1000 * 617 % 1000) * 0.002f - 1.0f, u = 0.0f, v = 0.0f; int n = 0;
     while (n < 16 && u * u + v * v < 4.0f) { float t = u * u - v * v + x; v = 2.0f * u * v + y; u = t; n++; }
     a[i & 0x3fffff] = n;`,
  ),
  groups: source(
    'global float *a, global const float *b',
    `local float shared[64]; int l = get_local_id(0); shared[l] = b[i & 0xfffff]; barrier(CLK_LOCAL_MEM_FENCE);
     a[i & 0xfffff] = shared[63 - l];`,
  ),
};
const LEAST_MS = 300;
const SIZES = [1e4, 1e5, 1e6, 1e7, 1e8, 1e9].filter(
  (size) => size >= Number(flags.least) && size <= Number(flags.most),
);
const REPEAT = Number(flags.repeat);

async function child(name) {
  const { open } = await import('anycl');
  const cl = await open({ device: 'software' });
  const [a, b] = [cl.buffer(Uint8Array, 1 << 22), cl.buffer(new Float32Array(1 << 21).fill(1))];
  const { work } = (await cl.build(KERNELS[name])).kernels;
  const rows = [];
  for (const size of SIZES) {
    const range = { global: size, ...(name === 'groups' ? { local: 64 } : {}) };
    if (name === 'groups') range.global -= size % 64;
    const runs = [];
    // Short kernels run often enough for V8 to optimize the code of a launch.
    const until = performance.now() + LEAST_MS;
    while (runs.length < REPEAT || performance.now() < until) {
      const started = performance.now();
      await work.run(range, a, b);
      runs.push(((performance.now() - started) * 1e6) / range.global);
    }
    rows.push({ time: median(runs.slice(runs.length >> 1)), second: runs[1] / runs[REPEAT - 1] });
  }
  console.log(JSON.stringify(rows));
  process.exit(0);
}

function measured(name, threads) {
  const { least, most, repeat } = flags;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      fileURLToPath(import.meta.url),
      ...['--child', name, '--least', least, '--most', most, '--repeat', repeat],
    ],
    { env: { ...process.env, ANYCL_THREADS: String(threads), ANYCL_CACHE: '0' }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

if (flags.child) await child(flags.child);
else {
  const sizes = SIZES.map((size) => size.toExponential(0).padStart(9)).join('');
  console.log(`ns per work-item${sizes}   most/least    gain   2nd/${REPEAT}th run`);
  for (const name of flags.only?.split(',') ?? Object.keys(KERNELS)) {
    let first;
    for (const threads of flags.threads.split(',')) {
      const rows = measured(name, threads);
      const times = rows.map(({ time }) => time);
      first ??= times.at(-1);
      const cells = times.map((ns) => ns.toFixed(3).padStart(9)).join('');
      const spread = (Math.max(...times) / Math.min(...times)).toFixed(2).padStart(13);
      const gain = `${(first / times.at(-1)).toFixed(2)}x`.padStart(8);
      const second = rows.at(-1).second.toFixed(2).padStart(15);
      console.log(`${`${name}, ${threads}`.padEnd(16)}${cells}${spread}${gain}${second}`);
    }
  }
}
