// SPDX-License-Identifier: MIT
import type { AccessSummary, SummaryNode } from '../../../base/access-summary';
import { Evaluation, type LaunchNumbers } from './evaluate';

const NUMBERS: LaunchNumbers = {
  global: [64, 1, 1],
  local: [64, 1, 1],
  offset: [0, 0, 0],
  groups: [1, 1, 1],
  argument: () => undefined,
};

const constant = (value: number): SummaryNode => ({ op: 'constant', value, width: 32 });
const loop = (first: readonly number[], next: readonly number[]): SummaryNode => ({
  op: 'loop',
  first,
  next,
  width: 32,
});

function boundsOf(nodes: readonly SummaryNode[], index: number): readonly [number, number] {
  const summary: AccessSummary = { nodes, accesses: [], assertions: [], unproven: [] };
  const { low, high } = new Evaluation(summary, NUMBERS).of(index);
  return [low, high];
}

test('a loop’s variable stays below the bound of its loop', () => {
  // for (k = 0; k < 100; k += 1): what a condition says of k + 1 holds in the body.
  const nodes: SummaryNode[] = [
    constant(0),
    constant(1),
    constant(100),
    loop([0], [4]),
    { op: 'add', a: 5, b: 1, width: 32 },
    { op: 'refine', by: 'slt', a: 3, b: 2, width: 32 },
  ];
  expect(boundsOf(nodes, 5)).toEqual([0, 99]);
});

test('variables that a loop swaps have the values of both', () => {
  const nodes = [constant(2), constant(5), loop([0], [3]), loop([1], [2])];
  expect(boundsOf(nodes, 2)).toEqual([2, 5]);
  expect(boundsOf(nodes, 3)).toEqual([2, 5]);
});

test('an inner loop’s variable starts at the outer loop’s', () => {
  // for (i = 0; i < 8; i = j) for (j = i + 1; j < 8; j += 1)
  const nodes: SummaryNode[] = [
    constant(0),
    constant(1),
    constant(8),
    loop([0], [5]),
    { op: 'add', a: 6, b: 1, width: 32 },
    loop([4], [7]),
    { op: 'refine', by: 'slt', a: 3, b: 2, width: 32 },
    { op: 'add', a: 8, b: 1, width: 32 },
    { op: 'refine', by: 'slt', a: 5, b: 2, width: 32 },
  ];
  expect(boundsOf(nodes, 6)).toEqual([0, 7]);
  expect(boundsOf(nodes, 8)).toEqual([1, 7]);
});

test('the time is not a power of the number of variables that depend on each other', () => {
  const count = 60;
  const nodes: SummaryNode[] = [constant(1)];
  for (let i = 0; i < count; i++) nodes.push(loop([0], [1 + count + i]));
  // Each is the sum of the next two.
  const variable = (i: number) => 1 + (i % count);
  for (let i = 0; i < count; i++)
    nodes.push({ op: 'add', a: variable(i + 1), b: variable(i + 2), width: 32 });
  const mask = nodes.push(constant(63)) - 1;
  const masked = nodes.push({ op: 'and', a: 1, b: mask, width: 32 }) - 1;
  expect(boundsOf(nodes, masked)).toEqual([0, 63]);
  expect(boundsOf(nodes, 1)).toEqual([-Infinity, Infinity]);
});
