// SPDX-License-Identifier: MIT
import type { Host } from '../../../base/host';
import type { Stepped } from '../../../base/steps';
import type { RunStep } from './compilation-step';

/** A turn of the event loop begins no step of a computation after so many nanoseconds: steps take up to some milliseconds. */
const LIMIT_NS = 4_000_000n;

/**
 * Runs computations in turns of the event loop. All of them together have the limit in each turn, and each waiting one continues in a
 * turn of its own, in the order in which they began to wait.
 */
export class Turns {
  /** When the first step of this turn began, if there was one. */
  private began: bigint | undefined;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly host: Host) {}

  /** @param run how the host runs steps of this computation */
  async run<T>(steps: Stepped<T>, run: RunStep, signal?: AbortSignal): Promise<T> {
    for (;;) {
      if (this.isOver()) await new Promise<void>((resolve) => this.waiting.push(resolve));
      signal?.throwIfAborted();
      const ended = run(() => this.untilOver(steps));
      if (ended) return ended.value;
    }
  }

  /** The result, if the computation ends in this turn. */
  private untilOver<T>(steps: Stepped<T>): IteratorReturnResult<T> | undefined {
    do {
      const step = steps.next();
      if (step.done) return step;
    } while (!this.isOver());
    return undefined;
  }

  private isOver(): boolean {
    if (this.began === undefined) this.begin();
    return this.host.now() - this.began! >= LIMIT_NS;
  }

  private begin(): void {
    this.began = this.host.now();
    void this.host.nextTurn().then(this.nextTurn);
  }

  private readonly nextTurn = (): void => {
    this.began = undefined;
    const next = this.waiting.shift();
    if (!next) return;
    this.begin();
    next();
  };
}
