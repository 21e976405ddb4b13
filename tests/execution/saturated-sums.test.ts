// SPDX-License-Identifier: MIT
//
// Bytes plus a uniform number, clamped to bytes again, which become saturating sums: numbers at the ends of all ranges, whose sums wrap
// as ints do. Limits of other kinds, which stay clamps. All against JavaScript.
import { openSync, type Session } from '../../ts';

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software' });
});
afterAll(() => session.close());

const MOST = 2 ** 31 - 1;
const NUMBERS = [
  0,
  1,
  30,
  127,
  128,
  254,
  255,
  256,
  300,
  65536,
  MOST - 256,
  MOST - 255,
  MOST - 254,
  MOST - 9,
  MOST,
];
const ITEMS = 300;
const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));

const FORMS: Record<string, [expression: string, expected: (x: number, n: number) => number]> = {
  saturated: ['convert_uchar_sat((int)x + n)', (x, n) => clamp((x + n) | 0, 0, 255)],
  subtracted: ['convert_uchar_sat((int)x - n)', (x, n) => clamp((x - n) | 0, 0, 255)],
  'subtracted from': ['convert_uchar_sat(n - (int)x)', (x, n) => clamp((n - x) | 0, 0, 255)],
  clamped: ['clamp(n + x, 0, 255)', (x, n) => clamp((x + n) | 0, 0, 255)],
  chosen: ['v < 0 ? 0 : v > 255 ? 255 : v', (x, n) => clamp((x + n) | 0, 0, 255)],
  'chosen the other way': ['v > 255 ? 255 : v < 0 ? 0 : v', (x, n) => clamp((x + n) | 0, 0, 255)],
  'chosen in another range': ['v >= 200 ? 200 : v <= 7 ? 7 : v', (x, n) => clamp((x + n) | 0, 7, 200)],
  'in the wrong order': ['v < 200 ? 200 : v > 7 ? 7 : v', (x, n) => (((x + n) | 0) < 200 ? 200 : 7)],
  'by other ends': [
    'v > 255 ? 254 : v < 0 ? 1 : v',
    (x, n) => (((x + n) | 0) > 255 ? 254 : ((x + n) | 0) < 0 ? 1 : (x + n) | 0),
  ],
  inverted: ['convert_uchar_sat(255 - x + n)', (x, n) => clamp((255 - x + n) | 0, 0, 255)],
};

test.each(Object.entries(FORMS))('%s', async (_, [expression, expected]) => {
  const { kernels } = session.buildSync(`kernel void k(global const uchar *in, global uchar *out, int n) {
    int i = get_global_id(0); uchar x = in[i]; int v = x + n; out[i] = ${expression}; }`);
  const data = Uint8Array.from({ length: ITEMS }, (_, i) => i);
  const input = session.buffer(data);
  const out = session.buffer(Uint8Array, ITEMS);
  for (const number of NUMBERS.flatMap((n) => [n, -n, -n - 1])) {
    await kernels['k']!.run({ global: ITEMS }, input, out, number);
    expect({ number, out: [...(await out.read())] }).toEqual({
      number,
      out: Array.from(data, (x) => expected(x, number) & 255),
    });
  }
});
