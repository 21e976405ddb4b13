// SPDX-License-Identifier: MIT

import type { Coverage } from '../../base/coverage';
import type { Fault } from '../../base/faults';
import { internalErrorText } from '../../base/invariant';
import type { Stepped } from '../../base/steps';
import type { StopReason } from '../../cl/stop-codes';
import type { Job, Ticket } from '../workers/job';

/** Execution status as of OpenCL; negative numbers are errors. */
export enum Status {
  Complete = 0,
  Running = 1,
  Submitted = 2,
  Queued = 3,
}

/**
 * Runs on the workers; `job` is the current or the next job. `finish` releases its resources and writes its printf output. It runs
 * in steps, because the output may be long.
 */
export interface JobWork {
  readonly kind: 'job';
  job: Job;
  /** After the last range of a job that has not failed: the job that follows it, if there is one. */
  readonly next?: () => Job | undefined;
  finish(failure: string | undefined): Iterator<unknown> | undefined;
  /** The message for the user if the job failed by a bug of the device. */
  reportInternalError?(error: unknown): string;
  /** The commands that its kernel has enqueued: this command is complete when these are. Called once, after the job. */
  readonly children?: (() => readonly Command[]) | undefined;
  /** The faults of a checked kernel, after it has run. */
  readonly faults?: readonly Fault[] | undefined;
  /** What a kernel has executed that counts it, after it has run. */
  readonly counters?: { readonly coverage: Coverage | undefined };
  /** Whether nothing follows the job but `finish`, which only releases memory and may be called some time after the job's end. */
  readonly finishesLater?: boolean;
}

/** What the scheduling thread does: at once, or in steps between which the event loop continues. Markers have nothing to run. */
export type HostWork = { readonly kind: 'host' } & (
  | { readonly run: (() => void) | undefined; readonly steps?: undefined }
  | { readonly run: undefined; readonly steps: () => Stepped<void> }
);

/** The work of a command, once everything that it waits for is complete. */
export type Work =
  | HostWork
  | JobWork
  /** Becomes a job, or fails, when everything that it waits for is complete. */
  | { readonly kind: 'later'; readonly prepare: () => Prepared | Failed | Waiting }
  /** The user completes it: an event of the user's own, or what a command turned out to be that the user carries out. */
  | { readonly kind: 'user' };

/** The work that a command turns out to be. */
export interface Prepared {
  readonly kind: 'prepared';
  readonly work: Work;
  /** Further objects that it keeps alive. */
  readonly uses: readonly { release(): void }[];
}

/** A command that must wait for something else before it can be prepared: it is prepared again when the promise settles. */
export interface Waiting {
  readonly kind: 'waiting';
  readonly until: Promise<void>;
}

/** Why a command cannot run. */
export interface Failed {
  readonly kind: 'failed';
  /** A negative error code. */
  readonly status: number;
  readonly text: string;
  /** Whether it is a bug of anycl. */
  readonly isInternalError: boolean;
}

/** The failure of a command that has no event, until a command of its queue that has one reports it, or a call that waits. */
export interface Unreported {
  failure: Pick<Failed, 'status' | 'text'> | undefined;
}

interface Listener {
  readonly status: number;
  readonly callback: (status: number) => void;
}

const NONE: readonly Command[] = [];

/** A node of the command graph. */
export class Command {
  status: number = Status.Queued;
  /** The message that explains a negative status. */
  failure: string | undefined;
  /** Whether it failed because of a bug of anycl, and not because of an error of the program. */
  isInternalError = false;
  /** Commands that must be complete before this one starts and are not yet; plus one while it is being enqueued. */
  pending = 1;
  /** Of these, the commands before it in its queue: until they are over, a command that was stopped keeps its place. */
  private order = 0;
  /** Whether the command is complete, and all before it in its queue: those after it may start. */
  isOver = false;
  /** Set when a command of the wait list failed, so that this one fails too. */
  poisoned = false;
  /** The job that is in flight on the workers. */
  ticket: Ticket | undefined;
  /** Whether it is in the scheduler's chain, to be submitted to the workers. */
  inChain = false;
  /** Nanoseconds; 0 without profiling. */
  queuedAt = 0n;
  submittedAt = 0n;
  startedAt = 0n;
  endedAt = 0n;
  /** Whether its job has run and released its resources. */
  isFinished = false;
  /** Why it was ended, if it was. */
  stopped: StopReason | undefined;
  /** How long it may run. */
  limitMs: number | undefined;
  /** Whether its status must become Running at once when it runs. */
  startIsWatched = false;
  /** What ends with it: what its kernel has enqueued; the commands of a command buffer, of which it is the marker. */
  children: readonly Command[] = NONE;
  /** The command whose time begins when this one starts, if it is not this one. */
  timed: Command | undefined;
  /** The one before it in an in-order queue, until this one is over. */
  before: Command | undefined;
  /** When the commands that it enqueued were complete; 0 if it enqueued none. */
  childrenEndedAt = 0n;
  /** Commands that wait for this one by their wait lists, and by the order of an in-order queue. */
  private explicit: Command[] | undefined;
  private implicit: Command[] | undefined;
  private listeners: Listener[] | undefined;
  private settles: ((status: number) => void)[] | undefined;
  /** Whether nothing can observe how it ends. */
  isUnseen = false;
  /** Of its queue. */
  unreported: Unreported | undefined;
  /** The objects that the command keeps alive until it is complete. */
  uses: readonly { release(): void }[] | undefined;
  /** Called once when the command is done, before all other callbacks. */
  onEnd: (() => void) | undefined;
  /** Called once when the first observer of its end is added; set while its job is quiet (quiet-jobs.ts). */
  onWatch: (() => void) | undefined;

  constructor(
    public work: Work,
    readonly profiled: boolean,
  ) {}

  get done(): boolean {
    return this.status <= 0;
  }

  /** Whether anybody but the jobs after it in its queue has to know when it is done. */
  get isWatched(): boolean {
    return (
      this.listeners !== undefined ||
      this.settles !== undefined ||
      this.explicit !== undefined ||
      this.implicit !== undefined ||
      this.limitMs !== undefined ||
      this.timed !== undefined ||
      this.startIsWatched
    );
  }

  /** From now on its end is noticed at once. */
  watch(): void {
    const { onWatch } = this;
    this.onWatch = undefined;
    onWatch?.();
  }

  waitFor(other: Command, explicit: boolean): void {
    if (!other.isOver) other.watch();
    if (explicit) {
      if (other.done) {
        if (other.status < 0) this.poisoned = true;
        return;
      }
      this.pending++;
      other.explicit ??= [];
      other.explicit.push(this);
    } else if (!other.isOver) {
      this.pending++;
      this.order++;
      other.implicit ??= [];
      other.implicit.push(this);
    }
  }

  /** Whether it was stopped, and still waits for the commands before it in its queue. */
  get keepsPlace(): boolean {
    return this.done && this.order > 0;
  }

  /** Calls back once when the status has reached `status`, but never before this function returns. */
  onStatus(status: number, callback: (status: number) => void): void {
    if (this.status <= status) {
      const reached = Math.min(status, this.status);
      queueMicrotask(() => callback(reached));
      return;
    }
    this.listeners ??= [];
    this.listeners.push({ status, callback });
    this.watch();
  }

  reach(status: number): void {
    this.status = status;
    if (!this.listeners) return;
    const due = this.listeners.filter((listener) => status <= listener.status);
    if (due.length === 0) return;
    this.listeners = this.listeners.filter((listener) => status > listener.status);
    for (const { status: wanted, callback } of due) {
      queueMicrotask(() => callback(status < 0 ? status : Math.min(wanted, status)));
    }
  }

  /**
   * Calls back once when the command is done, synchronously from its completion: for a callback that only settles a Promise,
   * whose handlers run later. A microtask for each would double the time.
   */
  whenDone(settle: (status: number) => void): void {
    if (this.done) settle(this.status);
    else {
      this.settles ??= [];
      this.settles.push(settle);
      this.watch();
    }
  }

  /** Completes the command; `released` is called for each command that no longer waits for anything. */
  complete(status: number, released: (command: Command) => void): void {
    this.settle(status, released);
    this.retire(released);
  }

  /** Lets everybody know how the command ended. Those after it in its queue do not start before it is retired. */
  settle(status: number, released: (command: Command) => void): void {
    if (this.done) return;
    this.reach(status);
    const { explicit, settles } = this;
    this.settles = undefined;
    if (settles) for (const settle of settles) settle(status);
    this.explicit = undefined;
    if (!explicit) return;
    for (const command of explicit) {
      if (status < 0) command.poisoned = true;
      if (--command.pending === 0) released(command);
    }
  }

  /** Lets the commands start that are after it in its queue, and releases what it has kept alive. */
  retire(released: (command: Command) => void): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onEnd?.();
    this.onEnd = undefined;
    this.ticket = undefined;
    this.onWatch = undefined;
    this.before = undefined;
    const { implicit, uses } = this;
    this.implicit = undefined;
    this.uses = undefined;
    if (uses) for (const object of uses) object.release();
    if (!implicit) return;
    for (const command of implicit) {
      command.pending--;
      command.order--;
      if (command.done ? command.order === 0 : command.pending === 0) released(command);
    }
  }
}

/** Frees what a job holds that will not run. */
export function abandon({ work }: Command, reason: string): void {
  if (work.kind !== 'job') return;
  const steps = work.finish(reason);
  while (steps && !steps.next().done);
}

/** The command fails because of a bug of anycl, an internal error. */
export function failInternally(command: Command, error: unknown): void {
  const { work } = command;
  command.isInternalError = true;
  const report = work.kind === 'job' ? work.reportInternalError : undefined;
  command.failure = report ? report(error) : internalErrorText(error, 'the call and its arguments');
}
