// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { verify } from '../../../ir/verify';
import { skipElements } from './skip-elements';

function skips(body: string): boolean {
  const text = `kernel void k(global const uchar *restrict a, global const uchar *restrict b, global int *out, int n) {
    int y = get_global_id(0), k = 0; ${body} out[y] = k; }`;
  const func = preparedKernel(text);
  const changed = skipElements(func);
  verify(func, 'skipElements');
  return changed;
}

test('searches for a byte', () => {
  expect(skips('while (k < n && a[y * n + k] == b[y * n + k]) k++;')).toBe(true);
  expect(skips('for (; k < n; k++) if (a[y * n + k] != b[k]) break;')).toBe(true);
  expect(skips('while (a[y * n + k]) k++;')).toBe(true);
  expect(skips("while (k < n && a[y * n + k] >= '0' && a[y * n + k] <= '9') k++;")).toBe(true);
});

test('not what does something else, or steps otherwise', () => {
  expect(skips('while (k < n && a[k] == b[k]) { k++; out[k] = 1; }')).toBe(false);
  expect(skips('while (k < n && a[k] == b[k]) k += 2;')).toBe(false);
  expect(skips('while (k < n && a[k] == b[k]) k += a[k];')).toBe(false);
  expect(skips('while (k < n && a[k] == b[n - k]) k++;')).toBe(false);
  expect(skips('while (k < n) k++;')).toBe(false);
});

test('elements of other types, and other conditions', () => {
  const words = (condition: string) =>
    skips(`global const int *p = (global const int *)a + y * 64; while (k < n && ${condition}) k++;`);
  expect(words('p[k] != 77')).toBe(true);
  expect(words('p[k] != n && p[k] > -5')).toBe(true);
  expect(words('p[k] <= p[k + 1]')).toBe(true);
  expect(words('(p[k] & 3) + 1 < n')).toBe(true);
  expect(words('fabs(((global const float *)p)[k]) < 2.0f')).toBe(true);
  expect(words('((global const double *)p)[k] < 2.0')).toBe(true);
  expect(words('p[k] / n != 3')).toBe(false);
  expect(words('p[k * n] != 3')).toBe(false);
});

foreign('strings', () => {
  const [ITEMS, LENGTH] = [24, 40];
  const bytes = (seed: number) =>
    Uint8Array.from({ length: ITEMS * LENGTH + 64 }, (_, i) =>
      i % LENGTH === Math.floor(noise(Math.floor(i / LENGTH) + seed) * (LENGTH + 6)) ? 0 : 100 + (i % 5),
    );
  const run = (body: string, n = LENGTH) =>
    checkTiles(
      `__kernel void k(__global const uchar *a, __global const uchar *b, __global int *out, int n) {
         int y = get_global_id(0), k = 0; ${body} out[y] = k; }`,
      'k',
      {
        global: [ITEMS],
        local: [12],
        args: [
          { buffer: bytes(1) },
          { buffer: bytes(50) },
          { buffer: ints(ITEMS, () => 0) },
          { value: new Int32Array([n]) },
        ],
      },
      undefined,
      [2],
    );

  test.each([0, 7, 8, 9, 16, LENGTH])('up to %i bytes', (n) => {
    run('while (k < n && a[y * 40 + k] == b[y * 40 + k]) k++;', n);
    run('for (; k < n; k++) if (a[y * 40 + k] < 100) break; k += a[y * 40 + k];', n);
  });

  test('without a limit', () => {
    run('while (a[y * n + k] > 0) k++;');
    run('uint at = y * n; for (; a[at] != 0 && b[at] != 0; at++) k += 3; k ^= at;');
  });

  test('limits at the ends of the numbers', () => {
    run('for (k = 0x7ffffff0; k < 0x7fffffff; k++) if (a[k - 0x7ffffff0 + y] == 0) break;');
    run('uint u = n; while (u < 0xfffffff8u && a[u - n + y]) u++; k = u;', -30);
    run('for (k = n; k < 3; k++) if (a[(k - n) & 63] == 0) break;', 9);
  });
});

foreign('elements', () => {
  const [ITEMS, LENGTH] = [12, 40];
  const values = (make: (i: number) => number) =>
    Array.from({ length: ITEMS * LENGTH + 64 }, (_, i) => make(i));
  const random = (i: number) => Math.floor(noise(i + 3) * 24) - 3;
  test.each([
    ['int', Int32Array],
    ['uint', Uint32Array],
    ['short', Int16Array],
    ['uchar', Uint8Array],
    ['float', Float32Array],
    ['double', Float64Array],
  ] as const)('of type %s', (type, Elements) => {
    for (const condition of [
      'e != 7',
      'e <= v[y * 40 + k + 1] + 9',
      '!(e > 18 || e == 2)',
      '(int)e * 2 + n < 60',
    ])
      checkTiles(
        `__kernel void k(__global const ${type} *v, __global int *out, int n) {
           int y = get_global_id(0), k = 0;
           for (; k < n; k++) { ${type} e = v[y * 40 + k]; if (!(${condition})) break; }
           out[y] = k; }`,
        'k',
        {
          global: [ITEMS],
          local: [ITEMS],
          args: [
            { buffer: Elements.from(values(random)) },
            { buffer: ints(ITEMS, () => 0) },
            { value: new Int32Array([LENGTH]) },
          ],
        },
        undefined,
        [2],
      );
  });

  test('memory that an earlier condition guards is not read', () => {
    checkTiles(
      `__kernel void k(__global const int *a, __global int *out, int n) {
         int y = get_global_id(0), k = 0;
         __global const int *far = a + 0x0fffffff;
         while (k < n && a[y * 40 + k] > 100 && far[k] != a[y * 40 + k]) k++;
         out[y] = k; }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [
          { buffer: ints(ITEMS * LENGTH, (i) => i % 50) },
          { buffer: ints(ITEMS, () => 5) },
          { value: new Int32Array([LENGTH]) },
        ],
      },
      undefined,
      [2],
    );
  });
});
