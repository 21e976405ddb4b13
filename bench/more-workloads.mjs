// SPDX-License-Identifier: MIT
//
// Kernels of common kinds that no goal names: `node bench/run.mjs --set more`. None should be slower than with PoCL.
import { local } from 'anycl';
import { randoms, source } from './workloads.mjs';

export const bytes = (length, limit, seed) => Uint8Array.from(randoms(length, 0, limit, seed));
export const integers = (length, limit, seed) => Int32Array.from(randoms(length, 0, limit, seed));
export const exact = 0;

/** A workload of one kernel of bench/kernels: `make` gives the launches' range and arguments, and the outputs. */
export function workload(kernel, make, file = 'more') {
  return {
    source: () => source(`bench/kernels/${file}.cl`),
    options: file.startsWith('cl3.0/') ? '-cl-std=CL3.0' : '',
    make(cl, kernels) {
      const { range, args, outputs, steps = [[]], ...rest } = make(cl);
      return { launches: steps.map((step) => [kernels[kernel], range, ...args, ...step]), outputs, ...rest };
    },
  };
}

export const moreWorkloads = {
  sobel4: workload('sobel4', (cl) => {
    const [w, h] = [1024, 1024];
    const out = cl.buffer(Uint8Array, w * h * 4);
    return {
      range: { global: [w, h] },
      args: [cl.buffer(bytes(w * h * 4, 256)), out, w, h],
      outputs: [[out, 1, 'absolute']],
    };
  }),
  transpose: workload('transpose', (cl) => {
    const [w, h] = [2048, 1024];
    const out = cl.buffer(Float32Array, w * h);
    return {
      range: { global: [w, h], local: [16, 16] },
      args: [cl.buffer(randoms(w * h)), out, w, h, local(Float32Array, 16 * 17)],
      outputs: [[out, exact]],
    };
  }),
  floyd: workload('floyd', (cl) => {
    const n = 512;
    const distances = integers(n * n, 1000);
    const d = cl.buffer(distances);
    return {
      reset: () => d.write(distances),
      range: { global: [n, n] },
      args: [d, n],
      steps: Array.from({ length: 32 }, (_, k) => [k]),
      outputs: [[d, exact]],
    };
  }),
  levenshtein: workload('levenshtein', (cl) => {
    const words = 1 << 16;
    const out = cl.buffer(Int32Array, words);
    return {
      range: { global: words },
      args: [cl.buffer(bytes(words * 16, 4)), cl.buffer(bytes(16, 4, 5)), out],
      outputs: [[out, exact]],
    };
  }),
  life: workload('life', (cl) => {
    const [w, h] = [1024, 1024];
    const out = cl.buffer(Uint8Array, w * h);
    return {
      range: { global: [w, h] },
      args: [cl.buffer(bytes(w * h, 2)), out, w, h],
      outputs: [[out, exact]],
    };
  }),
  insertion: workload('insertion', (cl) => {
    const items = 1 << 15;
    const unsorted = integers(items * 16, 1e6);
    const data = cl.buffer(unsorted);
    return {
      reset: () => data.write(unsorted),
      range: { global: items },
      args: [data],
      outputs: [[data, exact]],
    };
  }),
  knn: workload('knn', (cl) => {
    const [points, queries] = [1024, 8192];
    const out = cl.buffer(Int32Array, queries * 4);
    return {
      range: { global: queries },
      args: [cl.buffer(randoms(points * 4)), cl.buffer(randoms(queries * 4, 0, 1, 5)), out, points],
      outputs: [[out, 0.01, 'fraction']],
    };
  }),
  dgemm: workload('dgemm', (cl) => {
    const n = 256;
    const c = cl.buffer(Float64Array, n * n);
    const inputs = [1, 2].map((seed) => cl.buffer(Float64Array.from(randoms(n * n, 0, 1, seed))));
    return { range: { global: [n, n] }, args: [...inputs, c, n], outputs: [[c, 1e-9]] };
  }),
  segmented: workload('segmented', (cl) => {
    const segments = 50_000;
    const offsets = new Int32Array(segments + 1);
    integers(segments, 60, 3).forEach((length, i) => {
      offsets[i + 1] = offsets[i] + 4 + length;
    });
    const out = cl.buffer(Float32Array, segments);
    return {
      range: { global: segments },
      args: [cl.buffer(offsets), cl.buffer(randoms(offsets[segments])), out],
      outputs: [[out, 1e-4]],
    };
  }),
  binary_search: workload('binary_search', (cl) => {
    const [length, keys] = [1 << 16, 1 << 18];
    const out = cl.buffer(Int32Array, keys);
    return {
      range: { global: keys },
      args: [cl.buffer(integers(length, 1e6).sort()), cl.buffer(integers(keys, 1e6, 9)), out, length],
      outputs: [[out, exact]],
    };
  }),
};
