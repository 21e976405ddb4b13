// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import type { Outcome } from '../workers/job';
import type { Command } from './command';

/** How long the last steps of jobs may hold up the event loop. */
const SLICE_NS = 5_000_000n;
const WITHOUT_END = 1n << 62n;

interface Finishing {
  readonly command: Command;
  readonly outcome: Outcome;
  readonly steps: Iterator<unknown> | undefined;
}

/** Jobs that are done except for their last steps, which write what they have printed. In the order of their ends. */
export class LastSteps {
  private readonly jobs: Finishing[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param end takes a job whose steps are done
   * @param onTurn is called when steps were done in an iteration of the event loop of their own
   */
  constructor(
    private readonly host: Host,
    private readonly end: (command: Command, outcome: Outcome) => void,
    private readonly onTurn: () => void,
  ) {}

  get isEmpty(): boolean {
    return this.jobs.length === 0;
  }

  add(command: Command, outcome: Outcome, steps: Iterator<unknown> | undefined): void {
    this.jobs.push({ command, outcome, steps });
    this.run(SLICE_NS);
  }

  runAll(): void {
    this.run(WITHOUT_END);
  }

  /** Runs steps for a limited time, and continues in the event loop's next iteration if necessary. */
  private run(limit: bigint): void {
    const end = this.host.now() + limit;
    for (let next = this.jobs[0]; next; next = this.jobs[0]) {
      try {
        while (next.steps && !next.steps.next().done) {
          if (this.host.now() < end) continue;
          this.timer ??= setTimeout(this.goOn, 0);
          return;
        }
      } catch (error) {
        // Writing its output failed; the jobs after it must be notified of its completion all the same.
        next.command.failure = String(error);
      }
      this.jobs.shift();
      this.end(next.command, next.outcome);
    }
  }

  private readonly goOn = (): void => {
    this.timer = undefined;
    this.run(SLICE_NS);
    this.onTurn();
  };
}
