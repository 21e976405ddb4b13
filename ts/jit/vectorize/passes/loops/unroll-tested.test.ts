// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Op } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { unrollTested } from './unroll-tested';

/** Byte offsets of all loads; undefined if the loop is not unrolled. */
function offsets(body: string): number[] | undefined {
  const text = `kernel void k(global const int *restrict starts, global const int *restrict in, global const uchar *restrict bytes,
      global int *restrict out) { int y = get_global_id(0), sum = 0, first = starts[y], end = starts[y + 1]; ${body} out[y] = sum; }`;
  const func = preparedKernel(text);
  if (!unrollTested(func)) return undefined;
  verify(func, 'unrollTested');
  const loads = func.blocks.flatMap((b) => b.insts.filter((i) => i.op === Op.Load));
  return loads.map((i) => i.facts.offset ?? 0);
}

test('loops that read neighbouring elements, for as long as each work-item wants', () => {
  const starts = [0, 4];
  expect(offsets('for (int k = first; k < end; k++) sum += in[k];')).toEqual([...starts, 0, 4, 8, 12]);
  expect(offsets('for (int k = first; k < end; k++) sum += bytes[k + 2];')).toEqual([...starts, 2, 3, 4, 5]);
  expect(offsets('for (int k = first; k != end; k++) sum ^= in[k] * bytes[k];')).toHaveLength(10);
  expect(offsets('for (int k = first; k < end; k++) sum += bytes[in[k]];')).toEqual([
    ...starts,
    ...[0, 0, 4, 0, 8, 0, 12, 0],
  ]);
});

test('not loops that read elsewhere, nor what is not theirs to repeat, nor where the hint says so', () => {
  expect(offsets('for (int k = first; k < end; k++) sum = sum * 3 + k;')).toBeUndefined();
  expect(offsets('for (int k = first; k < end; k++) sum += in[k * 7];')).toBeUndefined();
  expect(offsets('for (int k = first; k < end; k++) sum += in[sum & 7];')).toBeUndefined();
  expect(
    offsets('__attribute__((opencl_unroll_hint(1))) for (int k = first; k < end; k++) sum += in[k];'),
  ).toBeUndefined();
});

const ROWS = 24;
const LONGEST = 10;

foreign('turns of a loop in a row', () => {
  const rows = (body: string, ends: (row: number) => number) =>
    checkTiles(
      `__kernel void k(__global const int *restrict ends, __global const int *restrict in, __global int *out, __global int *sums) {
         int y = get_global_id(0), first = y * ${LONGEST}, end = ends[y], sum = 0, last = -1;
         ${body}
         sums[y] = sum * 16 + last;
       }`,
      'k',
      {
        global: [ROWS],
        local: [12],
        args: [
          { buffer: ints(ROWS, ends) },
          { buffer: ints(ROWS * LONGEST + 8, (i) => Math.floor(noise(i) * 2 ** 31)) },
          { buffer: ints(ROWS * LONGEST + 8, (i) => i * 7) },
          { buffer: ints(ROWS, () => 0) },
        ],
      },
    );
  const longer = (y: number) => y * LONGEST + (y % (LONGEST + 1));

  test('rows of all lengths', () => {
    rows('for (int k = first; k < end; k++) { sum = sum * 3 + in[k]; last = k; }', longer);
    rows('int k = first; while (k < end) { sum += in[k] ^ k; k++; } last = k;', longer);
    rows('for (int k = first; k < end; k++) sum += in[in[k] & 63] + in[k + 1];', longer);
    rows('for (int k = first; k < end; k += 2) sum = sum * 5 + in[k] - in[k + 1];', longer);
    rows('int n = end - first; for (int k = first; n > 0; n--, k++) sum = sum * 3 + in[k];', longer);
  });

  test('stores among them', () => {
    rows('for (int k = first; k < end; k++) { out[k] += in[k]; sum ^= out[k]; }', longer);
    rows('for (int k = first; k < end; k++) { out[k + 1] = out[k] + in[k]; last = out[first]; }', longer);
  });

  test('limits at the ends of the numbers', () => {
    rows('for (int k = end; k < 0x7fffffff; k++) sum += in[k - end + y];', (y) => 0x7fffffff - (y % 7));
    rows('for (uint k = end; k < 0xffffffffu; k++) sum += in[k - end + y];', (y) => -1 - (y % 7));
    rows(
      'for (int k = (int)0x80000000; k < end; k++) sum += in[k + 0x80000000 + y];',
      (y) => -2147483648 + (y % 7),
    );
  });
});
