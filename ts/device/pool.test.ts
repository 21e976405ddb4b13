// SPDX-License-Identifier: MIT
import type { Host, HostWorker } from '../base/host';
import { WorkerPool } from './pool';

test('a thread starts at once, and each further one in a turn of its own', async () => {
  const started: number[] = [];
  let turn = 0;
  const thread: HostWorker = {
    post: () => {},
    terminate: async () => {},
    onMessage: () => {},
    onError: () => {},
    keepAlive: () => {},
  };
  const host = {
    hasThreads: true,
    cores: 4,
    settings: { threads: 8 },
    now: () => 0n,
    startWorker: () => {
      started.push(turn);
      return thread;
    },
    nextTurn: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      turn++;
    },
  } as unknown as Host;
  const pool = new WorkerPool(host);
  pool.prepareInTurns();
  expect(started).toEqual([0]);
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
  // One fewer than there are cores, as none of them runs yet.
  expect(started).toEqual([0, 1, 2]);
  pool.prepareInTurns();
  await pool.shutdown();
  expect(started).toEqual([0, 1, 2]);
});
