// SPDX-License-Identifier: MIT
//
// Further kernels for `node bench/run.mjs --set more`: tables, texts and packed pixels.
import { simple as ofFile } from './everyday-workloads.mjs';
import { bytes, exact, integers } from './more-workloads.mjs';
import { randoms } from './workloads.mjs';

const PIXELS = 1 << 20;
const SIDE = 2048;
const ROWS = 4096;
const WIDTH = 256;

const simple = (kernel, range, inputs, output, numbers, tolerance) =>
  ofFile('data', kernel, range, inputs, output, numbers, tolerance);
const matrix = () => randoms(ROWS * WIDTH, -1, 1);
const text = () => Uint8Array.from(randoms(4 * PIXELS), (v) => (v < 0.1 ? 10 : v < 0.2 ? 32 : 97 + v * 20));

export const dataWorkloads = {
  lower_bound: simple(
    'lower_bound',
    { global: PIXELS / 2 },
    () => [integers(PIXELS, 1e6).sort(), integers(PIXELS / 2, 1e6, 5)],
    [Int32Array, PIXELS / 2],
    [PIXELS],
  ),
  layernorm: simple(
    'layernorm',
    { global: ROWS },
    () => [matrix()],
    [Float32Array, ROWS * WIDTH],
    [WIDTH],
    1e-3,
  ),
  row_argmax: simple('row_argmax', { global: ROWS }, () => [matrix()], [Int32Array, ROWS], [WIDTH], exact),
  count_words: simple(
    'count_words',
    { global: PIXELS / 32 },
    () => [text()],
    [Int32Array, PIXELS / 32],
    [4 * PIXELS],
  ),
  transpose_plain: simple(
    'transpose_plain',
    { global: [SIDE, SIDE] },
    () => [randoms(SIDE * SIDE)],
    [Float32Array, SIDE * SIDE],
    [SIDE, SIDE],
  ),
  rgb_gray: simple('rgb_gray', { global: 4 * PIXELS }, () => [bytes(12 * PIXELS, 256)], [
    Uint8Array,
    4 * PIXELS,
  ]),
  rgb_planes: simple(
    'rgb_planes',
    { global: PIXELS },
    () => [bytes(3 * PIXELS, 256)],
    [Float32Array, 3 * PIXELS],
    [PIXELS],
    1e-5,
  ),
  fnv: simple('fnv', { global: PIXELS / 4 }, () => [bytes(8 * PIXELS, 256)], [BigUint64Array, PIXELS / 4]),
  by_columns: simple(
    'by_columns',
    { global: [SIDE, SIDE] },
    () => [randoms(SIDE * SIDE), randoms(SIDE * SIDE, 0, 1, 3)],
    [Float32Array, SIDE * SIDE],
    [SIDE],
  ),
  fields: simple(
    'fields',
    { global: 65536 },
    () => [Uint8Array.from(randoms(24 * 65536), (v) => '0123456789,-,01234'.charCodeAt(v * 18))],
    [Int32Array, 4 * 65536],
  ),
  mandelbrot_double: simple('mandelbrot_double', { global: [512, 512] }, () => [], [Uint32Array, 512 * 512]),
  roots: simple('roots', { global: 65536 }, () => [Float64Array.from(randoms(65536, 1, 20000))], [
    Float64Array,
    65536,
  ]),
  montgomery: simple('montgomery', { global: 32768 }, () => [Uint32Array.from(integers(32768, 4e9))], [
    Uint32Array,
    32768,
  ]),
  fetched: simple('fetched', { global: 2 * PIXELS, local: 128 }, () => [randoms(2 * PIXELS + 2)], [
    Float32Array,
    2 * PIXELS,
  ]),
};
