// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Uses } from '../../../analyses/uses';
import { onBytes } from '../../../ir/bytes';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { joinNarrowAccesses } from '../memory/join-narrow';
import { pairProducts } from './pair-products';

const PARAMETERS = `global const short *a, global const uchar *b, global const short2 *c, global const uchar4 *d, global const ushort *u,
  global int *out, short s, int n`;

/** The number of pairs, and of products that are left. */
function counts(expression: string, lanes = 8): string {
  const func = preparedKernel(
    `kernel void k(${PARAMETERS}) { int i = get_global_id(0); out[i] = ${expression}; }`,
  );
  joinNarrowAccesses(func, new Divergence(func));
  pairProducts(func, new Divergence(func), new Uses(func), lanes);
  verify(func, 'pairProducts');
  const insts = func.blocks.flatMap((block) => block.insts);
  const pairs = insts.filter(({ facts }) => facts.bytes === 'hdot').length;
  return `${pairs} ${insts.filter(({ op }) => op === Op.Mul).length}`;
}

test('products of packed numbers', () => {
  expect(counts('a[i] * 300 + b[i] * 7')).toBe('1 0');
  expect(counts('a[i] * s - a[i + 1] * s')).toBe('0 2');
  expect(counts('a[i] * s + a[i + 1] * b[i] + a[i + 2] * s')).toBe('1 1');
  expect(counts('a[i] * 300 + (b[i] - 16) * 19077 + a[i + 2] * 9 + 77')).toBe('1 1');
  expect(counts('b[i] * 38470 - a[i + 1] * 3 - a[i] * 2000')).toBe('2 0');
  expect(counts('(a[i] << 15) + b[i] * 3 + b[i + 1] * 5')).toBe('2 0');
});

test('halves of words', () => {
  expect(counts('c[i].x + c[i].y')).toBe('1 0');
  expect(counts('c[i].x * 3 - c[i].y * 5', 4)).toBe('1 0');
  expect(counts('c[i].x * c[i + 9].y + c[i].y * c[i + 9].x', 4)).toBe('1 0');
  expect(counts('d[i].x * 19595 + d[i].y * 18000 + d[i].z * 7471 + d[i].w * 9', 4)).toBe('2 0');
});

test('not what has more bits, is one product or not packed', () => {
  expect(counts('u[i] * 3 + u[i + 1] * 5')).toBe('0 2');
  expect(counts('a[i] * n + a[i + 1] * n')).toBe('0 2');
  expect(counts('a[i] * 65536 + a[i + 1] * 70000')).toBe('0 1');
  expect(counts('a[i] * 300 + n')).toBe('0 1');
  expect(counts('a[i] * 300 + b[i] * 7', 4)).toBe('0 2');
  expect(counts('a[b[i]] * 300 + a[b[i + 1]] * 7')).toBe('0 2');
});

test('the sum of two products of halves', () => {
  expect(onBytes('hdot', 0x00030002, 0x00050007)).toBe(2 * 7 + 3 * 5);
  expect(onBytes('hdot', 0xffff8000 | 0, 0x00027fff)).toBe(-32768 * 32767 - 2);
  expect(onBytes('hdot', 0x80008000 | 0, 0x80008000 | 0)).toBe(-(2 ** 31));
});

foreign('sums of products', () => {
  const ITEMS = 48;
  const ENDS = [-32768, 32767, -1, 0, 1, 255, 128];
  const value = (i: number) =>
    noise(i) < 0.6 ? ENDS[Math.floor(noise(i + 0.5) * ENDS.length)]! : Math.floor(noise(i + 7) * 65536);
  const all = (count: number, first: number) => Array.from({ length: count + 8 }, (_, i) => value(i + first));
  test.each([
    'a[i] * -32768 + a[i + 1] * -32768',
    'a[i] * 65534 - a[i + 1] * 32768 + b[i] * -65536',
    'a[i] * a[i] + a[i + 1] * a[i + 1]',
    'a[i] * s + b[i] * s - a[i + 2] * b[i + 1] - b[i + 2] * a[i] + n',
    'c[i].x * c[i + 1].x + c[i].y * c[i + 1].y',
    'c[i].x * c[i + 1].y - c[i].y * c[i + 1].x',
    'c[i].x * c[i + 1].y + c[i].y * c[i + 1].x',
    '(c[i].x + c[i].y) / 2',
    '(d[i].x * 16829 + d[i].y * 33039 + d[i].z * 6416 + 32768) >> 16',
    'd[i].w * 3 - d[i].y * -5 + d[i].x + d[i].z',
    '(a[i] & 4095) * 9 + (a[i] >> 3 & 1023) * 5 - (c[i].x >> 4) * 3',
    '(a[i] > 0 ? b[i] : 9) * 70 - (b[i] >> 1) * 900 + (a[i] << 15)',
  ])('%s', (expression) => {
    checkTiles(
      `__kernel void k(${PARAMETERS.replaceAll('global', '__global')}) {
         int i = get_global_id(0); if (b[i] != 7) out[i] = ${expression}; }`,
      'k',
      {
        global: [ITEMS],
        local: [ITEMS],
        args: [
          { buffer: Int16Array.from(all(ITEMS, 0)) },
          { buffer: Uint8Array.from(all(ITEMS, 500)) },
          { buffer: Int16Array.from(all(2 * ITEMS, 900)) },
          { buffer: Uint8Array.from(all(4 * ITEMS, 1300)) },
          { buffer: Uint16Array.from(all(ITEMS, 1900)) },
          { buffer: ints(ITEMS, () => 0) },
          { value: new Int16Array([-32768]) },
          { value: new Int32Array([123456789]) },
        ],
      },
      undefined,
      [2],
    );
  });
});
