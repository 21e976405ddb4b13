// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { dominatorsOf } from '../../../ir/cfg';
import { verify } from '../../../ir/verify';
import { reduceElements } from './reduce-elements';

function reduces(body: string): boolean {
  const text = `kernel void k(global const int *restrict a, global const float *restrict f, global int *out, int n) {
    int y = get_global_id(0), s = 0; ${body} out[y] = s; }`;
  const func = preparedKernel(text);
  const changed = reduceElements(func);
  verify(func, 'reduceElements');
  return changed;
}

test('sums, extremes, bits and counts of elements', () => {
  expect(reduces('for (int k = 0; k < n; k++) s += a[y * n + k];')).toBe(true);
  expect(reduces('for (int k = 0; k < n; k++) s -= a[y * n + k] * a[k];')).toBe(true);
  expect(reduces('for (int k = 0; k < n; k++) s = max(s, a[y * n + k]);')).toBe(true);
  expect(reduces('for (int k = 0; k < n; k++) s ^= a[y * n + k];')).toBe(true);
  expect(reduces('for (int k = 0; k < n; k++) s += f[y * n + k] > 0.5f;')).toBe(true);
  expect(reduces('for (int k = 0; k < n; k++) if (f[y * n + k] > 0.5f) s += 3;')).toBe(true);
  expect(reduces('for (int k = 0; k < n; k++) if (a[y * n + k] > 5) s += a[y * n + k];')).toBe(true);
  expect(reduces('long t = 0; for (int k = 0; k < n; k++) t += a[y * n + k]; s = t >> 7;')).toBe(true);
});

test('not what depends on the order, or on more than elements', () => {
  expect(reduces('float t = 0; for (int k = 0; k < n; k++) t += f[y * n + k]; s = t;')).toBe(false);
  expect(reduces('for (int k = 0; k < n; k++) s = s * 3 + a[y * n + k];')).toBe(false);
  expect(reduces('for (int k = 0; k < n; k++) s = max(s + 1, a[y * n + k]);')).toBe(false);
  expect(reduces('for (int k = 0; k < n; k++) s += a[y * n + k] * k;')).toBe(false);
  expect(reduces('for (int k = 0; k < n; k++) s += a[y + k * n];')).toBe(false);
  expect(reduces('for (int k = 0; k < n; k++) { s += a[y * n + k]; out[k] = s; }')).toBe(false);
  expect(reduces('for (int k = 0; k < n; k++) s += a[y * n + k] / n;')).toBe(false);
  expect(
    reduces('int m = 0; for (int k = 0; k < n; k++) if (a[y * n + k] > m) { m = a[y * n + k]; s = k; }'),
  ).toBe(false);
});

test('not rows that are known to be shorter than a step', () => {
  expect(reduces('for (int k = 0; k < 16; k++) s += a[y * 16 + k];')).toBe(true);
  expect(reduces('for (int k = 0; k < 15; k++) s += a[y * 15 + k];')).toBe(false);
  expect(reduces('for (int k = 9; k < 24; k++) s += a[y * 24 + k];')).toBe(false);
  expect(reduces('for (int k = n; k < 15; k++) s += a[y * 15 + k];')).toBe(true);
});

test('a bit for each element', () => {
  const row = '__global const int *e = a + y * 32;';
  const masks = (statement: string, start = 'uint m = 0;') =>
    reduces(`${row} ${start} for (int k = 0; k < 32; k++) { ${statement} } s = m;`);
  expect(masks('m |= (uint)(e[k] == 7) << k;')).toBe(true);
  expect(masks('m += (uint)(e[k] == 7) << k;')).toBe(true);
  expect(masks('if (e[k] == 7) m |= 1u << (31 - k);')).toBe(true);
  expect(masks('m |= e[k] > 7 ? 0x80000000u >> k : 0;')).toBe(true);
  expect(masks('m = m << 1 | (e[k] < n);')).toBe(true);
  expect(masks('m = m >> 1 | (uint)(e[k] & 1) << 31;')).toBe(true);
  expect(masks('m |= (uint)(e[k] >> 31 & 1) << (k ^ 31);')).toBe(true);
  expect(masks('if (e[k] < n) m |= b; b <<= 1;', 'uint m = 0, b = 1;')).toBe(true);
  expect(masks('if (e[k] < n) m |= b; b += b;', 'ulong m = 0, b = 1;')).toBe(true);
  // Bits at one place, two places further each time, of more than one bit, of a number that is not one bit, and not moved.
  expect(masks('m |= (uint)(e[k] == 7) << n;')).toBe(false);
  expect(masks('m |= (uint)(e[k] == 7) << 2 * k;')).toBe(false);
  expect(masks('m |= (uint)(e[k] & 3) << k;')).toBe(false);
  expect(masks('if (e[k] < n) m |= b; b <<= 1;', 'uint m = 0, b = 3;')).toBe(false);
  expect(masks('if (e[k] < n) m |= b; b <<= 1;', 'uint m = 0, b = n;')).toBe(false);
  expect(masks('m = m << 2 | (e[k] < n);')).toBe(false);
  expect(masks('m = m >> 1 | (e[k] < n);')).toBe(false);
});

test('a loop of a few steps is replaced', () => {
  const loops = (length: number) => {
    const func = preparedKernel(`kernel void k(global const uchar *restrict a, global ulong *out) {
      int y = get_global_id(0); ulong m = 0; for (int k = 0; k < ${length}; k++) m |= (ulong)(a[y * 64 + k] == 3) << k; out[y] = m; }`);
    expect(reduceElements(func)).toBe(true);
    verify(func, 'reduceElements');
    return dominatorsOf(func).loops.length;
  };
  expect(loops(64)).toBe(0);
  expect(loops(48)).toBe(0);
  expect(loops(50)).toBe(3);
});

const [ITEMS, LENGTH] = [10, 150];
const TYPES = [
  ['int', Int32Array],
  ['uint', Uint32Array],
  ['short', Int16Array],
  ['ushort', Uint16Array],
  ['uchar', Uint8Array],
  ['char', Int8Array],
  ['float', Float32Array],
  ['double', Float64Array],
] as const;

foreign('reductions', () => {
  const values = (length: number, of: (i: number) => number) => Array.from({ length }, (_, i) => of(i));
  const random = (i: number) => Math.floor((noise(i + 3) - 0.4) * 70_000);
  const run = (type: string, Elements: (typeof TYPES)[number][1], body: string, n: number) =>
    checkTiles(
      `__kernel void k(__global const ${type} *v, __global const ${type} *w, __global int *out, int n) {
         int y = get_global_id(0); __global const ${type} *e = v + y * ${LENGTH};
         int s = y; long t = y; ${type} x = v[y]; short h = 0; uint u = n; ulong c = 3;
         ${body}
         out[y] = s + (int)t + (int)(t >> 32) * 3 + (int)x + h + (int)u + (int)c + (int)(c >> 32); }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [
          { buffer: Elements.from(values(ITEMS * LENGTH + 64, random)) },
          { buffer: Elements.from(values(LENGTH + 64, (i) => random(i + 999))) },
          { buffer: ints(ITEMS, () => 0) },
          { value: new Int32Array([n]) },
        ],
      },
      undefined,
      [0],
    );

  test.each(TYPES)('of type %s', (type, Elements) => {
    const isFloat = type === 'float' || type === 'double';
    const loop = (statement: string) => `for (int k = 0; k < n; k++) { ${statement} }`;
    const bodies = [
      loop('s += e[k] > w[k];'),
      loop('if (e[k] != e[k + 1]) s += 7;'),
      loop('if (!(e[k] > 5 && e[k] < 900)) s -= 3;'),
      ...(isFloat
        ? [loop('s += (e[k] > 0) != (w[k] > 0);')]
        : [
            loop('s += e[k];'),
            loop('s -= e[k] * w[k];'),
            loop('t += e[k];'),
            loop('t += e[k] * e[k];'),
            loop('x = max(x, e[k]);'),
            loop('x = min(x, e[k]); s = max(s, (int)e[k + 1]);'),
            loop('s = max(s, (int)abs(e[k]));'),
            loop('h += e[k];'),
            loop('u ^= e[k] >> 3; s |= e[k] & 0x1010;'),
            loop('if (e[k] > 100) s += e[k];'),
            loop('s += popcount(e[k]); s += popcount((uint)e[k] ^ (uint)w[k]);'),
            loop('c += (uint)e[k];'),
            loop('s += e[k] == 3 ? w[k] : 0;'),
            // A number of the work-item's own, and one of 16 bits.
            loop('s += e[k] * y;'),
            loop('if (e[k] > y) t |= e[k] + y;'),
            loop('h += (short)e[k] * 77;'),
          ]),
    ];
    run(type, Elements, bodies.join(' '), 143);
  });

  test.each(TYPES)('bits of type %s', (type, Elements) => {
    const bodies = Object.entries({ uint: 31, ulong: 63 }).flatMap(([of, highest]) =>
      [
        `m |= (${of})(e[k] > 5) << k;`,
        `m += (${of})(e[k] > w[k]) << (k + 3);`,
        `if (e[k] < w[k]) m ^= (${of})1 << (${highest} - k);`,
        'm = (m << 1) | (e[k] != e[k + 1]);',
        `m = m >> 1 | (e[k] > 9 ? (${of})1 << ${highest} : 0);`,
        'if (e[k] > 9) m |= b; b <<= 1;',
      ].map((body) => `{ ${of} m = y, b = 1; for (int k = 0; k < 48; k++) { ${body} } c = c * 7 + m; }`),
    );
    run(type, Elements, bodies.join(' '), 143);
    run(
      type,
      Elements,
      `uint m = 3; for (int k = 5; k < n; k++) m ^= (uint)(e[k] > 5) << (k & 31); u = m;`,
      143,
    );
  });

  test.each([-3, 0, 1, 16, 17, 64, 65, 80, 129, 144])('of %i elements', (n) => {
    run(
      'int',
      Int32Array,
      `for (int k = 0; k < n; k++) s += e[k];
       int k = 1; while (k < n) { t += e[k]; k++; } h = k;
       for (uint j = 0; j != (uint)max(n, 0); j++) u = min(u, (uint)e[j]);`,
      n,
    );
  });
});
