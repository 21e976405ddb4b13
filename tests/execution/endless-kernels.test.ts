// SPDX-License-Identifier: MIT
//
// Kernels that never end, on the software device: each is ended by a limit of its time, by a signal and by hand, and the device
// goes on.
import { type Event, findDevice, type Kernel, OpenCLError, type Session, StopCode } from '../../ts';
import { openSync } from '../../ts/api/open';
import type { Size } from '../../ts/api/options/range';
import { NodeHost } from '../../ts/host/node/node-host';

jest.setTimeout(120_000);

const SOURCE = `
kernel void loop(global int *x) { while (1) x[0]++; }
kernel void atomics(global int *x) { for (;;) atomic_inc(x); }
kernel void flag(global int *x) { while (((volatile global int *)x)[1] == 0); }
kernel void split(global int *x) {
  // Some never reach the barrier: as they are an endless loop, nobody leaves.
  if (get_local_id(0) & 1) while (1) atomic_inc(x);
  barrier(CLK_GLOBAL_MEM_FENCE);
}
kernel void barriers(global int *x) {
  for (;;) { barrier(CLK_LOCAL_MEM_FENCE); if (get_local_id(0) == 0) x[0]++; }
}
kernel void recursion(global int *x) {
  queue_t queue = get_default_queue();
  atomic_inc(x);
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ recursion(x); });
}
kernel void groups(global int *x) { if (get_global_id(0) == 7) x[0] = 1; }
kernel void rounds(global int *x) { for (ulong i = 0; i != 0xffffffffffffffffUL; i++) x[i & 3] ^= (int)i; }
kernel void prints(global int *x) { while (1) printf("%d\\n", x[0]++); }
kernel void image(global int *x, read_only image2d_t from) {
  const sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  float sum = 0;
  for (int i = 0; sum >= 0; i++) sum += read_imagef(from, s, (int2)(i & 3, x[0] & 3)).x;
  x[0] = (int)sum;
}
kernel void sub_groups(global int *x) {
  while (!sub_group_all(((volatile global int *)x)[1] != 0)) x[0] += sub_group_reduce_add(1);
}
kernel void add(global int *x) { atomic_inc(&x[2]); }`;

/** Global and local size. */
const SHAPES: Readonly<Record<string, readonly [Size, Size]>> = {
  loop: [1, 1],
  atomics: [64, 8],
  flag: [64, 8],
  split: [64, 16],
  barriers: [64, 16],
  recursion: [1, 1],
  groups: [
    [2 ** 31, 2 ** 20],
    [1, 1],
  ],
  rounds: [8, 4],
  prints: [2, 1],
  image: [16, 4],
  sub_groups: [64, 32],
};

let cl: Session;
let kernels: Record<string, Kernel>;
const created: (() => void)[] = [];

beforeAll(async () => {
  cl = openSync({ device: 'software' });
  const program = await cl.build(SOURCE, '-cl-std=CL3.0');
  kernels = program.kernels as Record<string, Kernel>;
  cl.context.createQueue({ onDevice: { default: true } });
});
afterAll(() => cl.close());
afterEach(() => {
  for (const release of created.splice(0)) release();
});

async function failureOf(event: PromiseLike<unknown>): Promise<OpenCLError> {
  const error = await Promise.resolve(event).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenCLError) return error;
  throw new Error(`not ended by an OpenCLError: ${error}`);
}

function argumentsOf(name: string) {
  const x = cl.buffer(new Int32Array(4));
  created.push(() => x.release());
  if (name !== 'image') return [x];
  const image = cl.image({ type: '2d', format: 'r32f', width: 4, height: 4 }, new Float32Array(16));
  created.push(() => image.release());
  return [x, image];
}

const isRunning = (event: Event): Promise<void> =>
  new Promise((resolve) => event.on('running', () => resolve()));

/** The device runs other kernels, on all of its workers. */
async function goesOn(): Promise<void> {
  const x = cl.buffer(new Int32Array(4));
  await kernels.add!.run({ global: 4096, local: 1 }, x);
  expect((await x.read())[2]).toBe(4096);
  x.release();
}

// What prints would fill the test's output.
const write = jest.spyOn(NodeHost.prototype, 'writeOut').mockImplementation(() => undefined);
afterAll(() => write.mockRestore());

describe.each(Object.entries(SHAPES))('%s', (name, [global, local]) => {
  test('by time', async () => {
    const event = kernels[name]!.run({ global, local, timeout: 30 }, ...argumentsOf(name));
    const error = await failureOf(event);
    expect(error).toMatchObject({
      code: StopCode.COMMAND_TIMED_OUT,
      codeName: 'ANYCL_COMMAND_TIMED_OUT',
      message: expect.stringMatching(/ran for more than 30 ms/),
    });
    expect(event.status).toBe('failed');
    await goesOn();
  });

  test('by a signal', async () => {
    const controller = new AbortController();
    const event = kernels[name]!.run({ global, local, signal: controller.signal }, ...argumentsOf(name));
    await isRunning(event);
    expect(event.status).toBe('running');
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await failureOf(event)).toMatchObject({ code: StopCode.COMMAND_ABORTED, cause: reason });
    await goesOn();
  });

  test('by hand', async () => {
    const queue = cl.context.createQueue();
    const [x] = argumentsOf(name);
    const event = kernels[name]!.run({ global, local, queue }, ...argumentsOf(name));
    const waits = queue.enqueueFill(x as never, Int32Array.of(7));
    await isRunning(event);
    queue.terminate();
    const codes = (await Promise.all([failureOf(event), failureOf(waits)])).map(({ code }) => code);
    expect(codes).toEqual([StopCode.COMMAND_TERMINATED, StopCode.COMMAND_TERMINATED]);
    // The queue can be used on.
    await kernels.add!.run({ global: 16, queue }, x!);
    queue.release();
  });

  test('while the thread is blocked', async () => {
    const event = kernels[name]!.run({ global, local, timeout: 20 }, ...argumentsOf(name));
    expect(() => event.waitSync()).toThrow('ANYCL_COMMAND_TIMED_OUT');
    await goesOn();
  });
});

test('nothing is written any more when the event fails', async () => {
  const counts: number[] = [];
  for (let round = 0; round < 5; round++) {
    const x = cl.buffer(new Int32Array(4));
    const event = kernels.atomics!.run({ global: 64, local: 1 }, x);
    await isRunning(event);
    event.terminate();
    await failureOf(event);
    const { [0]: count } = await x.read();
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect((await x.read())[0]).toBe(count);
    counts.push(count!);
    x.release();
  }
  // One that was ended before its first instruction is not enough.
  expect(Math.max(...counts)).toBeGreaterThan(0);
});

test('what runs on the same workers is not lost', async () => {
  const [one, two] = [cl.context.createQueue(), cl.context.createQueue()];
  const x = cl.buffer(new Int32Array(4));
  const y = cl.buffer(new Int32Array(4));
  const others: Event[] = [];
  for (let round = 0; round < 5; round++) {
    const endless = kernels.atomics!.run({ global: 64, local: 1, queue: one, timeout: 10 }, x);
    for (let i = 0; i < 20; i++) others.push(kernels.add!.run({ global: 50_000, local: 1, queue: two }, y));
    expect((await failureOf(endless)).code).toBe(StopCode.COMMAND_TIMED_OUT);
  }
  await Promise.all(others);
  expect((await y.read())[2]).toBe(100 * 50_000);
  for (const each of [one, two, x, y]) each.release();
});

test('what was stopped before it starts fails at once; the order of its queue stays', async () => {
  const queue = cl.context.createQueue();
  const x = cl.buffer(new Int32Array(4));
  const first = kernels.flag!.run({ global: 1, queue }, x);
  const second = kernels.add!.run({ global: 1, queue }, x);
  const third = kernels.add!.run({ global: 1, queue }, x);
  second.terminate();
  expect((await failureOf(second)).code).toBe(StopCode.COMMAND_TERMINATED);
  expect(first.status).not.toBe('failed');
  expect(['queued', 'submitted']).toContain(third.status);
  await x.write(Int32Array.of(0, 1, 0, 0), { queue: cl.context.createQueue() });
  await third;
  expect(Array.from(await x.read({ queue }))).toEqual([0, 1, 1, 0]);
  for (const each of [queue, x]) each.release();
});

test('command buffers', async () => {
  const queue = cl.context.createQueue();
  const x = cl.buffer(new Int32Array(4));
  const list = cl.context.createCommandBuffer(queue);
  list.run(kernels.add!, { global: 10 }, x);
  list.run(kernels.loop!, { global: 1 }, x);
  list.run(kernels.add!, { global: 10 }, x);
  list.finalize();
  for (const stop of ['timeout', 'signal', 'terminate'] as const) {
    const controller = new AbortController();
    const event = list.enqueue({
      timeout: stop === 'timeout' ? 20 : undefined,
      signal: stop === 'signal' ? controller.signal : undefined,
    });
    if (stop === 'signal') setTimeout(() => controller.abort(), 10);
    if (stop === 'terminate') setTimeout(() => event.terminate(), 10);
    const expected = { timeout: 'TIMED_OUT', signal: 'ABORTED', terminate: 'TERMINATED' }[stop];
    expect((await failureOf(event)).codeName).toBe(`ANYCL_COMMAND_${expected}`);
  }
  // Those that were stopped by the clock may not have begun.
  expect([10, 20, 30]).toContain((await x.read({ queue }))[2]);
  for (const each of [list, queue, x]) each.release();
});

test('a limit for a whole context, and that of its memory', async () => {
  const own = findDevice('software').createContext({ timeout: 20, maxMemory: 64 * 2 ** 20 });
  const program = await own.createProgram(SOURCE).build('-cl-std=CL3.0');
  const x = own.createBuffer(new Int32Array(4));
  expect((await failureOf(program.createKernel('loop').run({ global: 1 }, x))).code).toBe(
    StopCode.COMMAND_TIMED_OUT,
  );
  const longer = program.createKernel('loop').run({ global: 1, timeout: 60 }, x);
  expect((await failureOf(longer)).message).toMatch('more than 60 ms');
  expect(() => own.createBuffer(65 * 2 ** 20)).toThrow(/CL_MEM_OBJECT_ALLOCATION_FAILURE.*`maxMemory`/);
  const half = own.createBuffer(40 * 2 ** 20);
  expect(() => own.createBuffer(40 * 2 ** 20)).toThrow(/of which \d+ are in use/);
  half.release();
  own.createBuffer(40 * 2 ** 20).release();
  own.release();
});

test('wrong options', () => {
  const x = cl.buffer(new Int32Array(4));
  const run = (options: object) => () => kernels.add!.run({ global: 1, ...options } as never, x);
  expect(run({ timeout: -1 })).toThrow(
    /`options.timeout` must be a whole number from 1 to 2\^53 - 1, not number -1/,
  );
  expect(run({ signal: 1 })).toThrow(/`options.signal` must be an AbortSignal/);
  expect(run({ signal: AbortSignal.abort('no') })).toThrow(/ANYCL_COMMAND_ABORTED.*aborted before/);
  kernels.add!.setArgs(x);
  const { queue } = cl;
  expect(() =>
    queue.enqueueNDRange(kernels.add!, { global: 1 }, { event: false, timeout: 1 } as never),
  ).toThrow(/need an event/);
  x.release();
});
