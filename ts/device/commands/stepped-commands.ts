// SPDX-License-Identifier: MIT
import type { Stepped } from '../../base/steps';
import type { Turns } from '../../base/turns';
import type { Command } from './command';

/** Commands that the scheduling thread carries out in steps, some in each turn of the event loop. */
export class SteppedCommands {
  /** The commands that have steps left. Most have none after their first turn, and are never here. */
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
    if (!this.turns.isOver() && this.run(command, steps, true)) return;
    this.begun.set(command, steps);
    this.wait(command);
  }

  /** Runs all steps that one command has left, for a blocking call. */
  finishOne(): void {
    for (const [command, steps] of this.begun) {
      this.run(command, steps, false);
      return;
    }
  }

  private wait(command: Command): void {
    this.turns.wait(() => {
      const steps = this.begun.get(command);
      // A blocking call has finished it.
      if (steps && !this.run(command, steps, true)) this.wait(command);
    });
  }

  /** Runs steps, until the turn is over if this is given. Returns whether none is left. */
  private run(command: Command, steps: Stepped<void>, inTurn: boolean): boolean {
    let thrown: { readonly error: unknown } | undefined;
    try {
      // What was stopped is not touched again: its memory may be free.
      while (!command.done && !steps.next().done) if (inTurn && this.turns.isOver()) return false;
    } catch (error) {
      thrown = { error };
    }
    this.begun.delete(command);
    if (!command.done) this.end(command, thrown);
    return true;
  }
}
