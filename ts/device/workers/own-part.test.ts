// SPDX-License-Identifier: MIT
import { settingsWith } from '../../../tests/helpers/settings';
import { ADD_INDEX, SLOW, TRAP } from '../../../tests/helpers/wasm-kernels';
import type { Host } from '../../base/host';
import { NodeHost } from '../../host/node/node-host';
import { Device, Processor } from '../device';
import { firstRange } from './groups';
import type { Job, LoadedKernel, Outcome } from './job';

const THREADS = 2;
/** What is long enough for the workers, by the estimate. */
const GROUPS = 100_000;
const BLOCK_BYTES = 68;

/** Which thread has run how many groups; THREADS stands for the scheduling thread. */
let groupsOf: number[];
/** The worker that shares the scheduling thread's processor; -1: none. */
let neighbour = -1;
const host: Host = new NodeHost(settingsWith({ ANYCL_THREADS: String(THREADS) }), {
  placeThread: () => true,
  currentPart: () => neighbour,
});
host.trace = {
  threads: () => {},
  chunk: ({ worker, count }) => {
    groupsOf[worker]! += count;
  },
  onDrain: () => {},
  write: () => {},
};
const { pool, memory } = new Device(new Processor(host));
const out = memory.allocate(4 * GROUPS)!;
const view = () => new Int32Array(memory.memory.buffer, out.address, GROUPS);

beforeAll(() => pool.start());
afterAll(() => pool.shutdown());
beforeEach(() => {
  neighbour = -1;
  groupsOf = [0, 0, 0];
  view().fill(0);
});

const load = (code: Uint8Array): LoadedKernel => pool.load('k', host.compileWasm(code), memory);

/** @param from the element of `out` that group 0 writes */
function jobOf(kernel: LoadedKernel, groups: number, bounded = true, groupCost = 20, from = 0): Job {
  const { address } = memory.allocate(BLOCK_BYTES)!;
  memory.i32.fill(0, address >> 2, (address + BLOCK_BYTES) >> 2);
  memory.i32[(address + 64) >> 2] = out.address + 4 * from;
  return {
    kernel,
    dispatch: address,
    groups: firstRange([groups, 1, 1]),
    groupItems: 1,
    groupCost,
    leastChunk: 0,
    workers: { first: 0, count: pool.size },
    localBytes: 0,
    scratchBytes: 0,
    bounded,
    costIsGuess: !bounded,
    timed: true,
  };
}

const run = (job: Job): Promise<Outcome> =>
  new Promise((resolve) => {
    pool.submit(job, undefined, resolve);
  });
const sum = () => groupsOf.reduce((all, count) => all + count);
const isOnce = () => view().every((value, i) => value === i + 1);

test('the scheduling thread takes part in an awaited job that certainly ends', async () => {
  const kernel = load(ADD_INDEX);
  for (let i = 0; i < 200; i++) {
    view().fill(0);
    const { failure, start, end } = await run(jobOf(kernel, GROUPS));
    expect(failure).toBeUndefined();
    expect(isOnce()).toBe(true);
    expect(end).toBeGreaterThan(start);
  }
  expect(groupsOf[THREADS]).toBeGreaterThan(0);
});

test('a blocking call takes part before it waits', () => {
  const kernel = load(ADD_INDEX);
  // A worker may be so early that nothing is left.
  for (let i = 0; i < 200; i++) {
    view().fill(0);
    let outcome: Outcome | undefined;
    pool.submit(jobOf(kernel, GROUPS), undefined, (result) => {
      outcome = result;
    });
    while (!outcome) pool.pumpSync(() => 1000);
    expect(isOnce()).toBe(true);
  }
  expect(groupsOf[THREADS]).toBeGreaterThan(0);
});

test('it leaves jobs to the workers that may never end, and jobs in a row', async () => {
  const kernel = load(ADD_INDEX);
  await run(jobOf(kernel, GROUPS, false));
  expect(isOnce()).toBe(true);
  view().fill(0);
  const half = GROUPS / 2;
  await Promise.all([run(jobOf(kernel, half)), run(jobOf(kernel, half, true, 20, half))]);
  expect(view().every((value, i) => value === (i % half) + 1)).toBe(true);
  expect(groupsOf[THREADS]).toBe(0);
});

test('it leaves a job to the workers that takes too long', async () => {
  // Each group takes more than 5 ms.
  const groups = 40;
  let hasTurned = false;
  const running = run(jobOf(load(SLOW), groups, true, 1_000_000));
  setImmediate(() => {
    hasTurned = true;
  });
  expect((await running).failure).toBeUndefined();
  expect(hasTurned).toBe(true);
  expect(sum()).toBe(groups);
  expect(groupsOf[THREADS]).toBeLessThanOrEqual(1);
});

test('a trap in its part is the kernel’s', async () => {
  const kernel = load(TRAP);
  for (let i = 0; i < 20; i++) {
    const { failure, isInternalError } = await run(jobOf(kernel, GROUPS));
    expect(failure).toMatch(/kernel 'k' trapped: __builtin_trap\(\)/);
    expect(isInternalError).toBe(false);
  }
  await run(jobOf(load(ADD_INDEX), GROUPS));
  expect(isOnce()).toBe(true);
});

test('a job for some workers wakes them, whichever worker shares the processor', async () => {
  const kernel = load(ADD_INDEX);
  // Now workers are placed.
  for (let i = 0; i < 10; i++) await run(jobOf(kernel, GROUPS, false));
  for (const first of [0, 1])
    for (neighbour of [0, 1])
      for (let i = 0; i < 20; i++) {
        view().fill(0);
        // Longer than workers look for work before they sleep.
        await new Promise((resolve) => setTimeout(resolve, 1));
        expect((await run({ ...jobOf(kernel, 2), workers: { first, count: 1 } })).failure).toBeUndefined();
        expect(view().subarray(0, 3)).toEqual(Int32Array.of(1, 2, 0));
      }
}, 20_000);
