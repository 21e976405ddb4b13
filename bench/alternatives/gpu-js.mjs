// SPDX-License-Identifier: MIT
// The workloads with gpu.js: node bench/alternatives/gpu-js.mjs FOLDER, whose node_modules has it. Where there is no GPU it runs the
// kernels on this thread.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { first, measure, SIZES, second } from './workloads.mjs';

const { GPU, input } = createRequire(join(process.argv[2], 'package.json'))('gpu.js');
const gpu = new GPU();

/** @param kernel its result has the shape of `output`, each row in a separate array */
function workload(kernel, ...given) {
  let latest;
  return {
    run() {
      latest = kernel(...given);
    },
    result: () => (latest[0].length === undefined ? latest : latest.flatMap((row) => [...row])),
  };
}

const triadOf = (n) =>
  workload(
    gpu
      .createKernel(function (b, c, s) {
        return b[this.thread.x] + s * c[this.thread.x];
      })
      .setOutput([n]),
    first(n),
    second(n),
    0.5,
  );

function mandelbrotOf(width) {
  const kernel = gpu
    .createKernel(function (width) {
      const re = this.thread.x * (3 / width) - 2;
      const im = this.thread.y * (3 / width) - 1.5;
      let u = 0;
      let v = 0;
      let count = 0;
      for (let n = 0; n < 256; n++) {
        if (u * u + v * v >= 4) break;
        const t = u * u - v * v + re;
        v = 2 * u * v + im;
        u = t;
        count += 1;
      }
      return count;
    })
    .setOutput([width, width]);
  return workload(kernel, width);
}

function matmulOf(n) {
  const kernel = gpu
    .createKernel(function (a, b, n) {
      let total = 0;
      for (let k = 0; k < n; k++) total += a[this.thread.y][k] * b[k][this.thread.x];
      return total;
    })
    .setOutput([n, n])
    .setLoopMaxIterations(n);
  return workload(kernel, input(first(n * n), [n, n]), input(second(n * n), [n, n]), n);
}

await measure(gpu.mode, {
  triad: triadOf(SIZES.triad),
  mandelbrot: mandelbrotOf(SIZES.mandelbrot),
  matmul: matmulOf(SIZES.matmul),
  call: triadOf(SIZES.call),
});
process.exit(0);
