// SPDX-License-Identifier: MIT
//
// How commands are ended before their time: by a call, or by a limit of the time that they may run.
import type { Host } from '../../base/host';
import { StopCode, type StopReason } from '../../cl/stop-codes';
import type { WorkerPool } from '../workers/pool';
import { abandon, type Command, Status } from './command';
import { Deadlines } from './deadlines';

interface Graph {
  readonly host: Host;
  readonly pool: WorkerPool;
  /** Takes a command that no longer waits for anything. */
  release(command: Command): void;
  drain(): void;
}

export class CommandStops {
  readonly deadlines: Deadlines;

  constructor(private readonly graph: Graph) {
    this.deadlines = new Deadlines(graph.host, (command) => {
      const text = `ran for more than ${command.limitMs} ms, its limit`;
      this.stop(command, { status: StopCode.COMMAND_TIMED_OUT, text });
    });
  }

  /**
   * Ends a command and what it has enqueued. It fails at once if it has not started, otherwise when its threads have ended. Those
   * after it in its queue do not start before those before it are complete.
   */
  stop(command: Command, reason: StopReason): void {
    this.stopAll([command], () => reason);
  }

  /** Ends commands together, so that none starts when another one ends. */
  stopAll(commands: Iterable<Command>, reasonOf: (command: Command) => StopReason): void {
    // Not by recursion: kernels that enqueue themselves make long chains.
    const all = [...commands];
    for (let next = all.pop(); next; next = all.pop()) {
      if (next.done || next.stopped) continue;
      const reason = reasonOf(next);
      next.stopped = reason;
      for (const child of next.children) all.push(child);
      const { ticket } = next;
      // A job in flight comes back to the scheduler when its threads have ended.
      if (ticket === undefined) this.drop(next, reason);
      else if (this.graph.pool.stop(ticket, reason)) this.settle(next, reason);
    }
    this.graph.drain();
  }

  /** A command may run for this many milliseconds, from when it starts. */
  limit(command: Command, limitMs: number): void {
    command.limitMs = limitMs;
    command.watch();
    if (command.status === Status.Running) {
      this.deadlines.start(command);
      this.deadlines.changed();
    } else if (command.work.kind !== 'host') this.watchStart(command);
    else
      for (const child of command.children) {
        child.timed = command;
        if (child.work.kind !== 'host') this.watchStart(child);
      }
  }

  /** The command's status becomes Running when its job starts, and not only when it is queried. */
  watchStart(command: Command): void {
    command.startIsWatched = true;
    command.watch();
    if (command.ticket) this.graph.pool.onStart(command.ticket, () => this.started(command));
  }

  started(command: Command): void {
    if (command.status <= Status.Running) return;
    command.reach(Status.Running);
    this.deadlines.start(command);
    if (command.timed) this.deadlines.start(command.timed);
  }

  statusOf(command: Command): number {
    const { status, ticket } = command;
    command.watch();
    if (status !== Status.Submitted || !ticket) return status;
    return this.graph.pool.hasStarted(ticket.slot) ? Status.Running : status;
  }

  /** Ends a command that is not in flight. */
  private drop(command: Command, reason: StopReason): void {
    // Its output is being written, or it waits for what it has enqueued.
    if (command.isFinished) return;
    const open = command.children.filter(({ done }) => !done);
    if (open.length > 0) {
      let left = open.length;
      const oneIsDone = () => {
        if (--left === 0) this.finish(command, reason);
      };
      for (const child of open) child.whenDone(oneIsDone);
      return;
    }
    abandon(command, reason.text);
    this.finish(command, reason);
  }

  private finish(command: Command, reason: StopReason): void {
    this.settle(command, reason);
    if (!command.keepsPlace && !command.inChain) command.retire((each) => this.graph.release(each));
  }

  /** Lets everybody know that a command has ended. */
  settle(command: Command, { status, text }: StopReason): void {
    if (command.done) return;
    command.failure = text;
    noteTimes(command, this.graph.host);
    command.settle(status, (each) => this.graph.release(each));
  }
}

/** The times of a command that has not run. */
export function noteTimes(command: Command, host: Host): void {
  if (!command.profiled || command.endedAt !== 0n) return;
  const now = host.now();
  command.submittedAt ||= now;
  command.startedAt ||= now;
  command.endedAt = now;
}
