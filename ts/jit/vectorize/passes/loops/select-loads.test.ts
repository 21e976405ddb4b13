// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { verify } from '../../../ir/verify';
import { selectLoads } from './select-loads';

function selects(body: string): boolean {
  const text = `kernel void k(global const int *restrict a, global const int *restrict b, global int *out, int n) {
    int x = get_global_id(0), s = 0; ${body} out[x] = s; }`;
  const func = preparedKernel(text);
  const changed = selectLoads(func);
  verify(func, 'selectLoads');
  return changed;
}

const loop = (body: string) => selects(`for (int e = a[x]; e < a[x + 1]; e++) { ${body} }`);

test('loads under conditions on what was loaded', () => {
  expect(loop('if (a[e] > 0) s += b[e];')).toBe(true);
  expect(loop('if (a[e] & 3) s += 7; else s ^= b[e];')).toBe(true);
  expect(loop('int d = b[a[e]]; if (d != 0x7fffffff) s = min(s, d + b[e + n]);')).toBe(true);
});

test('not under others, outside of loops, of more bytes than were read, volatile ones, or beside effects', () => {
  expect(loop('if (e & 1) s += b[e];')).toBe(false);
  expect(selects('if (a[x] > 0) s += b[x];')).toBe(false);
  expect(loop('if (((global const char *)a)[e] > 0) s += b[e];')).toBe(false);
  expect(loop('if (a[e] > 0) s += ((global const volatile int *)b)[e];')).toBe(false);
  expect(loop('if (a[e] > 0) out[e] = b[e];')).toBe(false);
});

foreign('both sides', () => {
  const ITEMS = 20;
  const run = (body: string) =>
    checkTiles(
      `__kernel void k(__global const int *a, __global const int *b, __global int *out, int n) {
         int x = get_global_id(0), s = 0; for (int e = x; e < x + n + (x & 3); e++) { ${body} } out[x] = s; }`,
      'k',
      {
        global: [ITEMS],
        local: [10],
        args: [
          { buffer: ints(64, (i) => ((i * 29) % 11) - 5) },
          { buffer: ints(64, (i) => i * 1000 + 7) },
          { buffer: ints(ITEMS, () => 0) },
          { value: new Int32Array([9]) },
        ],
      },
      undefined,
      [0],
    );

  test('conditions that hold or do not', () => {
    run('if (a[e] > 0) s += b[e];');
    run('if (a[e] > 0) s += 3; else s ^= b[e + 1];');
    run('int d = a[e]; if (d == 4 || d == -2) s = s * 3 + b[d + 5];');
    run('if (a[e] < 0) s += ((__global const short *)b)[e + 2] + a[e + 1];');
  });

  test('places that could not be read', () => {
    run('int at = a[e]; if (at >= 0) s += b[at + 2]; else s--;');
    run('int at = a[e] > 0 ? e : 0x30000000; if (a[e] > 0) s += b[at];');
  });
});
