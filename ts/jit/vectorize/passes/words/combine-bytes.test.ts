// SPDX-License-Identifier: MIT
//
// Words whose bytes are computed alike, at every tile.

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';

const ITEMS = 70;

const digits = (many: number, bits: number, digit: string) =>
  `for (int k = 0; k < ${many}; k++) { uint d = (w >> (k * ${bits})) & ${2 ** bits - 1}; out[i * ${many} + k] = ${digit}; }`;
const bytes = (body: string) =>
  `uchar p[4] = { w, w >> 8, w >> 16, w >> 24 }; for (int k = 0; k < 4; k++) { uchar d = p[k]; char s = d; ${body} out[4 * i + k] = d; }`;

foreign('bytes that are computed alike', () => {
  test.each([
    ['hexadecimal digits', digits(8, 4, "d < 10 ? '0' + d : 'a' + d - 10")],
    [
      'the same, the highest first',
      digits(8, 4, 'd').replace('k * 4', '28 - k * 4').replace('= d;', '= d > 9 ? d + 87 : d + 48;'),
    ],
    ['digits of two bits', digits(4, 2, 'd < 1 ? 65 : d < 3 ? 66 + d : 84')],
    [
      'digits of six bits',
      digits(4, 6, 'd < 26 ? 65 + d : d < 52 ? 71 + d : d < 62 ? d - 4 : d == 62 ? 43 : 47'),
    ],
    ['digits of seven bits', digits(4, 7, 'd ^ 0x55')],
    ['digits of a byte and more', digits(4, 8, 'd > 200 ? 255 : d < 20 ? 0 : d')],
    ['unsigned comparisons', bytes('d = d > n ? d - n : d >= 100 ? 7 : d <= 3 ? d + n : d;')],
    [
      'signed comparisons',
      bytes('d = s > (char)n ? s - 5 : s >= -9 ? 3 : s <= -100 ? s + 4 : d != 9 ? d : 1;'),
    ],
    ['conditions that are combined', bytes('d = (d > 60 && s > 3) || d == n ? ~d : !(d < 9) ? -d : d;')],
    ['shifts', bytes('d = (uchar)(d << 3) ^ (uchar)(d >> 2) ^ (uchar)(d >> 7);')],
    ['extremes', bytes('d = min(max(d, (uchar)16), (uchar)235) ^ (uchar)min(max(s, (char)-7), (char)90);')],
    ['logic', bytes('d = (d & 0x3c) | (d ^ n); d = d & ~(uchar)n;')],
    [
      'another use of a byte',
      bytes('d = d > 9 ? d - 9 : d; if (k == 2) out[ITEMS * 8 + i] = d;').replace('ITEMS', String(ITEMS)),
    ],
    ['constants of each byte', bytes('d = d + k * 7 > 100 ? k * 9 : d ^ (k << 5);')],
    [
      'nibbles, the upper one without a mask',
      'uchar p[4] = { w >> 28, (w >> 24) & 15, (w >> 20) & 15, (w >> 16) & 15 }; for (int k = 0; k < 4; k++) out[i * 4 + k] = p[k] > 9 ? p[k] + 87 : p[k] + 48;',
    ],
    [
      'fields of different sizes',
      'uchar p[4] = { w >> 27, (w >> 24) & 7, (w >> 3) & 31, w & 15 }; for (int k = 0; k < 4; k++) out[i * 4 + k] = p[k] + 48;',
    ],
    ['bytes from a table', digits(8, 4, 'hexadecimal[d]')],
    ['bytes from a table, the highest first', digits(8, 4, 'hexadecimal[d]').replace('k * 4', '28 - k * 4')],
    ['bytes from two tables', digits(4, 4, '(k == 2 ? table : hexadecimal)[d]')],
    ['products, which are not', bytes('d = d * 3;')],
  ])('%s', (_, body) => {
    const source = `__constant uchar hexadecimal[] = "0123456789abcdef", table[] = "qwertyuiopasdfgh";
    __kernel void k(__global const uint *in, __global uchar *out, uchar n) {
      int i = get_global_id(0); uint w = in[i];
      ${body} }`;
    checkTiles(source, 'k', {
      global: [ITEMS],
      local: [ITEMS],
      args: [
        {
          buffer: new Uint8Array(ints(ITEMS, (i) => noise(i) * 2 ** 32).buffer),
        },
        { buffer: new Uint8Array(ITEMS * 12 + 12) },
        { value: Uint8Array.of(77) },
      ],
    });
  });
});
