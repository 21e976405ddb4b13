// SPDX-License-Identifier: MIT
//
// Further kernels for `node bench/run.mjs --set more`: bytes and pixels, images with samplers, simulation, statistics.
import { bytes, exact, integers, workload } from './more-workloads.mjs';
import { randoms } from './workloads.mjs';

const PIXELS = 1 << 20;
const SIDE = 1024;
const whole = { global: PIXELS };
const square = { global: [SIDE, SIDE] };

/** One kernel whose arguments are inputs, one output and numbers, in this order. */
export function simple(
  file,
  kernel,
  range,
  inputs,
  output,
  numbers = [],
  tolerance = exact,
  how = undefined,
) {
  return workload(
    kernel,
    (cl) => {
      const out = cl.buffer(...output);
      return {
        range,
        args: [...inputs().map((data) => cl.buffer(data)), out, ...numbers],
        outputs: [[out, tolerance, how]],
      };
    },
    file,
  );
}

/** A filter from one image of four bytes a pixel to another. */
function imageFilter(kernel, format, numbers = []) {
  return workload(
    kernel,
    (cl) => {
      const shape = { width: SIDE, height: SIDE, format };
      const out = cl.image(shape);
      return {
        range: square,
        args: [cl.image(shape, bytes(PIXELS * 4, 256)), out, ...numbers],
        outputs: [[out, 1, 'absolute']],
      };
    },
    'images',
  );
}

const pixels = (seed) => bytes(PIXELS * 4, 256, seed);
const signed = (length, limit, seed) => Int16Array.from(integers(length, 2 * limit, seed), (v) => v - limit);
const floats = (seed) => randoms(PIXELS, 0, 1, seed);
const words = (length, seed) => Uint32Array.from(randoms(length, 0, 2 ** 32, seed));
const permutation = (length) => {
  const order = Int32Array.from({ length }, (_, i) => i);
  const random = randoms(length, 0, 1, 7);
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(random[i] * i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
};
const longs = (length) => new BigUint64Array(words(2 * length).buffer);
const rows = 2048;

export const everydayWorkloads = {
  blend: simple(
    'bytes',
    'blend',
    whole,
    () => [pixels(1), pixels(2)],
    [Uint8Array, PIXELS * 4],
    [],
    1,
    'absolute',
  ),
  blend_int: simple('bytes', 'blend_int', whole, () => [pixels(1), pixels(2)], [Uint8Array, PIXELS * 4]),
  gray: simple('bytes', 'gray', whole, () => [pixels(1)], [Uint8Array, PIXELS]),
  threshold: simple('bytes', 'threshold', whole, () => [bytes(PIXELS, 256)], [Uint8Array, PIXELS], [100]),
  compensate: simple('bytes', 'compensate', whole, () => [bytes(PIXELS, 256), bytes(PIXELS, 256, 2)], [
    Uint8Array,
    PIXELS,
  ]),
  box: simple(
    'bytes',
    'box',
    { ...square, local: [16, 16] },
    () => [bytes(PIXELS, 256)],
    [Uint8Array, PIXELS],
    [SIDE, SIDE],
  ),
  resize: simple(
    'bytes',
    'resize',
    square,
    () => [bytes(PIXELS, 256)],
    [Uint8Array, PIXELS * 4],
    [SIDE / 2, SIDE / 2, 0.5],
    1,
    'absolute',
  ),
  yuv: simple(
    'bytes',
    'yuv',
    square,
    () => [bytes(PIXELS, 256), bytes(PIXELS / 2, 256, 2)],
    [Uint8Array, PIXELS * 4],
    [SIDE],
  ),
  motion: simple(
    'bytes',
    'motion',
    { global: [64, 64] },
    () => [bytes(520 * 520, 256), bytes(520 * 520, 256, 2)],
    [Int32Array, 64 * 64],
    [520],
  ),
  fir16: simple(
    'bytes',
    'fir16',
    whole,
    () => [signed(PIXELS + 32, 16384, 1), signed(32, 1024, 2)],
    [Int16Array, PIXELS],
    [32],
  ),
  gemm8: simple(
    'bytes',
    'gemm8',
    { global: [256, 256] },
    () => [1, 2].map((seed) => Int8Array.from(integers(65536, 256, seed))),
    [Int32Array, 65536],
    [256],
  ),
  image_gauss: imageFilter('image_gauss', 'rgba8'),
  image_rotate: imageFilter('image_rotate', 'rgba8', [0.6, 0.8]),
  image_invert: imageFilter('image_invert', 'rgba8ui'),
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
  softmax: simple(
    'everyday',
    'softmax',
    { global: rows * 128, local: 128 },
    () => [randoms(rows * 512, -4, 4)],
    [Float32Array, rows * 512],
    [512],
    1e-5,
  ),
  heat: simple(
    'everyday',
    'heat',
    { ...square, local: [16, 16] },
    () => [floats(1)],
    [Float32Array, PIXELS],
    [SIDE, SIDE],
    1e-5,
  ),
  gather: simple('everyday', 'gather', whole, () => [floats(1), permutation(PIXELS)], [Float32Array, PIXELS]),
  scatter: simple('everyday', 'scatter', whole, () => [floats(1), permutation(PIXELS)], [
    Float32Array,
    PIXELS,
  ]),
  count: workload(
    'count',
    (cl) => {
      const counts = cl.buffer(Uint32Array, 256);
      return {
        reset: () => counts.write(new Uint32Array(256)),
        range: { global: 1 << 14 },
        args: [cl.buffer(words(PIXELS)), counts, PIXELS],
        outputs: [[counts, exact]],
      };
    },
    'everyday',
  ),
  hash64: simple('everyday', 'hash64', whole, () => [longs(PIXELS)], [BigUint64Array, PIXELS]),
  interpreter: workload(
    'interpreter',
    (cl) => {
      const out = cl.buffer(Float32Array, 1 << 16);
      return {
        range: { global: 1 << 16 },
        args: [cl.buffer(bytes(256, 8)), 256, cl.buffer(randoms(1 << 16, 0, 2)), out],
        outputs: [[out, 1e-4]],
      };
    },
    'everyday',
  ),
  lexer: simple(
    'everyday',
    'lexer',
    { global: 1 << 14 },
    () => [bytes(PIXELS, 64)],
    [Int32Array, 1 << 14],
    [64],
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
};

/** Functions of groups and sub-groups, which PoCL 3.1 does not have: `--set groups --devices software`. */
export const groupWorkloads = {
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
