// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { settingsWith } from '../../tests/helpers/settings';
import { ADD_INDEX, FOREVER, SLOW, TRAP } from '../../tests/helpers/wasm-kernels';
import { StopCode } from '../cl/stop-codes';
import { NodeHost } from '../host/node/node-host';
import { type Command, Status } from './commands/command';
import { Device, Processor } from './device';
import { firstRange } from './workers/groups';
import { Failure, type LoadedKernel } from './workers/job';

const host = new NodeHost(settingsWith({ ANYCL_TIMEOUT: '1000' }));
const device = new Device(new Processor(host));
afterAll(() => device.pool.shutdown());

function job(
  kernel: LoadedKernel,
  out: number,
  groups: number,
  bounded = false,
  finishesLater = false,
): Command['work'] {
  const block = device.memory.allocate(68)!;
  device.memory.i32[(block.address + 64) >> 2] = out;
  return {
    kind: 'job',
    job: {
      kernel,
      dispatch: block.address,
      groups: firstRange([groups, 1, 1]),
      groupItems: 1,
      leastChunk: 0,
      groupCost: 20,
      workers: { first: 0, count: 256 },
      localBytes: 0,
      scratchBytes: 0,
      bounded,
      costIsGuess: !bounded,
      timed: true,
    },
    finish: () => {
      device.memory.free(block);
      return undefined;
    },
    finishesLater,
  };
}

const done = (command: Command): Promise<number> =>
  new Promise((resolve) => command.onStatus(Status.Complete, resolve));
const load = (code: Uint8Array): LoadedKernel => device.pool.load('k', host.compileWasm(code), device.memory);

const N = 100_000;

test('the worker is built', () => {
  expect(readFileSync('dist/worker.cjs').length).toBeGreaterThan(0);
});

test('start waits until the first threads run, unless they are ended', async () => {
  const { pool } = new Device(new Processor(host));
  await pool.start();
  expect(pool.running).toBe(Math.min(pool.size, 4));
  await pool.start();
  await pool.shutdown();
  const ended = new Device(new Processor(host)).pool;
  const started = ended.start();
  await ended.shutdown();
  await started;
  expect(ended.running).toBeLessThanOrEqual(ended.size);
});

describe.each([
  ['in-order', false],
  ['out-of-order', true],
])('%s queue', (_, outOfOrder) => {
  const queue = device.createQueue({ outOfOrder, profiling: true });

  test('runs a kernel over all groups once, on the workers', async () => {
    const kernel = load(ADD_INDEX);
    const out = device.memory.allocate(4 * N)!;
    const view = new Int32Array(device.memory.memory.buffer, out.address, N).fill(0);
    const command = queue.enqueue(job(kernel, out.address, N), undefined);
    expect(command.done).toBe(false);
    expect(await done(command)).toBe(0);
    expect(view.every((value, i) => value === i + 1)).toBe(true);
    expect(command.startedAt).toBeGreaterThanOrEqual(command.submittedAt);
    expect(command.endedAt).toBeGreaterThan(command.startedAt);
    device.memory.free(out);
  });

  test('runs chains in order', async () => {
    const kernel = load(ADD_INDEX);
    const out = device.memory.allocate(4 * N)!;
    const view = new Int32Array(device.memory.memory.buffer, out.address, N).fill(0);
    let last: Command | undefined;
    const ends: number[] = [];
    for (let i = 0; i < 200; i++) {
      last = queue.enqueue(job(kernel, out.address, 1000), outOfOrder && last ? [last] : undefined);
      last.onStatus(0, () => ends.push(i));
    }
    await done(last!);
    expect(ends).toEqual(Array.from({ length: 200 }, (_, i) => i));
    expect(view.subarray(0, 1000).every((value, i) => value === 200 * (i + 1))).toBe(true);
    device.memory.free(out);
  });

  test('waits without the event loop', () => {
    const kernel = load(ADD_INDEX);
    const out = device.memory.allocate(4 * N)!;
    const view = new Int32Array(device.memory.memory.buffer, out.address, N).fill(0);
    for (let i = 0; i < 50; i++) {
      const first = queue.enqueue(job(kernel, out.address, N), undefined);
      const second = queue.enqueue(job(kernel, out.address, 10, true), [first]);
      expect(device.scheduler.waitSync(second)).toBe(true);
    }
    expect(view[5]).toBe(600);
    expect(view[11]).toBe(600);
    device.memory.free(out);
  });

  test('a user event holds back what waits for it, and its error spreads', async () => {
    const user = device.createUserEvent();
    let ran = 0;
    const work: Command['work'] = { kind: 'host', run: () => ran++ };
    const first = queue.enqueue(work, [user]);
    const second = queue.enqueue(work, [first]);
    expect(device.scheduler.waitSync(second)).toBe(false);
    expect(ran).toBe(0);
    device.scheduler.complete(user, -7);
    expect(await done(second)).toBe(Failure.EventsInWaitList);
    expect(ran).toBe(0);
    const third = queue.enqueue(work, undefined);
    expect(await done(third)).toBe(0);
    expect(ran).toBe(1);
  });

  test('a trap is an error of its command; the device goes on', async () => {
    for (const bounded of [true, false]) {
      const trapped = queue.enqueue(job(load(TRAP), 0, 10, bounded), undefined);
      const dependent = queue.enqueue({ kind: 'host', run: undefined }, [trapped]);
      expect(await done(trapped)).toBe(Failure.OutOfResources);
      expect(trapped.failure).toMatch(/kernel 'k' trapped: __builtin_trap\(\)/);
      expect(await done(dependent)).toBe(Failure.EventsInWaitList);
      expect(await done(queue.enqueue({ kind: 'host', run: undefined }, undefined))).toBe(0);
    }
  });

  test('a kernel that never ends is an error of its command; the device goes on', async () => {
    for (const sync of [false, true]) {
      const endless = queue.enqueue(job(load(FOREVER), 0, 10), undefined);
      if (sync) device.scheduler.waitSync(endless);
      expect(await done(endless)).toBe(StopCode.COMMAND_TIMED_OUT);
      expect(endless.failure).toMatch(/made no progress for 1000 ms/);
      const out = device.memory.allocate(4 * N)!;
      expect(await done(queue.enqueue(job(load(ADD_INDEX), out.address, N), undefined))).toBe(0);
      device.memory.free(out);
    }
  });
});

test('barriers order an out-of-order queue', async () => {
  const queue = device.createQueue({ outOfOrder: true, profiling: false });
  const log: string[] = [];
  const say = (text: string): Command['work'] => ({ kind: 'host', run: () => log.push(text) });
  const user = device.createUserEvent();
  queue.enqueue(say('a'), [user]);
  queue.enqueue(say('b'), undefined);
  queue.enqueue(say('|'), undefined, undefined, 'barrier');
  const c = queue.enqueue(say('c'), undefined);
  expect(log).toEqual(['b']);
  device.scheduler.complete(user, 0);
  await done(c);
  expect(log).toEqual(['b', 'a', '|', 'c']);
  expect(queue.fence()).toBeUndefined();
});

test('of short jobs one after the other, the calling thread runs the first; the workers have the others', async () => {
  await device.pool.start();
  const queue = device.createQueue({ outOfOrder: false, profiling: false });
  const kernel = load(ADD_INDEX);
  const out = device.memory.allocate(4 * N)!;
  // 100 µs each, by the estimate.
  const enqueue = () => queue.enqueue(job(kernel, out.address, 5000, true), undefined);
  for (let i = 0; i < 2; i++) {
    const [first, second] = [enqueue(), enqueue()];
    expect(first.done).toBe(true);
    expect(second.done).toBe(false);
    await done(second);
  }
  device.memory.free(out);
});

describe('a row of jobs whose ends nobody awaits', () => {
  const queue = device.createQueue({ outOfOrder: false, profiling: true });
  const out = device.memory.allocate(4 * N)!;
  const view = () => new Int32Array(device.memory.memory.buffer, out.address, 1000);
  let kernel: LoadedKernel;
  const row = (length: number): Command[] =>
    Array.from({ length }, () => queue.enqueue(job(kernel, out.address, 1000, false, true), undefined));
  beforeAll(() => {
    kernel = load(ADD_INDEX);
  });
  beforeEach(() => {
    view().fill(0);
  });
  const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  test.each([2, 63, 64, 65, 300])(
    'of %d: the last one awaited, all are complete, in order',
    async (length) => {
      const { used } = device.memory;
      const commands = row(length);
      expect(await done(commands.at(-1)!)).toBe(0);
      expect(view().every((value, i) => value === length * (i + 1))).toBe(true);
      expect(commands.every(({ isOver, status }) => isOver && status === Status.Complete)).toBe(true);
      for (let i = 1; i < length; i++)
        expect(commands[i]!.startedAt).toBeGreaterThanOrEqual(commands[i - 1]!.endedAt);
      expect(device.memory.used).toBe(used);
    },
  );

  test('any of them may be awaited, at once or after its end, with and without the event loop', async () => {
    for (const at of [0, 10, 62, 63, 64, 90]) {
      const commands = row(100);
      await rest(at % 3);
      if (at % 2) expect(await done(commands[at]!)).toBe(0);
      else expect(device.scheduler.waitSync(commands[at]!)).toBe(true);
      expect(commands.slice(0, at + 1).every((command) => command.done)).toBe(true);
      await done(commands.at(-1)!);
    }
  });

  test('the end of one becomes known while the one after it runs, to who asks', async () => {
    const [first] = row(2);
    const slow = queue.enqueue(job(load(SLOW), 0, 60 * device.pool.size), undefined);
    while (first!.status !== Status.Complete) {
      device.scheduler.stops.statusOf(first!);
      await rest(1);
    }
    expect(slow.done).toBe(false);
    await done(slow);
  });

  test('commands of other queues and of the host wait for any of them', async () => {
    const other = device.createQueue({ outOfOrder: true, profiling: false });
    const commands = row(80);
    const seen: number[] = [];
    const note = () => {
      seen.push(view()[0]!);
    };
    const after = other.enqueue({ kind: 'host', run: note }, [commands[40]!]);
    const last = queue.enqueue({ kind: 'host', run: note }, undefined);
    expect(await done(after)).toBe(0);
    expect(await done(last)).toBe(0);
    expect(seen[0]).toBeGreaterThanOrEqual(41);
    expect(seen[1]).toBe(80);
  });

  test('ones that trap, and ones that are stopped, fail alone', async () => {
    const before = row(5);
    const trap = queue.enqueue(job(load(TRAP), 0, 1, false, true), undefined);
    const slow = queue.enqueue(job(load(SLOW), 0, 400 * device.pool.size), undefined);
    const after = row(70);
    device.scheduler.stops.stop(after[3]!, { status: StopCode.COMMAND_TERMINATED, text: 'was stopped' });
    device.scheduler.stops.stop(slow, { status: StopCode.COMMAND_TERMINATED, text: 'was stopped' });
    expect(await done(after.at(-1)!)).toBe(0);
    expect(before.every(({ status }) => status === 0)).toBe(true);
    expect(trap.status).toBe(Failure.OutOfResources);
    expect(trap.failure).toContain('trapped');
    expect(slow.status).toBe(StopCode.COMMAND_TERMINATED);
    expect(after.map(({ status }) => status === 0).indexOf(false)).toBe(3);
    expect(view()[0]).toBe(74);
  });
});

test('a kernel that takes far longer than estimated, and moves, is not ended', async () => {
  const queue = device.createQueue({ outOfOrder: false, profiling: false });
  const command = queue.enqueue(job(load(SLOW), 0, 400 * device.pool.size), undefined);
  expect(await done(command)).toBe(0);
});
