// SPDX-License-Identifier: MIT
import { chunkLimits } from './chunks';

const job = { groups: 4800, groupCost: 1000, leastChunk: 0, bounded: true };

test('chunks take 20 microseconds to 2 milliseconds by the estimate', () => {
  expect(chunkLimits(job, 2)).toEqual({ least: 20, most: 2000 });
  expect(chunkLimits({ ...job, groups: 10 }, 2)).toEqual({ least: 10, most: 10 });
  expect(chunkLimits({ ...job, groupCost: 5e6, groups: 100 }, 2)).toEqual({ least: 1, most: 1 });
});

test('an estimate that may be much too high does not make thousands of chunks', () => {
  expect(chunkLimits({ ...job, groupCost: 300_000, bounded: false }, 2)).toEqual({ least: 1, most: 37 });
  // What is known to be long stays in pieces that the watchdog sees.
  expect(chunkLimits({ ...job, groups: 1e6, groupCost: 1e8 }, 2).most).toBe(2);
});

test('an estimate that may be much too low leaves no large part for the end', () => {
  expect(chunkLimits({ ...job, groups: 64, groupCost: 7000, bounded: false }, 2).least).toBe(1);
  expect(chunkLimits({ ...job, groups: 640, groupCost: 1000, bounded: false }, 2).least).toBe(10);
  expect(chunkLimits({ ...job, groups: 64, groupCost: 7000 }, 2).least).toBe(3);
  // A launch that is over at once is not cut up.
  expect(chunkLimits({ ...job, groups: 16, groupCost: 1000, bounded: false }, 2).least).toBe(16);
});

test('copies of each worker are worth a chunk of their own size', () => {
  expect(chunkLimits({ ...job, leastChunk: 300_000, bounded: false }, 2).least).toBe(300);
});
