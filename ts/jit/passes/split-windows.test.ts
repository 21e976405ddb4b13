// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints } from '../../../tests/helpers/every-tile';
import { optimizedKernel } from '../../../tests/helpers/optimized-kernel';
import { dominatorsOf } from '../ir/cfg';

/** Loops that are left of a kernel: a window that was split is short enough to be unrolled. */
function loopsOf(body: string): number {
  const text = `kernel void k(global const int *restrict a, global int *o, int w) {
    int x = get_global_id(0), s = 0; ${body} o[x] = s; }`;
  return dominatorsOf(optimizedKernel(text)).loops.length;
}

const sum = (from: string, test: string, step = 'u++') =>
  loopsOf(`for (int u = ${from}; ${test}; ${step}) s += a[u];`);

test('windows of a constant size', () => {
  expect(sum('max(x - 1, 0)', 'u <= min(x + 1, w - 1)')).toBe(0);
  expect(sum('max(0, x - 1)', 'u < min(w, x + 2)')).toBe(0);
  expect(sum('max(x - 1, 0)', 'min(x + 1, w - 1) >= u')).toBe(0);
  expect(sum('max(2 * x - 1, 0)', 'u <= min(2 * x + 1, w - 1)')).toBe(0);
  expect(sum('max(x + 1, 0)', 'u <= min(x + 3, w - 1)')).toBe(0);
});

test('not windows whose size is unknown, large or none, or that advance otherwise', () => {
  expect(sum('max(x - w, 0)', 'u <= min(x + w, w - 1)')).toBe(1);
  expect(sum('max(x - 8, 0)', 'u <= min(x + 8, w - 1)')).toBe(1);
  expect(sum('max(x + 3, 0)', 'u <= min(x - 3, w - 1)')).toBe(1);
  expect(sum('max(x - 1, 0)', 'u <= min(x + 1, w - 1)', 'u += 2')).toBe(1);
  expect(sum('max(x - 1, 0)', 'u <= x + 1')).toBe(1);
  expect(sum('max(a[x] - 1, 0)', 'u <= min(a[x] + 1, w - 1)')).toBe(1);
});

test('not loops that have effects, are left elsewhere, or whose counter is used later', () => {
  const loop = (body: string, before = 'int u') =>
    loopsOf(`${before}; for (u = max(x - 1, 0); u <= min(x + 1, w - 1); u++) { ${body} }`);
  expect(loop('s += a[u];')).toBe(0);
  expect(loop('atomic_inc(o + u);')).toBe(1);
  expect(loop('if (a[u] == 7) break; s++;')).toBe(1);
  expect(loopsOf('int u = max(x - 1, 0); for (; u <= min(x + 1, w - 1); u++) s += a[u]; s += u;')).toBe(1);
});

foreign('at the edges', () => {
  const run = (body: string, width: number, height = 3) =>
    checkTiles(
      `__kernel void k(__global const int *a, __global int *o, int w, int h) {
         int x = get_global_id(0), y = get_global_id(1), s = 0; ${body} o[y * w + x] = s; }`,
      'k',
      {
        global: [width, height],
        local: [width, height],
        args: [
          { buffer: ints(width * height, (i) => (i * 37) % 101) },
          { buffer: ints(width * height, () => 0) },
          { value: new Int32Array([width]) },
          { value: new Int32Array([height]) },
        ],
      },
      undefined,
      [0],
    );

  test.each([1, 2, 5, 24])('rows of %i', (width) => {
    run('for (int u = max(x - 2, 0); u < min(x + 2, w); u++) s = s * 31 + a[y * w + u];', width);
    run(
      `for (int v = max(y - 1, 0); v <= min(y + 1, h - 1); v++) for (int u = max(x - 1, 0); u <= min(x + 1, w - 1); u++) {
         if (a[v * w + u] & 1) continue; s = s * 7 + u; }`,
      width,
    );
    run('for (int u = max(x - 7, 0); u <= min(x + 8, w - 1); u++) s = s * 3 + a[y * w + u] + u;', width);
    run('for (int u = max(x + 1, 0); u <= min(x + 3, w - 1); u++) s = s * 5 + a[y * w + u];', width);
  });
});
