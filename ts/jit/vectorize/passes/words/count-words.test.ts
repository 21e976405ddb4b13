// SPDX-License-Identifier: MIT
//
// Counts of bits of 64-bit numbers and of words at every tile against the interpreter: as they are, added up, and of which only the last bit is used.
import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';

/** More than a byte can count. */
const MANY = Array.from({ length: 35 }, (_, k) => `popcount((uint)y | (uint)(x >> ${k}))`).join(' + ');

const COUNTS = [
  `s = ${MANY};`,
  's = popcount(x);',
  's = popcount(x) & 1;',
  's = (popcount(x) & 1) + 2 * popcount(x);',
  's = (uchar)popcount(x) & 1;',
  's = clz(x) + 100 * ctz(x);',
  's = clz((int)x) + 100 * ctz((int)x);',
  's = ctz((short)x) + 100 * ctz((uchar)(x >> 60));',
  's = popcount((uint)x) - popcount((uint)(x >> 32)) + popcount((uint)y);',
  's = popcount(x) + popcount(y) + popcount(x ^ y) + popcount(x & y);',
  's = popcount((ulong)(uint)x) + clz((ulong)(uint)x) + ctz((ulong)(uint)y << 32);',
  'for (int k = 0; k < 3 + (i & 3); k++) { s += popcount(x) + ctz(x); x = x * 5 + y; }',
  'for (int k = 0; k < 40; k++) s += popcount((uint)x | (uint)(k * y));',
];

foreign('counts of bits', () => {
  test.each(COUNTS)('%s', (body) => {
    checkTiles(
      `__kernel void k(__global const ulong *a, __global const ulong *b, __global ulong *out, __global uint *words) {
         int i = get_global_id(0); ulong x = a[i], y = b[i]; { ulong s = 0; ${body} out[i] = s; } { uint s = 0; ${body} words[i] = s; }
       }`,
      'k',
      {
        global: [48],
        local: [24],
        args: [
          { buffer: ints(96, (i) => (i % 7 < 2 ? 0 : i % 5 === 0 ? 1 << i : noise(i) * 2 ** 32)) },
          { buffer: ints(96, (i) => (i % 5 < 2 ? -1 : noise(i + 99) * 2 ** 32)) },
          { buffer: ints(96, () => 0) },
          { buffer: ints(48, () => 0) },
        ],
      },
    );
  });
});
