// SPDX-License-Identifier: MIT
// A product of two 512 × 512 matrices by tiles in local memory. Run: node examples/matmul.mjs [--device SEL]
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('matmul');
const { cl, kernels } = example;
const n = 512;
const a = Float32Array.from({ length: n * n }, (_, i) => (i * 7) % 11);
const b = Float32Array.from({ length: n * n }, (_, i) => (i * 5) % 13);
const c = cl.buffer(Float32Array, n * n);

const event = kernels.matmul_tiled.run({ global: [n, n], local: [16, 16] }, cl.buffer(a), cl.buffer(b), c, n);
await event;
const result = await c.read();

// Small integers: single precision is exact for every order of the sums.
for (const [row, column] of [
  [0, 0],
  [17, 400],
  [511, 511],
]) {
  let sum = 0;
  for (let k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  check(result[row * n + column] === sum, `c[${row}][${column}] is ${result[row * n + column]}, not ${sum}`);
}
const gflops = (2 * n ** 3) / event.profile.durationMs / 1e6;
report(`matrix product of ${n} × ${n}: ${gflops.toFixed(1)} GFLOP/s`, example, event);
cl.close();
