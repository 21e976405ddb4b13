// SPDX-License-Identifier: MIT
//
// Work-items that wait for each other's locks. Each has the lock until it has written, so neighbours in a vector must not wait
// for it in the same loop.
import { openSync } from '../../ts';

const cl = openSync({ device: 'software', timeout: 20_000 });
afterAll(() => cl.close());

test.each([
  ['a lock', 'while (atomic_cmpxchg(p, 0, 1)) ;', 'atomic_xchg(p, 0);'],
  ['tickets', 'int own = atomic_inc(p); while (atomic_add(p + 1, 0) != own) ;', 'atomic_inc(p + 1);'],
])('%s, in groups of one work-item and in those that the device chooses', async (_, acquire, release) => {
  const { k } = cl.buildSync(`kernel void k(volatile global int *p, volatile global int *entries) {
    ${acquire} ++*entries; mem_fence(CLK_GLOBAL_MEM_FENCE); ${release} }`).kernels;
  const entries = cl.buffer(new Int32Array(1));
  await k!.run({ global: 64, local: 1 }, cl.buffer(new Int32Array(2)), entries);
  await k!.run({ global: 100 }, cl.buffer(new Int32Array(2)), entries);
  expect([...(await entries.read())]).toEqual([164]);
});

test.each([
  ['in global memory', '', 'p', '*sum += get_local_id(0) & 1;'],
  ['in local memory', '', '&own', 'own_sum += get_local_id(0) & 1;'],
  [
    'that work-items acquire after a barrier',
    'work[get_local_id(0) ^ 1] = 1; barrier(CLK_LOCAL_MEM_FENCE);',
    'p',
    '*sum += work[get_local_id(0)] * (get_local_id(0) & 1);',
  ],
])('a lock %s, of the work-items of groups', async (_, before, lock, within) => {
  const { k } = cl.buildSync(`kernel void k(volatile global int *p, volatile global int *sum) {
    local int own, own_sum, work[16];
    if (get_local_id(0) == 0) own = own_sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ${before}
    while (atomic_cmpxchg(${lock}, 0, 1)) ;
    ${within}
    mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    atomic_xchg(${lock}, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_add(sum, own_sum);
  }`).kernels;
  const sum = cl.buffer(new Int32Array(1));
  await k!.run({ global: 160, local: 16 }, cl.buffer(new Int32Array(1)), sum);
  expect([...(await sum.read())]).toEqual([80]);
});
