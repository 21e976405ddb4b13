// SPDX-License-Identifier: MIT
import { optimizedKernel } from '../../../tests/helpers/optimized-kernel';
import { Divergence } from '../analyses/divergence';
import { chasesPointers, pointerChasingLoads } from './pointer-chasing';

function found(body: string): number {
  const text = `kernel void k(global const int *a, global const int *b, global int *out, int n) {
    int i = get_global_id(0), v = b[i]; ${body} }`;
  const func = optimizedKernel(text);
  return pointerChasingLoads(func, new Divergence(func)).size;
}

test('loads whose addresses follow from those of the turn before', () => {
  expect(found('while (v >= 0) v = a[v]; out[i] = v;')).toBe(1);
  expect(
    found(`int lo = 0, hi = n;
      while (lo < hi) { int m = (lo + hi) >> 1; if (a[m] < v) lo = m + 1; else hi = m; }
      out[i] = lo;`),
  ).toBe(1);
});

test('not those that follow from one of the same turn, or from a count', () => {
  expect(found('int s = 0; for (int k = v; k < b[i + 1]; k++) s += a[b[k]]; out[i] = s;')).toBe(0);
  expect(found('int s = 0; while (s < v) s += a[i++]; out[i] = s;')).toBe(0);
});

test('not where all work-items do the same iterations', () => {
  expect(found('for (int k = 0; k < 20; k++) v = a[v]; out[i] = v;')).toBe(0);
});

test('loops that wait for such loads, whether work-items leave them together or not', () => {
  const chases = (body: string) => {
    const func = optimizedKernel(`kernel void k(global const int *a, global int *out, int n) {
      int i = get_global_id(0), v = out[i]; ${body} out[i] = v; }`);
    return chasesPointers(func, new Divergence(func));
  };
  expect(chases('for (int k = 0; k < n; k++) v = a[v];')).toBe(true);
  expect(chases('while (v >= 0) v = a[v];')).toBe(true);
  expect(chases('for (int k = 0; k < n; k++) v += a[k];')).toBe(false);
  expect(chases('v = a[a[v]];')).toBe(false);
});
