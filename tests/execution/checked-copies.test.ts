// SPDX-License-Identifier: MIT
//
// Checked runs: asynchronous copies. Their extent, races with them, and whether all work-items of a group make the same ones and
// wait for them.
import { local, openSync, type Session } from '../../ts';

const SOURCE = `
kernel void right(global int *to, global const int *from, local int *a, local int *b) {
  int n = get_local_size(0), i = get_local_id(0);
  event_t events[2];
  events[0] = async_work_group_copy(a, from, n, 0);
  events[1] = async_work_group_strided_copy(b, from + 1, n / 2, 2, 0);
  wait_group_events(2, events);
  a[i] += b[i / 2];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t back = async_work_group_copy(to, a, n, 0);
  for (int k = 0; k < 3; k++) back = async_work_group_copy(to + n + k, b + k, 1, back);
  wait_group_events(1, &back);
}
kernel void two_tiles(global int *to, global const int *from, local int *a, local int *b) {
  int n = get_local_size(0), i = get_local_id(0);
  event_t first = async_work_group_copy(a, from, n, 0);
  wait_group_events(1, &first);
  event_t second = async_work_group_copy(b, from + n, n, 0);
  to[i] = a[n - 1 - i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = i;
  wait_group_events(1, &second);
  to[n + i] = b[i];
}
kernel void beyond(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = async_work_group_strided_copy(a, from, get_local_size(0), 5, 0);  // line 26
  wait_group_events(1, &e);
}
kernel void too_early(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = async_work_group_copy(a, from, get_local_size(0), 0);
  to[get_local_id(0)] = a[get_local_id(0)];                                     // line 31
  wait_group_events(1, &e);
}
kernel void after_a_barrier(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = async_work_group_copy(a, from, get_local_size(0), 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  to[get_local_id(0)] = a[get_local_id(0)];                                     // line 37
  wait_group_events(1, &e);
}
kernel void unwritten(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = async_work_group_copy(to, b, 1, 0);
  wait_group_events(1, &e);
  to[1] = to[0];                                                                // line 43
}
kernel void some_only(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = async_work_group_copy(a, from, 4, 0);
  if (get_local_id(0) < 3) e = async_work_group_copy(a + 4, from, 1, e);        // line 47
  wait_group_events(1, &e);
}
kernel void others(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = async_work_group_copy(a + get_local_id(0) / 3, from, 1, 0);       // line 51
  wait_group_events(1, &e);
}
kernel void never(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = async_work_group_copy(a, from, 4, 0);                             // line 55
}
kernel void no_event(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = 0;
  wait_group_events(1, &e);                                                     // line 59
}kernel void beyond_and_used(global int *to, global const int *from, local int *a, local int *b) {
  event_t e = async_work_group_copy(a, from, get_local_size(0) * 4, 0);
  wait_group_events(1, &e);
  to[get_local_id(0)] = a[get_local_id(0)];
}
`;

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
});
afterAll(() => session.close());

async function launch(name: string) {
  const [to, from] = [session.buffer(32 * 4), session.buffer(Int32Array.from({ length: 16 }, (_, i) => i))];
  const kernel = session.buildSync(SOURCE, '-w').createKernel(name);
  kernel.setArgs(to, from, local(32), local(32));
  const event = session.queue.enqueueNDRange(kernel, { global: [8], local: [8] });
  await event;
  return { faults: event.faults, to: new Int32Array((await to.read()).buffer) };
}

test('correct copies have no reports, and copy', async () => {
  const { faults, to } = await launch('right');
  expect(faults.map(({ text }) => text)).toEqual([]);
  expect([...to.subarray(0, 11)]).toEqual([1, 2, 5, 6, 9, 10, 13, 14, 1, 3, 5]);
});

test('a copy may go on while the group computes elsewhere', async () => {
  const { faults, to } = await launch('two_tiles');
  expect(faults.map(({ text }) => text)).toEqual([]);
  expect([...to.subarray(0, 16)]).toEqual([7, 6, 5, 4, 3, 2, 1, 0, 8, 9, 10, 11, 12, 13, 14, 15]);
});

test('what a faulty copy would have copied is no other fault', async () => {
  const { faults } = await launch('beyond_and_used');
  expect(faults.map(({ kind }) => kind)).toEqual(['out-of-bounds']);
});

test.each([
  ['beyond', '26: out-of-bounds', /copies asynchronously outside of argument 'from': element 16 of 16/],
  [
    'too_early',
    '31: race',
    /reads 4 bytes of argument 'a': element \d of 8, which an asynchronous copy accesses/,
  ],
  ['after_a_barrier', '37: race', /reads 4 bytes of argument 'a'/],
  ['unwritten', '43: uninitialized', /argument 'to'/],
  ['some_only', '47: divergent-copy', /do not all make the same/],
  ['others', '51: divergent-copy', /do not all make the same/],
  ['never', '55: unwaited-copy', /without having waited/],
  ['no_event', '59: invalid-event', /no asynchronous copy/],
])('%s', async (name, expected, message) => {
  const { faults } = await launch(name);
  expect(faults.map(({ kind, place }) => `${place!.line}: ${kind}`)).toContain(expected);
  expect(faults.map(({ text }) => text).join('\n')).toMatch(message);
});
