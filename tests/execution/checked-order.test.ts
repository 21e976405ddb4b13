// SPDX-License-Identifier: MIT
//
// Checked runs: what orders accesses besides barriers of the group, and what does not.

import { openSync, type Session } from '../../ts';

const SOURCE = `
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void exchange(global int *out) {
  local int s[64];
  uint i = get_local_id(0), n = get_sub_group_size(), first = get_sub_group_id() * get_max_sub_group_size();
  for (int k = 0; k < 2; k++) {
    s[i] = i + k;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[first + (get_sub_group_local_id() + 1) % n];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
}
kernel void other_sub_group(global int *out) {
  local int s[64];
  s[get_local_id(0)] = get_local_id(0);             // line 15
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[get_local_id(0) ^ 8];   // line 17
}
kernel void other_space(global int *out) {
  local int s[64];
  s[get_local_id(0)] = get_local_id(0);             // line 21
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = s[get_local_id(0) ^ 1];   // line 23
}
kernel void too_late(global int *out) {
  local int s[64];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  s[get_local_id(0)] = get_local_id(0);             // line 28
  out[get_global_id(0)] = s[get_local_id(0) ^ 1];   // line 29
}
kernel void add_floats(global int *sum) {
  volatile global int *p = sum;
  int before, after;
  do {
    before = *p;
    after = as_int(as_float(before) + 1.0f);
  } while (atomic_cmpxchg(p, before, after) != before);
}
kernel void not_volatile(global int *sum) {
  atomic_inc(sum);                                  // line 40
  if (*sum == 77) sum[1] = 1;                       // line 41
}
kernel void plain_flag(global int *out) {
  volatile global int *flag = out;
  if (get_global_id(0) == 0) *flag = 7;             // line 45
  if (get_global_id(0) == 9 && *flag) out[1] = 5;   // line 46
}
`;

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
});
afterAll(() => session.close());

function faultsOf(name: string) {
  const kernel = session.buildSync(SOURCE, '-cl-std=CL3.0').createKernel(name);
  kernel.setArgs(session.buffer(new Int32Array(32)));
  const event = session.queue.enqueueNDRange(kernel, { global: [32], local: [16] });
  event.waitSync();
  return event.faults.map(({ kind, place, other }) => [kind, place?.line, other?.place?.line]);
}

test.each(['exchange', 'add_floats'])('%s is correct', (name) => {
  expect(faultsOf(name)).toEqual([]);
});

test.each([
  ['other_sub_group', 15, 17],
  ['other_space', 21, 23],
  ['not_volatile', 40, 41],
  ['plain_flag', 45, 46],
])('%s is a race, which is reported once, whichever access comes first', (name, one, other) => {
  const races = faultsOf(name).filter(([kind]) => kind === 'race');
  const places = races.map(([, ...lines]) => lines.sort((a, b) => Number(a) - Number(b)).join());
  expect(places.filter((place) => place === `${one},${other}`)).toHaveLength(1);
  expect(new Set(places).size).toBe(places.length);
});

test('a barrier of a sub-group does not order what comes after it', () => {
  expect(faultsOf('too_late').map(([kind]) => kind)).toContain('race');
});
