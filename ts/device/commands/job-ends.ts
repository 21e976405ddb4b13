// SPDX-License-Identifier: MIT
//
// What follows the end of a command's job: its remaining groups, what it has printed, the commands that its kernel has enqueued, and
// then the command's status.
import type { Host } from '../../base/host';
import { nextRange } from '../workers/groups';
import { Failure, type Job, type Outcome } from '../workers/job';
import { type Command, failInternally, type JobWork, Status } from './command';
import type { CommandStops } from './command-stops';
import { LastSteps } from './last-steps';

const NO_CHILDREN: readonly Command[] = [];

interface Graph {
  readonly host: Host;
  readonly stops: CommandStops;
  /** Takes a command that no longer waits for anything. */
  release(command: Command): void;
  drain(): void;
}

export class JobEnds {
  private readonly lastSteps: LastSteps;
  /** Commands whose children are complete. */
  private readonly settling: Command[] = [];

  constructor(private readonly graph: Graph) {
    this.lastSteps = new LastSteps(
      graph.host,
      (command, outcome) => this.end(command, outcome),
      () => graph.drain(),
    );
  }

  /** Whether jobs still write what they have printed. */
  get hasLastSteps(): boolean {
    return !this.lastSteps.isEmpty;
  }

  runLastSteps(): void {
    this.lastSteps.runAll();
  }

  jobDone(command: Command, outcome: Outcome): void {
    const { work } = command;
    if (work.kind !== 'job') return;
    command.startedAt ||= outcome.start;
    command.endedAt = outcome.end;
    if (work.finishesLater && outcome.failure === undefined && !this.isSpecial(command, work, outcome)) {
      command.ticket = undefined;
      command.isFinished = true;
      work.finish(undefined);
      command.complete(Status.Complete, this.graph.release);
      return;
    }
    const next = outcome.failure === undefined ? this.nextJob(command, work) : undefined;
    if (next) {
      work.job = next;
      command.ticket = undefined;
      this.graph.stops.started(command);
      this.graph.release(command);
      return;
    }
    command.ticket = undefined;
    command.isFinished = true;
    command.stopped ??= outcome.stopped;
    // A stopped command completes without waiting for its output.
    if (command.stopped)
      this.graph.stops.settle(command, { ...command.stopped, text: outcome.failure ?? command.stopped.text });
    const steps = work.finish(outcome.failure);
    // Jobs after one that still prints are finished after it, as they may follow it in an in-order queue.
    if (steps || !this.lastSteps.isEmpty) this.lastSteps.add(command, outcome, steps);
    else this.end(command, outcome);
  }

  /** Whether there is more to do at the end of a job than to release memory, which is all that `work` does. */
  private isSpecial(command: Command, { job }: JobWork, outcome: Outcome): boolean {
    return (
      outcome.stopped !== undefined ||
      command.stopped !== undefined ||
      command.done ||
      !job.groups.isLast ||
      !this.lastSteps.isEmpty
    );
  }

  /** The rest of a job, or the one that follows it. */
  private nextJob(command: Command, work: JobWork): Job | undefined {
    const groups = nextRange(work.job.groups);
    if (groups) return { ...work.job, groups };
    if (command.stopped) return undefined;
    try {
      return work.next?.();
    } catch (error) {
      failInternally(command, error);
      return undefined;
    }
  }

  private end(command: Command, outcome: Outcome): void {
    if (command.done) {
      command.retire(this.graph.release);
      return;
    }
    if (outcome.isInternalError) failInternally(command, outcome.failure);
    else if (outcome.failure !== undefined) command.failure = outcome.failure;
    const children = this.childrenOf(command);
    command.children = children;
    let running = children.length;
    if (running === 0) this.settle(command);
    else this.graph.stops.started(command);
    for (const child of children)
      child.whenDone((status) => {
        if (status < 0)
          command.failure ??=
            command.stopped?.text ?? `a kernel that it enqueued failed: ${child.failure ?? status}`;
        if (--running > 0) return;
        if (command.profiled) command.childrenEndedAt = this.graph.host.now();
        this.settleLater(command);
      });
  }

  /** Not by recursion: kernels that enqueue themselves make long chains. */
  private settleLater(command: Command): void {
    this.settling.push(command);
    if (this.settling.length > 1) return;
    for (let next: Command | undefined = command; next; next = this.settling[0]) {
      this.settle(next);
      this.settling.shift();
    }
  }

  /** The commands that a job has enqueued, unless it failed. */
  private childrenOf(command: Command): readonly Command[] {
    const { work } = command;
    if (command.failure !== undefined || command.stopped || work.kind !== 'job' || !work.children) return [];
    try {
      return work.children();
    } catch (error) {
      command.failure = error instanceof Error ? error.message : String(error);
      return [];
    }
  }

  private settle(command: Command): void {
    if (command.done) return;
    const { stopped } = command;
    command.children = NO_CHILDREN;
    if (stopped) command.failure ??= stopped.text;
    const failure = stopped?.status ?? Failure.OutOfResources;
    command.complete(command.failure === undefined ? Status.Complete : failure, this.graph.release);
  }
}
