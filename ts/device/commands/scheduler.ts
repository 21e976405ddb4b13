// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import type { Turns } from '../../base/turns';
import { OpenCLError } from '../../cl/opencl-error';
import { OutOfDeviceMemory } from '../workers/arenas';
import { Failure, type Job, type Ticket } from '../workers/job';
import type { WorkerPool } from '../workers/pool';
import { abandon, Command, failInternally, Status } from './command';
import { CommandStops, noteTimes } from './command-stops';
import { JobChain } from './job-chain';
import { JobEnds } from './job-ends';
import { SteppedCommands } from './stepped-commands';

/** Runs the command graph: a command starts as soon as everything that it waits for is complete. */
export class Scheduler {
  /** Commands that wait for nothing, in order. */
  private ready: Command[] = [];
  private readonly chain: JobChain;
  private draining = false;
  private readonly ends: JobEnds;
  private readonly stepped: SteppedCommands;
  /** Commands that complete when a promise settles, and have not yet. */
  private readonly unsettled = new Set<Command>();
  /** Stops commands early: on limits, signals and calls. */
  readonly stops: CommandStops;

  constructor(
    private readonly host: Host,
    private readonly pool: WorkerPool,
    turns: Turns,
  ) {
    const drain = () => this.drain();
    pool.onProgress = drain;
    this.stepped = new SteppedCommands(turns, (command, thrown) => {
      if (thrown) this.fail(command, thrown.error);
      else this.succeed(command);
      drain();
    });
    this.stops = new CommandStops({ host, pool, release: this.release, drain });
    this.ends = new JobEnds({ host, stops: this.stops, release: this.release, drain });
    this.chain = new JobChain(
      pool,
      (command, previous) => this.startJob(command, previous),
      (command) => this.admit(command),
    );
  }

  /**
   * Adds a command, after its `waitFor` calls. `previous` is the command before it in an in-order queue: if that is a job in
   * flight and there is nothing else to wait for, the workers get this one now, and continue with it without this thread.
   */
  enqueue(command: Command, previous?: Command): void {
    if (command.profiled) command.queuedAt = this.host.now();
    const chained =
      previous !== undefined && (previous.ticket !== undefined || previous.inChain) && !hasMore(previous);
    if (chained && command.work.kind === 'job' && command.pending === 1 && !command.poisoned) {
      this.chain.add(command, previous);
      if (this.ready.length > 0) this.drain();
      return;
    }
    if (previous) command.waitFor(previous, false);
    this.admit(command);
  }

  /**
   * A command that completes when the promise settles. If a blocking call waits on this thread, it completes at once, because the
   * promise could not settle meanwhile.
   */
  untilSettled(promise: Promise<unknown>): Command {
    const command = new Command({ kind: 'user' }, false);
    const done = (): void => this.promiseSettled(command);
    this.unsettled.add(command);
    promise.then(done, done);
    return command;
  }

  private promiseSettled(command: Command): void {
    if (this.unsettled.delete(command)) this.complete(command, Status.Complete);
  }

  /** Completes a user event, or a command that its caller carries out. */
  complete(command: Command, status: number): void {
    if (command.profiled) command.endedAt = this.host.now();
    command.complete(status, this.release);
    this.drain();
  }

  /** Blocks until the command is complete. False if it waits for a user event and so can never complete. */
  waitSync(command: Command): boolean {
    command.watch();
    while (!command.done) {
      this.drain();
      if (command.done) break;
      if (this.ends.hasLastSteps) {
        this.ends.runLastSteps();
        continue;
      }
      if (!this.stepped.isEmpty) {
        this.stepped.finishOne();
        continue;
      }
      const { deadlines } = this.stops;
      deadlines.check();
      if (!this.pool.idle) this.pool.pumpSync(() => deadlines.next);
      else if (!this.settleFirst()) return false;
    }
    this.drain();
    return true;
  }

  private settleFirst(): boolean {
    for (const command of this.unsettled) {
      this.promiseSettled(command);
      return true;
    }
    return false;
  }

  private admit(command: Command): void {
    if (command.work.kind === 'user') return;
    if (--command.pending > 0) return;
    this.ready.push(command);
    this.drain();
  }

  private readonly release = (command: Command): void => {
    this.ready.push(command);
  };

  private drain(): void {
    if (this.draining) return;
    this.draining = true;
    try {
      this.chain.submit();
      for (let i = 0; i < this.ready.length; i++) {
        const command = this.ready[i]!;
        if (!this.prepare(command)) continue;
        if (command.work.kind === 'job' && !command.poisoned && !command.done && !this.pool.hasRoom) {
          if (this.pool.makeRoom()) {
            i--;
            continue;
          }
          // All slots are taken: it is submitted when a job is done.
          this.ready = this.ready.slice(i);
          return;
        }
        this.start(command);
      }
      this.ready = [];
    } finally {
      this.draining = false;
    }
  }

  /** Turns a launch that had to wait into a job; false if that fails, or it has to wait for more. */
  private prepare(command: Command): boolean {
    if (command.work.kind !== 'later' || command.poisoned || command.done || command.unreported?.failure)
      return true;
    const prepared = command.work.prepare();
    if (prepared.kind === 'waiting') {
      command.pending++;
      command.waitFor(this.untilSettled(prepared.until), true);
      this.admit(command);
      return false;
    }
    if (prepared.kind === 'prepared') {
      command.work = prepared.work;
      command.uses = [...(command.uses ?? []), ...prepared.uses];
      return true;
    }
    if (command.isUnseen && command.unreported) command.unreported.failure = prepared;
    command.failure = prepared.text;
    command.isInternalError = prepared.isInternalError;
    this.finish(command, prepared.status);
    return false;
  }

  private start(command: Command): void {
    if (command.done) {
      command.retire(this.release);
      return;
    }
    if (command.poisoned) {
      command.failure = 'an event in its wait list failed';
      abandon(command, command.failure);
      this.finish(command, Failure.EventsInWaitList);
      return;
    }
    const { unreported } = command;
    if (unreported?.failure) {
      const { status, text } = unreported.failure;
      if (!command.isUnseen) unreported.failure = undefined;
      command.failure = `a launch before it, which has no event, failed: ${text}`;
      abandon(command, command.failure);
      this.finish(command, status);
      return;
    }
    if (command.work.kind === 'job') {
      this.startJob(command, undefined);
      return;
    }
    if (command.profiled) {
      command.submittedAt = this.host.now();
      command.startedAt = command.submittedAt;
    }
    if (command.work.kind !== 'host') {
      command.reach(Status.Running);
      return;
    }
    const { run, steps } = command.work;
    if (steps) {
      this.stepped.begin(command, steps());
      this.stops.started(command);
      return;
    }
    try {
      run?.();
    } catch (error) {
      this.fail(command, error);
      return;
    }
    this.succeed(command);
  }

  private succeed(command: Command): void {
    if (command.profiled) command.endedAt = this.host.now();
    command.complete(Status.Complete, this.release);
  }

  private startJob(command: Command, previous: Command | undefined): void {
    if (command.work.kind !== 'job') return;
    if (command.done) {
      command.retire(this.release);
      return;
    }
    if (command.profiled) command.submittedAt ||= this.host.now();
    const { job } = command.work;
    const after = previous?.ticket;
    try {
      if (after === undefined && this.pool.prefersInline(job)) {
        this.ends.jobDone(command, this.pool.runInline(job));
        return;
      }
      command.ticket = this.pool.submit(job, after, (outcome) => this.ends.jobDone(command, outcome));
      if (command.status > Status.Submitted) command.reach(Status.Submitted);
      if (command.startIsWatched) this.stops.watchStart(command);
      if (previous && after) this.quiet(previous, after, job);
    } catch (error) {
      abandon(command, 'could not be started');
      this.fail(command, error);
    }
  }

  /** Without need this thread does not hear of the end of a job that a short one follows, but of that of the last one. */
  private quiet(command: Command, ticket: Ticket, follower: Job): void {
    if (command.isWatched || command.work.kind !== 'job' || !command.work.finishesLater) return;
    if (this.pool.quiet(ticket, follower)) command.onWatch = () => this.pool.listenFor(ticket);
  }

  private fail(command: Command, error: unknown): void {
    if (error instanceof OutOfDeviceMemory) {
      command.failure = error.message;
      this.finish(command, Failure.MemObjectAllocation);
    } else if (error instanceof OpenCLError) {
      command.failure = error.message;
      this.finish(command, Failure.OutOfResources);
    } else {
      failInternally(command, error);
      this.finish(command, Failure.OutOfResources);
    }
  }

  private finish(command: Command, status: number): void {
    noteTimes(command, this.host);
    command.complete(status, this.release);
  }
}

/** Whether a job has more groups than one submission: its successors wait for this thread. */
function hasMore({ work }: Command): boolean {
  return (
    work.kind === 'job' && (!work.job.groups.isLast || work.children !== undefined || work.next !== undefined)
  );
}
