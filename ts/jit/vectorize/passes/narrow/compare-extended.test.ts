// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints } from '../../../../../tests/helpers/every-tile';
import { optimizedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { verify } from '../../../ir/verify';
import { compareExtended } from './compare-extended';

test.each([
  ['an id and an int', 'ulong i = get_global_id(0); if (i >= n) return; out[i] = 1;', true],
  ['an id and a uint', 'ulong i = get_global_id(0); if (i >= (uint)n) return; out[i] = 1;', false],
  ['a number that all have', 'if ((ulong)get_global_size(0) >= n) return; out[get_global_id(0)] = 1;', false],
  ['an id and a long', 'long i = get_global_id(0); if (i >= w) return; out[i] = 1;', true],
  ['an id and a ulong', 'ulong i = get_global_id(0); if (i >= (ulong)w) return; out[i] = 1;', true],
  ['an id and a constant', 'ulong i = get_global_id(0); if (i >= 5) return; out[i] = 1;', false],
  ['a long of each', 'ulong i = get_global_id(0); if (i >= in[i] * w) return; out[i] = 1;', false],
  ['an int of each', 'ulong i = get_global_id(0); if (i >= in[i]) return; out[i] = 1;', false],
])('%s', (_, body, expected) => {
  const func = optimizedKernel(
    `kernel void k(global const int *in, global int *out, int n, long w) { ${body} }`,
  );
  expect(compareExtended(func, () => new Divergence(func))).toBe(expected);
  verify(func, 'compareExtended');
});

foreign('numbers at the ends', () => {
  const numbers = [0, 1, 5, 0x7fffffff, -0x80000000, -1, -5, 6];
  const compareWith = (type: 'int' | 'long', value: Int32Array | BigInt64Array) =>
    checkTiles(
      `__kernel void k(__global const int *in, __global int *out, ${type} n) {
         int i = get_global_id(0); uint x = in[i]; ulong u = x; long s = n;
         int r = (u < (ulong)s) + (u <= (ulong)s) * 2 + (u > (ulong)s) * 4 + (u >= (ulong)s) * 8 + (u == (ulong)s) * 16 + (u != (ulong)s) * 32;
         r += ((long)u < s) * 64 + ((long)u <= s) * 128 + (s < (long)u) * 256 + (s <= (long)u) * 512 + ((ulong)s < u) * 1024;
         out[i] = r;
       }`,
      'k',
      {
        global: [24],
        local: [12],
        args: [
          { buffer: ints(40, (i) => numbers[i % numbers.length]!) },
          { buffer: ints(64, () => 0) },
          { value },
        ],
      },
    );
  test.each([-0x80000000, -5, -1, 0, 1, 5, 0x7fffffff])('compared with %d', (n) =>
    compareWith('int', Int32Array.of(n)),
  );

  test.each([
    -(2n ** 63n),
    -(2n ** 32n),
    -5n,
    -1n,
    0n,
    1n,
    5n,
    2n ** 32n - 2n,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 32n + 5n,
    2n ** 63n - 1n,
  ])('compared with the long %d', (n) => compareWith('long', BigInt64Array.of(n)));
});
