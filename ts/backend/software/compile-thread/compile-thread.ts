// SPDX-License-Identifier: MIT
import type { Host, HostWorker } from '../../../base/host';
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import { isLongRequest } from '../build/input-size';
import type { CompileReply, CompileRequest, ForgetRequest, Posted, ReadyNotice } from './compile-request';
import { inParts } from './posted-text';

interface Job {
  /** The job ends when its owner is released. */
  readonly owner: object;
  readonly request: CompileRequest;
  readonly isLong: boolean;
  resolve(reply: CompileReply): void;
  reject(reason: unknown): void;
}

/**
 * The thread for compilations that would block the event loop for long. The first of these starts it; then it compiles short
 * programs, too. It does one compilation after the other, and keeps the process alive only meanwhile. Aborting a compilation
 * terminates the thread, and the next long one starts another thread.
 */
export class CompileThread {
  private thread: HostWorker | undefined;
  private none = false;
  /** The first job is running. */
  private jobs: Job[] = [];
  /** Whether the thread has loaded its code: with changed flags, loading takes the engine much longer. */
  private ready = false;
  /** Whether it has compiled something: its code is fast only then. */
  private warm = false;
  private endStep: (() => void) | undefined;

  private programs = 0;

  constructor(private readonly host: Host) {}

  /** A new number for a program that the thread should keep. */
  newProgram(): number {
    return ++this.programs;
  }

  /** Tells the thread to forget the program. */
  forget(program: number): void {
    this.thread?.post({ kind: 'forget', program } satisfies ForgetRequest);
  }

  /** Whether the thread exists; starts it if necessary. */
  available(): boolean {
    if (!this.none) this.thread ??= this.start();
    this.none = this.thread === undefined;
    return !this.none;
  }

  /** Whether it can compile a short program at once. */
  get takesShort(): boolean {
    return this.warm && !this.jobs.some(({ isLong }) => isLong);
  }

  /** Rejects with the signal's reason, or with an OpenCLError if the owner was released or the thread ended. */
  run(owner: object, request: CompileRequest, signal?: AbortSignal): Promise<CompileReply> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => this.drop((job) => job === mine, signal?.reason);
      const settled = (): void => signal?.removeEventListener('abort', stop);
      const mine: Job = {
        owner,
        request,
        isLong: isLongRequest(request),
        resolve: (reply) => {
          settled();
          resolve(reply);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.jobs.push(mine);
      if (this.jobs.length === 1) this.next();
    });
  }

  /** Aborts all jobs of an owner. */
  abandon(owner: object): void {
    if (this.jobs.length === 0) return;
    const message = 'the context was released while the program was being built';
    this.drop(
      (job) => job.owner === owner,
      new OpenCLError(ErrorCode.INVALID_CONTEXT, 'clBuildProgram', message),
    );
  }

  async shutdown(): Promise<void> {
    await this.end();
  }

  private markStep(): void {
    const runs = this.ready && this.jobs[0]?.isLong === true;
    if (runs) this.endStep ??= this.host.beginLongStep();
    else this.endStep?.();
    if (!runs) this.endStep = undefined;
  }

  private next(): void {
    const [job] = this.jobs;
    this.markStep();
    if (!job) {
      this.thread?.keepAlive(false);
      return;
    }
    try {
      this.thread ??= this.start();
      this.thread?.keepAlive(true);
      this.post(job);
    } catch (error) {
      this.fail(job, error);
    }
  }

  private post(job: Job): void {
    const { parts, rest } = inParts(job.request);
    if (parts.length === 0) this.thread?.post(rest);
    else this.postInTurns([...parts, rest], job).catch((error) => this.fail(job, error));
  }

  /** Posts one message in each turn of the event loop, until the job is aborted. */
  private async postInTurns(messages: readonly Posted[], job: Job): Promise<void> {
    const { thread } = this;
    for (const message of messages) {
      if (this.thread !== thread || this.jobs[0] !== job) return;
      thread?.post(message);
      await this.host.nextTurn();
    }
  }

  private fail(job: Job, error: unknown): void {
    if (this.jobs[0] !== job) return;
    this.jobs.shift();
    job.reject(error);
    this.next();
  }

  private async end(): Promise<void> {
    const { thread } = this;
    this.thread = undefined;
    this.ready = false;
    this.warm = false;
    this.markStep();
    await thread?.terminate();
  }

  private start(): HostWorker | undefined {
    const thread = this.host.startCompiler();
    if (!thread) return undefined;
    thread.onMessage((reply) => {
      if (this.thread !== thread) return;
      const message = reply as CompileReply | ReadyNotice;
      this.warm ||= message.kind !== 'ready';
      if (message.kind === 'ready') {
        this.ready = true;
        this.markStep();
        return;
      }
      const job = this.jobs.shift();
      job?.resolve(message);
      this.next();
    });
    thread.onError((error) => {
      if (this.thread !== thread) return;
      void this.end();
      const message = `the thread that compiled the program ended: ${error.message}`;
      const job = this.jobs.shift();
      job?.reject(new OpenCLError(ErrorCode.OUT_OF_HOST_MEMORY, 'clBuildProgram', message));
      this.next();
    });
    return thread;
  }

  private drop(which: (job: Job) => boolean, reason: unknown): void {
    const dropped = this.jobs.filter(which);
    const [running] = this.jobs;
    this.jobs = this.jobs.filter((job) => !which(job));
    for (const job of dropped) job.reject(reason);
    if (!running || !dropped.includes(running)) return;
    void this.end();
    this.next();
  }
}
