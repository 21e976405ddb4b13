// SPDX-License-Identifier: MIT
//
// Ends the jobs whose threads make no progress (ANYCL_TIMEOUT).
import type { Host } from '../../base/host';

const DEFAULT_TIMEOUT_MS = 60_000;
/** The longest time between two checks. */
const MOST_PAUSE_MS = 1000;

export interface WatchedPool {
  readonly isIdle: boolean;
  /** The slots of threads that have made no progress for so long. */
  stuckFor(ms: number): readonly number[];
  /** Ends the job of a slot; the text says why. */
  stop(slot: number, text: string): void;
  /** Completes what is done. */
  progress(): void;
}

/** Checks from time to time whether the workers make progress, as long as there are jobs (ANYCL_TIMEOUT). */
export class Watchdog {
  private readonly timeoutMs: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    { settings: { timeout = DEFAULT_TIMEOUT_MS } }: Host,
    private readonly pool: WatchedPool,
  ) {
    this.timeoutMs = timeout > 0 ? timeout : Number.POSITIVE_INFINITY;
  }

  /** There is a job from now on. */
  start(): void {
    if (this.timer !== undefined || this.timeoutMs === Number.POSITIVE_INFINITY) return;
    this.timer = setTimeout(this.tick, Math.min(MOST_PAUSE_MS, this.timeoutMs / 2));
    (this.timer as { unref?(): void }).unref?.();
  }

  /** Ends the jobs whose threads make no progress. A thread that is blocked calls it, as no timer fires there. */
  check(): void {
    const { timeoutMs } = this;
    for (const slot of this.pool.stuckFor(timeoutMs))
      this.pool.stop(
        slot,
        `made no progress for ${timeoutMs} ms (ANYCL_TIMEOUT sets this limit, 0 lifts it)`,
      );
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private readonly tick = (): void => {
    this.timer = undefined;
    if (this.pool.isIdle) return;
    this.check();
    this.pool.progress();
    if (!this.pool.isIdle) this.start();
  };
}
