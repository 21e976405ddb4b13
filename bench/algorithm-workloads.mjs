// SPDX-License-Identifier: MIT
//
// Further kernels for `node bench/run.mjs --set more`: filters, codecs, linear algebra, searches.
import { local } from 'anycl';
import { simple as simpleOf } from './everyday-workloads.mjs';
import { bytes, exact, integers, workload } from './more-workloads.mjs';
import { randoms } from './workloads.mjs';

const PIXELS = 1 << 20;
const SIDE = 1024;
const whole = { global: PIXELS };
const square = { global: [SIDE, SIDE] };
const FILE = 'algorithms';
const simple = (kernel, ...rest) => simpleOf(FILE, kernel, ...rest);
const words = (length, seed) => Uint32Array.from(randoms(length, 0, 2 ** 32, seed));
const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const DIGITS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const cosines = Float32Array.from({ length: 64 }, (_, i) => {
  const [u, x] = [i >> 3, i & 7];
  return Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

export const algorithmWorkloads = {
  bilateral: simple(
    'bilateral',
    { global: [512, 512] },
    () => [randoms(512 * 512)],
    [Float32Array, 512 * 512],
    [512, 512, 20],
    1e-4,
  ),
  running_box: simple(
    'running_box',
    { global: SIDE },
    () => [randoms(PIXELS)],
    [Float32Array, PIXELS],
    [SIDE, SIDE, 5],
    1e-3,
  ),
  hsv: simple('hsv', whole, () => [bytes(PIXELS * 4, 256)], [Float32Array, PIXELS * 4], [], 1e-4),
  crc32: simple('crc32', { global: 1 << 14 }, () => [bytes(PIXELS, 256), crcTable], [Uint32Array, 1 << 14]),
  base64: simple('base64', whole, () => [bytes(PIXELS * 3, 256), DIGITS], [Uint8Array, PIXELS * 4]),
  perlin: simple('perlin', square, () => [], [Float32Array, PIXELS], [SIDE, 0.013], 1e-5, 'absolute'),
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
    FILE,
  ),
  partition: workload(
    'partition',
    (cl) => {
      const out = cl.buffer(Int32Array, PIXELS);
      const sizes = cl.buffer(Int32Array, PIXELS / 256);
      return {
        range: { global: PIXELS, local: 256 },
        args: [cl.buffer(integers(PIXELS, 1e6)), out, 400_000, sizes],
        outputs: [
          [out, exact],
          [sizes, exact],
        ],
      };
    },
    FILE,
  ),
  viterbi: simple(
    'viterbi',
    { global: 4096 },
    () => [bytes(4096 * 64, 4), randoms(64, -4, 0, 3), randoms(32, -4, 0, 4)],
    [Float32Array, 4096],
    [64],
    1e-4,
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
    FILE,
  ),
  transform: simple(
    'transform',
    whole,
    () => [randoms(PIXELS * 4)],
    [Float32Array, PIXELS * 4],
    [randoms(16)],
    1e-4,
  ),
  image_resize: workload(
    'image_resize',
    (cl) => {
      const out = cl.image({ width: SIDE, height: SIDE, format: 'rgba8' });
      const data = bytes(PIXELS, 256);
      return {
        range: square,
        args: [cl.image({ width: SIDE / 2, height: SIDE / 2, format: 'rgba8' }, data), out, 0.5],
        outputs: [[out, 1, 'absolute']],
      };
    },
    FILE,
  ),
  radix_count: simple(
    'radix_count',
    { global: 256 * 128, local: 128 },
    () => [words(PIXELS * 2, 3)],
    [Uint32Array, 16 * 256],
    [8, (PIXELS * 2) / 256],
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
    FILE,
  ),
  squares: simple(
    'squares',
    { global: 1 << 14 },
    () => [Float64Array.from(randoms(PIXELS * 2))],
    [Float64Array, 1 << 14],
    [PIXELS * 2],
    1e-9,
  ),
  hamming: simple('hamming', whole, () => [words(PIXELS, 3), words(16, 5)], [Uint32Array, PIXELS]),
  utf8: simple('utf8', { global: 1 << 14 }, () => [bytes(PIXELS, 256)], [Int32Array, 1 << 14]),
  align: simple(
    'align',
    { global: 1024 * 64, local: 64 },
    () => [bytes(1024 * 64, 4, 1), bytes(1024 * 64, 4, 2)],
    [Int32Array, 1024],
  ),
  bit_transpose: simple('bit_transpose', { global: 1 << 15 }, () => [words(PIXELS, 3)], [
    Uint32Array,
    PIXELS,
  ]),
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
    FILE,
  ),
  largest: workload(
    'largest',
    (cl) => {
      const most = cl.buffer(Int32Array, 1);
      return { range: whole, args: [cl.buffer(integers(PIXELS, 2e9)), most], outputs: [[most, exact]] };
    },
    FILE,
  ),
  dither: simple('dither', { global: SIDE }, () => [bytes(PIXELS, 256)], [Uint8Array, PIXELS], [SIDE]),
  primes: simple('primes', { global: 1 << 18 }, () => [], [Uint32Array, 1 << 18]),
  count_rgb: workload(
    'count_rgb',
    (cl) => {
      const counts = [0, 1, 2].map(() => cl.buffer(Int32Array, 256));
      return {
        reset: () => Promise.all(counts.map((c) => c.write(new Int32Array(256)))),
        range: whole,
        args: [cl.buffer(bytes(PIXELS * 4, 256)), ...counts],
        outputs: counts.map((c) => [c, exact]),
      };
    },
    FILE,
  ),
  grade: simple(
    'grade',
    { global: PIXELS / 4 },
    () => [randoms(PIXELS), randoms(4096 * 4, 0, 1, 5)],
    [Float32Array, PIXELS],
    [],
    1e-4,
  ),
  swap_rgb: simple('swap_rgb', whole, () => [bytes(PIXELS * 3, 256)], [Uint8Array, PIXELS * 3]),
  median9: simple('median9', square, () => [bytes(PIXELS, 256)], [Uint8Array, PIXELS], [SIDE, SIDE]),
};
