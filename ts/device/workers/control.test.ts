// SPDX-License-Identifier: MIT
import { Control, HEADER, WORKER } from './control';

const WORKERS = 4;
const ALL = { first: 0, count: WORKERS };

/** The workers that are still asleep when those with the given numbers were, and some were woken. */
function asleepAfter(asleep: readonly number[], wake: (control: Control) => unknown): number[] {
  const control = Control.create(WORKERS);
  const word = (worker: number) => control.worker(worker) + WORKER.asleep;
  for (const worker of asleep) control.words[word(worker)] = 1;
  control.words[HEADER.sleeping] = asleep.length;
  wake(control);
  expect(control.words[HEADER.wake]).toBe(1);
  return [...Array(WORKERS).keys()].filter((worker) => control.words[word(worker)] === 1);
}

test('as many workers are woken as are wanted, of those that are asleep', () => {
  expect(asleepAfter([0, 1, 2, 3], (control) => control.wake(2))).toEqual([2, 3]);
  expect(asleepAfter([1, 3], (control) => control.wake(2))).toEqual([]);
  expect(asleepAfter([0, 1, 2, 3], (control) => control.wake())).toEqual([]);
  expect(asleepAfter([0, 1, 2, 3], (control) => control.wake(0))).toEqual([0, 1, 2, 3]);
});

test('workers outside of the range, and the excepted one, stay asleep', () => {
  expect(asleepAfter([0, 1, 2, 3], (control) => control.wake(3, { first: 1, count: 2 }))).toEqual([0, 3]);
  expect(asleepAfter([0, 1, 2, 3], (control) => control.wake(1, { first: 1, count: 1 }, 1))).toEqual([
    0, 1, 2, 3,
  ]);
  expect(asleepAfter([0, 1, 2, 3], (control) => control.wake(1, { first: 2, count: 2 }))).toEqual([0, 1, 3]);
  expect(asleepAfter([0, 1, 2, 3], (control) => control.wake(3, ALL, 1))).toEqual([1]);
  expect(asleepAfter([1], (control) => control.wake(3, ALL, 1))).toEqual([1]);
});

test('who wakes workers learns how many are left, and can wake one', () => {
  const wake = (control: Control) => {
    expect(control.wake(3, ALL, 1)).toBe(1);
    expect(control.wakeWorker(1)).toBe(true);
    expect(control.wakeWorker(1)).toBe(false);
  };
  expect(asleepAfter([1, 2, 3], wake)).toEqual([]);
});

test('a worker does not sleep if there may be work since it looked', () => {
  const control = Control.create(1);
  const seen = Atomics.load(control.words, HEADER.wake);
  control.wake();
  // It would never return.
  control.sleep(0, seen);
  expect(control.words[control.worker(0) + WORKER.asleep]).toBe(0);
  expect(control.words[HEADER.sleeping]).toBe(0);
});
