// SPDX-License-Identifier: MIT
//
// Hashes, ciphers, bits and number theory.
import { bench, exact, example, simple } from './define.mjs';
import { bytes, crcTable, integers, longs, PIXELS, randoms, randomWords, whole, words } from './inputs.mjs';

export const bits = {
  sha256: {
    source: () => example('sha256'),
    make(cl, kernels) {
      const n = 100_000;
      const digests = cl.buffer(Uint32Array, n * 8);
      return {
        launches: [[kernels.sha256, { global: n }, cl.buffer(randomWords(n * 16)), digests]],
        outputs: [[digests, exact]],
      };
    },
  },
  aes: {
    source: () => bench('aes'),
    make(cl, kernels) {
      const n = 200_000;
      const out = cl.buffer(Uint32Array, n * 4);
      const { tables, sbox } = aesTables();
      const args = [randomWords(n * 4), out, tables, sbox, randomWords(44)];
      return {
        launches: [
          [kernels.aes, { global: n }, ...args.map((x) => (ArrayBuffer.isView(x) ? cl.buffer(x) : x))],
        ],
        outputs: [[out, exact]],
      };
    },
  },
  hash64: simple('everyday', 'hash64', whole, () => [longs(PIXELS)], [BigUint64Array, PIXELS]),
  crc32: simple('algorithms', 'crc32', { global: 1 << 14 }, () => [bytes(PIXELS, 256), crcTable], [
    Uint32Array,
    1 << 14,
  ]),
  hamming: simple('algorithms', 'hamming', whole, () => [words(PIXELS, 3), words(16, 5)], [
    Uint32Array,
    PIXELS,
  ]),
  bit_transpose: simple('algorithms', 'bit_transpose', { global: 1 << 15 }, () => [words(PIXELS, 3)], [
    Uint32Array,
    PIXELS,
  ]),
  primes: simple('algorithms', 'primes', { global: 1 << 18 }, () => [], [Uint32Array, 1 << 18]),
  fnv: simple('data', 'fnv', { global: PIXELS / 4 }, () => [bytes(8 * PIXELS, 256)], [
    BigUint64Array,
    PIXELS / 4,
  ]),
  montgomery: simple(
    'data',
    'montgomery',
    { global: 32768 },
    () => [Uint32Array.from(integers(32768, 4e9))],
    [Uint32Array, 32768],
  ),
  squares: simple(
    'algorithms',
    'squares',
    { global: 1 << 14 },
    () => [Float64Array.from(randoms(PIXELS * 2))],
    [Float64Array, 1 << 14],
    [PIXELS * 2],
    1e-9,
  ),
};

/** The four tables of AES, computed from the field's arithmetic. */
function aesTables() {
  const sbox = new Uint8Array(256);
  for (let p = 1, q = 1, first = true; first || p !== 1; first = false) {
    p = (p ^ (p << 1) ^ (p & 0x80 ? 0x11b : 0)) & 255;
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 255;
    if (q & 0x80) q ^= 0x09;
    const rotated = (n) => ((q << n) | (q >> (8 - n))) & 255;
    sbox[p] = q ^ rotated(1) ^ rotated(2) ^ rotated(3) ^ rotated(4) ^ 0x63;
  }
  sbox[0] = 0x63;
  const tables = new Uint32Array(1024);
  for (let i = 0; i < 256; i++) {
    const s = sbox[i];
    const twice = ((s << 1) ^ (s & 0x80 ? 0x11b : 0)) & 255;
    const word = (twice | (s << 8) | (s << 16) | ((twice ^ s) << 24)) >>> 0;
    for (let t = 0; t < 4; t++)
      tables[t * 256 + i] = t === 0 ? word : ((word << (8 * t)) | (word >>> (32 - 8 * t))) >>> 0;
  }
  return { tables, sbox };
}
