// SPDX-License-Identifier: MIT
import { DominatorTree, immediateDominators, reversePostorder } from './dominators';

/** A loop around a diamond, with a node that nothing leads to. */
const SUCCESSORS = [[1], [2, 3], [4], [4], [1, 5], [], [5]];
const PREDECESSORS = SUCCESSORS.map((_, node) =>
  SUCCESSORS.flatMap((list, from) => (list.includes(node) ? [from] : [])),
);

test('each node comes before what it alone leads to, the first successor first', () => {
  expect(reversePostorder(0, (node) => SUCCESSORS[node]!)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('immediate dominators are the last common ones; an unreachable node has none', () => {
  expect([...immediateDominators(PREDECESSORS)]).toEqual([0, 0, 1, 1, 1, 4, -1]);
});

test('nodes of a loop with two entries are dominated by what comes before both', () => {
  expect([...immediateDominators([[], [0, 2], [0, 1]])]).toEqual([0, 0, 0]);
});

test('a node dominates itself and all below it in the tree', () => {
  const tree = new DominatorTree(PREDECESSORS.slice(0, 6).map((list) => list.filter((node) => node < 6)));
  const dominated = (node: number) => [0, 1, 2, 3, 4, 5].filter((other) => tree.dominates(node, other));
  expect(dominated(1)).toEqual([1, 2, 3, 4, 5]);
  expect(dominated(2)).toEqual([2]);
  expect(dominated(4)).toEqual([4, 5]);
  expect(tree.children).toEqual([[1], [2, 3, 4], [], [], [5], []]);
});
