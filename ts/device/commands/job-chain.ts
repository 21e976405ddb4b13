// SPDX-License-Identifier: MIT
import type { WorkerPool } from '../workers/pool';
import type { Command } from './command';

/**
 * Jobs that wait only for the job before them, which is in flight or also in this list. As many as there is room for are submitted
 * at a time; they start one after the other without the scheduling thread.
 */
export class JobChain {
  /** Pairs of a job and the one before. */
  private commands: Command[] = [];
  private head = 0;

  /**
   * @param start submits a job, to be started when the one before it is done, if that is given
   * @param admit takes a command that waits for others in the usual way
   */
  constructor(
    private readonly pool: WorkerPool,
    private readonly start: (command: Command, previous: Command | undefined) => void,
    private readonly admit: (command: Command) => void,
  ) {}

  add(command: Command, previous: Command): void {
    command.inChain = true;
    this.commands.push(command, previous);
    this.submit();
  }

  submit(): void {
    do {
      while (this.head < this.commands.length && this.pool.hasRoom) {
        const command = this.commands[this.head]!;
        const previous = this.commands[this.head + 1]!;
        this.head += 2;
        command.inChain = false;
        if (previous.isOver) this.start(command, undefined);
        else if (previous.ticket && !command.done) this.start(command, previous);
        else {
          // One of the two was stopped before it was submitted.
          command.waitFor(previous, false);
          this.admit(command);
        }
      }
    } while (this.head < this.commands.length && this.pool.makeRoom());
    if (this.head === this.commands.length) {
      this.commands = [];
      this.head = 0;
    }
  }
}
