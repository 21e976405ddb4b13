// SPDX-License-Identifier: MIT
//
// Arithmetic on halves at every tile size: each operation is rounded once, although results stay floats in between.
import { checkTiles, foreign } from '../../../../tests/helpers/every-tile';
import { halfBits, halfValue, roundToHalf } from '../../../base/half';

const SCALARS = [0x8000, 1, 0x03ff, 0x3c01, 0x4b55, 0xfbff].map(halfValue);

foreign('compiled arithmetic on halves', () => {
  test('a chain of operations rounds each to a half, through subnormal and infinite ones', () => {
    // Halves all over the range: all exponents and many last places.
    const halves = Uint16Array.from({ length: 2048 }, (_, i) => (i * 13 * 5) & 0xffff);
    const results = SCALARS.flatMap((s) => Array.from(halves, (h) => chain(halfValue(h), s)));
    const scalars = Uint16Array.from(SCALARS, halfBits);
    checkTiles(
      `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
       __kernel void k(__global ushort *out, __global const half *h, __global const half *s) {
         int i = get_global_id(0);
         half x = h[i & 2047], y = s[i >> 11], last = 0;
         for (int round = 0; round < 3; round++) {
           half sum = x + y, product = sum * y;
           last = -product - x;
           x = product / sum;
           y = fabs(last) * sum;
         }
         out[2 * i] = isnan(last) ? 0x7e00 : as_ushort(last);
         out[2 * i + 1] = isnan(y) ? 0x7e00 : as_ushort(y);
       }`,
      'k',
      {
        global: [results.length],
        local: [64],
        args: [{ buffer: new Uint16Array(2 * results.length) }, { buffer: halves }, { buffer: scalars }],
      },
      [Uint16Array.from(results.flat(), halfBits), halves, scalars],
    );
  });

  test('a half that is only moved keeps the bits of a signaling NaN', () => {
    const halves = Uint16Array.from({ length: 64 }, (_, i) => 0x7c01 + i);
    checkTiles(
      `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
       __kernel void k(__global half *out, __global const half *h, int n) {
         int i = get_global_id(0);
         half x = h[i], y = h[63 - i], sum = 0;
         for (int round = 0; round < n; round++) {
           half other = x;
           x = y;
           y = other;
           sum += x > 1 ? x : 1;
         }
         out[i] = x;
         out[i + 64] = sum;
       }`,
      'k',
      {
        global: [64],
        local: [64],
        args: [
          { buffer: new Uint16Array(128) },
          { buffer: halves },
          { value: new Uint8Array(Int32Array.of(5).buffer) },
        ],
      },
      [Uint16Array.from({ length: 128 }, (_, i) => (i < 64 ? halves[63 - i]! : halfBits(5))), halves],
    );
  });
});

function chain(first: number, second: number): [number, number] {
  let [x, y, last] = [first, second, 0];
  for (let round = 0; round < 3; round++) {
    // A float is precise enough: rounding its sum, product or quotient of halves again is rounding once.
    const sum = roundToHalf(Math.fround(x + y));
    const product = roundToHalf(Math.fround(sum * y));
    last = roundToHalf(Math.fround(-product - x));
    x = roundToHalf(Math.fround(product / sum));
    y = roundToHalf(Math.fround(Math.abs(last) * sum));
  }
  return [last, y];
}
