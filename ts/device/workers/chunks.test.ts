// SPDX-License-Identifier: MIT
import { chunkLimits, firstMeasured, isForMore, leastMeasured, mostMeasured, usualMeasured } from './chunks';

const job = { groupItems: 64, groupCost: 1000, leastChunk: 0, bounded: true, costIsGuess: false };

test('chunks take 20 microseconds to 2 milliseconds by the estimate', () => {
  expect(chunkLimits(4800, job, 2)).toEqual({ measured: false, least: 20, most: 2000 });
  expect(chunkLimits(10, job, 2)).toEqual({ measured: false, least: 10, most: 10 });
  expect(chunkLimits(100, { ...job, groupCost: 5e6 }, 2)).toEqual({ measured: false, least: 1, most: 1 });
});

test('an estimate that may be much too high does not make thousands of chunks', () => {
  expect(chunkLimits(4800, { ...job, groupCost: 300_000, costIsGuess: true }, 2)).toEqual({
    measured: true,
    least: 1,
    most: 37,
  });
  // Long work stays divided into chunks that the watchdog sees.
  expect(chunkLimits(1e6, { ...job, groupCost: 1e8 }, 2).most).toBe(2);
});

test('an estimate that may be much too low leaves no large part for the end', () => {
  expect(chunkLimits(64, { ...job, groupCost: 7000, costIsGuess: true }, 2).least).toBe(1);
  expect(chunkLimits(640, { ...job, groupCost: 1000, costIsGuess: true }, 2).least).toBe(10);
  expect(chunkLimits(64, { ...job, groupCost: 7000 }, 2).least).toBe(3);
  // A very short launch is not divided.
  expect(chunkLimits(16, { ...job, groupCost: 1000, costIsGuess: true }, 2).least).toBe(16);
});

test('copies of each worker are worth a chunk of their own size', () => {
  const large = { ...job, leastChunk: 300_000, costIsGuess: true };
  expect(chunkLimits(4800, large, 2)).toMatchObject({ measured: false, least: 300 });
});

test('small copies do not keep workers from measuring: an estimate of few turns of a loop gave all groups to one worker', () => {
  const small = { ...job, leastChunk: 1200, costIsGuess: true };
  expect(chunkLimits(16, small, 2)).toMatchObject({ measured: true, least: 16 });
  expect(isForMore(16, 2, 16, 15, 600_000)).toBe(true);
});

test('a call of a kernel has no more work-items than it can count', () => {
  const cheap = { ...job, groupItems: 4096, groupCost: 1 };
  expect(chunkLimits(2 ** 30, cheap, 2)).toEqual({ measured: false, least: 20_000, most: 2 ** 19 });
});

test('a worker takes what it has seen to take a tenth of a second', () => {
  expect(mostMeasured(1000)).toBe(100_000);
  expect(mostMeasured(5e9)).toBe(1);
});

test('the first chunk of a job is short by what the kernel took before, and a single group of a new kernel', () => {
  expect(firstMeasured(0)).toBe(1);
  expect(firstMeasured(1000)).toBe(1000);
  expect(firstMeasured(5e9)).toBe(1);
});

test('chunks grow where groups are shorter than estimated, but each worker takes several', () => {
  // 212 chunks of 138 groups by the estimate, each of 28 microseconds.
  expect(usualMeasured(16384, 2, 200)).toBe(512);
  expect(usualMeasured(1e6, 2, 200)).toBe(1000);
  expect(usualMeasured(64, 2, 1000)).toBe(2);
  expect(leastMeasured(16384, 2, 200, 1)).toBe(100);
  expect(leastMeasured(64, 2, 1000, 1)).toBe(1);
  expect(leastMeasured(16384, 2, 1e6, 1)).toBe(0);
});

test('a measurement corrects an estimate that was much too low: the job is divided after all', () => {
  const { least } = chunkLimits(16, { ...job, costIsGuess: true }, 2);
  expect(least).toBe(16);
  expect(leastMeasured(16, 2, 1000, least)).toBe(16);
  expect(leastMeasured(16, 2, 5e6, least)).toBe(0);
  // One worker was woken for it; the other one is now.
  expect(isForMore(16, 2, least, 15, 5e6)).toBe(true);
  expect(isForMore(16, 2, least, 15, 1000)).toBe(false);
  expect(isForMore(4800, 2, 20, 4700, 5e6)).toBe(false);
});
