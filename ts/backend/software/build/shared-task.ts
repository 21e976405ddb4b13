// SPDX-License-Identifier: MIT

interface Running {
  readonly ending: AbortController;
  readonly ended: Promise<void>;
  waiting: number;
}

/** A task that runs once for all that wait for it. It is aborted when each of them is; the next one starts it again. */
export class SharedTask {
  private running: Running | undefined;

  constructor(private readonly start: (signal: AbortSignal) => Promise<void>) {}

  /** Resolves when the task has succeeded. Rejects with the signal's reason, or with the task's error. */
  async wait(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const running = this.joined();
    const leave = (): void => {
      if (--running.waiting > 0) return;
      if (this.running === running) this.running = undefined;
      running.ending.abort(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      await running.ended;
      signal?.throwIfAborted();
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  private joined(): Running {
    this.running ??= this.begun();
    this.running.waiting++;
    return this.running;
  }

  private begun(): Running {
    const ending = new AbortController();
    const running: Running = { ending, ended: this.start(ending.signal), waiting: 0 };
    running.ended.catch(() => {
      if (this.running === running) this.running = undefined;
    });
    return running;
  }
}
