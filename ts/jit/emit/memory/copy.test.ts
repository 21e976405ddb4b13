// SPDX-License-Identifier: MIT
import { checkTiles, foreign, ints, noise } from '../../../../tests/helpers/every-tile';

foreign('records that are copied as bytes', () => {
  test.each([1, 3, 13, 24, 31, 96, 97, 130])('of %i bytes', (bytes) => {
    const items = 19;
    const source = `typedef struct { uchar b[${bytes}]; } R;
      __kernel void k(__global const R *in, __global R *out) {
        uint i = get_global_id(0);
        if (in[i].b[0] & 1) out[i ^ 1] = in[i];
      }`;
    const data = new Uint8Array(ints(items * 40, (i) => Math.floor(noise(i) * 2 ** 31)).buffer);
    checkTiles(source, 'k', {
      global: [items],
      local: [items],
      args: [{ buffer: data }, { buffer: new Uint8Array((items + 1) * 132) }],
    });
  });
});
