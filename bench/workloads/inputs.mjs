// SPDX-License-Identifier: MIT
//
// The workloads' inputs: the same numbers in every process.

export const PIXELS = 1 << 20;
export const SIDE = 1024;
export const WIDE = 2048;
export const ROWS = 4096;
export const WIDTH = 256;
export const whole = { global: PIXELS };
export const square = { global: [SIDE, SIDE] };

/** The same numbers in every process: xorshift32, scaled to [low, high). */
export function randoms(length, low = 0, high = 1, seed = 1) {
  const out = new Float32Array(length);
  let s = seed;
  for (let i = 0; i < length; i++) {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    out[i] = low + ((s >>> 0) / 2 ** 32) * (high - low);
  }
  return out;
}
export const randomBytes = (length, limit = 256) => Uint8Array.from(randoms(length, 0, limit));
export const randomWords = (length) => Uint32Array.from(randoms(length, 0, 2 ** 32));
export const bytes = (length, limit, seed) => Uint8Array.from(randoms(length, 0, limit, seed));
export const integers = (length, limit, seed) => Int32Array.from(randoms(length, 0, limit, seed));
export const words = (length, seed) => Uint32Array.from(randoms(length, 0, 2 ** 32, seed));
export const longs = (length) => new BigUint64Array(words(2 * length).buffer);
export const pixels = (seed) => bytes(PIXELS * 4, 256, seed);
export const signed = (length, limit, seed) =>
  Int16Array.from(integers(length, 2 * limit, seed), (v) => v - limit);
export const floats = (seed) => randoms(PIXELS, 0, 1, seed);
export const rows = 2048;
export const permutation = (length) => {
  const order = Int32Array.from({ length }, (_, i) => i);
  const random = randoms(length, 0, 1, 7);
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(random[i] * i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
};
export const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
export const DIGITS = new TextEncoder().encode(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
);
export const cosines = Float32Array.from({ length: 64 }, (_, i) => {
  const [u, x] = [i >> 3, i & 7];
  return Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1) * 0.5;
});
export const matrix = () => randoms(ROWS * WIDTH, -1, 1);
export const prose = () =>
  Uint8Array.from(randoms(4 * PIXELS), (v) => (v < 0.1 ? 10 : v < 0.2 ? 32 : 97 + v * 20));
