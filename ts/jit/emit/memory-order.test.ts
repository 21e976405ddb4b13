// SPDX-License-Identifier: MIT
//
// Vectors of 32 bytes, in memory order: two structures, whose values may have instructions in common.
import { checkTiles, foreign, ints } from '../../../tests/helpers/every-tile';

foreign('values of two structures, at every tile', () => {
  test.each([
    ['max((int8)(5, 3, 0, 6, 2, 3, 4, 6), x)'],
    ['max((int8)(5, 3, 0, 6, 3, 5, 6, 0), x)'],
    ['max((int8)(5, 3, 0, 6, 5, 3, 0, 6), x)'],
    ['((int8)(5, 3, 0, 6, 2, 3, 4, 6) - x)'],
    ['((int8)(n, 3, x, 6, 2, 3, x, n) - x)'],
    ['((int8)(x + 1, 2, 3, 4, 5, 6, x + 1, 8) * x)'],
    ['(max((int8)(5, 3, 0, 6, 2, 3, 4, 6), x) ^ max((int8)(1, 3, 9, 9, 8, 3, 9, 2), x))'],
  ])('%s', (value) => {
    checkTiles(
      `__kernel void k(__global const int8 *in, __global int8 *out, __global const int *places, int n) {
        int x = get_global_id(0);
        out[x ^ 14] = in[places[x]] + ${value};
      }`,
      'k',
      {
        global: [16],
        local: [16],
        args: [
          { buffer: ints(16 * 8, (i) => (i * 7919) % 61) },
          { buffer: ints(16 * 8, () => 0) },
          { buffer: ints(16, (i) => (i * 5) & 15) },
          { value: ints(1, () => 7) },
        ],
      },
    );
  });
});

foreign('vectors within larger structures, at every tile', () => {
  test.each([
    ['b[x].p += b[x].v * 3;'],
    ['Body t = b[x]; b[x].p = t.v; b[x].v = t.p;'],
    ['if (x < n) { b[x].p += b[x].v; b[x].q ^= b[x].p; }'],
    ['if (b[x].v.x > 0) b[x].p += b[x].v;'],
    ['b[x].q += b[x].p * b[x].v.y;'],
    ['for (int k = 0; k < (x & 3); k++) b[x].p = b[x].p * 3 + b[x].q;'],
  ])('%s', (statement) => {
    checkTiles(
      `typedef struct { int4 p, v, q; } Body;
      __kernel void k(__global Body *b, int n) { int x = get_global_id(0); ${statement} }`,
      'k',
      {
        global: [24],
        local: [24],
        args: [{ buffer: ints(24 * 12, (i) => ((i * 7919) % 61) - 30) }, { value: ints(1, () => 19) }],
      },
    );
  });
});
