// SPDX-License-Identifier: MIT

/** Items from one part of a program to another. What is sent fails to arrive only where the receiver has closed it. */
export class Channel<T> {
  private readonly items: (() => Promise<T>)[] = [];
  private waiting: (() => void) | undefined;
  private isEnded = false;

  /** `item` is awaited when it is received: a rejection is the receiver's. */
  send(item: Promise<T>): void {
    // Whoever receives handles it; until then it is no unhandled rejection.
    item.catch(() => {});
    this.items.push(() => item);
    this.wake();
  }

  /** No more items. */
  end(): void {
    this.isEnded = true;
    this.wake();
  }

  /** The next item, in order; undefined after the last one. */
  async receive(): Promise<{ readonly item: T } | undefined> {
    while (this.items.length === 0) {
      if (this.isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    }
    return { item: await this.items.shift()!() };
  }

  private wake(): void {
    this.waiting?.();
    this.waiting = undefined;
  }
}

/** Things of which there are only some: who wants one waits until another gives it back. */
export class Pool<T> {
  private readonly free: T[];
  private readonly waiting: ((thing: T | undefined) => void)[] = [];
  private isClosed = false;

  constructor(things: readonly T[]) {
    this.free = [...things];
  }

  /** Undefined after `close`. */
  take(): Promise<T | undefined> {
    if (this.isClosed) return Promise.resolve(undefined);
    const thing = this.free.shift();
    if (thing !== undefined) return Promise.resolve(thing);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  give(thing: T): void {
    const next = this.waiting.shift();
    if (next) next(thing);
    else this.free.push(thing);
  }

  close(): void {
    this.isClosed = true;
    for (const resolve of this.waiting.splice(0)) resolve(undefined);
  }
}
