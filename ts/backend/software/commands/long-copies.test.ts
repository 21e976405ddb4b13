// SPDX-License-Identifier: MIT
//
// Commands that copy in several turns of the event loop: their order, and what happens to them in the middle.
import { OneStepATurn } from '../../../../tests/helpers/one-step-a-turn';
import { settingsWith } from '../../../../tests/helpers/settings';
import {
  ChannelOrder,
  ChannelType,
  ContextProperty,
  MapFlags,
  MemFlags,
  MemObjectType,
  QueueFlags,
  QueueInfo,
} from '../../../cl/constants.gen';
import { StopCode } from '../../../cl/stop-codes';
import { STEP_BYTES } from '../../../device/commands/host-work';
import type { BackendEvent, BackendMemory } from '../../backend-objects';
import type { BackendQueue, Wait } from '../../backend-queue';
import type { Command, ImageOrigin, Triple } from '../../command';
import { SoftwareBackend } from '..';
import { defaultToolchain } from '../build/default-toolchain';

const host = new OneStepATurn(settingsWith({ ANYCL_CACHE: '0', ANYCL_TIMEOUT: '0' }));
const backend = new SoftwareBackend(host, defaultToolchain);
const device = backend.platforms()[0]!.devices()[0]!;
const newContext = () => device.createContext([device], [BigInt(ContextProperty.TERMINATE_KHR), 1n]);
const context = newContext();
const inOrder = context.createQueue(device, []);
const flags = BigInt(QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueFlags.PROFILING_ENABLE);
const outOfOrder = context.createQueue(device, [BigInt(QueueInfo.PROPERTIES), flags]);
afterAll(() => backend.shutdown());

const STEPS = 4;
const SIZE = STEP_BYTES * STEPS;
const RUNNING = 1;
const QUEUED = 3;

const full = (value: number, size = SIZE) => new Uint8Array(size).fill(value);
function noise(): Uint8Array {
  const bytes = new Uint8Array(SIZE);
  for (let i = 0; i < SIZE; i++) bytes[i] = i * 7 + (i >> 8);
  return bytes;
}
const newBuffer = (data?: Uint8Array, flags = 0): BackendMemory =>
  context.createBuffer(flags | (data ? MemFlags.COPY_HOST_PTR : 0), data?.length ?? SIZE, data);
const enqueue = (command: Command, wait?: Wait, queue: BackendQueue = inOrder): BackendEvent =>
  queue.enqueue(command, wait, true)!;
const write = (buffer: BackendMemory, from: ArrayBufferView, offset = 0): Command => ({
  op: 'writeBuffer',
  buffer,
  offset,
  from,
});
const read = (buffer: BackendMemory, into: ArrayBufferView): Command => ({
  op: 'readBuffer',
  buffer,
  offset: 0,
  into,
});
const over = (event: BackendEvent): Promise<number> => new Promise((done) => event.onComplete(done));
/** TypeScript's library of the build does not know them. */
const Resizable = ArrayBuffer as unknown as new (
  size: number,
  options: { readonly maxByteLength: number },
) => ArrayBuffer & { resize(size: number): void };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits until a command has done some of its steps. */
async function middle(event: BackendEvent): Promise<void> {
  while (event.status() === QUEUED) await turn();
  await turn();
  await turn();
  expect(event.status()).toBe(RUNNING);
}

async function contents(buffer: BackendMemory, size = SIZE): Promise<Uint8Array> {
  const into = new Uint8Array(size);
  await over(enqueue(read(buffer, into)));
  return into;
}

const same = (a: Uint8Array, b: Uint8Array): void => expect(Buffer.compare(a, b)).toBe(0);

describe('what they copy', () => {
  const source = noise();

  test('reads and writes', async () => {
    const buffer = newBuffer();
    const event = enqueue(write(buffer, source));
    const before = host.turns;
    await over(event);
    expect(host.turns - before).toBeGreaterThanOrEqual(STEPS);
    same(await contents(buffer), source);
  });

  test('copies and fills', async () => {
    const [from, to] = [newBuffer(source), newBuffer(full(1))];
    const copy = { op: 'copyBuffer', from, to, fromOffset: 5, toOffset: 3, size: SIZE - 5 } as const;
    await over(enqueue(copy));
    same((await contents(to)).subarray(3, SIZE - 2), source.subarray(5));
    for (const pattern of [Uint8Array.of(9), Uint8Array.of(1, 2, 3, 4)]) {
      const size = SIZE - 8;
      await over(enqueue({ op: 'fillBuffer', buffer: to, offset: 4, size, pattern }));
      const now = await contents(to);
      same(
        now.subarray(4, SIZE - 4),
        Uint8Array.from({ length: size }, (_, i) => pattern[i % pattern.length]!),
      );
      expect(now[3]).toBe(source[5]);
    }
  });

  test('boxes', async () => {
    const region: Triple = [700, 100, Math.floor(SIZE / 100_000) - 1];
    const [row, slice] = [800, 100_000];
    const none: Triple = [0, 0, 0];
    const rect = {
      region,
      bufferOrigin: [1, 2, 0] as Triple,
      hostOrigin: none,
      bufferRowPitch: row,
      bufferSlicePitch: slice,
      hostRowPitch: row,
      hostSlicePitch: slice,
    };
    const expected = (from: Uint8Array, at: number, to: Uint8Array, target: number): Uint8Array => {
      const out = to.slice();
      for (let z = 0; z < region[2]; z++)
        for (let y = 0; y < region[1]; y++) {
          const place = z * slice + y * row;
          out.set(from.subarray(place + at, place + at + region[0]), place + target);
        }
      return out;
    };
    const [from, to] = [newBuffer(source), newBuffer(full(1))];
    const into = full(2);
    await over(enqueue({ op: 'readBufferRect', buffer: from, rect, into }));
    same(into, expected(source, 2 * row + 1, full(2), 0));
    await over(enqueue({ op: 'writeBufferRect', buffer: to, rect, from: source }));
    same(await contents(to), expected(source, 0, full(1), 2 * row + 1));
    await over(enqueue({ op: 'fillBuffer', buffer: to, offset: 0, size: SIZE, pattern: Uint8Array.of(3) }));
    await over(enqueue({ op: 'copyBufferRect', from, to, rect }));
    same(await contents(to), expected(source, 2 * row + 1, full(3), 0));
  });

  test('images', async () => {
    const [width, height] = [256, SIZE / 1024];
    const format = { order: ChannelOrder.RGBA, type: ChannelType.UNSIGNED_INT8 };
    const description = {
      type: MemObjectType.IMAGE2D,
      width,
      height,
      depth: 1,
      arraySize: 1,
      rowPitch: 0,
      slicePitch: 0,
      mipLevels: 0,
      samples: 0,
    };
    const newImage = () => context.createImage(0, format, description);
    const [a, b] = [newImage(), newImage()];
    const origin: ImageOrigin = [0, 0, 0, 0];
    const region: Triple = [width, height, 1];
    const place = { origin, region, rowPitch: 0, slicePitch: 0 };
    const buffer = newBuffer(full(7));
    const into = new Uint8Array(SIZE);
    await over(enqueue({ op: 'writeImage', image: a, ...place, from: source }));
    await over(enqueue({ op: 'copyImage', from: a, to: b, fromOrigin: origin, toOrigin: origin, region }));
    await over(enqueue({ op: 'readImage', image: b, ...place, into }));
    same(into, source);
    await over(enqueue({ op: 'copyImageToBuffer', from: b, to: buffer, origin, region, toOffset: 0 }));
    same(await contents(buffer), source);
    const pattern = new Uint8Array(Uint32Array.of(1, 2, 3, 4).buffer);
    await over(enqueue({ op: 'fillImage', image: a, origin, region, pattern }));
    await over(enqueue({ op: 'readImage', image: a, ...place, into }));
    same(
      into,
      Uint8Array.from({ length: SIZE }, (_, i) => 1 + (i & 3)),
    );
    await over(enqueue({ op: 'copyBufferToImage', from: buffer, to: a, fromOffset: 0, origin, region }));
    await over(enqueue({ op: 'readImage', image: a, ...place, into }));
    same(into, source);
  });

  test('shared virtual memory', async () => {
    const svm = context.svmAlloc(0, SIZE, 0);
    const into = new Uint8Array(SIZE);
    const copy = { op: 'svmMemcpy', toOffset: 0, fromOffset: 0, size: SIZE } as const;
    await over(enqueue({ ...copy, to: svm, from: source }));
    await over(enqueue({ ...copy, to: into, from: svm }));
    same(into, source);
    await over(enqueue({ op: 'svmFill', svm, offset: 0, size: SIZE, pattern: Uint8Array.of(5, 6) }));
    await over(enqueue({ ...copy, to: into, from: svm }));
    same(
      into,
      Uint8Array.from({ length: SIZE }, (_, i) => 5 + (i & 1)),
    );
    // Within one array, as one copy would do it.
    const array = noise();
    const moved = array.slice();
    moved.copyWithin(100, 0, SIZE - 100);
    await over(enqueue({ ...copy, to: array, toOffset: 100, from: array, size: SIZE - 100 }));
    same(array, moved);
  });

  test('maps of host memory', async () => {
    const memory = full(1);
    const buffer = context.createBuffer(MemFlags.USE_HOST_PTR, SIZE, memory);
    await over(enqueue(write(buffer, source)));
    const { event, mapped } = inOrder.mapBuffer(buffer, MapFlags.READ | MapFlags.WRITE, 0, SIZE, undefined);
    await over(event);
    same(memory, source);
    memory.fill(8);
    await over(enqueue({ op: 'unmap', memory: buffer, mapping: mapped }));
    same(await contents(buffer), full(8));
  });
});

describe('order', () => {
  test('an in-order queue keeps it', async () => {
    const buffer = newBuffer();
    const first = enqueue(write(buffer, full(1)));
    const second = enqueue(write(buffer, full(2, 16), 8));
    const ended: number[] = [];
    first.onComplete(() => ended.push(1));
    second.onComplete(() => ended.push(2));
    expect([first.status(), second.status()]).toEqual([RUNNING, QUEUED]);
    const now = await contents(buffer);
    expect(ended).toEqual([1, 2]);
    same(now.subarray(0, 8), full(1, 8));
    same(now.subarray(8, 24), full(2, 16));
    same(now.subarray(24), full(1).subarray(24));
  });

  test('finish waits', async () => {
    const buffer = newBuffer();
    const event = enqueue(write(buffer, full(1)));
    await inOrder.finish();
    expect(event.status()).toBe(0);
  });

  test('an out-of-order queue keeps that of wait lists and barriers', async () => {
    const buffer = newBuffer();
    const go = (command: Command, wait?: Wait) => enqueue(command, wait, outOfOrder);
    const first = go(write(buffer, full(1)));
    const second = go(write(buffer, full(2)), [first]);
    const beside = go(write(newBuffer(), full(1, 16)));
    expect(beside.status()).toBe(0);
    outOfOrder.enqueue({ op: 'barrier' }, undefined, false);
    const third = go(write(buffer, full(3, 16)));
    const marker = outOfOrder.marker([third]);
    expect([second.status(), third.status(), marker.status()]).toEqual([QUEUED, QUEUED, QUEUED]);
    await over(marker);
    expect([first, second, third].map((event) => event.status())).toEqual([0, 0, 0]);
    const now = await contents(buffer);
    same(now.subarray(0, 16), full(3, 16));
    same(now.subarray(16), full(2).subarray(16));
  });

  test('kernels wait for them, and they for kernels', async () => {
    const program = context.createProgramWithSource([
      'kernel void k(global uint *p) { p[get_global_id(0)] = p[get_global_id(0)] * 2 + 1; }',
    ]);
    await program.build([device], '');
    const kernel = program.createKernel('k');
    const buffer = newBuffer();
    kernel.setArg(0, buffer);
    const from = new Uint32Array(SIZE / 4).fill(20);
    inOrder.enqueue(write(buffer, from), undefined, false);
    inOrder.enqueueKernel(kernel, { global: [SIZE / 4] }, undefined, false);
    inOrder.enqueueKernel(kernel, { global: [SIZE / 4] }, undefined, false);
    const words = new Uint32Array((await contents(buffer)).buffer);
    expect(words.every((word) => word === 83)).toBe(true);
  });

  test('several contexts take turns', async () => {
    const others = [1, 2, 3].map((value) => {
      const other = newContext();
      const queue = other.createQueue(device, []);
      const buffer = other.createBuffer(0, SIZE);
      const event = queue.enqueue(write(buffer, full(value)), undefined, true)!;
      return { value, queue, buffer, event };
    });
    await Promise.all(others.map(({ event }) => over(event)));
    for (const { value, queue, buffer } of others) {
      const into = new Uint8Array(SIZE);
      await over(queue.enqueue(read(buffer, into), undefined, true)!);
      same(into, full(value));
    }
  });

  test('an event knows its times', async () => {
    const event = enqueue(write(newBuffer(), full(1)), undefined, outOfOrder);
    await over(event);
    const [queued, submit, start, end] = [0x1280, 0x1281, 0x1282, 0x1283].map((param) =>
      new DataView(event.profilingInfo(param).buffer).getBigUint64(0, true),
    );
    expect(queued! < submit! && submit! <= start! && start! < end!).toBe(true);
  });
});

describe('in the middle', () => {
  test('a blocking call finishes it', async () => {
    const buffer = newBuffer();
    const event = enqueue(write(buffer, full(1)));
    await middle(event);
    const into = new Uint8Array(SIZE);
    enqueue(read(buffer, into)).waitSync();
    expect(event.status()).toBe(0);
    same(into, full(1));
    await turn();
  });

  test('it is stopped: its memory is not touched again, and the queue goes on', async () => {
    const buffer = newBuffer(full(9));
    const event = enqueue(write(buffer, full(1)));
    const ended = over(event);
    await middle(event);
    const after = enqueue(write(buffer, full(2, 16)));
    event.stop({ status: StopCode.COMMAND_ABORTED, text: 'enough' });
    expect(await ended).toBe(StopCode.COMMAND_ABORTED);
    expect(event.failure).toBe('enough');
    expect(await over(after)).toBe(0);
    buffer.release();
    // Where it was.
    const next = newBuffer();
    await over(enqueue({ op: 'fillBuffer', buffer: next, offset: 0, size: SIZE, pattern: Uint8Array.of(4) }));
    for (let i = 0; i < 2 * STEPS; i++) await turn();
    same(await contents(next), full(4));
  });

  test('its queue, or its context, is terminated', async () => {
    const other = newContext();
    const queue = other.createQueue(device, []);
    const first = queue.enqueue(write(other.createBuffer(0, SIZE), full(1)), undefined, true)!;
    const second = queue.enqueue(write(other.createBuffer(0, SIZE), full(1)), undefined, true)!;
    await middle(first);
    queue.terminate!({ status: StopCode.COMMAND_TERMINATED, text: 'terminated' });
    expect([first.status(), second.status()]).toEqual([
      StopCode.COMMAND_TERMINATED,
      StopCode.COMMAND_TERMINATED,
    ]);
    const third = queue.enqueue(write(other.createBuffer(0, SIZE), full(1)), undefined, true)!;
    await middle(third);
    other.terminate!();
    expect(third.status()).toBeLessThan(0);
    await turn();
  });

  test('buffer, queue and context are released: it goes on', async () => {
    const other = newContext();
    const queue = other.createQueue(device, []);
    const source = noise();
    const buffer = other.createBuffer(0, SIZE);
    const into = new Uint8Array(SIZE);
    queue.enqueue(write(buffer, source), undefined, false);
    const event = queue.enqueue(read(buffer, into), undefined, true)!;
    buffer.release();
    queue.release();
    other.release();
    await turn();
    expect(await over(event)).toBe(0);
    same(into, source);
  });

  test('its array is moved away: the rest stays as it was', async () => {
    const buffer = newBuffer(full(9));
    const from = full(1);
    const event = enqueue(write(buffer, from));
    await middle(event);
    structuredClone(from, { transfer: [from.buffer] });
    expect(await over(event)).toBe(0);
    const now = await contents(buffer);
    expect([now[0], now.at(-1)]).toEqual([1, 9]);

    const into = full(2);
    const reading = enqueue(read(buffer, into));
    await middle(reading);
    const taken = structuredClone(into, { transfer: [into.buffer] });
    expect(await over(reading)).toBe(0);
    await turn();
    expect([taken[0], taken.at(-1)]).toEqual([1, 2]);
  });

  test('its resizable array becomes shorter', async () => {
    const memory = new Resizable(SIZE, { maxByteLength: SIZE });
    const into = new Uint8Array(memory);
    const reading = enqueue(read(newBuffer(full(1)), into));
    await middle(reading);
    memory.resize(SIZE / 2 + 3);
    expect(await over(reading)).toBe(0);
    same(into, full(1, SIZE / 2 + 3));
  });

  test('the memory grows', async () => {
    const source = noise();
    const buffer = newBuffer();
    const event = enqueue(write(buffer, source));
    await middle(event);
    const large = context.createBuffer(0, 100 << 20);
    await over(event);
    same(await contents(buffer), source);
    large.release();
  });
});
