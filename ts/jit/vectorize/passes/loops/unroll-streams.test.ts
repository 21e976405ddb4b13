// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { unrollStreams } from './unroll-streams';

/** Byte offsets of the accesses of the unrolled part; undefined if the loop is not unrolled. */
function offsets(body: string): number[] | undefined {
  const text = `kernel void k(global const int *restrict in, global const uchar *restrict bytes, global int *restrict out,
      int w) { int y = get_global_id(0), sum = 0; ${body} out[y] = sum; }`;
  const func = preparedKernel(text);
  if (!unrollStreams(func, new Divergence(func), () => false)) return undefined;
  verify(func, 'unrollStreams');
  const accesses = func.blocks.map((b) => b.insts.filter((i) => i.op === Op.Load || i.op === Op.Store));
  const most = accesses.reduce((a, b) => (a.length > b.length ? a : b));
  return most.map((i) => i.facts.offset ?? 0);
}

const four = [0, 4, 8, 12];

test('rows of its own that a work-item reads in turn', () => {
  expect(offsets('for (int x = 0; x < w; x++) sum += in[y * w + x];')).toEqual(four);
  expect(offsets('for (uint x = 0; x < w; x++) sum += in[y * w + x] * x;')).toEqual(four);
  expect(offsets('for (int x = 0; x != w; x++) sum ^= in[y * w + x];')).toEqual(four);
  expect(offsets('for (int x = 0; x < w; x++) sum += bytes[y * w + x];')).toEqual([0, 1, 2, 3]);
  expect(offsets('for (int x = 1; x < w; x++) sum += in[y * w + x] - in[y * w + x - 1];')).toHaveLength(8);
});

test('rows that are followed backwards, and limits that are reached', () => {
  const back = [0, -4, -8, -12];
  expect(offsets('for (int x = w - 1; x >= 0; x--) sum += in[y * w + x];')).toEqual(back);
  expect(offsets('for (int x = w - 1; x > -1; x--) sum += in[y * w + x];')).toEqual(back);
  expect(offsets('for (int x = w - 1; 0 <= x; x--) sum += in[y * w + x];')).toEqual(back);
  expect(offsets('for (int x = 0; x <= w; x++) sum += in[y * w + x];')).toEqual(four);
  // The loop ends when the counter wraps around.
  expect(offsets('for (int x = w - 1; x < 7; x--) sum += in[y * w + x];')).toBeUndefined();
});

test('not what neighbours read side by side, nor what all of them do', () => {
  expect(offsets('for (int x = 0; x < w; x++) sum += in[x * w + y];')).toBeUndefined();
  expect(offsets('for (int x = 0; x < w; x++) sum += in[x];')).toBeUndefined();
});

test('not larger steps, nor where work-items leave one by one, nor where the hint says so', () => {
  expect(offsets('for (int x = 0; x < w; x++) sum += in[(y * w + x) * 2];')).toBeUndefined();
  expect(offsets('for (int x = 0; x < y; x++) sum += in[y * w + x];')).toBeUndefined();
  expect(
    offsets('__attribute__((opencl_unroll_hint(1))) for (int x = 0; x < w; x++) sum += in[y * w + x];'),
  ).toBeUndefined();
});

test('an address of many sums takes no time', () => {
  const sums = 'z += z << 1; '.repeat(12);
  expect(offsets(`for (int x = 0; x < w; x++) { int z = y * w + x; ${sums} sum += in[z]; }`)).toBeUndefined();
});

const LONGEST = 9;

foreign('rows in steps of four', () => {
  const row = (body: string, width: number, type = 'int') =>
    checkTiles(
      `__kernel void k(__global const ${type} *restrict in, __global ${type} *restrict out, __global int *sums, int w) {
         int y = get_global_id(0), sum = 0;
         ${body}
         sums[y] = sum;
       }`,
      'k',
      {
        global: [24],
        local: [12],
        args: [
          { buffer: ints(24 * LONGEST + 8, (i) => Math.floor(noise(i) * 2 ** 31)) },
          { buffer: ints(24 * LONGEST + 8, (i) => i) },
          { buffer: ints(24, () => 0) },
          { value: new Int32Array([width]) },
        ],
      },
    );

  test.each([0, 1, 4, 5, 8, LONGEST])('%i elements', (width) => {
    row('for (int x = 0; x < w; x++) sum = sum * 3 + in[y * w + x];', width);
    row(
      'for (int x = 0; x < w; x++) { int v = in[y * w + x] ^ sum; out[y * w + x] = v; sum += v >> 3; }',
      width,
    );
    row(
      'for (uint x = 0; x < w; x++) { int v = in[y * w + x] + sum; out[y * w + x] = v > 90 ? 255 : 0; sum = v; }',
      width,
      'uchar',
    );
    row(
      'for (int x = 0; x != w; x++) { sum += in[y * w + x]; out[y * w + w - 1 - x] = sum; }',
      width,
      'short',
    );
  });

  test.each([0, 1, 4, 5, 6, 8, LONGEST])('%i elements, from the last one on', (width) => {
    row(
      'for (int x = w - 1; x >= 0; x--) { int v = in[y * w + x] ^ sum; out[y * w + x] = v; sum += v >> 3; }',
      width,
    );
    row('for (int x = w; x-- > 0;) sum = sum * 3 + in[y * w + x];', width, 'short');
    row('for (uint x = w; x-- != 0;) { sum += in[y * w + x]; out[y * w + x] = sum; }', width, 'uchar');
    row(
      'for (int x = w - 2; x >= 0; x--) { out[y * w + x] += out[y * w + x + 1]; sum ^= out[y * w + x]; }',
      width,
    );
    row('for (int x = 1; x <= w - 1; x++) sum = sum * 5 + in[y * w + x];', width);
  });

  test('a row that is read where it is written', () => {
    row('for (int x = 1; x < w; x++) { out[y * w + x] += out[y * w + x - 1]; sum ^= out[y * w + x]; }', 9);
    row(
      'for (int x = 1; x < w; x++) { out[y * w + x] += out[y * w + x - 1]; sum ^= out[y * w + x]; }',
      9,
      'uchar',
    );
  });

  test('limits at the ends of the numbers', () => {
    row('for (int x = 0; x < w; x++) sum += in[y + x];', -2147483648);
    row('for (int x = w; x < (int)0x80000003; x++) sum += in[(x & 3) + y];', -2147483648);
    row('for (int x = w; x < 0x7fffffff; x++) sum += in[x - w + y * 5];', 0x7ffffff9);
    row('for (uint x = w; x < 0xffffffffu; x++) sum += in[x - w + y * 5];', -7);
    row('for (int x = w; x > (int)0x80000000; x--) sum += in[w - x + y * 5];', -2147483641);
    row('for (int x = 7; x > (int)0x80000000 + w; x--) sum += in[x + y];', 0x7fffffff);
    row('for (int x = w - 1; x >= 0; x--) sum += in[y + x];', -2147483648 + 4);
    row('for (int x = w; x <= 0x7ffffffe; x++) sum += in[x - w + y * 5];', 0x7ffffff9);
    row('for (uint x = w; x > 0; x--) sum += in[x + y * 5];', 7);
  });
});
