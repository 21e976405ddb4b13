// SPDX-License-Identifier: MIT
//
// Memory access in various orders.
import { local } from 'anycl';
import { bench, exact, simple, workload } from './define.mjs';
import { floats, PIXELS, permutation, randoms, WIDE, whole } from './inputs.mjs';

export const memory = {
  triad: {
    source: () => bench('triad'),
    bytes: 3 * 4 * 8e6,
    make(cl, kernels, scale = 1) {
      const n = 8e6 * scale;
      const a = cl.buffer(Float32Array, n);
      const b = cl.buffer(randoms(n));
      const c = cl.buffer(randoms(n, 0, 1, 2));
      return { launches: [[kernels.triad, { global: n }, a, b, c, 3]], outputs: [[a, 1e-6]] };
    },
  },
  'half-saxpy': {
    source: () => bench('half-saxpy'),
    make(cl, kernels) {
      const n = 4e6;
      // 0.5 to 1 in half precision, for every seed.
      const halves = (seed) => Uint16Array.from(randoms(n, 0x3800, 0x3c00, seed));
      const y = cl.buffer(halves(2));
      return {
        launches: [[kernels.half_saxpy, { global: n }, 0.001, cl.buffer(halves(1)), y]],
        outputs: [[y, 1, 'absolute']],
      };
    },
  },
  gather: simple('everyday', 'gather', whole, () => [floats(1), permutation(PIXELS)], [Float32Array, PIXELS]),
  scatter: simple('everyday', 'scatter', whole, () => [floats(1), permutation(PIXELS)], [
    Float32Array,
    PIXELS,
  ]),
  fetched: simple('data', 'fetched', { global: 2 * PIXELS, local: 128 }, () => [randoms(2 * PIXELS + 2)], [
    Float32Array,
    2 * PIXELS,
  ]),
  transpose: workload('transpose', (cl) => {
    const [w, h] = [2048, 1024];
    const out = cl.buffer(Float32Array, w * h);
    return {
      range: { global: [w, h], local: [16, 16] },
      args: [cl.buffer(randoms(w * h)), out, w, h, local(Float32Array, 16 * 17)],
      outputs: [[out, exact]],
    };
  }),
  transpose_plain: simple(
    'data',
    'transpose_plain',
    { global: [WIDE, WIDE] },
    () => [randoms(WIDE * WIDE)],
    [Float32Array, WIDE * WIDE],
    [WIDE, WIDE],
  ),
  by_columns: simple(
    'data',
    'by_columns',
    { global: [WIDE, WIDE] },
    () => [randoms(WIDE * WIDE), randoms(WIDE * WIDE, 0, 1, 3)],
    [Float32Array, WIDE * WIDE],
    [WIDE],
  ),
};
