// SPDX-License-Identifier: MIT
import type { Stepped } from '../base/steps';
import type { Turns } from '../base/turns';
import type { Command } from './command';

/** Commands that the scheduling thread carries out in steps, some in each turn of the event loop. */
export class SteppedCommands {
  private readonly begun = new Map<Command, Stepped<void>>();

  /** @param end takes a command whose steps are done, and what they have thrown */
  constructor(
    private readonly turns: Turns,
    private readonly end: (command: Command, thrown: { readonly error: unknown } | undefined) => void,
  ) {}

  get isEmpty(): boolean {
    return this.begun.size === 0;
  }

  /** Runs the first steps; all of them, if this turn has the time. */
  begin(command: Command, steps: Stepped<void>): void {
    this.begun.set(command, steps);
    if (this.turns.isOver()) this.wait(command);
    else this.continue(command, true);
  }

  /** Runs all steps that one command has left, for a blocking call. */
  finishOne(): void {
    for (const command of this.begun.keys()) {
      this.continue(command, false);
      return;
    }
  }

  private wait(command: Command): void {
    this.turns.wait(() => this.continue(command, true));
  }

  private continue(command: Command, inTurns: boolean): void {
    const steps = this.begun.get(command);
    // A blocking call has finished it.
    if (!steps) return;
    let thrown: { readonly error: unknown } | undefined;
    try {
      // What was stopped is not touched again: its memory may be free.
      while (!command.done && !steps.next().done)
        if (inTurns && this.turns.isOver()) {
          this.wait(command);
          return;
        }
    } catch (error) {
      thrown = { error };
    }
    this.begun.delete(command);
    if (!command.done) this.end(command, thrown);
  }
}
