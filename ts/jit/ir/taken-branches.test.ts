// SPDX-License-Identifier: MIT
//
// Which branches lead to a block.

import { dominatorsOf } from './cfg';
import { parse } from './parse';
import { takenBranches } from './taken-branches';

/** The branches that lead to a block of three: their conditions' places among the instructions of the entry, and what they were. */
function takenTo(last: number, body: string): readonly (readonly [number, boolean])[] {
  const func = parse(`func k {\n${body}\n}\n`).at(-1)!;
  const insts = func.entry.insts.map(({ id }) => id);
  const taken = takenBranches(dominatorsOf(func), func.blocks[last]!);
  return Array.from(taken, ({ condition, holds }) => [insts.indexOf(condition.id), holds] as const);
}

const CONDITIONS = `b0:
  %0: I32 = GlobalId [dimension 0]
  %1: I1 = SLt %0, 5
  %2: I1 = SGt %0, 1`;

test('nested branches, the nearest first', () => {
  const nested = `${CONDITIONS}
  Branch %1 b1, b3
b1:
  Branch %2 b3, b2
b2:
  Return
b3:
  Return`;
  expect(takenTo(2, nested)).toEqual([
    [2, false],
    [1, true],
  ]);
  // Both sides of the first branch lead here.
  expect(takenTo(3, nested)).toEqual([]);
});

test('a loop that a branch enters', () => {
  const loop = `${CONDITIONS}
  Branch %1 b2, b1
b1:
  Branch %2 b1, b2
b2:
  Return`;
  expect(takenTo(1, loop)).toEqual([[1, false]]);
});

test('a branch both of whose sides are the same', () => {
  const same = `${CONDITIONS}
  Branch %1 b1, b1
b1:
  Return`;
  expect(takenTo(1, same)).toEqual([]);
});
