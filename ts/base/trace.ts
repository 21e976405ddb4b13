// SPDX-License-Identifier: MIT
//
// What the software device tells of its threads while a trace is recorded (docs/adr/0032-traces-by-decoration.md). Without a
// trace there is none of these objects.

/** A run of work-groups on one thread. */
export interface TracedChunk {
  /** The number of the worker; that of workers for the thread that schedules. */
  readonly worker: number;
  readonly kernel: string;
  /** Nanoseconds of the host's clock. */
  readonly start: number;
  readonly end: number;
  /** The first group and how many, as the job numbers them. */
  readonly first: number;
  readonly count: number;
}

export interface DeviceTrace {
  /** How many workers there are, or will be. */
  threads(count: number): void;
  chunk(chunk: TracedChunk): void;
  /** `drain` tells of all chunks since it was called last; the trace calls it before it is written. */
  onDrain(drain: () => void): void;
  /** Hands over what has happened so far. */
  write(): void;
}
