// SPDX-License-Identifier: MIT
import type { BackendEvent } from '../backend/backend-objects';
import type { DeviceTrace, TracedChunk } from '../base/trace';
import type { Arguments, Category } from './events';
import { Recorder, type TraceSink, type Track } from './recorder';

/** Milliseconds between two writes of recorded events. */
const WRITE_MS = 200;

/** The state that decorated objects share: the recorder, the host's tracks, and the queues to poll. */
export class Trace implements DeviceTrace {
  readonly recorder: Recorder;
  /** The thread that uses the API. */
  readonly program: Track;
  readonly awaits: Track;
  readonly builds: Track;
  /** The ids of commands, by their events. */
  readonly ids = new WeakMap<BackendEvent, number>();
  private readonly threadTracks: Track[] = [];
  private softwarePid: number | undefined;
  private workers = 0;
  private readonly polls = new Set<() => void>();
  private readonly ends = new Set<() => void>();
  private readonly drains: (() => void)[] = [];
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    sink: TraceSink,
    readonly now: () => bigint,
  ) {
    this.recorder = new Recorder(sink, now);
    this.program = this.recorder.hostTrack('program', 'nested');
    this.awaits = this.recorder.hostTrack('awaits', 'overlapping');
    this.builds = this.recorder.hostTrack('builds', 'overlapping');
    this.timer = setInterval(() => this.write(), WRITE_MS);
    (this.timer as { unref?(): void }).unref?.();
  }

  /** Calls `step` and records how long it took on the calling thread, also if it throws. */
  call<T>(name: string, cat: Category, args: Arguments, step: () => T): T {
    const start = this.now();
    try {
      const result = step();
      this.recorder.span(this.program, name, cat, start, this.now(), args);
      return result;
    } catch (error) {
      this.recorder.span(this.program, name, cat, start, this.now(), { ...args, error: String(error) });
      throw error;
    }
  }

  /** The same for a step that ends later, on one of the host's other tracks. */
  async later<T>(
    track: Track,
    name: string,
    cat: Category,
    args: Arguments,
    step: () => Promise<T>,
  ): Promise<T> {
    const start = this.now();
    let error: Arguments = {};
    try {
      return await step();
    } catch (reason) {
      error = { error: String(reason) };
      throw reason;
    } finally {
      this.poll();
      this.recorder.span(track, name, cat, start, this.now(), { ...args, ...error });
    }
  }

  /** The software device's tracks: its threads are shown with it. */
  showThreads(pid: number): void {
    if (this.softwarePid !== undefined) return;
    this.softwarePid = pid;
    if (this.workers > 0) this.recorder.label(pid, `${this.workers} threads`);
  }

  threads(count: number): void {
    this.workers = count;
    if (this.softwarePid !== undefined) this.recorder.label(this.softwarePid, `${count} threads`);
  }

  chunk({ worker, kernel, start, end, first, count }: TracedChunk): void {
    // Kernels run only after a queue was created, which tells the device.
    const pid = this.softwarePid;
    if (pid === undefined) return;
    this.threadTracks[worker] ??= this.recorder.track(
      pid,
      worker < this.workers ? `thread ${worker}` : 'calling thread',
      'ordered',
      true,
    );
    this.recorder.span(this.threadTracks[worker], kernel, 'groups', start, end, { first, groups: count });
  }

  onDrain(drain: () => void): void {
    this.drains.push(drain);
  }

  /** `poll` is called from time to time to see which commands are complete, and `end` at the trace's end. */
  watch(poll: () => void, end: () => void): () => void {
    this.polls.add(poll);
    this.ends.add(end);
    return () => {
      this.polls.delete(poll);
      this.ends.delete(end);
    };
  }

  poll(): void {
    for (const poll of [...this.polls]) poll();
  }

  /** Passes the events so far to the sink. */
  write(): void {
    this.poll();
    for (const drain of this.drains) drain();
    this.recorder.flush();
  }

  /** Ends the trace: commands that are not complete are recorded as they are. */
  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.write();
    for (const end of [...this.ends]) end();
    this.recorder.flush();
  }
}
