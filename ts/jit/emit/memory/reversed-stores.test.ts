// SPDX-License-Identifier: MIT
//
// Neighbouring lanes that access memory backwards, or every second element, at every tile.

import { checkTiles, foreign, ints } from '../../../../tests/helpers/every-tile';

const ITEMS = 96;

foreign('elements in reverse and every second one', () => {
  test.each([
    ['int', 'out[n - 1 - i] = in[i];'],
    ['int', 'out[i] = in[n - 1 - i] - in[n + 3 - i];'],
    ['int', 'out[i] = in[2 * i] * 3 + in[2 * i + 1];'],
    ['int', 'if (in[i] & 1) out[n - 1 - i] = in[2 * i]; else out[n - 1 - i] = in[n - 1 - i];'],
    ['int', 'out[n - 1 - i] = i;'],
    ['long', 'out[n - 1 - i] = in[i] + 1;'],
    ['long', 'out[i] = in[n - 1 - i] ^ in[2 * i];'],
    ['short', 'out[n - 1 - i] = in[i]; out[n + i] = in[n - 1 - i];'],
    ['short', 'out[n - 1 - i] = in[i] * 3; if (in[i] & 1) out[2 * n - 1 - i] = in[i];'],
    ['uchar', 'out[n - 1 - i] = in[i] + 1; if (in[i] & 1) out[2 * n - 1 - i] = in[i];'],
    ['uchar', 'out[n - 1 - i] = in[2 * i]; out[n + i] = in[n - 1 - i];'],
    [
      'uchar',
      'out[i] = (in[i] + in[n - 1 - i] + 1) >> 1; if (in[i] & 1) out[n + i] = in[n + 5 - i] ^ in[i];',
    ],
    ['uchar', 'out[i] = in[n - 1 - i] / 3; out[n + i] = in[i / 2] > in[n - 1 - i] ? in[n - 1 - i] : i;'],
    ['short', 'out[i] = (in[n - 1 - i] * in[i]) >> 4; if (in[n - 1 - i] > 9) out[n + i] = in[n + 1 - i];'],
    ['ushort', 'out[n - 1 - i] = in[n - 1 - i] + in[i]; out[n + i] = (float)in[n - 1 - i] * 0.5f;'],
  ])('%s: %s', (type, body) => {
    const source = `__kernel void k(__global const ${type} *in, __global ${type} *out, int n) { int i = get_global_id(0); ${body} }`;
    checkTiles(source, 'k', {
      global: [ITEMS],
      local: [ITEMS],
      args: [
        { buffer: ints(ITEMS * 4, (i) => Math.imul(i, 0x9e3779b1)) },
        { buffer: ints(ITEMS * 4, () => 0) },
        { value: new Uint8Array(Int32Array.of(ITEMS).buffer) },
      ],
    });
  });
});
