// SPDX-License-Identifier: MIT
import type { StopReason } from '../../cl/stop-codes';
import { Command, type Failed, type Unreported, type Work } from './command';
import type { Scheduler } from './scheduler';

/** A command queue: it orders its commands by making later ones wait for earlier ones. */
export class Queue {
  /** In-order: the last command. Out-of-order: the last barrier. */
  private last: Command | undefined;
  /** While set, it receives all commands. */
  private recorder: Command[] | undefined;
  /** Out-of-order: commands that are not over. */
  private readonly outstanding = new Set<Command>();

  private readonly unreported: Unreported = { failure: undefined };

  constructor(
    private readonly scheduler: Scheduler,
    readonly outOfOrder: boolean,
    readonly profiling: boolean,
    /** Registers the incomplete commands, if the context may terminate them. */
    private readonly track?: (command: Command) => void,
  ) {}

  /**
   * Appends a command that also waits for `wait`. A `barrier` makes all later commands wait for it; it and a marker wait for all
   * earlier ones if their wait lists are empty.
   */
  enqueue(
    work: Work,
    wait: readonly Command[] | undefined,
    uses?: readonly { release(): void }[],
    role: 'command' | 'marker' | 'barrier' = 'command',
    isUnseen = false,
  ): Command {
    const command = new Command(work, this.profiling);
    command.uses = uses;
    command.isUnseen = isUnseen;
    command.unreported = this.unreported;
    this.recorder?.push(command);
    this.track?.(command);
    if (wait) for (const other of wait) command.waitFor(other, true);
    if (this.outOfOrder) this.appendOutOfOrder(command, role, wait === undefined || wait.length === 0);
    else this.append(command);
    return command;
  }

  private append(command: Command): void {
    const previous = this.last?.isOver ? undefined : this.last;
    this.last = command;
    command.before = previous;
    this.scheduler.enqueue(command, previous);
  }

  private appendOutOfOrder(command: Command, role: 'command' | 'marker' | 'barrier', all: boolean): void {
    if (this.last) command.waitFor(this.last, false);
    if (role !== 'command' && all) for (const other of this.outstanding) command.waitFor(other, false);
    if (role === 'barrier') this.last = command;
    this.outstanding.add(command);
    command.onEnd = () => this.outstanding.delete(command);
    this.scheduler.enqueue(command);
  }

  /** The commands that a function enqueues. */
  record(enqueue: () => void): readonly Command[] {
    this.recorder = [];
    try {
      enqueue();
      return this.recorder;
    } finally {
      this.recorder = undefined;
    }
  }

  /** Ends all commands that are not complete. */
  terminate(reason: StopReason): void {
    this.scheduler.stops.stopAll(this.commands(), () => reason);
  }

  private commands(): Command[] {
    if (this.outOfOrder) return [...this.outstanding];
    const all: Command[] = [];
    for (let command = this.last; command && !command.isOver; command = command.before) all.push(command);
    return all;
  }

  /** Whether all commands are over. */
  get isIdle(): boolean {
    return this.outOfOrder ? this.outstanding.size === 0 : (this.last?.isOver ?? true);
  }

  /** A command that completes when all earlier commands are complete; undefined if they are complete already. */
  fence(): Command | undefined {
    if (!this.outOfOrder && !this.last?.done) return this.last;
    if (this.isIdle) return undefined;
    return this.enqueue({ kind: 'host', run: undefined }, undefined, undefined, 'marker', true);
  }

  /** The failure of a command without an event, if it was not reported yet, for a call that waits for the queue. */
  takeFailure(): Pick<Failed, 'status' | 'text'> | undefined {
    const { failure } = this.unreported;
    this.unreported.failure = undefined;
    return failure;
  }
}
