// SPDX-License-Identifier: MIT
//
// Copies results into new memory on a thread of its own. New memory is expensive: the system clears each page when it is first
// touched, which takes several times as long as the copy (docs/performance/flow.md). Meanwhile this thread writes the next data.
import type { Host, HostWorker } from '../../base/host';
import type { ReadReply, ReadRequest, ReadStart } from './read-protocol';

/** Copies below this size take no longer than the messages. */
const LEAST_BYTES = 1 << 19;
/** The thread is started when a process has read this many bytes: one that reads little needs none. */
const START_BYTES = 1 << 25;

export class Reader {
  private thread: HostWorker | undefined;
  private word: Int32Array | undefined;
  private isReady = false;
  private hasFailed = false;
  private bytes = 0;
  /** The requests without reply, in order. */
  private readonly waiting: ((copy: ArrayBuffer | undefined) => void)[] = [];

  constructor(private readonly host: Host) {}

  /** Whether a read of this many bytes is faster on the thread. Starts it when that is worth it. */
  takes(size: number): boolean {
    if (!this.host.hasThreads || this.hasFailed || size < LEAST_BYTES) return false;
    this.bytes += size;
    if (this.bytes >= START_BYTES) this.thread ??= this.startIfPossible();
    return this.isReady;
  }

  /** Undefined if the thread has no memory for it, or has ended. */
  read(request: ReadRequest): Promise<ArrayBuffer | undefined> {
    const { thread, word } = this;
    if (!thread || !word) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) thread.keepAlive(true);
      thread.post(request);
      Atomics.add(word, 0, 1);
      Atomics.notify(word, 0);
    });
  }

  async shutdown(): Promise<void> {
    const { thread } = this;
    this.end();
    await thread?.terminate();
  }

  private startIfPossible(): HostWorker | undefined {
    try {
      return this.start();
    } catch {
      this.end();
      return undefined;
    }
  }

  private start(): HostWorker {
    const wake = new SharedArrayBuffer(4);
    this.word = new Int32Array(wake);
    const thread = this.host.startWorker({ wake } satisfies ReadStart);
    thread.onMessage((message) => {
      const reply = message as ReadReply;
      if (reply === 'ready') this.isReady = true;
      else this.waiting.shift()?.(reply);
      if (this.waiting.length === 0) thread.keepAlive(false);
    });
    thread.onError(() => this.end());
    return thread;
  }

  /** Without it reads are done by this thread. */
  private end(): void {
    this.thread = undefined;
    this.isReady = false;
    this.hasFailed = true;
    for (const resolve of this.waiting.splice(0)) resolve(undefined);
  }
}
