// SPDX-License-Identifier: MIT
import { preparedKernel } from '../../../tests/helpers/optimized-kernel';
import { Analyses } from '../analyses/analyses';
import { DIVERGENCE } from '../analyses/divergence';
import { privateCounters } from './private-counters';

/** How many accesses of a loop that has an array of 64 elements are to such elements. */
function found(statement: string): number {
  const func = preparedKernel(`kernel void k(global const uchar *a, global uint *c, int n) {
    const int x = get_global_id(0);
    uint h[64], j = 0;
    for (int i = 0; i < 64; i++) h[i] = c[i];
    for (int i = 0; i < n; i++) { uint v = a[x * n + i] & 63; ${statement} }
    for (int i = 0; i < 64; i++) c[x * 64 + i] = h[i] + j;
  }`);
  return privateCounters(func, new Analyses(func).get(DIVERGENCE)).size;
}

test('elements that each work-item chooses, reads and writes', () => {
  expect(found('h[v]++;')).toBe(2);
  expect(found('h[v] = min(h[v], (uint)i);')).toBe(2);
  expect(found('if (v > 9) { j = h[v]; h[v] = i; }')).toBe(2);
});

test('not those that are read or written only, or that all work-items choose alike', () => {
  expect(found('h[i & 63] += h[v];')).toBe(0);
  expect(found('h[v] = i;')).toBe(0);
  expect(found('j += h[v];')).toBe(0);
  expect(found('h[i & 63] += v;')).toBe(0);
});

test('not those that follow from an element of the iteration before', () => {
  // The other two are to h[v], and v is from memory of another kind.
  expect(found('j = (j + h[v] + i) & 63; uint t = h[j]; h[j] = h[v]; h[v] = t;')).toBe(2);
  expect(found('j = (j + h[j] + v) & 63; h[j]++;')).toBe(0);
});
