// SPDX-License-Identifier: MIT
//
// Words whose fields come from shorts and bytes, at every tile against the interpreter: pixels of other formats, fields that move in both directions, that
// cross the middle of the word, that overlap, that a shift cuts off, under conditions.
import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Uses } from '../../../analyses/uses';
import { splitWords } from './split-words';

const ITEMS = 77;

/** Words of `p`, a short, `q`, a byte, and `s`, a short with a sign. */
const WORDS = [
  '0xFF000000u | ((p >> 11 & 31) << 3 | (p >> 11 & 31) >> 2) << 16 | ((p >> 5 & 63) << 2 | (p >> 5 & 63) >> 4) << 8 | ((p & 31) << 3 | (p & 31) >> 2)',
  '(p & 0x8000 ? 0xFF000000u : 0u) | (p >> 10 & 31) << 19 | (p >> 5 & 31) << 11 | (p & 31) << 3',
  '(s < 0 ? 0x80000001u : 0x01010100u) | (p & 0x0ff0) << 8',
  '(p << 10 | p << 20) >> 3 | (uint)q << 24',
  '((p << 13) & 0x00ffff00) >> 5 << 2 | p >> 15',
  'p << 9 | (p >> 7 | (uint)q << 9)',
  '((uint)p << 28 | p << 4) >> 2 & 0x3fc3ff0f | 7',
  '(q & 0xF0) << 14 | p >> 4 | (uint)(p & 15) << 28',
  '(p & 0xff) << 16 | (p & 0xff00) << 16 | (p ^ 0) << 1',
  '(p << 3 | q << 17) & 0xffff | p << 16 & 0x10000',
];

foreign('words of fields', () => {
  test('from shorts and bytes', () => {
    const stores = WORDS.map((word, k) => `out[${k * ITEMS} + i] = ${word};`).join('\n');
    checkTiles(
      `__kernel void k(__global const ushort *shorts, __global const uchar *bytes, __global uint *out) {
         int i = get_global_id(0); uint p = shorts[i], q = bytes[i]; short s = shorts[i + 1];
         ${stores}
       }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [
          { buffer: new Uint8Array(ints(ITEMS, (i) => noise(i) * 2 ** 32).buffer) },
          { buffer: new Uint8Array(ints(ITEMS, (i) => noise(i + 99) * 2 ** 32).buffer) },
          { buffer: new Uint8Array(WORDS.length * ITEMS * 4) },
        ],
      },
    );
  });
});

/** Each line uses the word twice: looked at once for each use, there would be 2^40 of them. */
test('a word of which each step uses the last one twice is left alone', () => {
  const steps = Array.from({ length: 40 }, (_, j) => `x = x << ${1 + (j % 3)} | x >> ${1 + (j % 5)};`).join(
    '\n',
  );
  const func = preparedKernel(
    `kernel void k(global const ushort *a, global uint *out) {
       int i = get_global_id(0); uint p = a[i], x = p > 9 ? 5 : 9; ${steps} out[i] = x | p << 4;
     }`,
  );
  expect(splitWords(func, new Divergence(func), new Uses(func))).toBe(false);
});
