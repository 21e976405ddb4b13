// SPDX-License-Identifier: MIT
//
// Checked launches whose groups all do the same accesses: the first group is checked, the others run plain code
// (docs/adr/0040-first-group-for-all.md). A fault of any group is reported, and correct launches run fast and have no reports.
import { type Fault, type KernelValue, local, openSync, type Session } from '../../ts';
import { GROUP_SUMS } from '../helpers/group-kernels';

const GROUPS = 64;
const ITEMS = 32;
const ALL = GROUPS * ITEMS;

const SOURCE = `
${GROUP_SUMS}
kernel void counts(global const uchar *in, global uint *out, uint n) {
  local uint bins[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&out[i], bins[i]);
}
kernel void unordered_counts(global const uchar *in, global uint *out, uint n) {
  local uint bins[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)]]);
  out[get_global_id(0)] = bins[get_local_id(0)];             // line 25
}
kernel void half_cleared(global const uchar *in, global uint *out, uint n) {
  local uint bins[256];
  for (uint i = get_local_id(0); i < 128; i += get_local_size(0)) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)]]);                   // line 31
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = bins[0];
}
kernel void races_in_all(global float *out, local float *t) {
  int l = get_local_id(0);
  t[l] = l;                                                  // line 37
  out[get_global_id(0)] = t[(l + 1) % (int)get_local_size(0)];
}
kernel void races_in_the_last(global float *out, local float *t) {
  int l = get_local_id(0);
  t[l] = l;
  if (get_group_id(0) < ${GROUPS - 1}) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[(l + 1) % (int)get_local_size(0)]; // line 44
}
kernel void outside_in_the_last(global float *out, global const int *at, local float *t) {
  t[at[get_global_id(0)]] = 1;                               // line 47
  out[get_global_id(0)] = 0;
}
kernel void outside_by_group(global float *out) {
  float a[${GROUPS - 1}];
  for (int i = 0; i < ${GROUPS - 1}; i++) a[i] = i;
  out[get_global_id(0)] = a[get_group_id(0)];                // line 53
}
kernel void private_arrays(global uint *out) {
  uint w[16];
  for (int i = 0; i < 16; i++) w[i] = i + get_global_id(0);
  for (int i = 0; i < 64; i++) w[i & 15] += w[(i + 3) & 15];
  for (int i = 0; i < 4; i++) out[get_global_id(0) * 4 + i] = w[i];
}
kernel void every_second(global int *out) {
  local int t[${ITEMS}];
  int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l % 2 == 0) out[get_group_id(0) * ${ITEMS} + l] = t[${ITEMS - 1} - l];
}
kernel void copy(global const int *in, global int *out) {
  out[get_global_id(0)] = in[get_global_id(0)];              // line 69
}
kernel void neighbours_of_groups(global int *data, local int *t) {
  int l = get_local_id(0), x = get_group_id(0) * (get_local_size(0) - 1) + l;
  t[l] = data[x];                                            // line 73
  barrier(CLK_LOCAL_MEM_FENCE);
  data[x] = t[get_local_size(0) - 1 - l];
}
kernel void mirrored(global int *data) {
  int l = get_local_id(0), n = get_local_size(0);
  global int *own = data + get_group_id(0) * n;
  int x = own[l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  own[n - 1 - l] = x;
}
`;

let session: Session;
let kernels: ReturnType<Session['buildSync']>['kernels'];
beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
  kernels = session.buildSync(SOURCE).kernels;
});
afterAll(() => session.close());

function faultsOf(name: string, ...args: readonly KernelValue[]): readonly Fault[] {
  const kernel = kernels[name]!;
  kernel.setArgs(...args);
  const event = session.queue.enqueueNDRange(kernel, { global: [ALL], local: [ITEMS] });
  event.waitSync();
  return event.faults;
}

const linesOf = (faults: readonly Fault[]) => faults.map(({ kind, place }) => `${kind} ${place?.line}`);
const items = () => local(ITEMS * 4);

test('a sum by groups, twice', () => {
  const input = Float32Array.from({ length: ALL }, (_, i) => i % 5);
  const out = session.buffer(Float32Array, GROUPS);
  for (let round = 0; round < 2; round++) {
    expect(linesOf(faultsOf('sums', session.buffer(input), out, items()))).toEqual([]);
    const expected = Array.from({ length: GROUPS }, (_, g) =>
      input.subarray(g * ITEMS, (g + 1) * ITEMS).reduce((a, b) => a + b),
    );
    expect([...out.readSync()]).toEqual(expected);
  }
});

test('counters whose indexes come from memory', () => {
  const input = Uint8Array.from({ length: ALL + 5 }, (_, i) => (i * 7) & 255);
  const out = session.buffer(new Uint32Array(256));
  expect(linesOf(faultsOf('counts', session.buffer(input), out, ALL + 5))).toEqual([]);
  const expected = new Uint32Array(256);
  for (const byte of input) expected[byte]!++;
  expect([...out.readSync()]).toEqual([...expected]);
});

test('a counter that one work-item reads while others may count is a race, in whichever group', () => {
  // Only the last group counts in bins that its work-items read.
  const input = new Uint8Array(ALL).fill(200);
  input.fill(3, ALL - ITEMS);
  const faults = faultsOf('unordered_counts', session.buffer(input), session.buffer(Uint32Array, ALL), ALL);
  expect(linesOf(faults)).toContain('race 25');
  expect(faults[0]!.item!.group[0]).toBe(GROUPS - 1);
});

test('a counter that has no contents in the last group only', () => {
  const input = new Uint8Array(ALL).fill(5);
  input.fill(130, ALL - ITEMS);
  const faults = faultsOf('half_cleared', session.buffer(input), session.buffer(Uint32Array, ALL), ALL);
  expect(linesOf(faults)).toEqual(['uninitialized 31']);
  expect(faults[0]!.item!.group[0]).toBe(GROUPS - 1);
});

test('faults of all groups are counted', () => {
  const faults = faultsOf('races_in_all', session.buffer(Float32Array, ALL), items());
  const race = faults.find(({ kind }) => kind === 'race');
  expect(race?.place?.line).toBe(37);
  // More than a hundred races of two places are not looked for.
  expect(race!.hasMore).toBe(true);
  expect(race!.count).toBeGreaterThanOrEqual(100);
  expect(race!.text).toMatch(/note: at least \d+ times in all/);
  const missing = faults.find(({ kind }) => kind === 'uninitialized')!;
  expect(missing.hasMore).toBeUndefined();
  expect(missing.count).toBeGreaterThan(0);
  expect(missing.count % GROUPS).toBe(0);
});

test.each<[string, () => KernelValue[], string]>([
  ['races_in_the_last', () => [items()], 'race'],
  [
    'outside_in_the_last',
    () => [
      session.buffer(Int32Array.from({ length: ALL }, (_, i) => (i === ALL - 1 ? ITEMS : i % ITEMS))),
      items(),
    ],
    'out-of-bounds',
  ],
  ['outside_by_group', () => [], 'out-of-bounds'],
])('%s', (name, more, kind) => {
  const faults = faultsOf(name, session.buffer(Float32Array, ALL), ...more());
  const fault = faults.find((each) => each.kind === kind);
  expect(fault?.item?.group[0]).toBe(GROUPS - 1);
});

test('private arrays, in groups of which the last is smaller', async () => {
  const out = session.buffer(Uint32Array, 1001 * 4);
  const event = session.queue.enqueueNDRange(kernels.private_arrays!.setArgs(out), { global: [1001] });
  await event;
  expect(event.faults).toEqual([]);
  expect(linesOf(await faultsOfCopy(out, 1001 * 4))).toEqual([]);
});

async function faultsOfCopy(from: KernelValue, count: number): Promise<readonly Fault[]> {
  kernels.copy!.setArgs(from, session.buffer(Int32Array, count));
  const event = session.queue.enqueueNDRange(kernels.copy!, { global: [count] });
  await event;
  return event.faults;
}

test('only what the groups have written has contents', async () => {
  const out = session.buffer(Int32Array, ALL);
  expect(linesOf(faultsOf('every_second', out))).toEqual([]);
  const faults = await faultsOfCopy(out, ALL);
  expect(linesOf(faults)).toEqual(['uninitialized 69']);
  expect(faults[0]!.count).toBe(ALL / 2);
});

test('groups that write a common element', () => {
  const data = session.buffer(new Int32Array(ALL));
  expect(linesOf(faultsOf('neighbours_of_groups', data, items()))).toContain('race 73');
});

test('work-items that exchange elements of a buffer across a barrier', () => {
  const data = session.buffer(Int32Array.from({ length: ALL }, (_, i) => i));
  expect(linesOf(faultsOf('mirrored', data))).toEqual([]);
  const result = data.readSync();
  expect([result[0], result[ITEMS - 1], result[ALL - 1]]).toEqual([ITEMS - 1, 0, ALL - ITEMS]);
});

test('a kernel misses no contents that a later launch writes', async () => {
  const [empty, out] = [session.buffer(Int32Array, ALL), session.buffer(Int32Array, ALL)];
  const reads = session.queue.enqueueNDRange(kernels.copy!.setArgs(empty, out), { global: [ALL] });
  const writes = session.queue.enqueueNDRange(
    kernels.copy!.setArgs(session.buffer(new Int32Array(ALL)), empty),
    {
      global: [ALL],
    },
  );
  await writes;
  expect(linesOf(reads.faults)).toEqual(['uninitialized 69']);
  expect(reads.faults[0]!.count).toBe(ALL);
});
