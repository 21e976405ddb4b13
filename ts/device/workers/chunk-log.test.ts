// SPDX-License-Identifier: MIT
import type { TracedChunk } from '../../base/trace';
import { ChunkLog } from './chunk-log';

function drained(log: ChunkLog): TracedChunk[] {
  const chunks: TracedChunk[] = [];
  const trace = {
    chunk: (chunk: TracedChunk) => chunks.push(chunk),
    threads() {},
    onDrain() {},
    write() {},
  };
  log.drain(trace, (kernel) => `kernel ${kernel}`);
  return chunks;
}

test('chunks are read once, by worker and in order', () => {
  const log = ChunkLog.create(3);
  const worker = new ChunkLog(log.buffer, 3);
  worker.note(2, 10n, 20n, 7, 0, 4);
  worker.note(2, 20n, 25n, 7, 4, 2);
  worker.note(0, 11n, 12n, 8, 1, 1);
  expect(drained(log)).toEqual([
    { worker: 0, kernel: 'kernel 8', start: 11, end: 12, first: 1, count: 1 },
    { worker: 2, kernel: 'kernel 7', start: 10, end: 20, first: 0, count: 4 },
    { worker: 2, kernel: 'kernel 7', start: 20, end: 25, first: 4, count: 2 },
  ]);
  expect(drained(log)).toEqual([]);
});

test('the oldest are lost, and counted, where nobody reads in time', () => {
  const log = ChunkLog.create(1);
  for (let i = 0; i < 5000; i++) log.note(0, BigInt(i), BigInt(i + 1), 1, i, 1);
  const chunks = drained(log);
  expect(chunks.length + log.lost).toBe(5000);
  expect(chunks.at(-1)!.first).toBe(4999);
});
