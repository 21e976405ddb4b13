// SPDX-License-Identifier: MIT
//
// Physics, finance, random numbers, graphs.
import { bench, exact, example, simple, workload } from './define.mjs';
import { floyd } from './floyd.mjs';
import { bytes, floats, PIXELS, randoms, SIDE, square } from './inputs.mjs';

export const simulation = {
  nbody: {
    source: () => example('nbody'),
    make(cl, kernels) {
      const n = 4096;
      const position = cl.buffer(randoms(n * 4));
      const velocity = cl.buffer(new Float32Array(n * 4));
      const next = cl.buffer(Float32Array, n * 4);
      return {
        launches: [[kernels.nbody, { global: n }, position, velocity, next, n, 0, 1e-3]],
        outputs: [[next, 1e-4]],
      };
    },
  },
  'black-scholes': {
    source: () => bench('black-scholes'),
    make(cl, kernels) {
      const n = 1e6;
      const [call, put] = [cl.buffer(Float32Array, n), cl.buffer(Float32Array, n)];
      const inputs = [randoms(n, 5, 30), randoms(n, 1, 100, 2), randoms(n, 0.25, 10, 3)].map((x) =>
        cl.buffer(x),
      );
      return {
        launches: [[kernels.black_scholes, { global: n }, ...inputs, call, put, 0.02, 0.3]],
        outputs: [
          [call, 1e-4, 'absolute'],
          [put, 1e-4, 'absolute'],
        ],
      };
    },
  },
  jacobi: {
    source: () => bench('jacobi'),
    make(cl, kernels) {
      const n = 160;
      const a = cl.buffer(randoms(n ** 3));
      const b = cl.buffer(randoms(n ** 3));
      return { launches: [[kernels.jacobi, { global: [n, n, n] }, a, b, n, n, n]], outputs: [[b, 1e-5]] };
    },
  },
  'nbody-double': {
    source: () => bench('nbody-double'),
    make(cl, kernels) {
      const n = 2048;
      const position = cl.buffer(Float64Array.from(randoms(n * 4)));
      const acceleration = cl.buffer(Float64Array, n * 4);
      return {
        launches: [[kernels.nbody_double, { global: n }, position, acceleration, n]],
        outputs: [[acceleration, 1e-9]],
      };
    },
  },
  life: workload('life', (cl) => {
    const [w, h] = [1024, 1024];
    const out = cl.buffer(Uint8Array, w * h);
    return {
      range: { global: [w, h] },
      args: [cl.buffer(bytes(w * h, 2)), out, w, h],
      outputs: [[out, exact]],
    };
  }),
  particles: workload(
    'particles',
    (cl) => {
      const start = randoms(1 << 20, 1, 2);
      const all = cl.buffer(start);
      return {
        reset: () => all.write(start),
        range: { global: Math.floor((1 << 20) / 12) },
        args: [all, 0.01],
        outputs: [[all, 1e-5]],
      };
    },
    'everyday',
  ),
  philox: simple('everyday', 'philox', { global: PIXELS / 4 }, () => [], [Uint32Array, PIXELS], [1, 2]),
  montecarlo: simple('everyday', 'montecarlo', { global: 1 << 14 }, () => [], [Uint32Array, 1 << 14], [256]),
  heat: simple(
    'everyday',
    'heat',
    { ...square, local: [16, 16] },
    () => [floats(1)],
    [Float32Array, PIXELS],
    [SIDE, SIDE],
    1e-5,
  ),
  lbm: simple(
    'everyday',
    'lbm',
    { global: [512, 512] },
    () => [randoms(512 * 512 * 9, 0.5, 1)],
    [Float32Array, 512 * 512 * 9],
    [512, 512, 0.8],
    1e-4,
  ),
  floyd: floyd({ side: 512, most: 1000, launches: 32 }),
  roots: simple('data', 'roots', { global: 65536 }, () => [Float64Array.from(randoms(65536, 1, 20000))], [
    Float64Array,
    65536,
  ]),
};
