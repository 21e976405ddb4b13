// SPDX-License-Identifier: MIT
//
// Checked runs: a buffer that was complete has bytes without contents once such bytes were copied to it, until they are written again.
import { type KernelValue, local, openSync, type Session } from '../../ts';

const SOURCE = `
typedef struct { int a[64]; } block;
kernel void tile(global int *to, local int *t, int filled) {
  int l = get_local_id(0);
  if (l < filled) t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(to, t, 8, 0);
  wait_group_events(1, &e);
}
kernel void record(global block *to, local block *t, int filled) {
  int l = get_local_id(0);
  for (int i = 0; i < filled * 8; i++) t[l].a[i] = i;
  to[l] = t[l];
}
kernel void unknown(global int *to, local int *t, int filled) {
  int l = get_local_id(0);
  block own[2];
  for (int i = 0; i < filled * 8; i++) own[l & 1].a[i] = i;
  global block *list[2] = {(global block *)to, (global block *)to + 1};
  *list[l & 1] = own[l & 1];
}
kernel void use(global const int *from, global int *o) {
  int i = get_global_id(0);
  o[i] = from[i] + 1; // used here
}
`;
const USE = SOURCE.split('\n').findIndex((line) => line.includes('// used here')) + 1;

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software', check: 'all' });
});
afterAll(() => cl.close());

async function run(name: string, size: number, ...args: KernelValue[]) {
  const kernel = kernelOf(name);
  kernel.setArgs(...args);
  const event = cl.queue.enqueueNDRange(kernel, { global: [size], local: [size] });
  await event;
  return event.faults.map(({ kind, place }) => `${kind} ${place?.line}`);
}
const kernelOf = (name: string) => cl.buildSync(SOURCE, '-w').createKernel(name);
const complete = () => cl.buffer(new Int32Array(128));

test.each([
  ['tile', 8, 32],
  ['record', 2, 512],
  ['unknown', 2, 0],
])('%s', async (name, size, bytes) => {
  for (const filled of [8, 5]) {
    const to = complete();
    const missing = filled === 8 ? [] : [`uninitialized ${USE}`];
    expect(await run(name, size, to, bytes ? local(bytes) : local(4), filled)).toEqual([]);
    expect(await run('use', 128, to, complete())).toEqual(missing);
    // The state goes along with a copy to another buffer.
    const other = complete();
    cl.queue.enqueueCopy(to, other);
    expect(await run('use', 128, other, complete())).toEqual(missing);
    await to.write(new Int32Array(128));
    expect(await run('use', 128, to, complete())).toEqual([]);
  }
});
