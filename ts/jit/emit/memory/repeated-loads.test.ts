// SPDX-License-Identifier: MIT
//
// Elements that several neighbours read, compiled at every tile size against the interpreter.
import { checkTiles as check, foreign, ints, noise } from '../../../../tests/helpers/every-tile';

const INDEXES = [
  'x / 2',
  'x >> 1',
  'x >> 3',
  'x / 8 + n',
  'x / 32',
  'x / 512',
  '(x + n) >> 2',
  '(x + 250 - n) >> 8',
  '(x * 3) >> 2',
  '(5 * x + n) >> 3',
  'x & ~1',
  '(x + 1 & ~3) + 1',
  '(x - 3 >> 1) + 2',
  '(y / 2) * 24 + x / 2',
  '(y * 48 + x) >> 2',
  '(y * n + x) / 4 + (n - y)',
  '(uint)x >> 1',
  '(uint)x / 16u',
  '((x >> 1) << 1) + n',
  'get_local_id(0) >> 1',
  'x & 7',
  'x & 15',
  '(x + n) & 3',
  '(y & 3) * 8 + (x & 7)',
  '(x * 3 & 7) + y',
  '((x >> 1) & 3) + n',
  '((uint)(x + n) >> 5 & 1)',
  '(n - x) & 7',
  '(x & 1) * 2 + 1',
  '(x >> 3 & 31) & 3',
];

foreign('elements that several neighbours read', () => {
  test.each(['uchar', 'short', 'uint', 'float'])('%s', (type) => {
    const reads = INDEXES.map(
      (index, i) =>
        `${i % 3 === 2 ? `if (y + x != ${i}) ` : ''}{ ${type} v = in[${index}]; out[at + ${i}] = v; sum += (int)v; }`,
    ).join('\n');
    check(
      `__kernel void k(__global const ${type} *in, __global ${type} *out, __global uchar *bytes, __global int *sums, int n) {
         int x = get_global_id(0), y = get_global_id(1), item = y * 45 + x, at = item * ${INDEXES.length}, sum = 0;
         ${reads}
         sums[item] = sum;
         bytes[item] = in[x >> 1];
         bytes[item + 135] = ((int)in[(x >> 3) + 2] >> (x & 7)) & 1;
         bytes[item + 270] = x + 7 ^ (x << 2 & 0x5c) - n;
       }`,
      'k',
      {
        global: [45, 3],
        local: [45, 1],
        args: [
          { buffer: Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 66 : noise(i) * 256)) },
          { buffer: new Uint8Array(135 * INDEXES.length * 4) },
          { buffer: new Uint8Array(408) },
          { buffer: new Int32Array(136) },
          { value: ints(1, () => 5) },
        ],
      },
    );
  });

  test('in loops, with lanes that leave, and from local memory', () => {
    check(
      `__kernel void k(__global const uchar *in, __global uchar *out, __global const float *f, __global float *g, int n, __local uchar *l) {
         int x = get_global_id(0), lid = get_local_id(0); uchar r = 0; float s = 0;
         l[lid] = in[lid]; barrier(CLK_LOCAL_MEM_FENCE);
         for (int k = 0; k < (in[x] & 7); k++) { r = r * 3 + in[(x + k * 5) >> 2]; s += f[(x + k) / 4 & 31]; }
         if (r & 1) r ^= in[x >> 1] + l[lid >> 1];
         if (x > 2) s += f[(x - 3) >> 1];
         for (int k = 0; k < n; k++) { r += l[(lid + k) >> 3]; s += f[(x >> 4) + k]; }
         out[x] = r; g[x] = s;
       }`,
      'k',
      {
        global: [90],
        local: [45],
        args: [
          { buffer: Uint8Array.from({ length: 256 }, (_, i) => noise(i) * 256) },
          { buffer: new Uint8Array(92) },
          { buffer: Float32Array.from({ length: 64 }, (_, i) => i) },
          { buffer: new Float32Array(90) },
          { value: ints(1, () => 5) },
          { local: 64 },
        ],
      },
    );
  });
});
