// SPDX-License-Identifier: MIT
import { MOST_GROUPS } from '../../base/kernel-abi';
import { firstRange, groupAfter, nextRange, type Triple } from './groups';

/** Ranges until the last one, at most `most`. */
function ranges(counts: Triple, most = 1000): { count: number; first: Triple }[] {
  const list: { count: number; first: Triple }[] = [];
  for (
    let range: ReturnType<typeof nextRange> = firstRange(counts);
    range && list.length < most;
    range = nextRange(range)
  )
    list.push(range);
  return list;
}

test.each<[Triple]>([
  [[1, 1, 1]],
  [[2 ** 30, 1, 1]],
  [[2 ** 30 + 1, 1, 1]],
  [[2 ** 31, 1, 1]],
  [[2 ** 32 - 1, 3, 1]],
  [[65536, 65537, 1]],
  [[1, 1, 2 ** 32 - 1]],
  [[7, 2 ** 20 + 1, 11]],
])('the ranges of %p groups follow each other without a gap', (counts) => {
  const [nx, ny, nz] = counts.map(BigInt) as [bigint, bigint, bigint];
  let total = 0n;
  for (const { count, first } of ranges(counts)) {
    const [x, y, z] = first.map(BigInt) as [bigint, bigint, bigint];
    expect((z * ny + y) * nx + x).toBe(total);
    expect(count).toBeLessThanOrEqual(MOST_GROUPS);
    total += BigInt(count);
  }
  expect(total).toBe(nx * ny * nz);
});

test('2^96 groups are gone through from exact places', () => {
  const most = 2 ** 32 - 1;
  const all = ranges([most, most, most], 20);
  expect(all).toHaveLength(20);
  all.forEach(({ count, first }, i) => {
    expect(count).toBe(MOST_GROUPS);
    const at = BigInt(i) * BigInt(MOST_GROUPS);
    expect(first.map(BigInt)).toEqual([at % BigInt(most), at / BigInt(most), 0n]);
  });
});

test('the last groups of the largest ND-range', () => {
  const most = 2 ** 32 - 1;
  expect(groupAfter([most - 2, most - 1, most - 1], [most, most, most], 1)).toEqual([
    most - 1,
    most - 1,
    most - 1,
  ]);
  expect(groupAfter([most - 1, most - 1, most - 1], [most, most, most], 1)).toEqual([0, 0, most]);
});
