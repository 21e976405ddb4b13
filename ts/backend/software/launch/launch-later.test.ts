// SPDX-License-Identifier: MIT
import { OneStepATurn } from '../../../../tests/helpers/one-step-a-turn';
import { settingsWith } from '../../../../tests/helpers/settings';
import { ROBUST_PROPERTY } from '../../../base/bounds';
import { CHECK_PROPERTY, checkProperty } from '../../../base/checks';
import { QueueFlags, QueueInfo } from '../../../cl/constants.gen';
import type { BackendEvent } from '../../backend-objects';
import { type BackendKernel, LocalArgument } from '../../backend-queue';
import { SoftwareBackend } from '..';
import { defaultToolchain } from '../build/default-toolchain';

/** Counts the modules that were compiled. */
class CountingHost extends OneStepATurn {
  compiled = 0;
  /** Modules are refused with it. */
  refusal: Error | undefined;

  private count(): void {
    if (this.refusal) throw this.refusal;
    this.compiled++;
  }

  override compileWasm(bytes: Uint8Array): WebAssembly.Module {
    this.count();
    return super.compileWasm(bytes);
  }

  override async compileWasmInBackground(bytes: Uint8Array): Promise<WebAssembly.Module> {
    this.count();
    return super.compileWasmInBackground(bytes);
  }

  /** A refused module counts as a fault of anycl, and is not worth a folder here. */
  override writeReport(): undefined {
    return undefined;
  }
}

const host = new CountingHost(settingsWith({ ANYCL_CACHE: '0', ANYCL_TIMEOUT: '0' }));
const backend = new SoftwareBackend(host, defaultToolchain);
const device = backend.platforms()[0]!.devices()[0]!;
const context = device.createContext([device], []);
const queue = context.createQueue(device, []);
const outOfOrder = context.createQueue(device, [
  BigInt(QueueInfo.PROPERTIES),
  BigInt(QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE),
]);
afterAll(() => backend.shutdown());

const SOURCE =
  'kernel void k(global int *p, int by) { p[get_global_id(0)] = p[get_global_id(0)] * 10 + by; }';
const RANGE = { global: [1] };

async function kernelOf(source = SOURCE): Promise<BackendKernel> {
  const program = context.createProgramWithSource([source]);
  await program.build([device], '');
  return program.createKernel('k');
}

function argumentsOf(kernel: BackendKernel, by: number): Int32Array {
  const bytes = new Int32Array(1);
  const buffer = context.createBuffer(0, 4);
  kernel.setArg(0, buffer);
  setBy(kernel, by);
  queue.enqueue({ op: 'writeBuffer', buffer, offset: 0, from: bytes }, undefined, false);
  return bytes;
}

const setBy = (kernel: BackendKernel, by: number): void =>
  kernel.setArg(1, new Uint8Array(Int32Array.of(by).buffer));

test('a build has turns', async () => {
  host.turns = 0;
  await kernelOf();
  // At least one each for its stages: preprocess, check, lower, optimize, encode, load.
  expect(host.turns).toBeGreaterThan(6);
});

test('first launches wait for their code, with the arguments that they were given, in the order of the queue', async () => {
  const kernel = await kernelOf();
  const into = argumentsOf(kernel, 1);
  const buffer = context.createBuffer(0, 4);
  kernel.setArg(0, buffer);
  const { compiled } = host;
  host.turns = 0;
  for (const by of [1, 2, 3]) {
    setBy(kernel, by);
    queue.enqueueKernel(kernel, RANGE, undefined, true);
  }
  const read = { op: 'readBuffer', buffer, offset: 0, into } as const;
  queue.enqueue(read, undefined, false);
  setBy(kernel, 4);
  expect(host.compiled).toBe(compiled);
  await queue.finish();
  expect(into[0]).toBe(123);
  expect(host.compiled).toBe(compiled + 1);
  expect(host.turns).toBeGreaterThan(10);
});

test('a blocking call compiles what launches wait for', async () => {
  const kernel = await kernelOf();
  const into = argumentsOf(kernel, 7);
  const buffer = context.createBuffer(0, 4);
  kernel.setArg(0, buffer);
  const { compiled } = host;
  const event = queue.enqueueKernel(kernel, RANGE, undefined, true)!;
  queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into }, undefined, false);
  // Some steps have run.
  for (let i = 0; i < 5; i++) await host.nextTurn();
  expect(host.compiled).toBe(compiled);
  queue.finishSync();
  expect(into[0]).toBe(7);
  expect(event.status()).toBe(0);
  expect(host.compiled).toBe(compiled + 1);
});

test('so do launches without events, and recorded ones', async () => {
  const kernel = await kernelOf();
  const into = argumentsOf(kernel, 1);
  const buffer = context.createBuffer(0, 4);
  kernel.setArg(0, buffer);
  const { compiled } = host;
  queue.enqueueKernel(kernel, RANGE, undefined, false);
  setBy(kernel, 2);
  queue.enqueueKernel(kernel, RANGE, undefined, false);
  const recorded = context.createCommandBuffer!([queue], []);
  setBy(kernel, 3);
  recorded.recordKernel(kernel, RANGE, undefined, false);
  recorded.finalize();
  const event = recorded.enqueue(undefined, undefined, true)!;
  queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into }, undefined, false);
  setBy(kernel, 4);
  expect(host.compiled).toBe(compiled);
  await queue.finish();
  expect([into[0], event.status()]).toEqual([123, 0]);
});

describe('an error that only the compiled kernel shows, of a launch without an event', () => {
  const WRONG = /does not fit/;

  afterEach(() => {
    host.refusal = undefined;
  });

  async function launchWrong(on = queue): Promise<{ into: Int32Array; read: () => BackendEvent }> {
    const kernel = await kernelOf();
    const into = argumentsOf(kernel, 1);
    const buffer = context.createBuffer(0, 4);
    kernel.setArg(0, buffer);
    host.refusal = new Error('the module does not fit');
    on.enqueueKernel(kernel, RANGE, undefined, false);
    const read = { op: 'readBuffer', buffer, offset: 0, into } as const;
    return { into, read: () => on.enqueue(read, undefined, true)! };
  }
  const over = (event: BackendEvent): Promise<number> => new Promise((done) => event.onComplete(done));

  test.each([
    ['in-order', queue],
    ['out-of-order', outOfOrder],
  ])('is reported once by finish of an %s queue', async (_, on) => {
    await launchWrong(on);
    await expect(on.finish()).rejects.toThrow(WRONG);
    await on.finish();
    await launchWrong(on);
    expect(() => on.finishSync()).toThrow(WRONG);
    on.finishSync();
  });

  test('is reported by the next command that has an event', async () => {
    const { into, read } = await launchWrong();
    into[0] = 5;
    queue.enqueue({ op: 'barrier' }, undefined, false);
    const [first, second] = [read(), read()];
    expect(await over(first)).toBeLessThan(0);
    expect(first.failure).toMatch(WRONG);
    expect(await over(second)).toBe(0);
    await queue.finish();
  });

  test('is reported by a command that is enqueued after it', async () => {
    const { read } = await launchWrong();
    while (!('isIdle' in queue && queue.isIdle)) await host.nextTurn();
    expect(await over(read())).toBeLessThan(0);
    await queue.finish();
  });
});

describe.each([
  ['robust', ROBUST_PROPERTY, 1n],
  ['checked', CHECK_PROPERTY, checkProperty(['bounds', 'races', 'uninitialized'], 1000)],
])('in a %s context', (_, property, value) => {
  const guarded = device.createContext([device], [BigInt(property), value]);
  const own = guarded.createQueue(device, []);
  /** The kernel goes up to `n`, which is proven to be right for small n only. */
  const LOOP =
    'kernel void k(global int *p, int n) { int i = get_global_id(0); if (i < n) p[i] = p[i] * 10 + n; }';

  async function loopKernel() {
    const program = guarded.createProgramWithSource([LOOP]);
    await program.build([device], '');
    const kernel = program.createKernel('k');
    const buffer = guarded.createBuffer(0, 1024);
    own.enqueue({ op: 'writeBuffer', buffer, offset: 0, from: new Int32Array(256) }, undefined, false);
    kernel.setArg(0, buffer);
    setBy(kernel, 64);
    return { kernel, read: { op: 'readBuffer', buffer, offset: 0, into: new Int32Array(256) } as const };
  }

  test('launches wait for the code that their proof chooses', async () => {
    const { kernel, read } = await loopKernel();
    for (const global of [[64], [128], [64]]) {
      const { compiled } = host;
      own.enqueueKernel(kernel, { global, local: [64] }, undefined, false);
      expect(host.compiled).toBe(compiled);
      await own.finish();
    }
    // Also where the code without checks is compiled, and the other is needed.
    const { compiled } = host;
    own.enqueueKernel(kernel, { global: [512], local: [64] }, undefined, false);
    expect(host.compiled).toBe(compiled);
    own.enqueue(read, undefined, false);
    await own.finish();
    expect([...read.into.subarray(0, 65)]).toEqual([...new Array(64).fill(71104), 0]);
  });

  test('a blocking call compiles it', async () => {
    const { kernel, read } = await loopKernel();
    own.enqueueKernel(kernel, { global: [128], local: [64] }, undefined, false);
    for (let i = 0; i < 60; i++) await host.nextTurn();
    own.enqueue(read, undefined, false);
    own.finishSync();
    expect(read.into[63]).toBe(64);
  });

  test('an error of the code that a proof chooses is reported', async () => {
    const { kernel, read } = await loopKernel();
    host.refusal = new Error('the module does not fit');
    own.enqueueKernel(kernel, { global: [64], local: [64] }, undefined, false);
    const event = own.enqueue(read, undefined, true)!;
    await expect(new Promise((done) => event.onComplete(done))).resolves.toBeLessThan(0);
    host.refusal = undefined;
    expect(event.failure).toMatch(/does not fit/);
    await own.finish();
  });
});

test('errors of sizes, arguments and local memory are thrown by the call', async () => {
  const kernel = await kernelOf('kernel void k(global int *p, local int *l) { l[0] = 1; p[0] = l[0]; }');
  const launch = (local: number[]) => () =>
    queue.enqueueKernel(kernel, { global: [6], local }, undefined, true);
  expect(launch([1])).toThrow(/CL_INVALID_KERNEL_ARGS/);
  kernel.setArg(0, context.createBuffer(0, 4));
  kernel.setArg(1, new LocalArgument(4));
  expect(launch([1 << 20])).toThrow(/CL_INVALID_WORK_ITEM_SIZE/);
  kernel.setArg(1, new LocalArgument(2 ** 31));
  expect(launch([1])).toThrow(/local memory/);
});

test('a build that is aborted ends at its next turn, and the program can be built again', async () => {
  const program = context.createProgramWithSource([SOURCE]);
  const ending = new AbortController();
  const building = program.build([device], '', ending.signal);
  ending.abort(new Error('enough'));
  await expect(building).rejects.toThrow('enough');
  expect(() => program.createKernel('k')).toThrow(/not been built/);
  await program.build([device], '');
  program.createKernel('k');
});

test('programs that are built and compiled at the same time do not affect each other', async () => {
  const kernels = await Promise.all(
    [1, 2, 3].map((n) =>
      kernelOf(
        `kernel void k(global int *p, int by) { for (int i = 0; i < ${n}; i++) p[0] = p[0] * 10 + by; }`,
      ),
    ),
  );
  const into = kernels.map((kernel, i) => {
    const buffer = context.createBuffer(0, 4);
    kernel.setArg(0, buffer);
    setBy(kernel, i + 1);
    queue.enqueueKernel(kernel, RANGE, undefined, true);
    const bytes = new Int32Array(1);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: bytes }, undefined, false);
    return bytes;
  });
  await queue.finish();
  expect(into.map(([value]) => value)).toEqual([1, 22, 333]);
});
