// SPDX-License-Identifier: MIT
//
// The steps before an array can be read: building programs, computing other arrays, reading sizes back. A task is a generator that
// yields each step, so that one description serves `read()` and `readSync()`.

/** Something that a task waits for, without blocking (`later`) or blocking (`now`). */
export interface Request<R = unknown> {
  later(): Promise<R>;
  now(): R;
}

export type Task<T> = Generator<Request, T, unknown>;

/** Waits for a request inside of a task: `const kernel = yield* wait(request)`. */
export function* wait<R>(request: Request<R>): Task<R> {
  return (yield request) as R;
}

/** A task that waits for nothing. */
// biome-ignore lint/correctness/useYield: tasks are generators
export function* immediate<T>(make: () => T): Task<T> {
  return make();
}

/** Performs a task without blocking. */
export async function perform<T>(task: Task<T>): Promise<T> {
  let step = task.next();
  while (!step.done) {
    let answer: unknown;
    try {
      answer = await step.value.later();
    } catch (error) {
      step = task.throw(error);
      continue;
    }
    step = task.next(answer);
  }
  return step.value;
}

/** Performs a task on the calling thread. */
export function performSync<T>(task: Task<T>): T {
  let step = task.next();
  while (!step.done) {
    let answer: unknown;
    try {
      answer = step.value.now();
    } catch (error) {
      step = task.throw(error);
      continue;
    }
    step = task.next(answer);
  }
  return step.value;
}
