// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../tests/helpers/optimized-kernel';
import { verify } from '../../ir/verify';
import { skipWords } from './skip-words';

function skips(body: string): boolean {
  const text = `kernel void k(global const uchar *restrict a, global const uchar *restrict b, global int *out, int n) {
    int y = get_global_id(0), k = 0; ${body} out[y] = k; }`;
  const func = preparedKernel(text);
  const changed = skipWords(func);
  verify(func, 'skipWords');
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
