// SPDX-License-Identifier: MIT
import { BranchRegions } from './branch-regions';

const NODES = 12;

/** A graph with topological numbers and only reachable nodes; the last number is the virtual exit. */
function randomGraph(random: (below: number) => number): number[][] {
  const successors: number[][] = Array.from({ length: NODES }, () => []);
  for (let node = 1; node < NODES; node++) {
    const open = successors.slice(0, node).filter((list) => list.length < 2);
    open[random(3) ? open.length - 1 : random(open.length)]!.push(node);
  }
  for (let node = 0; node < NODES; node++)
    while (successors[node]!.length < 1 + random(2))
      successors[node]!.push(node + 1 + random(random(2) ? 3 : NODES - node) || NODES);
  return successors.map((list) => list.map((to) => Math.min(to, NODES)));
}

const reachedFrom = (successors: readonly number[][], from: number, without: number): Set<number> => {
  const reached = new Set<number>();
  const work = from === without ? [] : [from];
  for (let at = work.pop(); at !== undefined; at = work.pop())
    if (!reached.has(at)) {
      reached.add(at);
      for (const to of successors[at] ?? []) if (to !== without) work.push(to);
    }
  return reached;
};

/** By node: the closest node that all its paths to the exit pass. */
function postdominators(successors: readonly number[][]): Int32Array {
  const all = successors.map((_, node) => node);
  return Int32Array.from([...all, NODES], (node) => {
    for (let at = node + 1; at < NODES; at++) if (!reachedFrom(successors, node, at).has(NODES)) return at;
    return NODES;
  });
}

/** Pushes the side that was taken, or the last join, along all edges up to the reconvergence point. */
function joinsByLabels(successors: readonly number[][], branch: number, end: number): number[] {
  const labels = new Map<number, number>();
  const joins = new Set<number>();
  const arrive = (at: number, label: number) => {
    const known = labels.get(at);
    if (known !== undefined && known !== label) joins.add(at);
    labels.set(at, known === undefined || known === label ? label : at);
  };
  for (const [side, to] of successors[branch]!.entries()) arrive(to, -1 - side);
  for (let at = branch + 1; at < end; at++) {
    const label = labels.get(at);
    if (label !== undefined) for (const to of successors[at]!) arrive(to, label);
  }
  return [...joins].filter((at) => at <= end && at < NODES).sort((a, b) => a - b);
}

test('regions and joins are those that enumeration finds', () => {
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const found = { enclosed: 0, open: 0, joins: 0 };
  for (let round = 0; round < 500; round++) {
    const successors = randomGraph(random);
    const ipdom = postdominators(successors);
    const regions = BranchRegions.of(successors, ipdom)!;
    for (let branch = 0; branch < NODES; branch++) {
      if (successors[branch]!.length < 2) continue;
      const end = ipdom[branch]!;
      const region = reachedFrom(successors, branch, end);
      region.delete(NODES);
      const around = reachedFrom(successors, 0, branch);
      const enclosed = [...region].every((node) => !around.has(node));
      found[enclosed ? 'enclosed' : 'open']++;
      for (let node = 0; node < NODES; node++) expect(regions.contains(branch, node)).toBe(region.has(node));
      const joins = joinsByLabels(successors, branch, end);
      found.joins += joins.length;
      const sides = successors[branch]!.map((to) => [to]);
      expect(regions.joins(branch, sides)).toEqual(joins);
    }
  }
  expect(found.enclosed).toBeGreaterThan(500);
  expect(found.open).toBeGreaterThan(100);
  expect(found.joins).toBeGreaterThan(500);
});

test('there are none where an edge leads back, or a node is not reached', () => {
  expect(BranchRegions.of([[1], [0, 2]], Int32Array.of(1, 2, 2))).toBeUndefined();
  expect(BranchRegions.of([[2], [2]], Int32Array.of(2, 2, 2))).toBeUndefined();
});
