// SPDX-License-Identifier: MIT

import { preparedKernel } from '../../../tests/helpers/optimized-kernel';
import { Divergence } from '../analyses/divergence';
import { multipliesManyElements, takesManyElements } from './many-elements';

function isLeftToOneLane(statement: string): boolean {
  const func =
    preparedKernel(`kernel void k(global const uchar *restrict a, global const short *restrict b, global int *out, int n) {
    int y = get_global_id(0), s = 0; for (int j = 0; j < n; j++) { ${statement} } out[y] = s; }`);
  const divergence = new Divergence(func);
  const [loop] = divergence.flow.allLoops;
  return multipliesManyElements(func, loop!, divergence);
}

test('sums of products are, other sums of bytes are packed', () => {
  expect(isLeftToOneLane('s += a[y * n + j] * a[j];')).toBe(true);
  expect(isLeftToOneLane('s += b[y * n + j] * b[j];')).toBe(true);
  expect(isLeftToOneLane('s += a[y * n + j];')).toBe(false);
  expect(isLeftToOneLane('s += a[y * n + j] == 3;')).toBe(false);
  // What all work-items read.
  expect(isLeftToOneLane('s += a[j] * a[j];')).toBe(false);
});

test('searches in other loops do, unless neighbours look at neighbouring elements', () => {
  const takesInner = (search: string) => {
    const func =
      preparedKernel(`kernel void k(global const uchar *restrict a, global const uchar *restrict b, global int *out, int n) {
        int y = get_global_id(0), s = 0;
        for (int j = y * n; j < y * n + n; j++) { int m = 0; while (m < n && ${search}) m++; s += m; } out[y] = s; }`);
    const divergence = new Divergence(func);
    const loop = divergence.flow.allLoops.find(({ parent }) => parent)!;
    return takesManyElements(func, loop, divergence);
  };
  expect(takesInner('a[j + m] == b[m]')).toBe(true);
  expect(takesInner('a[j + m] == b[y * n + m]')).toBe(true);
  expect(takesInner('a[j + m] == b[y + m]')).toBe(false);
  expect(takesInner('b[m] == 7')).toBe(false);
});
