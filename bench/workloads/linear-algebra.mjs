// SPDX-License-Identifier: MIT
//
// Matrices and vectors, dense and sparse.
import { local } from 'anycl';
import { bench, exact, example, simple, workload } from './define.mjs';
import { integers, matrix, PIXELS, ROWS, randoms, rows, WIDTH, whole } from './inputs.mjs';

export const linearAlgebra = {
  matmul: matmul('matmul', undefined),
  'matmul-tiled': matmul('matmul_tiled', [16, 16]),
  matvec: {
    source: () => bench('matvec'),
    make(cl, kernels) {
      const [rows, columns] = [4096, 256];
      const y = cl.buffer(Float32Array, rows);
      return {
        launches: [
          [
            kernels.matvec,
            { global: rows },
            cl.buffer(randoms(rows * columns * 4)),
            cl.buffer(randoms(columns * 4)),
            y,
            columns,
          ],
        ],
        outputs: [[y, 1e-4]],
      };
    },
  },
  spmv: {
    source: () => bench('spmv'),
    make(cl, kernels) {
      const rows = 100_000;
      const lengths = Int32Array.from(randoms(rows, 4, 28, 5));
      const starts = new Int32Array(rows + 1);
      for (let i = 0; i < rows; i++) starts[i + 1] = starts[i] + lengths[i];
      const count = starts[rows];
      const columns = Int32Array.from(randoms(count, 0, rows, 7));
      const y = cl.buffer(Float32Array, rows);
      const args = [starts, columns, randoms(count, 0, 1, 9), randoms(rows)].map((x) => cl.buffer(x));
      return { launches: [[kernels.spmv, { global: rows }, ...args, y]], outputs: [[y, 1e-4]] };
    },
  },
  dgemm: workload('dgemm', (cl) => {
    const n = 256;
    const c = cl.buffer(Float64Array, n * n);
    const inputs = [1, 2].map((seed) => cl.buffer(Float64Array.from(randoms(n * n, 0, 1, seed))));
    return { range: { global: [n, n] }, args: [...inputs, c, n], outputs: [[c, 1e-9]] };
  }),
  gemm8: simple(
    'bytes',
    'gemm8',
    { global: [256, 256] },
    () => [1, 2].map((seed) => Int8Array.from(integers(65536, 256, seed))),
    [Int32Array, 65536],
    [256],
  ),
  softmax: simple(
    'everyday',
    'softmax',
    { global: rows * 128, local: 128 },
    () => [randoms(rows * 512, -4, 4)],
    [Float32Array, rows * 512],
    [512],
    1e-5,
  ),
  layernorm: simple(
    'data',
    'layernorm',
    { global: ROWS },
    () => [matrix()],
    [Float32Array, ROWS * WIDTH],
    [WIDTH],
    1e-3,
  ),
  lu_step: workload(
    'lu_step',
    (cl) => {
      const n = 512;
      const start = randoms(n * n, 1, 2);
      const a = cl.buffer(start);
      return {
        reset: () => a.write(start),
        range: { global: [n, n] },
        args: [a, n],
        steps: Array.from({ length: 16 }, (_, k) => [k]),
        outputs: [[a, 1e-3]],
      };
    },
    'algorithms',
  ),
  dot4: workload(
    'dot4',
    (cl) => {
      const out = cl.buffer(Float32Array, 64);
      const [a, b] = [1, 2].map((seed) => cl.buffer(randoms(PIXELS * 4, 0, 1, seed)));
      return {
        range: { global: 64 * 128, local: 128 },
        args: [a, b, out, PIXELS, local(Float32Array, 128)],
        outputs: [[out, 1e-3]],
      };
    },
    'algorithms',
  ),
  transform: simple(
    'algorithms',
    'transform',
    whole,
    () => [randoms(PIXELS * 4)],
    [Float32Array, PIXELS * 4],
    [randoms(16)],
    1e-4,
  ),
  row_argmax: simple(
    'data',
    'row_argmax',
    { global: ROWS },
    () => [matrix()],
    [Int32Array, ROWS],
    [WIDTH],
    exact,
  ),
};

function matmul(kernel, localSize) {
  return {
    source: () => example('matmul'),
    make(cl, kernels) {
      const n = 512;
      const c = cl.buffer(Float32Array, n * n);
      const range = { global: [n, n], ...(localSize ? { local: localSize } : {}) };
      const inputs = [cl.buffer(randoms(n * n)), cl.buffer(randoms(n * n, 0, 1, 2))];
      return { launches: [[kernels[kernel], range, ...inputs, c, n]], outputs: [[c, 1e-4]] };
    },
  };
}
