// SPDX-License-Identifier: MIT
//
// Sums of the bytes of words, of their differences from other bytes and of the squares of these, at every tile against the interpreter: in words and
// shorts, with other terms, in loops, and what looks like them but has another byte, sign or operation.
import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';

const ITEMS = 45;

const SUMS = [
  'for (int j = 0; j < 8; j++) s += abs(a[8 * i + j] - b[8 * i + j]);',
  'for (int j = 0; j < 8; j++) { int d = a[8 * i + j] - b[j]; s += d * d; }',
  'for (int j = 0; j < 16; j++) s += a[16 * i + j] + 3 * b[i];',
  'for (int k = 0; k < n; k++) { uchar4 p = vload4(i + k, a), q = vload4(i, b); s += abs(p.x - q.x) + abs(p.y - q.y) - k + abs(p.z - q.z) + abs(p.w - q.w); }',
  'uchar4 p = vload4(i, a), q = vload4(i, b); s = abs(p.x - q.x) + abs(p.y - q.y) + abs(p.z - q.z) + abs(p.w - q.w) - p.x + 7;',
  'uchar4 p = vload4(i, a), q = vload4(i, b); s = p.x + p.y + p.z + p.w - (q.x + q.y + q.z + q.w);',
  'uchar4 p = vload4(i, a), q = vload4(i, b); s = abs(p.x - q.y) + abs(p.y - q.x) + abs(p.z - q.z) + abs(p.w - q.w);',
  'uchar4 p = vload4(i, a), q = vload4(i, b); int x = p.x - q.x, y = p.y - q.y, w = p.w - q.w; s = x * x + y * y + w * w;',
  'uchar4 p = vload4(i, a), q = vload4(i, b); s = (p.y + p.z + p.w) / 3 + abs(p.x - q.x) + abs(q.w - p.w);',
  'uchar4 p = vload4(i, a); s = p.x + p.y + p.z + p.x + p.w + p.w + p.y + p.z;',
  'char4 p = vload4(i, (global const char *)a), q = vload4(i, (global const char *)b); s = abs(p.x - q.x) + abs(p.y - q.y) + abs(p.z - q.z) + abs(p.w - q.w);',
  'uint v = ((global const uint *)a)[i], w = ((global const uint *)b)[i]; s = (v & 255) + (v >> 8 & 255) + (v >> 16 & 255) + (v >> 24) + (w & 255) * (w & 255);',
  'uint v = ((global const uint *)a)[i] * 77; s = (v & 255) + (v >> 8 & 255) + (v >> 16 & 127) + (v >> 24);',
  'uint v = ((global const uint *)a)[i], w = ((global const uint *)b)[i]; s = popcount(v) + popcount(w) + abs(a[i] - b[i]) + popcount(v ^ w) - popcount(v & w);',
  'uint v = ((global const uint *)a)[i]; for (int k = 0; k < 40; k += 2) s += popcount(v | k) + popcount(v - k);',
];

foreign('sums of bytes', () => {
  test.each(SUMS)('%s', (sum) => {
    checkTiles(
      `__kernel void k(__global const uchar *restrict a, __global const uchar *restrict b, __global int *restrict out, __global ushort *restrict shorts, int n) {
         int i = get_global_id(0); int s = 0; ${sum} out[i] = s;
         { ushort s = 5; ${sum} shorts[i] = s; }
       }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [
          {
            buffer: new Uint8Array(
              ints(4 * ITEMS + 16, (i) => (i % 5 === 0 ? -(i & 1) : noise(i) * 2 ** 32)).buffer,
            ),
          },
          {
            buffer: new Uint8Array(
              ints(4 * ITEMS + 16, (i) => (i % 7 === 0 ? 0 : noise(i + 999) * 2 ** 32)).buffer,
            ),
          },
          { buffer: new Uint8Array(4 * ITEMS) },
          { buffer: new Uint8Array(2 * ITEMS + 2) },
          { value: new Uint8Array(Int32Array.of(3).buffer) },
        ],
      },
    );
  });
});
