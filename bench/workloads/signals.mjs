// SPDX-License-Identifier: MIT
//
// Transforms, filters and decoders of signals.
import { bench, exact, simple, workload } from './define.mjs';
import { bytes, cosines, PIXELS, randoms, SIDE, signed, square, whole } from './inputs.mjs';

export const signals = {
  fft2: fft('fft2', 128),
  fft4: fft('fft4', 64),
  fir16: simple(
    'bytes',
    'fir16',
    whole,
    () => [signed(PIXELS + 32, 16384, 1), signed(32, 1024, 2)],
    [Int16Array, PIXELS],
    [32],
  ),
  filter: workload(
    'filter',
    (cl) => {
      const count = cl.buffer(Int32Array, 1);
      return {
        reset: () => count.write(new Int32Array(1)),
        range: whole,
        args: [cl.buffer(randoms(PIXELS)), cl.buffer(Float32Array, PIXELS), count, 0.7],
        outputs: [[count, exact]],
      };
    },
    'algorithms',
  ),
  viterbi: simple(
    'algorithms',
    'viterbi',
    { global: 4096 },
    () => [bytes(4096 * 64, 4), randoms(64, -4, 0, 3), randoms(32, -4, 0, 4)],
    [Float32Array, 4096],
    [64],
    1e-4,
  ),
  dct8: workload(
    'dct8',
    (cl) => {
      const out = cl.buffer(Float32Array, PIXELS);
      return {
        range: { ...square, local: [8, 8] },
        args: [cl.buffer(randoms(PIXELS)), out, cl.buffer(cosines), SIDE],
        outputs: [[out, 1e-3]],
      };
    },
    'algorithms',
  ),
};

function fft(kernel, groupSize) {
  return {
    source: () => bench('fft'),
    make(cl, kernels) {
      const transforms = 2048;
      // The data is written again before each repetition, because transforming zeros, infinities or growing numbers would measure
      // something else.
      const input = randoms(transforms * 512, -1, 1);
      const data = cl.buffer(input);
      return {
        reset: () => data.write(input),
        launches: [[kernels[kernel], { global: transforms * groupSize, local: groupSize }, data]],
        outputs: [[data, 1e-3, 'absolute']],
      };
    },
  };
}
