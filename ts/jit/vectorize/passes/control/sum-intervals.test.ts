// SPDX-License-Identifier: MIT
//
// Selects by comparisons of one number with constants, at every tile against the interpreter: at the limits and next to them, with and without signs,
// results of fewer bits, sums with the number, sums that are compared, intervals that wrap, conditions that something else uses as well.
import { checkTiles, foreign } from '../../../../../tests/helpers/every-tile';

const CHOICES = [
  'a < 10 ? 1 : a < 100 ? 2 : a < (T)1000 ? 3 : a < (T)30000 ? 4 : 5',
  'a < (T)50 ? 7 : a < (T)100 ? 200 : a < (T)120 ? 199 : 3',
  'a >= (T)-3 ? 9 : a >= (T)HALF ? 8 : a >= 5 ? 7 : 6',
  'a > (T)(HALF - 1) ? 1 : a > (T)(HALF - 2) ? 2 : a > 0 ? 3 : 4',
  'a == 0 ? 5 : a == (T)-1 ? 6 : a == (T)HALF ? 7 : a < 9 ? 8 : 9',
  'a >= 48 && a <= 57 ? a - 48 : a >= 97 && a <= 102 ? a - 87 : a >= 65 && a <= 70 ? a - 55 : 255',
  'a >= 97 && a <= 109 ? a + 13 : a > 109 && a <= 122 ? a - 13 : a',
  '!(a >= 48 && a < 58) ? (a == 43 ? 62 : a != 47 ? 0 : 63) : a + 4',
  '(T)(a - 7) < (T)20 ? 1 : (T)(a - 100) < (T)50 ? 2 : (T)(a + 5) < (T)4 ? 3 : 0',
  '(T)(a - 7) > (T)HALF ? 1 : (T)(a - 9) > (T)HALF ? 2 : 3',
  'a < 20 ? (a < 10 ? (a < 5 ? 1 : 2) : 3) : (a < 30 ? 4 : (a == 99 ? 5 : 6))',
  'a < 10 || a > 100 ? 1 : (a > 20 || a == 15) && a != 30 ? 2 : 3',
  'a < (T)-2 ? 1 : a <= (T)-2 ? 2 : 3',
  'a < 10 ? 1 : a < 100 ? 2 : b',
  'b < 10 ? a : a < 100 ? 2 : 3',
];
const BYTES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4 };
const EDGES = [
  0,
  5,
  7,
  9,
  10,
  20,
  30,
  43,
  47,
  48,
  57,
  65,
  70,
  97,
  102,
  109,
  122,
  100,
  120,
  150,
  1000,
  30000,
  0x80,
  0x8000,
  2 ** 31,
];

/** The edges and their neighbours, as numbers of a type. */
const numbersOf = (bytes: number): ArrayBufferView => {
  const all = EDGES.flatMap((e) => [-2, -1, 0, 1, 2].map((d) => e + d));
  const numbers = [...all, ...all.slice(0, 12)];
  return bytes === 1
    ? Uint8Array.from(numbers)
    : bytes === 2
      ? Uint16Array.from(numbers)
      : Uint32Array.from(numbers);
};
const ITEMS = EDGES.length * 5;

foreign('selects by intervals', () => {
  test.each(Object.keys(BYTES).flatMap((type) => [type, 'uchar'].map((to) => [type, to] as const)))(
    '%s to %s',
    (type, to) => {
      const half = `(1u << ${8 * BYTES[type]! - 1})`;
      const stores = CHOICES.map(
        (choice, i) => `out[${i * ITEMS} + i] = ${choice.replaceAll('T', type).replaceAll('HALF', half)};`,
      ).join('\n');
      const numbers = numbersOf(BYTES[type]!);
      const bytes = new Uint8Array((numbers.byteLength + 3) & ~3);
      bytes.set(new Uint8Array(numbers.buffer));
      checkTiles(
        `__kernel void k(__global const ${type} *in, __global ${to} *out) {
         int i = get_global_id(0); ${type} a = in[i], b = in[i + 3];
         ${stores}
       }`,
        'k',
        {
          global: [ITEMS],
          local: [ITEMS],
          args: [
            { buffer: bytes },
            { buffer: new Uint8Array((CHOICES.length * ITEMS * BYTES[to]! + 3) & ~3) },
          ],
        },
      );
    },
  );
});
