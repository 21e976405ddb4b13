// SPDX-License-Identifier: MIT
//
// Launches that repeat the one before: nothing that changed between them may be missed.

import { softwareKernels } from '../../../../tests/helpers/software-kernels';
import { ErrorCode, MemFlags } from '../../../cl/constants.gen';
import type { BackendMemory } from '../../backend-objects';
import { LocalArgument } from '../../backend-queue';
import type { SoftwareQueue } from '../queue';

const { device, context, queue, kernelOf } = softwareKernels(2);
const buffer = (length: number) => context.createBuffer(MemFlags.READ_WRITE, length * 4, undefined);
const read = (memory: BackendMemory) =>
  new Int32Array((memory as unknown as { bytes(): Uint8Array }).bytes().slice().buffer);
const usedBytes = () =>
  (queue as SoftwareQueue & { device: { memory: { used: number } } }).device.memory.used;

const NOTE = `kernel void note(global int *out, int value, local int *scratch) {
  scratch[get_local_id(0)] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(1) == get_global_offset(1))
    out[get_global_id(0)] = scratch[get_local_id(0)] * 1000000 + get_global_size(0) * 1000 + get_local_size(0) * 10 + get_work_dim();
}`;
const noted = (value: number, global: number, local: number, dimensions: number) =>
  value * 1000000 + global * 1000 + local * 10 + dimensions;

test('each launch has its own arguments, also while earlier ones wait', async () => {
  const kernel = await kernelOf(NOTE);
  const outs = Array.from({ length: 100 }, () => buffer(64));
  kernel.setArg(2, new LocalArgument(64));
  for (const [i, out] of outs.entries()) {
    kernel.setArg(0, out);
    if (i === 0 || i % 3 !== 0) kernel.setArg(1, Int32Array.of(i));
    queue.enqueueKernel(kernel, { global: [64], local: [16], offset: undefined }, undefined, false);
  }
  await queue.finish();
  const given = (i: number) => (i % 3 === 0 && i > 0 ? i - 1 : i);
  for (const [i, out] of outs.entries())
    expect(read(out)).toEqual(new Int32Array(64).fill(noted(given(i), 64, 16, 1)));
});

test('sizes, dimensions and offsets change', async () => {
  const kernel = await kernelOf(NOTE);
  const out = buffer(80);
  kernel.setArg(0, out);
  kernel.setArg(1, Int32Array.of(5));
  kernel.setArg(2, new LocalArgument(64));
  const ranges: [number[], number[], number[] | undefined][] = [
    [[64], [16], undefined],
    [[64], [8], undefined],
    [[64, 2], [8, 1], undefined],
    [[48], [8], [16]],
    [[48], [8], [8]],
  ];
  for (const [global, local, offset] of ranges)
    for (let again = 0; again < 3; again++) {
      queue.enqueueKernel(kernel, { global, local, offset }, undefined, false);
      await queue.finish();
      const [size, start] = [global[0]!, offset?.[0] ?? 0];
      const expected = new Int32Array(size).fill(noted(5, size, local[0]!, global.length));
      expect(read(out).subarray(start, start + size)).toEqual(expected);
    }
});

test('local memory grows between launches', async () => {
  const kernel = await kernelOf(`kernel void fill(global int *out, local int *a, local int *b, int n) {
    for (int i = get_local_id(0); i < n; i += get_local_size(0)) { a[i] = i; b[i] = -i; }
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] + (b[i] == -i);
    out[get_global_id(0)] = sum;
  }`);
  const out = buffer(64);
  kernel.setArg(0, out);
  for (const n of [16, 16, 16, 2000, 2000, 2000, 8, 8, 4000]) {
    kernel.setArg(1, new LocalArgument(4 * n));
    kernel.setArg(2, new LocalArgument(4 * n));
    kernel.setArg(3, Int32Array.of(n));
    queue.enqueueKernel(kernel, { global: [64], local: [32], offset: undefined }, undefined, false);
    await queue.finish();
    expect(read(out)).toEqual(new Int32Array(64).fill((n * (n - 1)) / 2 + n));
  }
});

test('the memory grows between launches; queues differ in profiling', async () => {
  const kernel = await kernelOf('kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }');
  const out = buffer(1 << 16);
  const first = read(out)[7]!;
  kernel.setArg(0, out);
  kernel.setArg(1, Int32Array.of(3));
  const profiled = context.createQueue(device, [0x1093n, 2n]);
  const range = { global: [1 << 16], local: undefined, offset: undefined };
  let launches = 0;
  for (let i = 0; i < 6; i++) {
    for (const each of [queue, queue, profiled, profiled]) {
      const event = each.enqueueKernel(kernel, range, undefined, true)!;
      await each.finish();
      launches++;
      if (each === profiled) {
        const [start, end] = [0x1282, 0x1283].map((key) =>
          new DataView(event.profilingInfo(key).buffer).getBigUint64(0, true),
        );
        expect(end! > start!).toBe(true);
      }
    }
    buffer(1 << 22);
  }
  expect(read(out)[7]).toBe(first + 3 * launches);
});

test('a released argument is an error; nothing is left allocated', async () => {
  const kernel = await kernelOf('kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }');
  const out = buffer(64);
  const launch = () => {
    queue.enqueueKernel(kernel, { global: [64], local: undefined, offset: undefined }, undefined, false);
  };
  kernel.setArg(0, out);
  kernel.setArg(1, Int32Array.of(1));
  for (let i = 0; i < 3; i++) launch();
  await queue.finish();
  const before = usedBytes();
  for (let i = 0; i < 300; i++) launch();
  await queue.finish();
  expect(usedBytes()).toBe(before);
  // Once by the caller, once for the kernel's own reference.
  out.release();
  out.release();
  expect(launch).toThrow('released');
});

test('nothing is left of launches that never start because an event that they wait for failed', async () => {
  const kernel = await kernelOf('kernel void say(global int *x) { printf("%d\\n", x[0]); }');
  kernel.setArg(0, buffer(4));
  const range = { global: [1], local: undefined, offset: undefined };
  queue.enqueueKernel(kernel, range, undefined, false);
  await queue.finish();
  const before = usedBytes();
  for (let i = 0; i < 20; i++) {
    const gate = context.createUserEvent();
    const launch = queue.enqueueKernel(kernel, range, [gate], true)!;
    expect(usedBytes()).toBeGreaterThan(before);
    gate.setUserStatus(-1);
    expect(launch.status()).toBe(ErrorCode.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    expect(usedBytes()).toBe(before);
  }
});
