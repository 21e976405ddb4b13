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
