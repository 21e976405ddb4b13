// SPDX-License-Identifier: MIT
// The workloads with anycl: node bench/alternatives/anycl.mjs DEVICE
import { readFileSync } from 'node:fs';
import { open } from 'anycl';
import { first, measure, SIZES, second } from './workloads.mjs';

const cl = await open({ device: process.argv[2] });
const { kernels } = await cl.build(readFileSync(new URL('kernels.cl', import.meta.url), 'utf8'));

function triad(n) {
  const a = cl.buffer(Float32Array, n);
  const [b, c] = [cl.buffer(first(n)), cl.buffer(second(n))];
  return { run: () => kernels.triad.run({ global: n }, a, b, c, 0.5), result: () => a.read() };
}

function mandelbrot(n) {
  const out = cl.buffer(Int32Array, n * n);
  return { run: () => kernels.mandelbrot.run({ global: [n, n] }, out, n), result: () => out.read() };
}

function matmul(n) {
  const c = cl.buffer(Float32Array, n * n);
  const [a, b] = [cl.buffer(first(n * n)), cl.buffer(second(n * n))];
  return { run: () => kernels.matmul.run({ global: [n, n] }, c, a, b, n), result: () => c.read() };
}

await measure(cl.device.name, {
  triad: triad(SIZES.triad),
  mandelbrot: mandelbrot(SIZES.mandelbrot),
  matmul: matmul(SIZES.matmul),
  call: triad(SIZES.call),
});
cl.close();
