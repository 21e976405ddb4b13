// SPDX-License-Identifier: MIT
//
// Tables at indices that are bytes of memory, compiled at every tile size against the interpreter.
import { checkTiles as check, foreign, ints, noise } from '../../../../tests/helpers/every-tile';

const bytes = (size: number) => ({ buffer: Uint8Array.from({ length: size }, (_, i) => noise(i) * 256) });

foreign('tables at indices that are bytes', () => {
  test.each(['uchar', 'short', 'uint', 'float'])('of %s', (type) => {
    check(
      `__kernel void k(__global const uchar *in, __global const ${type} *table, __global ${type} *out, __global const uint *words,
                       __global const ushort *halves, __global int *sums, __global uchar *narrow, int n) {
         int x = get_global_id(0), y = get_global_id(1), item = y * 45 + x, sum = 0;
         uint w = words[item]; ushort h = halves[item];
         out[item] = table[in[item]];
         out[item + 135] = table[(w >> 8 & 255) + n];
         if (in[item + 1] & 1) out[item + 270] = table[y + (h >> 8)];
         if (y != 1) sum = (int)table[w >> 24] + (int)table[h & 255];
         sums[item] = sum + (int)table[in[y * n + x * 4 + 2] + y];
         narrow[item] = (uchar)table[w & 255] / 2 + in[item];
         narrow[item + 135] = in[item] > 100 ? (uchar)table[in[item]] : 3;
       }`,
      'k',
      {
        global: [45, 3],
        local: [45, 1],
        args: [
          bytes(256),
          { buffer: Uint8Array.from({ length: 1100 }, (_, i) => (i % 4 === 3 ? 66 : noise(i + 3) * 256)) },
          { buffer: new Uint8Array(1620) },
          bytes(540),
          bytes(270),
          { buffer: new Int32Array(135) },
          { buffer: new Uint8Array(270) },
          { value: ints(1, () => 5) },
        ],
      },
    );
  });

  test('in loops, with lanes that leave, in local memory, and where the bytes change', () => {
    check(
      `__kernel void k(__global uchar *in, __global const uchar *table, __global uchar *out, int n, __local uchar *l) {
         int x = get_global_id(0), lid = get_local_id(0); uchar r = 0;
         for (int i = lid; i < 256; i += 45) l[i] = table[i] ^ 9;
         barrier(CLK_LOCAL_MEM_FENCE);
         for (int k = 0; k < (in[x] & 7); k++) r = r * 3 + l[in[x + k * 90]];
         for (int k = 0; k < n; k++) r = r * 5 ^ table[in[k * 90 + x]];
         uchar before = in[x];
         in[x] = r;
         out[x] = table[before] + table[in[x]];
       }`,
      'k',
      {
        global: [90],
        local: [45],
        args: [
          bytes(90 * 8),
          bytes(256),
          { buffer: new Uint8Array(92) },
          { value: ints(1, () => 5) },
          { local: 256 },
        ],
      },
    );
  });
});
