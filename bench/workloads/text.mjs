// SPDX-License-Identifier: MIT
//
// Texts: searches, parsers, encodings.
import { bench, exact, simple, workload } from './define.mjs';
import { bytes, DIGITS, PIXELS, prose, randomBytes, randoms, whole } from './inputs.mjs';

export const text = {
  'string-search': {
    source: () => bench('string-search'),
    make(cl, kernels) {
      const [length, stretch] = [4e6, 64];
      const pattern = Uint8Array.from([1, 2, 1, 3]);
      const counts = cl.buffer(Int32Array, length / stretch);
      const args = [
        cl.buffer(randomBytes(length, 4)),
        cl.buffer(pattern),
        length,
        pattern.length,
        stretch,
        counts,
      ];
      return {
        launches: [[kernels.string_search, { global: length / stretch }, ...args]],
        outputs: [[counts, exact]],
      };
    },
  },
  levenshtein: workload('levenshtein', (cl) => {
    const words = 1 << 16;
    const out = cl.buffer(Int32Array, words);
    return {
      range: { global: words },
      args: [cl.buffer(bytes(words * 16, 4)), cl.buffer(bytes(16, 4, 5)), out],
      outputs: [[out, exact]],
    };
  }),
  lexer: simple(
    'everyday',
    'lexer',
    { global: 1 << 14 },
    () => [bytes(PIXELS, 64)],
    [Int32Array, 1 << 14],
    [64],
  ),
  base64: simple('algorithms', 'base64', whole, () => [bytes(PIXELS * 3, 256), DIGITS], [
    Uint8Array,
    PIXELS * 4,
  ]),
  utf8: simple('algorithms', 'utf8', { global: 1 << 14 }, () => [bytes(PIXELS, 256)], [Int32Array, 1 << 14]),
  align: simple(
    'algorithms',
    'align',
    { global: 1024 * 64, local: 64 },
    () => [bytes(1024 * 64, 4, 1), bytes(1024 * 64, 4, 2)],
    [Int32Array, 1024],
  ),
  count_words: simple(
    'data',
    'count_words',
    { global: PIXELS / 32 },
    () => [prose()],
    [Int32Array, PIXELS / 32],
    [4 * PIXELS],
  ),
  fields: simple(
    'data',
    'fields',
    { global: 65536 },
    () => [Uint8Array.from(randoms(24 * 65536), (v) => '0123456789,-,01234'.charCodeAt(v * 18))],
    [Int32Array, 4 * 65536],
  ),
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
};
