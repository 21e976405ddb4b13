// SPDX-License-Identifier: MIT
//
// Addresses that one region computes and another one uses: the other one does not have what they were computed from.
import { checkTiles, foreign, ints } from '../../../../tests/helpers/every-tile';

foreign('elements that are accessed before and after a barrier, at every tile', () => {
  test.each([
    ['max(x - 5, 0)'],
    ['min(x + 5, n - 1)'],
    ['clamp(x - 1, 3, n - 7)'],
    ['(x + 43) % 48'],
    ['(x + 43) % n'],
    ['(x + 9) & 15'],
  ])('%s', (index) => {
    const source = `__kernel void k(__global int *out, int n) {
        __local int values[48];
        int x = get_local_id(0), at = ${index};
        values[x] = x * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        int before = values[at];
        if (n > 3) out[x] = at;
        barrier(CLK_LOCAL_MEM_FENCE);
        values[x] = x * 5;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[48 + x] = before * 1000 + values[at];
      }`;
    checkTiles(source, 'k', {
      global: [48],
      local: [48],
      args: [{ buffer: ints(96, () => 0) }, { value: ints(1, () => 48) }],
    });
  });
});
