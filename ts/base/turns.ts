// SPDX-License-Identifier: MIT
import type { Host } from './host';
import { LONG, type Stepped } from './steps';

/** A turn of the event loop begins no step of a computation after this many nanoseconds: steps take up to some milliseconds. */
const LIMIT_NS = 2_500_000n;
/** A turn that has computed for so long is over before a step that is known to be long. */
const BEFORE_LONG_NS = 250_000n;

/**
 * Runs computations in turns of the event loop. All of them together have the limit in each turn, and each waiting one continues in a
 * turn of its own, in the order in which they began to wait.
 */
export class Turns {
  /** When the first step of this turn began, if there was one. */
  private began: bigint | undefined;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly host: Pick<Host, 'now' | 'nextTurn'>) {}

  /** @param run how the host runs steps of this computation */
  async run<T>(steps: Stepped<T>, run: <R>(step: () => R) => R, signal?: AbortSignal): Promise<T> {
    let isOver = this.isOver();
    for (;;) {
      if (isOver) await new Promise<void>((resolve) => this.wait(resolve));
      signal?.throwIfAborted();
      const ended = run(() => this.untilOver(steps));
      if (ended) return ended.value;
      isOver = true;
    }
  }

  /** Whether no more steps begin in this turn; otherwise one begins now. */
  isOver(limit = LIMIT_NS): boolean {
    if (this.began === undefined) this.begin();
    return this.host.now() - this.began! >= limit;
  }

  /** Calls back in a later turn, after those that wait already. */
  wait(goOn: () => void): void {
    this.waiting.push(goOn);
  }

  /** The result, if the computation ends in this turn. */
  private untilOver<T>(steps: Stepped<T>): IteratorReturnResult<T> | undefined {
    for (;;) {
      const step = steps.next();
      if (step.done) return step;
      if (this.isOver(step.value === LONG ? BEFORE_LONG_NS : LIMIT_NS)) return undefined;
    }
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
