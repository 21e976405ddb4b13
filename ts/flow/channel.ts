// SPDX-License-Identifier: MIT

/** A queue of items between two parts of a program. An item is lost only if the receiver has closed the channel. */
export class Channel<T> {
  private readonly items: (() => Promise<T>)[] = [];
  private waiting: (() => void) | undefined;
  private isEnded = false;

  /** `item` is awaited when it is received: a rejection is the receiver's. */
  send(item: Promise<T>): void {
    // The receiver handles a rejection, so it does not count as unhandled until then.
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

/** A pool of a fixed number of things: `take` waits until one is free. */
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
