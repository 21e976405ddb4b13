// SPDX-License-Identifier: MIT
//
// The lanes and rows that measured best (docs/performance/generated-code/), so that a change of the cost model shows what it moves.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anycl, temporaryFolder } from '../helpers/command';

test.each([
  ['bench/kernels/convolution.cl', 16, 1],
  ['bench/kernels/kmeans.cl', 16, 1],
  ['bench/kernels/black-scholes.cl', 8, 1],
  ['bench/kernels/aes.cl', 8, 1],
  ['bench/kernels/matvec.cl', 8, 1],
  ['bench/kernels/nbody-double.cl', 4, 1],
  ['bench/kernels/raytracer.cl', 4, 1],
  ['bench/kernels/spmv.cl', 1, 1],
  ['bench/kernels/string-search.cl', 1, 1],
  ['kernels/examples/nbody.cl', 4, 1],
  ['kernels/examples/sha256.cl', 4, 1],
  ['kernels/examples/mandelbrot.cl', 4, 2],
  ['kernels/examples/reduction.cl', 16, 1],
  ['kernels/examples/histogram.cl', 16, 1],
])('%s: %i lanes, %i rows', (file, lanes, rows) => {
  const { status, stdout } = anycl('compile', file, '--emit=wat', '-o', '-');
  expect(status).toBe(0);
  expect(Number(/^;; kernel \w+: (\d+) work-items a vector/m.exec(stdout)?.[1])).toBe(lanes);
  expect(Number(/work-items per vector, (\d+) rows/.exec(stdout)?.[1] ?? 1)).toBe(rows);
});

test.each([
  ['bench/kernels/everyday.cl', 'count', 4],
  ['bench/kernels/algorithms.cl', 'filter', 16],
  ['bench/kernels/algorithms.cl', 'primes', 1],
  ['bench/kernels/algorithms.cl', 'swap_rgb', 16],
  ['bench/kernels/data.cl', 'lower_bound', 8],
  ['bench/kernels/data.cl', 'mandelbrot_double', 8],
  ['bench/kernels/data.cl', 'roots', 8],
  ['bench/kernels/data.cl', 'fields', 1],
  ['bench/kernels/data.cl', 'fnv', 8],
  ['bench/kernels/laggards.cl', 'xxhash', 1],
  ['bench/kernels/laggards.cl', 'splitmix', 1],
  ['bench/kernels/laggards.cl', 'xoshiro', 4],
  ['bench/kernels/laggards.cl', 'pcg', 1],
  ['bench/kernels/laggards.cl', 'row_recurrence', 4],
  ['bench/kernels/laggards.cl', 'row_recurrence_back', 4],
])('%s: %s, %i lanes', (file, kernel, lanes) => {
  const text = join(temporaryFolder(), 'kernels.wat');
  anycl('compile', file, '--emit=wat', '-o', text);
  expect(
    Number(new RegExp(`^;; kernel ${kernel}: (\\d+) work-items`, 'm').exec(readFileSync(text, 'utf8'))?.[1]),
  ).toBe(lanes);
});

test.each([
  ['rotations by bytes', 'b = rotate(b ^ a, 40UL); a += b;', 8],
  ['few other rotations', 'a += b; b = rotate(b, 14UL) ^ a;', 8],
  ['shifts', 'a ^= a >> 12; a ^= a << 25; b += a;', 8],
  [
    'products',
    'ulong z = a += 7; z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9UL; b ^= z * 0x94D049BB133111EBUL;',
    1,
  ],
])('64 bits: %s', (_what, step, lanes) => {
  const file = join(temporaryFolder(), 'mix.cl');
  writeFileSync(
    file,
    `kernel void mix(global ulong *x, int n) {
      int id = get_global_id(0);
      ulong a = x[id], b = a + 7;
      for (int k = 0; k < n; k++) { ${step} }
      x[id] = a ^ b;
    }`,
  );
  const { stdout } = anycl('compile', file, '--emit=wat', '-o', '-');
  expect(Number(/^;; kernel mix: (\d+) work-items?/m.exec(stdout)?.[1])).toBe(lanes);
});

test.each([
  ['bench/kernels/spmv.cl', 'spmv', 'work-items read scattered memory in loops of different lengths'],
  ['bench/kernels/algorithms.cl', 'primes', 'work-items leave loops in different iterations'],
  ['bench/kernels/laggards.cl', 'splitmix', 'products, divisions and rotations of 64 bits'],
])('why %s: %s is not vectorized', (file, kernel, why) => {
  const { stdout } = anycl('compile', file, '--emit=plan', '-o', '-');
  expect(stdout).toContain(`; ${kernel}: not vectorized: ${why}`);
});
