// SPDX-License-Identifier: MIT

import { preparedKernel } from '../../../tests/helpers/optimized-kernel';
import { Divergence } from '../analyses/divergence';
import { multipliesManyElements } from './many-elements';

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
