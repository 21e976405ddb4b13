// SPDX-License-Identifier: MIT
//
// Launches that may write back elements of inactive lanes: only those that alone write an argument's memory while they run.

import { softwareKernels } from '../../../../tests/helpers/software-kernels';
import type { NDRange } from '../../../base/nd-range';
import { MapFlags, MemFlags, QueueFlags, QueueInfo } from '../../../cl/constants.gen';
import type { BackendMemory, BackendSvm } from '../../backend-objects';
import type { CommandStream } from '../command-stream';
import type { SoftwareBuffer } from '../memory/buffer';
import type { SoftwareKernel } from '../programs/kernel';
import { resolveNDRange } from '../programs/nd-range';
import { writeSoleWrites } from './sole-writer';

const { device, context, queue, kernelOf } = softwareKernels(2);
const stream = queue as unknown as CommandStream;
const newQueue = (...properties: bigint[]) => context.createQueue(device, properties);
const outOfOrder = () =>
  newQueue(BigInt(QueueInfo.PROPERTIES), BigInt(QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE));
const buffer = (bytes: number) => context.createBuffer(MemFlags.READ_WRITE, bytes, undefined);
const int = (n: number) => Int32Array.of(n);

type Argument = BackendMemory | BackendSvm | ArrayBufferView;

const NONE = [-1, 0];
const all = (memory: BackendMemory) => {
  const { address, size } = memory as SoftwareBuffer;
  return [address, address + size];
};

/** Where the launch may write back elements of its only sole argument. */
function rangeOf(
  kernel: SoftwareKernel,
  args: readonly Argument[],
  size: NDRange | number = 1024,
  on: CommandStream | 'none' = stream,
): number[] {
  for (const [i, arg] of args.entries()) kernel.setArg(i, arg);
  const { global, local, offset } = typeof size === 'number' ? { global: [size] } : (size as NDRange);
  const binary = kernel.executable.kernel(kernel.signature.name, 'separate');
  expect(binary.soleWrites).toHaveLength(1);
  const words = new Int32Array(256);
  writeSoleWrites(
    kernel,
    binary,
    resolveNDRange(kernel, global, local, offset, 'separate'),
    on === 'none' ? undefined : on,
    words,
    0,
  );
  const at = binary.soleWrites![0]!.offset >>> 2;
  return [...words.subarray(at, at + 2)];
}

const MARK = `kernel void mark(global const uchar *in, global uchar *out) {
  int i = get_global_id(0); if (in[i] > 100) out[i] = 1; }`;

test('a launch that alone writes a buffer, all of the buffer', async () => {
  const kernel = await kernelOf(MARK);
  const [from, to] = [buffer(1000), buffer(1000)];
  expect(rangeOf(kernel, [from, to])).toEqual(all(to));
  // A sub-buffer: what is beyond it may be another launch's.
  const part = to.createSubBuffer(0, 128, 100);
  expect(rangeOf(kernel, [from, part])).toEqual(all(part));
});

test('none in a queue whose commands may run at the same time, nor for what a kernel has enqueued', async () => {
  const kernel = await kernelOf(MARK);
  const [from, to] = [buffer(1000), buffer(1000)];
  expect(rangeOf(kernel, [from, to], 1000, outOfOrder() as unknown as CommandStream)).toEqual(NONE);
  expect(rangeOf(kernel, [from, buffer(1000)], 1000, 'none')).toEqual(NONE);
});

test('none if another argument has the memory', async () => {
  const kernel = await kernelOf(MARK);
  const whole = buffer(1024);
  const [first, second, both] = [
    whole.createSubBuffer(0, 0, 512),
    whole.createSubBuffer(0, 512, 512),
    whole.createSubBuffer(0, 256, 512),
  ];
  expect(rangeOf(kernel, [whole, whole])).toEqual(NONE);
  expect(rangeOf(kernel, [whole, first])).toEqual(NONE);
  expect(rangeOf(kernel, [both, second])).toEqual(NONE);
  expect(rangeOf(kernel, [first, second])).toEqual(all(second));
});

test('none for memory that the host shares', async () => {
  const kernel = await kernelOf(MARK);
  const from = buffer(1000);
  const svm = context.svmAlloc(MemFlags.READ_WRITE, 1024, 0);
  expect(rangeOf(kernel, [from, svm])).toEqual(NONE);
  expect(rangeOf(kernel, [from, context.createBuffer(MemFlags.USE_HOST_PTR, 1024, svm.bytes)])).toEqual(NONE);
});

test('none while the host has mapped the buffer or a part of it', async () => {
  const kernel = await kernelOf(MARK);
  const [from, to] = [buffer(1000), buffer(1000)];
  const part = to.createSubBuffer(0, 128, 128);
  for (const object of [to, part]) {
    const { event, mapped } = queue.mapBuffer(object, MapFlags.WRITE, 0, 16, undefined);
    expect(rangeOf(kernel, [from, to])).toEqual(NONE);
    expect(rangeOf(kernel, [from, part])).toEqual(NONE);
    await queue.finish();
    expect(rangeOf(kernel, [from, to])).toEqual(NONE);
    queue.enqueue({ op: 'unmap', memory: object, mapping: mapped }, undefined, false);
    await queue.finish();
    expect(rangeOf(kernel, [from, to])).toEqual(all(to));
    event.release();
  }
});

test('none if two queues have used the buffer at the same time', async () => {
  const kernel = await kernelOf(MARK);
  const [from, to] = [buffer(1000), buffer(1000)];
  const second = newQueue();
  const on = second as unknown as CommandStream;
  const fill = (which: typeof queue, memory: BackendMemory, wait?: Parameters<typeof queue.enqueue>[1]) =>
    which.enqueue(
      { op: 'fillBuffer', buffer: memory, offset: 0, size: 16, pattern: new Uint8Array(1) },
      wait,
      false,
    );
  // One after the other does not matter.
  fill(second, to);
  await second.finish();
  expect(rangeOf(kernel, [from, to])).toEqual(all(to));
  const open = context.createUserEvent();
  fill(second, to.createSubBuffer(0, 0, 128), [open]);
  expect(rangeOf(kernel, [from, to], 1000, on)).toEqual(all(to));
  expect(rangeOf(kernel, [from, to])).toEqual(NONE);
  open.setUserStatus(0);
  await second.finish();
  // Once, and they probably do it again.
  expect(rangeOf(kernel, [from, to])).toEqual(NONE);
  expect(rangeOf(kernel, [from, to], 1000, on)).toEqual(NONE);
});

test('a launch that waits for its code uses its buffers', async () => {
  const [kernel, other] = [await kernelOf(MARK), await kernelOf(MARK)];
  const [from, to] = [buffer(1000), buffer(1000)];
  const second = newQueue();
  const open = context.createUserEvent();
  other.setArg(0, from);
  other.setArg(1, to);
  second.enqueueKernel(other, { global: [64] }, [open], false);
  expect(rangeOf(kernel, [from, to])).toEqual(NONE);
  open.setUserStatus(0);
  await second.finish();
});

test('rows that are known to be apart', async () => {
  const kernel = await kernelOf(`kernel void rows(global const short *in, global short *out, int width) {
    int at = get_global_id(1) * width + get_global_id(0); if (in[at] > 5) out[at] = 1; }`);
  const [from, to] = [buffer(1 << 16), buffer(1 << 16)];
  const launch = (width: number, ...global: number[]) => rangeOf(kernel, [from, to, int(width)], { global });
  expect(launch(64, 64, 8)).toEqual(all(to));
  expect(launch(65, 64, 8)).toEqual(all(to));
  expect(launch(63, 64, 8)).toEqual(NONE);
  expect(launch(0, 64, 1)).toEqual(all(to));
  expect(launch(0, 64, 2)).toEqual(NONE);
  expect(launch(-64, 64, 2)).toEqual(NONE);
  expect(launch(64, 64, 2, 2)).toEqual(NONE);
  // 2^31 elements of a row are 2^32 bytes: the next one begins where this one does.
  expect(launch(2 ** 31 - 1, 64, 2)).toEqual(NONE);
  expect(launch(2 ** 29, 64, 8)).toEqual(NONE);
});

test('rows that the code itself keeps apart', async () => {
  const kernel =
    await kernelOf(`kernel void inside(global const uchar *in, global uchar *out, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    if (in[y * width + x] > 5) out[y * width + x] = 1; }`);
  const [from, to] = [buffer(1 << 16), buffer(1 << 16)];
  const launch = (width: number) => rangeOf(kernel, [from, to, int(width), int(8)], { global: [64, 8] });
  expect(launch(64)).toEqual(all(to));
  expect(launch(50)).toEqual(all(to));
  expect(launch(0)).toEqual(NONE);
});

test('work-items that share an element have none of their own', async () => {
  const kernel = await kernelOf(MARK);
  const [from, to] = [buffer(1000), buffer(1000)];
  expect(rangeOf(kernel, [from, to], { global: [64, 2] })).toEqual(NONE);
  expect(rangeOf(kernel, [from, to], { global: [64, 1, 2] })).toEqual(NONE);
  expect(rangeOf(kernel, [from, to], { global: [64, 1, 1] })).toEqual(all(to));
});

test.each([
  ['by their local ids', 'int i = get_local_id(0); if (in[i] > 5) out[i] = 1;'],
  [
    'by their groups and local ids',
    'int i = get_group_id(0) * 64 + get_local_id(0); if (in[i] > 5) out[i] = 1;',
  ],
  [
    'of a neighbour, too',
    'int i = get_global_id(0); if (in[i] > 5) out[i] = 1; if (in[i] > 9) out[i + 1] = 1;',
  ],
  ['anywhere, too', 'int i = get_global_id(0); if (in[i] > 5) out[i] = 1; out[in[i]] = 1;'],
  [
    'by an atomic, too',
    'int i = get_global_id(0); if (in[i] > 5) out[i] = 1; atomic_inc((global int *)out);',
  ],
  [
    'in a loop over elements',
    'for (int i = get_global_id(0); i < 999; i += get_global_size(0)) if (in[i] > 5) out[i] = 1;',
  ],
  ['of a row that memory tells', 'int i = in[0] * 64 + get_global_id(0); if (in[i] > 5) out[i] = 1;'],
  ['that are volatile', 'int i = get_global_id(0); if (in[i] > 5) ((volatile global uchar *)out)[i] = 1;'],
  ['without a condition but on ids', 'int i = get_global_id(0); if (i < in[3]) out[i] = in[i];'],
])('kernels without such a store: elements %s', async (_, body) => {
  const kernel = await kernelOf(`kernel void k(global const uchar *in, global uchar *out) { ${body} }`);
  expect(kernel.executable.kernel('k', 'separate').soleWrites).toBeUndefined();
});

test('a kernel that may write any memory has none', async () => {
  const kernel =
    await kernelOf(`kernel void k(global const uchar *in, global uchar *out, global ulong *other) {
    int i = get_global_id(0); if (in[i] > 5) out[i] = 1; *(global uchar *)other[0] = 1; }`);
  expect(kernel.executable.kernel('k', 'separate').soleWrites).toBeUndefined();
});

const TURNS = 5_000_001;
const LAST = TURNS & 255;
const bytesOf = (memory: BackendMemory) => (memory as SoftwareBuffer).bytes();
const given = (data: Uint8Array) => context.createBuffer(MemFlags.COPY_HOST_PTR, data.length, data);

/** Launches that store to one vector all the time: what one writes back too late, another one has written. */
test('commands of one queue that write other elements at the same time lose nothing', async () => {
  const kernel =
    await kernelOf(`kernel void parts(global const uchar *in, global uchar *out, int part, int n) {
    int i = get_global_id(0); for (int k = 1; k <= n; k++) if (in[i] == part) out[i] = k; }`);
  const from = given(Uint8Array.from({ length: 16 }, (_, i) => i & 1));
  const out = given(new Uint8Array(16));
  const lax = outOfOrder();
  for (let again = 0; again < 20; again++) {
    for (const part of [0, 1]) {
      for (const [i, arg] of [from, out, int(part), int(TURNS)].entries()) kernel.setArg(i, arg);
      lax.enqueueKernel(kernel, { global: [16] }, undefined, false);
    }
    await lax.finish();
    expect([...bytesOf(out)]).toEqual(new Array(16).fill(LAST));
    bytesOf(out).fill(0);
  }
});

test('queues that write neighbouring sub-buffers lose nothing', async () => {
  const kernel =
    await kernelOf(`kernel void shifted(global const uchar *in, global uchar *out, int by, int n) {
    int i = get_global_id(0) + by; for (int k = 1; k <= n; k++) if (i < 128 && in[i] == 0) out[i] = k; }`);
  const from = given(new Uint8Array(256));
  const whole = given(new Uint8Array(256));
  const queues = [newQueue(), newQueue()];
  const parts = [0, 1].map((at) => whole.createSubBuffer(0, at * 128, 128));
  for (let again = 0; again < 20; again++) {
    for (const at of [0, 1]) {
      // The first one's last vector is half in the second one's first.
      const by = at === 0 ? 120 : 0;
      for (const [i, arg] of [from, parts[at]!, int(by), int(TURNS)].entries()) kernel.setArg(i, arg);
      queues[at]!.enqueueKernel(kernel, { global: [16] }, undefined, false);
    }
    for (const each of queues) await each.finish();
    expect([...bytesOf(whole).subarray(120, 144)]).toEqual(new Array(24).fill(LAST));
    bytesOf(whole).fill(0);
  }
});

test('work-items that write the buffer by another argument lose nothing', async () => {
  const half = 16;
  const turns = TURNS;
  const kernel =
    await kernelOf(`kernel void both(global const uchar *in, global uchar *a, global uchar *b, int middle, int n) {
    int i = get_global_id(0);
    if (i < middle) { for (int k = 1; k <= n; k++) if (in[i] == 1) a[i] = k; }
    else for (int k = 1; k <= n; k++) if (in[i] == 0) b[i - middle] = k; }`);
  const from = given(Uint8Array.from({ length: 2 * half }, (_, i) => i & 1));
  const out = given(new Uint8Array(half));
  for (let again = 0; again < 20; again++) {
    for (const [i, arg] of [from, out, out, int(half), int(turns)].entries()) kernel.setArg(i, arg);
    queue.enqueueKernel(kernel, { global: [2 * half], local: [16] }, undefined, false);
    await queue.finish();
    expect([...bytesOf(out)]).toEqual(new Array(half).fill(turns & 255));
    bytesOf(out).fill(0);
  }
});
