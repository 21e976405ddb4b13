// SPDX-License-Identifier: MIT
import { settingsWith } from '../../../tests/helpers/settings';
import type { HostWorker } from '../../base/host';
import { NodeHost } from '../../host/node/node-host';
import { Control, holding, UNCLAIMED, WORKER } from './control';
import { type EndedThread, WorkerThreads } from './threads';
import type { WorkerStart } from './worker';

const WORKERS = 3;

/** Threads that do nothing. */
class Recorded {
  readonly control = Control.create(WORKERS);
  readonly starts: WorkerStart['index'][] = [];
  readonly posted: unknown[][] = [];
  readonly errors: ((error: Error) => void)[][] = [];
  readonly ended: number[] = [];
  readonly died: EndedThread[] = [];
  readonly threads: WorkerThreads;

  constructor() {
    const host = Object.assign(new NodeHost(settingsWith({ ANYCL_CACHE: '0' })), {
      startWorker: (data: unknown) => this.thread((data as WorkerStart).index),
    });
    const given = { workers: WORKERS, control: this.control.buffer };
    const messages = () => [{ kernel: 7 }];
    this.threads = new WorkerThreads(host, this.control, given, messages, (thread) => this.died.push(thread));
  }

  /** How many threads the system starts. */
  available = Number.POSITIVE_INFINITY;

  private thread(index: WorkerStart['index']): HostWorker {
    if (this.starts.length >= this.available) throw new Error('EAGAIN');
    const number = this.starts.push(index) - 1;
    const [posted, errors]: [unknown[], ((error: Error) => void)[]] = [[], []];
    this.posted.push(posted);
    this.errors.push(errors);
    return {
      post: (message) => posted.push(message),
      terminate: async () => void this.ended.push(number),
      onMessage: () => {},
      onError: (listener) => errors.push(listener),
      keepAlive: () => {},
    };
  }

  /** A worker runs groups of a slot, which is stopped. */
  stop(worker: number, slot: number): EndedThread {
    Atomics.store(this.control.words, this.control.worker(worker) + WORKER.holds, holding(slot));
    const [ended, ...others] = this.threads.endThoseOn(slot);
    expect(others).toEqual([]);
    return ended!;
  }
}

test('a thread that was stopped is replaced when it has ended, not before', async () => {
  const recorded = new Recorded();
  const { threads, starts } = recorded;
  threads.start(2);
  const ended = recorded.stop(1, 5);
  threads.start(2);
  expect(threads.startMissing()).toBe(false);
  expect(starts).toEqual([0, 1]);
  await ended.ended;
  ended.leave();
  expect(threads.startMissing()).toBe(true);
  expect(threads.startMissing()).toBe(false);
  expect(starts).toEqual([0, 1, 1]);
  await threads.shutdown();
});

test('a spare thread takes the place of one that was stopped, with the kernels', async () => {
  const recorded = new Recorded();
  const { threads, starts, posted } = recorded;
  threads.start(WORKERS);
  expect([threads.startSpare(), threads.startSpare(), threads.startSpare()]).toEqual([true, true, false]);
  const [first, second] = starts.slice(WORKERS).map((index) => new Int32Array(index as SharedArrayBuffer));
  expect([first![0], second![0]]).toEqual([UNCLAIMED, UNCLAIMED]);
  recorded.stop(2, 4).leave();
  threads.startMissing();
  expect([first![0], second![0]]).toEqual([2, UNCLAIMED]);
  expect(posted.slice(WORKERS)).toEqual([[{ kernel: 7 }], []]);
  threads.post({ kernel: 8 });
  expect(posted.slice(WORKERS)).toEqual([[{ kernel: 7 }, { kernel: 8 }], []]);
  expect(starts).toHaveLength(WORKERS + 2);
  // There is room for another one.
  expect(threads.startSpare()).toBe(true);
  await threads.shutdown();
  expect([...recorded.ended].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a spare thread that dies is not a worker that has died', () => {
  const recorded = new Recorded();
  recorded.threads.start(1);
  recorded.threads.startSpare();
  for (const listener of recorded.errors[1]!) listener(new Error('no memory for it'));
  recorded.stop(0, 3).leave();
  recorded.threads.startMissing();
  expect(recorded.died).toEqual([]);
  expect(recorded.starts.at(-1)).toBe(0);
});

test('where the system refuses a thread, those that there are do the work', () => {
  const recorded = new Recorded();
  const { threads, starts } = recorded;
  recorded.available = 2;
  threads.start(WORKERS);
  expect([starts, threads.count]).toEqual([[0, 1], 2]);
  recorded.available = 3;
  threads.start(WORKERS);
  expect([starts, threads.count]).toEqual([[0, 1], 2]);
});

test('where it refuses one that replaces another, that is tried again', () => {
  const recorded = new Recorded();
  const { threads, starts } = recorded;
  threads.start(WORKERS);
  const ended = recorded.stop(1, 5);
  ended.leave();
  recorded.available = 3;
  expect(threads.startMissing()).toBe(false);
  expect(threads.startSpare()).toBe(false);
  expect([threads.count, threads.isMissingOne]).toEqual([3, true]);
  recorded.available = 4;
  expect(threads.startMissing()).toBe(true);
  expect(starts).toEqual([0, 1, 2, 1]);
});

test('where it refuses all, its error is thrown', () => {
  const recorded = new Recorded();
  recorded.available = 0;
  expect(() => recorded.threads.start(WORKERS)).toThrow('EAGAIN');
  expect(() => recorded.threads.prepareInTurns()).toThrow('EAGAIN');
  recorded.available = 1;
  recorded.threads.start(WORKERS);
  expect(recorded.threads.count).toBe(1);
});
