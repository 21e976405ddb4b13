// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { splitLoopsAtIds } from './split-loops-at-ids';

/** How many loops there are for one, and how many of them compare with an id; undefined if the loop is left. */
function loops(body: string): { loops: number; comparing: number } | undefined {
  const text = `kernel void k(global const int *restrict in, global int *restrict out, int w) {
    int x = get_global_id(0), y = get_global_id(1), v = in[x], r = 0; ${body} out[x] = r; }`;
  const func = preparedKernel(text);
  if (!splitLoopsAtIds(func, new Divergence(func))) return undefined;
  verify(func, 'splitLoopsAtIds');
  const divergence = new Divergence(func);
  const all = divergence.flow.allLoops;
  const varies = ({ stride }: Divergence, id: number) => stride[id] !== 0 && !Number.isNaN(stride[id]);
  const comparing = all.filter(({ blocks }) =>
    [...blocks].some(({ insts }) =>
      insts.some((i) => i.op >= Op.Eq && i.op <= Op.UGe && i.operands.some((o) => varies(divergence, o.id))),
    ),
  );
  return { loops: all.length, comparing: comparing.length };
}

const three = { loops: 3, comparing: 1 };

test('loops that compare their counter with an id', () => {
  expect(loops('for (int j = 0; j < w; j++) r += j < x ? in[j] : v;')).toEqual(three);
  expect(loops('for (int j = 0; j < w; j++) r += in[j] < v || (in[j] == v && j < x);')).toEqual(three);
  expect(loops('for (uint j = 0; j < (uint)w; j++) r += j == (uint)x ? 0 : in[j];')).toEqual(three);
  expect(loops('for (int j = 0; j < w; j++) r += j <= 2 * x + w ? in[j] * j : r >> 1;')).toEqual(three);
});

test('not what work-items leave one by one, nor another dimension, nor what a loop computes', () => {
  expect(loops('for (int j = 0; j < x; j++) r += j < x ? in[j] : v;')).toBeUndefined();
  expect(loops('for (int j = 0; j < w; j++) r += j < y ? in[j] : v;')).toBeUndefined();
  expect(loops('for (int j = 0; j < w; j++) r += j < x + r ? in[j] : v;')).toBeUndefined();
  expect(loops('for (int j = 0; j < w; j++) r += j < in[x] ? in[j] : v;')).toBeUndefined();
});

test('not few iterations, nor counters that may wrap', () => {
  expect(loops('for (int j = 0; j < 30; j++) r = (r + v) * (j < x ? in[j] : v);')).toBeUndefined();
  expect(loops('for (uint j = 0; j < (uint)w; j += 2) r += j < (uint)x ? in[j] : v;')).toBeUndefined();
  expect(loops('for (int j = w; j < 99; j++) r += (uint)j < (uint)x ? in[j] : v;')).toBeUndefined();
});

foreign('three loops for one', () => {
  const WIDTH = 50;
  const check = (body: string, w: number, offset = 0) =>
    checkTiles(
      `__kernel void k(__global const int *restrict in, __global int *restrict out, int w, int offset) {
         int x = get_global_id(0) - 5, v = in[get_global_id(0)], r = 0;
         ${body}
         out[get_global_id(0)] = r;
       }`,
      'k',
      {
        global: [WIDTH],
        local: [25],
        args: [
          { buffer: ints(128, (i) => Math.floor(noise(i) * 20)) },
          { buffer: ints(WIDTH, () => 0) },
          { value: new Int32Array([w]) },
          { value: new Int32Array([offset]) },
        ],
      },
    );

  test.each([1, 20, 100])('%i iterations', (w) => {
    check('for (int j = 0; j < w; j++) r += in[j] < v || (in[j] == v && j < x);', w);
    check(
      'for (int j = -9; j < w; j++) { int a = in[j & 127]; if (j > x) a = a * 3 - j; r = r * 5 + a; }',
      w,
    );
    check('for (int j = 3; j < w; j += 4) r = r * 3 + (x <= j ? in[j] : ~in[j]) + (j == x);', w);
    check('for (uint j = 1; j < (uint)w; j++) r = r * 3 + (j != x + 5u ? in[j] : 1000);', w);
    check('int j = 0; do { r = r * 3 + (j + 1 >= 2 * x - 30 ? in[j] : 7); j++; } while (j < w); r -= j;', w);
    check('for (int j = 0; j < w; j++) r = r * 3 + (j < 20 - x) + 2 * (j > 20 - x) + 4 * (j < x);', w);
  });

  test('ids that wrap within a tile, and counts at the ends of the numbers', () => {
    const limit = 0x7fffffff;
    check(
      'uint i = x + offset; for (uint j = w; j < 0xffffffffu; j++) r = r * 3 + (j < i) + in[j & 127];',
      -60,
      -20,
    );
    check('uint i = x + offset; for (uint j = 0; j < w; j++) r = r * 3 + (j < i) + in[j & 127];', 60, -20);
    check(
      'uint i = x + offset; for (int j = w; j < 0x7fffffff; j++) r = r * 3 + (j < (int)i);',
      limit - 60,
      limit - 20,
    );
    check('uint i = x + offset; for (int j = 0; j < w; j++) r = r * 3 + (j < i) + in[j & 127];', 60, -20);
    check('uint i = x + offset; for (int j = -60; j < w; j++) r = r * 3 + (j <= (int)i);', 60, limit - 20);
  });
});
