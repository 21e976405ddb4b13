// SPDX-License-Identifier: MIT
//
// Computations in steps: a long one is a generator, and yields where it can be interrupted. A blocking call finishes it at once;
// others run some steps in each turn of the event loop.

/** A computation that yields between its steps, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

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

  next(): IteratorResult<undefined, T> {
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
