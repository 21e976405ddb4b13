// SPDX-License-Identifier: MIT
//
// Privatized atomics in whole launches: which launches use copies, and that the results do not show it.

import { softwareKernels } from '../../../../tests/helpers/software-kernels';
import { MemFlags } from '../../../cl/constants.gen';
import type { BackendMemory, BackendSvm } from '../../backend-objects';
import type { SoftwareKernel } from '../programs/kernel';
import { privatizingOf } from './privatizing';

const { context, queue, kernelOf } = softwareKernels(3);

const buffer = (data: ArrayBufferView, flags: number = MemFlags.COPY_HOST_PTR) =>
  context.createBuffer(flags, data.byteLength, data);
const read = (memory: BackendMemory) =>
  new Int32Array((memory as unknown as { bytes(): Uint8Array }).bytes().slice().buffer);

type Argument = BackendMemory | BackendSvm | ArrayBufferView;

/** Runs the kernel; returns whether it used copies. */
async function run(kernel: SoftwareKernel, global: number, args: readonly Argument[]): Promise<boolean> {
  for (const [i, arg] of args.entries()) kernel.setArg(i, arg);
  queue.enqueueKernel(kernel, { global: [global] }, undefined, false);
  const copies = privatizingOf(kernel, [global]) !== undefined;
  await queue.finish();
  return copies;
}

const ITEMS = 100_000;
const BINS = 64;
const COUNT = `kernel void count(global const int *x, global int *bins, int by) {
  atomic_add(&bins[x[get_global_id(0)]], by);
}`;
const x = Int32Array.from({ length: ITEMS }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 26);
const counts = new Int32Array(BINS);
for (const bin of x) counts[bin]!++;
const times = (by: number, from = 0) => counts.map((n) => from + by * n);
const by = (n: number) => Int32Array.of(n);

test('sums arrive, whatever was there, launch after launch', async () => {
  const kernel = await kernelOf(COUNT);
  const bins = buffer(new Int32Array(BINS).fill(7));
  const input = buffer(x);
  expect(await run(kernel, ITEMS, [input, bins, by(2)])).toBe(true);
  expect(read(bins)).toEqual(times(2, 7));
  expect(await run(kernel, ITEMS, [input, bins, by(-1)])).toBe(true);
  expect(read(bins)).toEqual(times(1, 7));
});

test('a kernel that follows in the queue sees them', async () => {
  const count = await kernelOf(COUNT);
  const copy = await kernelOf(
    'kernel void copy(global const int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }',
  );
  const [input, bins, out] = [buffer(x), buffer(new Int32Array(BINS)), buffer(new Int32Array(BINS))];
  copy.setArg(0, bins);
  copy.setArg(1, out);
  for (const [i, arg] of [input, bins, by(1)].entries()) count.setArg(i, arg);
  for (let turn = 0; turn < 5; turn++) {
    queue.enqueueKernel(count, { global: [ITEMS] }, undefined, false);
    queue.enqueueKernel(copy, { global: [BINS] }, undefined, false);
  }
  await queue.finish();
  expect(read(out)).toEqual(times(5));
});

test('memory that another argument reaches is left where it is', async () => {
  const kernel = await kernelOf(
    `kernel void watch(global int *bins, global int *seen, global const int *x) {
    int i = get_global_id(0);
    atomic_inc(&bins[x[i]]);
    if (seen[x[i]] == 0) seen[BINS_ + i] = 1;
  }`.replace('BINS_', String(BINS)),
  );
  const input = buffer(x);
  const words = BINS + ITEMS;
  const apart = [buffer(new Int32Array(BINS)), buffer(new Int32Array(words))] as const;
  expect(await run(kernel, ITEMS, [...apart, input])).toBe(true);
  expect(read(apart[0])).toEqual(counts);
  // If both are one buffer, each work-item adds to the place before it reads, so that none reads 0.
  const one = buffer(new Int32Array(words));
  expect(await run(kernel, ITEMS, [one, one, input])).toBe(false);
  expect(read(one).subarray(0, BINS)).toEqual(counts);
  expect(
    read(one)
      .subarray(BINS)
      .every((seen) => seen === 0),
  ).toBe(true);
});

test('sub-buffers that meet are left where they are, those that do not are not', async () => {
  const kernel = await kernelOf(
    'kernel void two(global int *a, global int *b, global const int *x) { atomic_inc(&a[x[get_global_id(0)]]); b[0] = 1; }',
  );
  const whole = buffer(new Int32Array(1024));
  const [first, second, both] = [
    whole.createSubBuffer(0, 0, 1024),
    whole.createSubBuffer(0, 1024, 1024),
    whole.createSubBuffer(0, 0, 2048),
  ];
  const input = buffer(x);
  expect(await run(kernel, ITEMS, [first, second, input])).toBe(true);
  expect(await run(kernel, ITEMS, [second, both, input])).toBe(false);
  expect(await run(kernel, ITEMS, [second, whole, input])).toBe(false);
  expect(await run(kernel, ITEMS, [whole, second, input])).toBe(false);
  // The result of b[0] = 1 depends on its time; the words after it are certain.
  const behind = times(2).subarray(1);
  for (const at of [0, 256]) expect(read(whole).subarray(at + 1, at + BINS)).toEqual(behind);
});

test('shared virtual memory, and buffers over it, are left where they are', async () => {
  const kernel = await kernelOf(COUNT);
  const input = buffer(x);
  const svm = context.svmAlloc(MemFlags.READ_WRITE, BINS * 4, 0);
  new Int32Array(svm.bytes.buffer, svm.bytes.byteOffset, BINS).fill(0);
  expect(await run(kernel, ITEMS, [input, svm, by(1)])).toBe(false);
  expect(new Int32Array(svm.bytes.slice().buffer)).toEqual(counts);
  const over = buffer(svm.bytes, MemFlags.USE_HOST_PTR);
  expect(await run(kernel, ITEMS, [input, over, by(1)])).toBe(false);
  expect(new Int32Array(svm.bytes.slice().buffer)).toEqual(times(2));
});

test('work-groups that wait for a counter of others end', async () => {
  const kernel =
    await kernelOf(`kernel void wait(volatile global atomic_int *arrived, global int *bins, global int *out) {
    int i = get_global_id(0), n = get_num_groups(0);
    if (get_local_id(0) == 0) atomic_fetch_add_explicit(arrived, 1, memory_order_relaxed);
    atomic_inc(&bins[i & 7]);
    while (get_group_id(0) == n - 1 && atomic_load_explicit(arrived, memory_order_relaxed) < n) ;
    out[i] = 1;
  }`);
  const items = 1 << 14;
  const [arrived, bins, out] = [new Int32Array(1), new Int32Array(8), new Int32Array(items)].map((d) =>
    buffer(d),
  ) as [BackendMemory, BackendMemory, BackendMemory];
  expect(await run(kernel, items, [arrived, bins, out])).toBe(true);
  expect(read(bins)).toEqual(new Int32Array(8).fill(items / 8));
  expect(read(out).every((v) => v === 1)).toBe(true);
});

test('large memory and little work are left where they are', async () => {
  const kernel = await kernelOf(COUNT);
  const input = buffer(x);
  const large = buffer(new Int32Array(1 << 20));
  expect(await run(kernel, ITEMS, [input, large, by(1)])).toBe(false);
  expect(read(large).subarray(0, BINS)).toEqual(counts);
  expect(await run(kernel, 64, [input, buffer(new Int32Array(BINS)), by(1)])).toBe(false);
});
