// SPDX-License-Identifier: MIT
//
// Pixels of three bytes at every tile size against the interpreter, bit by bit.
import { checkTiles, foreign, ints, noise } from '../../../../tests/helpers/every-tile';

foreign('pixels of three bytes', () => {
  const pixels = (body: string) =>
    checkTiles(
      `__kernel void k(__global const uchar *restrict in, __global uchar *restrict out, __global uchar *both, int n) {
         int i = get_global_id(0) + 16 * get_global_id(1);
         ${body}
       }`,
      'k',
      {
        global: [16, 8],
        local: [16, 8],
        args: [
          { buffer: ints(112, (i) => Math.floor(noise(i) * 2 ** 32) | 0) },
          { buffer: ints(112, (i) => i * 0x1010101) },
          { buffer: ints(112, (i) => Math.floor(noise(i + 500) * 2 ** 32) | 0) },
          { value: new Int32Array([77]) },
        ],
      },
    );

  test('read and written', () => {
    pixels('out[3 * i] = in[3 * i + 2]; out[3 * i + 1] = in[3 * i + 1]; out[3 * i + 2] = in[3 * i];');
    pixels('vstore3(vload3(i, in).zyx, i, out);');
    pixels('out[i] = (77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2] + 128) >> 8;');
    pixels('((__global char *)out)[i] = ((__global const char *)in)[3 * i + 1] / 3;');
    pixels('uchar3 p = vload3(i, in); vstore3(p + (uchar3)(i), i, out);');
    // The same in all lanes: packed in rows of four lanes too.
    pixels('vstore3((uchar3)(11, 12, n), i, out);');
  });

  test('after a guard', () => {
    pixels('if (i < n) vstore3(vload3(i, in) * (uchar)3, i, out);');
    pixels('if (in[3 * i + 1] & 1) vstore3(vload3(i, in), i, out);');
    pixels('for (int k = 0; k < (i & 3); k++) vstore3(vload3(i, in) + vload3(i + k, in), i, out);');
  });

  test('some components, further ones, and in another order', () => {
    pixels('out[3 * i + 2] = in[3 * i + 5]; out[3 * i + 1] = in[3 * i + 4];');
    pixels('out[3 * i + 2] = 1; out[3 * i] = in[3 * i + 40]; out[3 * i + 1] = i;');
    pixels('out[3 * i + 2] = in[3 * i + 2]; out[3 * i + 3] = 3; out[3 * i + 4] = in[3 * i];');
    pixels('out[3 * i] = 1; out[3 * i + 1] = 2; out[3 * i + 2] = 3; out[3 * i + 1] = in[i];');
  });

  test('in whole vectors', () => {
    const rows = (body: string) =>
      checkTiles(
        `__kernel void k(__global const uchar *restrict in, __global uchar *restrict out, __global ushort *restrict wide) {
           int i = get_global_id(0) + 1;
           ${body}
         }`,
        'k',
        {
          global: [75],
          local: [75],
          args: [
            { buffer: ints(64, (i) => Math.floor(noise(i) * 2 ** 32) | 0) },
            { buffer: ints(64, (i) => i * 0x1010101) },
            { buffer: ints(64, (i) => Math.floor(noise(i + 500) * 2 ** 32) | 0) },
          ],
        },
      );
    rows('out[3 * i] = in[3 * i + 2]; out[3 * i + 1] = in[3 * i + 1] ^ 85; out[3 * i + 2] = in[3 * i];');
    rows('out[i] = max(in[3 * i], max(in[3 * i + 1], in[3 * i + 2]));');
    rows('out[i] = in[3 * i] - in[3 * i + 2];');
    rows('out[i] = in[3 * i + 1] & in[3 * i + 2];');
    rows('out[i] = (in[3 * i - 1] & in[3 * i]) | in[3 * i + 1];');
    rows('out[i] = (in[3 * i - 3] + in[3 * i + 1] + in[3 * i - 3] + in[3 * i - 2]) >> 2;');
    rows('wide[i] = in[3 * i] >> 3 << 11 | in[3 * i + 1] >> 2 << 5 | in[3 * i + 2] >> 3;');
    rows('out[3 * i] = wide[i] >> 11; out[3 * i + 1] = wide[i] >> 5 & 63; out[3 * i + 2] = 7;');
    rows('wide[i] = ((__global const char *)in)[3 * i] - ((__global const char *)in)[3 * i + 1];');
    rows('if (in[3 * i] > 99) vstore3(vload3(i, in).zxy + (uchar3)(1, 2, 3), i, out);');
    rows(
      'for (int c = 0; c < 3; c++) out[3 * i + c] = (in[3 * i + c - 3] + 2 * in[3 * i + c] + in[3 * i + c + 3] + 2) >> 2;',
    );
  });

  test('in place', () => {
    pixels('uchar3 p = vload3(i, both); vstore3(p.yzx, i, both);');
    pixels(
      'both[3 * i] ^= both[3 * i + 1]; both[3 * i + 1] ^= both[3 * i + 2]; both[3 * i + 2] ^= both[3 * i];',
    );
  });
});
