// SPDX-License-Identifier: MIT
//
// Numbers within and outside of ranges, at every tile against the interpreter: with and without signs, at the ends of the types, ranges of one number
// and empty ones, conditions that something else uses as well.
import { checkTiles, foreign, ints, noise } from '../../../../tests/helpers/every-tile';

const ITEMS = 133;

const CONDITIONS = [
  'a >= 97 && a <= 122',
  'a <= 122 && a > 96',
  'a > 96 && a < 123 && b >= 5',
  'a < 48 || a > 57',
  'a > 57 || a <= 47',
  '!(a >= 65 && a <= 90)',
  'a >= 1 && a <= 126',
  'a < 1 || a > 126',
  'a >= 50 && a < 51',
  'a < 50 || a > 50',
  'a >= 60 && a <= 40',
  'a < 60 || a > 40',
  'a <= 60 || a > 60',
  'a >= 48 && b <= 57',
  '(a >= 48 && a <= 57) || (a >= 65 && a <= 70) || (b >= 97 && b <= 102)',
  'a >= (T)~(T)15 && a <= (T)~(T)2',
  'a < (T)~(T)15 || a > (T)~(T)2',
  // The highest bit, and numbers on both sides of its change.
  'a >= (T)HALF',
  'a > (T)(HALF - 1)',
  'a < (T)HALF',
  'a <= (T)(HALF - 1)',
  'a >= (T)(HALF - 3) && a <= (T)(HALF + 2)',
  'a < (T)(HALF - 3) || a > (T)(HALF + 2)',
  'a >= 1 && a <= (T)~(T)0 - 1',
  'a >= (T)HALF && a <= (T)(HALF + 7)',
];

const BYTES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4 };

foreign('ranges', () => {
  test.each(['uchar', 'char', 'ushort', 'short', 'uint', 'int'])('%s', (type) => {
    const stores = CONDITIONS.map(
      (condition, i) =>
        `out[${i * ITEMS} + i] = (${condition.replaceAll('T', type).replaceAll('HALF', `(1u << ${8 * BYTES[type]! - 1})`)}) ? a : (${type})(b + ${i});`,
    ).join('\n');
    checkTiles(
      `__kernel void k(__global const ${type} *in, __global ${type} *out, __global uchar *bits) {
         int i = get_global_id(0); ${type} a = in[i], b = in[i + 7];
         ${stores}
         int isDigit = a >= 48 && a <= 57, isAbove = a >= 48;
         bits[i] = isDigit + 2 * isAbove;
       }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [
          // Most are near the ends of the ranges, some are anything.
          {
            buffer: new Uint8Array(
              ints(ITEMS + 8, (i) => (i % 3 === 0 ? noise(i) * 2 ** 32 : (noise(i) * 0x807f) & 0x7f7f7f7f))
                .buffer,
            ),
          },
          { buffer: new Uint8Array(CONDITIONS.length * ITEMS * 4) },
          { buffer: new Uint8Array((ITEMS + 3) & ~3) },
        ],
      },
    );
  });
});
