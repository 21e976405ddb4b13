// SPDX-License-Identifier: MIT
//
// Work-group and sub-group functions of OpenCL C 3.0.
import { exact, simple, workload } from './define.mjs';
import { integers, PIXELS, randoms, rows } from './inputs.mjs';

export const groups = {
  layernorm: simple(
    'cl3.0/groups',
    'layernorm',
    { global: rows * 64, local: 64 },
    () => [randoms(rows * 512, -4, 4)],
    [Float32Array, rows * 512],
    [512],
    1e-3,
  ),
  subgroups: simple(
    'cl3.0/groups',
    'subgroups',
    { global: rows * 64, local: 64 },
    () => [randoms(rows * 512, 1, 4)],
    [Float32Array, rows * 512],
    [512],
    1e-3,
  ),
  compact: workload(
    'compact',
    (cl) => {
      const out = cl.buffer(new Int32Array(PIXELS));
      const counts = cl.buffer(Int32Array, PIXELS / 128);
      return {
        range: { global: PIXELS, local: 128 },
        args: [cl.buffer(integers(PIXELS, 1e6)), out, counts],
        outputs: [
          [out, exact],
          [counts, exact],
        ],
      };
    },
    'cl3.0/groups',
  ),
};
