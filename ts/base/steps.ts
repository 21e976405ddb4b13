// SPDX-License-Identifier: MIT
//
// Computations in steps: a long one is a generator, and yields where it can be interrupted. A blocking call finishes it at once;
// others run some steps in each turn of the event loop.

/** What a computation yields before a step that takes longer than most: it begins a turn. */
export const LONG = 'long';

/** What a computation yields between its steps. */
export type Pause = typeof LONG | undefined;

/** A computation that yields between its steps, and returns its result. */
export type Steps<T> = Generator<Pause, T, undefined>;

/** What runs steps needs no more of them. */
export type Stepped<T> = Pick<Steps<T>, 'next'>;

/** Runs all steps that are left. */
export function finish<T>(steps: Stepped<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A computation that several callers advance: each gets its result, or the error that it ended with. */
export class SharedSteps<T> implements Stepped<T> {
  private ended: (() => IteratorReturnResult<T>) | undefined;

  constructor(private readonly steps: Stepped<T>) {}

  next(): IteratorResult<Pause, T> {
    if (this.ended) return this.ended();
    try {
      const result = this.steps.next();
      if (result.done) this.ended = () => result;
      return result;
    } catch (error) {
      this.ended = () => {
        throw error;
      };
      throw error;
    }
  }
}
