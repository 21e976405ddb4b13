// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { describeNeeding } from '../../../tests/helpers/needs';
import { settingsWith } from '../../../tests/helpers/settings';
import { currentPart, placeThread } from '../../backend/native/thread-placer';
import { nativeThread } from '../../host/node/native-thread';
import { NodeHost } from '../../host/node/node-host';
import { Control, WORKER } from './control';
import { Placement } from './placement';

const WORKERS = 3;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Workers whose threads have the numbers 100, 101, and so on. */
function recorded(possible = () => true, affinity = '1', workers = WORKERS) {
  const calls: number[][] = [];
  const host = new NodeHost(settingsWith({ ANYCL_AFFINITY: affinity }), {
    placeThread: (...call) => {
      calls.push(call);
      return possible();
    },
    currentPart: () => 1,
  });
  const control = Control.create(workers);
  const setThread = (worker: number, thread: number) => {
    control.words[control.worker(worker) + WORKER.thread] = thread;
  };
  for (let worker = 0; worker < workers; worker++) setThread(worker, 100 + worker);
  const placement = new Placement(host, control);
  /** Runs jobs one after the other; returns what the host was asked for. */
  const run = async (jobs: number, isForAll = true): Promise<number[][]> => {
    for (let i = 0; i < jobs; i++) {
      placement.onJob(isForAll);
      placement.onPause();
      await turn();
    }
    return calls.splice(0);
  };
  return { placement, run, setThread, calls };
}

const ALL = [
  [100, 0, WORKERS],
  [101, 1, WORKERS],
  [102, 2, WORKERS],
];

test('workers are placed after some jobs, each on a part of its own, once', async () => {
  const { placement, run } = recorded();
  expect(await run(3)).toEqual([]);
  expect(placement.isDone).toBe(false);
  expect(placement.neighbour()).toBe(-1);
  expect(await run(1)).toEqual(ALL);
  expect(placement.isDone).toBe(true);
  expect(placement.neighbour()).toBe(1);
  expect(await run(100)).toEqual([]);
});

test('jobs that do not need all workers free them, if there are several in a row', async () => {
  const { placement, run } = recorded();
  expect(await run(20, false)).toEqual([]);
  expect(await run(4)).toEqual(ALL);
  expect(await run(3, false)).toEqual([]);
  expect(await run(1)).toEqual([]);
  expect(await run(4, false)).toEqual([
    [100, 0, 1],
    [101, 0, 1],
    [102, 0, 1],
  ]);
  expect(placement.isDone).toBe(false);
  expect(await run(20, false)).toEqual([]);
  expect(await run(4)).toEqual(ALL);
});

test('a program that blocks its event loop does not wait for a turn', async () => {
  const { placement, calls } = recorded();
  const block = (jobs: number) => {
    for (let i = 0; i < jobs; i++) {
      placement.onJob(true);
      placement.onPause();
    }
  };
  block(15);
  expect(calls).toEqual([]);
  block(1);
  expect(calls).toEqual(ALL);
  block(40);
  await turn();
  expect(calls).toEqual(ALL);
});

test('a thread that replaces another one is placed later, and the other one is left alone', async () => {
  const { run, setThread } = recorded();
  await run(4);
  setThread(1, 0);
  expect(await run(60)).toEqual([]);
  setThread(1, 200);
  expect(await run(64)).toEqual([[200, 1, WORKERS]]);
  setThread(2, 0);
  expect(await run(4, false)).toEqual([
    [100, 0, 1],
    [200, 0, 1],
  ]);
});

test('nothing is tried again where it is not possible', async () => {
  const { placement, run } = recorded(() => false);
  expect(await run(4)).toEqual([[100, 0, WORKERS]]);
  expect(placement.isDone).toBe(false);
  expect(await run(100)).toEqual([]);
});

test('one worker may run anywhere, and all may if ANYCL_AFFINITY says so', async () => {
  expect(await recorded(undefined, '1', 1).run(100)).toEqual([]);
  expect(await recorded(undefined, '0').run(100)).toEqual([]);
});

const processorsOf = (thread: number): string | undefined =>
  /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync(`/proc/self/task/${thread}/status`, 'utf8'))?.[1];

/** How many there are in a list such as 0-3,8. */
const cpuCount = (list: string): number =>
  list
    .split(',')
    .map((range) => range.split('-').map(Number))
    .reduce((sum, [first, last = first]) => sum + last! - first! + 1, 0);

describeNeeding('Linux', process.platform === 'linux')('threads of Linux', () => {
  test('each thread knows its number', () => {
    expect(nativeThread()).toBe(process.pid);
  });

  test('threads of other processes, and more threads than processors, are left alone', () => {
    const before = processorsOf(process.pid);
    expect(placeThread(process.ppid, 0, 1)).toBe(false);
    expect(placeThread(process.pid, 0, 4096)).toBe(false);
    expect(processorsOf(process.pid)).toBe(before);
  });

  test('a part of several processors is not that of the current one', () => {
    // All processors that it may use anyway.
    expect(placeThread(process.pid, 0, 1)).toBe(true);
    const processors = cpuCount(processorsOf(process.pid)!);
    const part = currentPart(processors);
    expect(part).toBeGreaterThanOrEqual(0);
    expect(part).toBeLessThan(processors);
    expect(currentPart(1)).toBe(processors === 1 ? 0 : -1);
  });
});
