// SPDX-License-Identifier: MIT
//
// The two ends of a flow, which can be stopped while a consumer waits. An async generator cannot: its `return` waits for the
// preceding `next`, and so for a source that may never answer.
import type { Source } from './regroup';

/** Produces results. Created when the first result is requested: a program that requests none has nothing to release. */
export interface Producer<Out> {
  results(): AsyncGenerator<Out, void, undefined>;
  /** Ends a `next` that waits. */
  stop(): void;
}

/** The results of a flow, with the interface of a generator. */
export class Results<Out> implements AsyncGenerator<Out, void, undefined> {
  private producer: Producer<Out> | undefined;
  private started: AsyncGenerator<Out, void, undefined> | undefined;
  private isOver = false;

  constructor(private readonly make: () => Producer<Out>) {}

  async next(): Promise<IteratorResult<Out, void>> {
    if (this.isOver) return { done: true, value: undefined };
    this.producer ??= this.make();
    this.started ??= this.producer.results();
    return this.started.next();
  }

  async return(): Promise<IteratorResult<Out, void>> {
    this.isOver = true;
    this.producer?.stop();
    await this.started?.return();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<Out, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

/** A source that hears of the end while its next piece is awaited. */
export class StoppableSource<T = ArrayBufferView> implements AsyncIterable<T> {
  private iterator: AsyncIterator<T> | undefined;
  private isWaiting = false;
  private isStopped = false;

  constructor(private readonly source: Source<T>) {}

  [Symbol.asyncIterator](): AsyncIterator<T> {
    const { source } = this;
    const iterator =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : resolved(source[Symbol.iterator]());
    this.iterator = iterator;
    return {
      next: async () => {
        this.isWaiting = true;
        try {
          return await iterator.next();
        } finally {
          this.isWaiting = false;
        }
      },
      return: async () => {
        await this.end();
        return { done: true, value: undefined };
      },
    };
  }

  /** Who consumes it calls `return` otherwise, when it has what it waits for. */
  stop(): void {
    if (!this.isWaiting) return;
    // Streams of Node.js do not hear of the end from their iterators before they have given the next piece.
    (this.source as { destroy?(): void }).destroy?.();
    this.end().catch(() => {});
  }

  private async end(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    await this.iterator?.return?.();
  }
}

/** An iterator of values, or of promises of them, as `for await` reads it. */
function resolved<T>(iterator: Iterator<T>): AsyncIterator<T> {
  const wait = async ({ done, value }: IteratorResult<T>) => ({ done: done ?? false, value: await value });
  return {
    next: async () => wait(iterator.next()),
    return: async () => wait(iterator.return?.() ?? { done: true, value: undefined }),
  };
}
