// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { onBytes } from '../../../ir/bytes';
import { type Func, Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { simplify } from '../../../passes/simplify';
import { packByteLoops } from './pack-byte-loops';
import { shapeByteLoops } from './shape-byte-loops';

/** What the packed loop does to bytes, sorted; undefined if the loop is not packed. */
function operations(
  body: string,
  start = 'int s = 0;',
  prepare: (func: Func) => void = () => {},
): string[] | undefined {
  const text = `kernel void k(global const uchar *restrict a, global const char *restrict c, global int *out, int w, int n) {
    int y = get_global_id(0); ${start} ${body} out[y] = s; }`;
  const func = preparedKernel(text);
  prepare(func);
  if (!packByteLoops(func, new Divergence(func))) return undefined;
  verify(func, 'packByteLoops');
  const used = func.blocks.flatMap(({ insts }) =>
    insts.flatMap((i) => (i.op === Op.Bytes ? [i.facts.bytes!] : [])),
  );
  return [...new Set(used)].sort();
}

/** The same after loops have been given the form that this pass takes. */
function shaped(body: string, start?: string): string[] | undefined {
  return operations(body, start, (func) => {
    shapeByteLoops(func, new Divergence(func));
    verify(func, 'shapeByteLoops');
    simplify(func);
  });
}

const each = 'for (int x = 0; x < w; x++)';

test('sums, counts, products, extremes and logic', () => {
  expect(operations(`${each} s += a[y * w + x];`)).toEqual(['uhalves', 'upairs']);
  expect(operations(`${each} s += c[y * w + x];`)).toEqual(['ssum']);
  expect(operations(`${each} if (a[y * w + x] == n) s++;`)).toEqual(['add', 'eq', 'ssum']);
  expect(operations(`${each} if (a[y * w + x] == (uchar)n) s++;`)).toEqual(['add', 'eq', 'ssum']);
  expect(operations(`${each} s += a[y * w + x] >= 'a' && a[y * w + x] <= 'z';`)).toEqual([
    'add',
    'ssum',
    'ult',
  ]);
  expect(operations(`${each} s += a[y * w + x] * a[x];`)).toEqual(['udot']);
  expect(operations(`${each} s = max(s, (int)a[y * w + x]);`)).toEqual(['umax']);
  expect(operations(`${each} s ^= c[y * w + x];`)).toEqual([]);
  expect(operations(`${each} s += abs(a[y * w + x] - a[x + y * n]);`)).toEqual([
    'sub',
    'uhalves',
    'umax',
    'umin',
    'upairs',
  ]);
});

test('states of the iteration before: a byte, a truth value, what either was before', () => {
  const at = 'a[y * w + x]';
  const starts = `${each} { int is = ${at} > ' '; s += is && !was; was = is; }`;
  expect(shaped(starts, 'int s = 0, was = 0;')).toEqual(['add', 'ssum', 'ult']);
  expect(shaped(`${each} { s += ${at} != was; was = ${at}; }`, 'int s = 0; uchar was = n;')).toEqual([
    'add',
    'eq',
    'ssum',
  ]);
  expect(shaped(`${each} { s += abs_diff(${at}, was); was = ${at}; }`, 'int s = 0; uchar was = n;')).toEqual([
    'sub',
    'uhalves',
    'umax',
    'umin',
    'upairs',
  ]);
  expect(shaped(`${each} { s += ${at} == q; q = p; p = ${at}; }`, 'int s = 0; uchar p = 0, q = 0;')).toEqual([
    'add',
    'eq',
    'ssum',
  ]);
  // Hashes depend on all that came before.
  expect(shaped(`${each} { h = h * 31 + ${at}; s += h; }`, 'int s = 0; uchar h = 0;')).toBeUndefined();
  expect(
    shaped(`${each} { s += h > 9; h = h + ${at} > 99 ? h : 3; }`, 'int s = 0; uchar h = 0;'),
  ).toBeUndefined();
});

test('two limits', () => {
  expect(shaped('for (int x = 0; x < w && x < n; x++) s += a[y * 77 + x];')).toEqual(['uhalves', 'upairs']);
  expect(shaped('for (int x = 0; x < w && x < a[x]; x++) s += a[y * 77 + x];')).toBeUndefined();
});

test('sums under conditions, and of numbers that do not change in the loop', () => {
  const sum = ['uhalves', 'ult', 'upairs'];
  expect(operations(`${each} if (a[y * w + x] < 9) s += a[y * w + x];`)).toEqual(sum);
  expect(operations(`${each} if (a[y * w + x] < n) s += a[y * w + x]; else s -= n;`)).toEqual(
    ['add', 'ssum', ...sum].sort(),
  );
  expect(operations(`${each} { int p = a[y * w + x] * a[x]; if (c[y * w + x] < 9) s += p; }`)).toEqual([
    'slt',
    'udot',
  ]);
  expect(operations(`${each} s += n * w;`)).toBeUndefined();
  expect(operations(`${each} s += a[y * w + x] + n * w;`)).toEqual(['uhalves', 'upairs']);
  expect(operations(`${each} if (a[y * w + x] < 9) s += a[y * w + x] * x;`)).toBeUndefined();
});

test('loops that each work-item leaves at a limit of its own', () => {
  const chunk = 'for (int x = y * w; x < min(n, y * w + w); x++)';
  expect(operations(`${chunk} s += a[x];`)).toEqual(['uhalves', 'upairs']);
});

test('not where iterations depend on each other, or neighbours read side by side', () => {
  expect(operations(`${each} s = s * 31 + a[y * w + x];`)).toBeUndefined();
  expect(operations(`${each} s += a[y * w + x] * x;`)).toBeUndefined();
  expect(operations(`${each} { s += a[y * w + x]; out[x + n] = s; }`)).toBeUndefined();
  expect(operations(`${each} s += a[x * n + y];`)).toBeUndefined();
  expect(operations(`${each} s += a[x];`)).toBeUndefined();
  expect(
    operations(`${each} s += a[y * w + x] + (((volatile global const int *)out)[n] & 0);`),
  ).toBeUndefined();
  expect(operations(`${each} s += a[(y * w + x) * 2];`)).toBeUndefined();
});

test('operations on four bytes', () => {
  expect(onBytes('eq', 0x01ff0300, 0x01ff0400)).toBe(0xffff00ff | 0);
  expect(onBytes('slt', 0x01ff80 | 0, 0x007f01)).toBe(0x0000ffff);
  expect(onBytes('ult', 0x01ff80, 0x027f01)).toBe(0x00ff0000);
  expect(onBytes('sub', 0x01000005, 0x02000007)).toBe(0xff0000fe | 0);
  expect(onBytes('upairs', 0xff010203 | 0, 0)).toBe((0x100 << 16) | 5);
  expect(onBytes('uhalves', (0x7fff << 16) | 0x7fff, 0)).toBe(0xfffe);
  expect(onBytes('ssum', 0xff80017f | 0, 0)).toBe(-1 - 128 + 1 + 127);
  expect(onBytes('udot', 0xffff0102 | 0, 0xffff0304 | 0)).toBe(2 * 255 * 255 + 3 + 8);
});

foreign('rows of bytes', () => {
  const ROWS = 16;
  const LONGEST = 70;
  const run = (body: string, width: number, count = width) =>
    checkTiles(
      `__kernel void k(__global const uchar *a, __global const char *c, __global long *out, int w, int n, uchar u) {
         int y = get_global_id(0); long s = 0; int t = 5, m = 0; uchar b = 3;
         ${body}
         out[y] = s * 31 + t * 7 + m * 3 + b;
       }`,
      'k',
      {
        global: [ROWS],
        local: [ROWS],
        args: [
          { buffer: Uint8Array.from({ length: ROWS * LONGEST + 64 }, (_, i) => noise(i) * 256) },
          { buffer: Int8Array.from({ length: ROWS * LONGEST + 64 }, (_, i) => noise(i + 9) * 256) },
          { buffer: ints(ROWS * 2, () => 0) },
          { value: new Int32Array([width]) },
          { value: new Int32Array([count]) },
          { value: new Uint8Array([77]) },
        ],
      },
      undefined,
      [2],
    );
  const row = 'for (int x = 0; x < w; x++)';

  test.each([0, 1, 15, 16, 17, 33, LONGEST])('%i bytes', (width) => {
    run(`${row} { s += a[y * w + x]; t += c[y * w + x]; m += a[y * w + x] > u; b += a[y * w + x]; }`, width);
    run(
      `${row} { t -= a[y * w + x] * c[x]; m += c[y * w + x] * c[x + 1]; s += a[x + 2] * a[y * w + x]; }`,
      width,
    );
    run(
      `${row} { t = max(t, (int)c[y * w + x]); b = min(b, a[y * w + x]); m |= a[y * w + x]; s += c[y * w + x] == ' ' ? 3 : -2; }`,
      width,
    );
  });

  test.each([9, 16, 40])('limits of each work-item: %i bytes', (width) => {
    run(
      'for (int x = y * w; x < min(n, y * w + w); x++) { t += a[x]; m += c[x] < 0; }',
      width,
      width * 9 + 5,
    );
    run('for (uint x = y * w; x != y * w + y + n; x++) { t += a[x]; b = max(b, a[x]); }', width, 21);
  });

  test('values of the last iteration, which are used afterwards', () => {
    run(`int last = 0; ${row} { last = x; t += a[y * w + x]; } m = last;`, 40);
    run(`int x = 0; do { t += a[y * w + x]; m += c[y * w + x] > 3; } while (++x < w); s = x;`, 0);
    run(`int x = 0; do { t += a[y * w + x]; m += c[y * w + x] > 3; } while (++x < w); s = x;`, 48);
  });

  test('arithmetic of bytes', () => {
    run(
      `${row} { uchar v = a[y * w + x]; t += (uchar)(v + u) >> 3; m += (uchar)(v - u) < 26 || v == 9; s += (v & 0x0f) > 7 ? (uchar)(v << 1) : u; }`,
      37,
    );
    run(
      `${row} { t += abs(a[y * w + x] - a[x]); m += abs(c[y * w + x] - c[x]); s += a[y * w + x] != a[x]; }`,
      37,
    );
  });

  test.each([1, 17, 37])('states: %i bytes', (width) => {
    run(
      `int in = 0; ${row} { int is = a[y * w + x] > 99; if (is && !in) t++; in = is; m -= in; } s = in;`,
      width,
    );
    run(
      `uchar p = u, q = b; ${row} { uchar v = a[y * w + x]; t += v > p; m += v == q || p < q; q = p; p = v; } s = p - q;`,
      width,
    );
    run(`char p = u; ${row} { char v = c[y * w + x]; t += abs(v - p); p = v; b = max(b, (uchar)v); }`, width);
    run(
      `bool on = true; ${row} { uchar v = a[y * w + x]; if (v > 128) { t += on; on = true; } else on = v < 70; } m = on;`,
      width,
    );
    run(
      `int p = 200; ${row} { int v = a[y * w + x]; if (v == p) t += 2; if (v > 40 && p < n) m++; p = v; }`,
      width,
      90,
    );
    run(
      `int in = 0; for (int x = 0; x < w && x < n; x++) { in = a[y * 70 + x] != a[x]; t += in; }`,
      width,
      30,
    );
  });

  test.each([7, 16, 37, 64])('sums under conditions: %i bytes', (width) => {
    run(
      `${row} { uchar v = a[y * w + x]; if (v >= 48 && v <= 157) t += v - 48; if (v > n * 9) m += v - n; if (v < u) b += v; }`,
      width,
      13,
    );
    run(
      `${row} { char v = c[y * w + x]; if (v > n) t += v * c[x]; else t -= v; if (v < 0 || n > 3) m += n * w - v; }`,
      width,
      5,
    );
    run(
      `${row} { uchar v = a[y * w + x]; t += v & 1 ? abs(v - a[x]) : n; m += v > 99 ? v : c[y * w + x]; if (v != u) s += v; }`,
      width,
      -70000,
    );
    run(
      `${row} { uchar v = a[y * w + x]; if (v > 20) { t += v; if (v > 200) t += 2 * n; } m -= v < 3 ? -5 : v > 250; if (w > 20) b += v; }`,
      width,
      2147483647,
    );
    run(
      `${row} { uchar v = a[y * w + x]; if (n / (w - 7) == v) t += 3; if (n > w) t += v; else m += v; s += v > n ? v : -4; }`,
      width,
      77,
    );
    run(
      `${row} { uchar v = a[y * w + x]; if (v < 90) t += v - 7; else if (v < 180) t += n - v; else if (v < 240) t -= 2 * v; }`,
      width,
      -3,
    );
    run(
      `${row} { uchar v = a[y * w + x]; s += v > n ? v - n : 0; m -= v > 9 ? (v < 90 ? v : u) : (v == 3 ? -2 : n); if (v > 4 && c[y * w + x] < 5) b += u; }`,
      width,
      131,
    );
  });

  test('limits at the ends of the numbers', () => {
    run('for (int x = w; x < 0x7fffffff; x++) t += a[x - w + y * 5];', 0x7fffffff - 20);
    run('for (int x = w; x < (int)0x80000013; x++) t += a[(x - w) + y];', -2147483648);
    run('for (uint x = w; x < 0xffffffffu; x++) t += a[x - w + y * 5];', -35);
  });
});
