// SPDX-License-Identifier: MIT
import { settingsWith } from '../../../tests/helpers/settings';
import type { Host, HostWorker } from '../../base/host';
import { NodeHost } from '../../host/node/node-host';
import { Control, HEADER } from './control';
import { WorkerPool } from './pool';
import type { WorkerStart } from './worker';

/** A thread that does nothing. */
const IDLE: HostWorker = {
  post: () => {},
  terminate: async () => {},
  onMessage: () => {},
  onError: () => {},
  keepAlive: () => {},
};

test('a thread starts at once, and each further one in a turn of its own', async () => {
  const started: number[] = [];
  let turn = 0;
  const host = {
    hasThreads: true,
    cores: 4,
    settings: { threads: 8 },
    now: () => 0n,
    startWorker: () => {
      started.push(turn);
      return IDLE;
    },
    nextTurn: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      turn++;
    },
  } as unknown as Host;
  const pool = new WorkerPool(host);
  pool.threads.prepareInTurns();
  expect(started).toEqual([0]);
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
  // One fewer than there are cores, as none of them runs yet.
  expect(started).toEqual([0, 1, 2]);
  pool.threads.prepareInTurns();
  await pool.shutdown();
  expect(started).toEqual([0, 1, 2]);
});

/** A host whose threads do nothing but say that they run: at the moment at which they are told to keep the process alive. */
class LateThreads extends NodeHost {
  override startWorker(data: unknown): HostWorker {
    const { control, workers } = data as WorkerStart;
    const { words } = new Control(control, workers);
    let hasStarted = false;
    return {
      ...IDLE,
      keepAlive: (on) => {
        if (!on || hasStarted) return;
        hasStarted = true;
        Atomics.add(words, HEADER.ready, 1);
        Atomics.add(words, HEADER.done, 1);
        Atomics.notify(words, HEADER.done);
      },
    };
  }
}

test('a thread that starts while its pool begins to wait for it is heard', async () => {
  const pool = new WorkerPool(new LateThreads(settingsWith({ ANYCL_CACHE: '0', ANYCL_THREADS: '1' })));
  await pool.start();
  expect(pool.running).toBe(1);
  await pool.shutdown();
});

test('a thread that has died before its pool waits for it is not waited for', async () => {
  const died: ((error: Error) => void)[] = [];
  const thread: HostWorker = { ...IDLE, onError: (listener) => died.push(listener) };
  const host = Object.assign(new NodeHost(settingsWith({ ANYCL_CACHE: '0', ANYCL_THREADS: '2' })), {
    startWorker: () => thread,
  });
  const pool = new WorkerPool(host);
  for (const _ of pool.threads.startSteps());
  died[0]!(new Error('no memory for it'));
  await pool.started();
  expect(pool.running).toBe(0);
  await pool.shutdown();
});
