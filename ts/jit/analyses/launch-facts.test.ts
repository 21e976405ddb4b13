// SPDX-License-Identifier: MIT
import { optimizedKernel } from '../../../tests/helpers/optimized-kernel';
import { costPerItem, type LaunchFacts, launchFacts } from './launch-facts';

function facts(body: string): LaunchFacts {
  const text = `kernel void k(global int *p, local int *l) { ${body} }`;
  const func = optimizedKernel(text);
  return launchFacts(func);
}

test('only kernels without loops are bounded for certain', () => {
  expect(facts('p[get_global_id(0)] = 1;').bounded).toBe(true);
  expect(facts('if (p[0]) p[get_global_id(0)] = 1; else p[1] = 2;').bounded).toBe(true);
  expect(facts('while (p[0] == 0) p[1]++;').bounded).toBe(false);
  const copy = (count: string) =>
    `event_t e = async_work_group_copy(p, l, ${count}, 0); wait_group_events(1, &e);`;
  expect(facts(`${copy('64')}`).bounded).toBe(true);
  expect(facts(`${copy('p[0]')}`).bounded).toBe(false);
});

test('kernels that can see their groups are told from those that cannot', () => {
  expect(facts('p[get_global_id(0)] = get_global_size(0);').groupsUnobservable).toBe(true);
  expect(facts('p[get_global_id(0)] = get_local_id(0);').groupsUnobservable).toBe(false);
  expect(facts('l[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); p[0] = l[0];').groupsUnobservable).toBe(false);
});

test('loops and lanes count', () => {
  const flat = facts('p[get_global_id(0)] += 1;');
  const loop = facts('for (int i = 0; i < p[0]; i++) p[get_global_id(0)] += i * p[i];');
  expect(loop.scalarCost).toBeGreaterThan(5 * flat.scalarCost);
  expect(costPerItem(flat, 8)).toBeLessThan(costPerItem(flat, 1));
});

test('kernels whose loops have constant trip counts end for certain, and cost as much as these say', () => {
  const loop = (head: string, body = 'p[get_global_id(0)] += i * p[i];') =>
    facts(`\n#pragma unroll 1\n for (${head}) { ${body} }`);
  expect(loop('int i = 0; i < 100; i++').bounded).toBe(true);
  expect(loop('int i = 1; i < 1000; i *= 3').bounded).toBe(true);
  expect(loop('int i = 0; i < 1000; i++').scalarCost).toBeGreaterThan(
    5 * loop('int i = 0; i < 100; i++').scalarCost,
  );
  expect(loop('int i = 0; i < 1000000; i++').bounded).toBe(false);
  expect(loop('int i = 0; i < p[1]; i++').bounded).toBe(false);
  expect(
    loop('int i = 0; i < 10; i++', '\n#pragma unroll 1\n for (int j = 0; j < p[2]; j++) p[j] += i;').bounded,
  ).toBe(false);
  expect(
    loop('int i = 0; i < 10; i++', '\n#pragma unroll 1\n for (int j = 0; j < 20; j++) p[j] += i;').bounded,
  ).toBe(true);
  const left = loop('int i = 0; i < 1000; i++', 'if (p[i] == get_global_id(0)) break; p[i] = 2 * i;');
  expect(left.bounded).toBe(true);
  expect(left.scalarCost).toBeLessThan(loop('int i = 0; i < 1000; i++').scalarCost / 5);
});
