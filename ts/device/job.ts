// SPDX-License-Identifier: MIT
//
// Jobs: launches of kernels as the worker pool runs them.
import type { CheckTable } from '../base/checks';
import type { ChunkedJob } from './chunks';
import type { GroupRange } from './groups';
import type { KernelFunction } from './kernel-function';
import type { DeviceMemory } from './memory';
import type { KernelCode } from './worker';

/** A kernel's module in the pool. */
export interface LoadedKernel {
  readonly id: number;
  readonly name: string;
  readonly module: WebAssembly.Module;
  /** The memory of its context. */
  readonly memory: DeviceMemory;
  /** Of a checked kernel. */
  readonly checks: CheckTable | undefined;
  /** Its function on the scheduling thread, after it has run there. */
  run: KernelFunction | undefined;
  /** Whether it was posted to the workers, which happens when they first need it, as they read messages only then. */
  posted: boolean;
}

/** Some of the workers, by their numbers. */
export interface WorkerRange {
  readonly first: number;
  readonly count: number;
}

/** Work for the workers: some groups of a kernel's ND-range, ready to run. */
export interface Job extends ChunkedJob {
  readonly kernel: LoadedKernel;
  readonly groups: GroupRange;
  /** Address of the dispatch block. */
  readonly dispatch: number;
  readonly localBytes: number;
  readonly scratchBytes: number;
  readonly timed: boolean;
  /** Who may take its groups. */
  readonly workers: WorkerRange;
}

export interface Outcome {
  /** The message of a trap or a timeout. */
  readonly failure: string | undefined;
  /** Whether it is a bug of the device and not an error of the kernel. */
  readonly isFault: boolean;
  /** Whether it was ended with its context. */
  readonly terminated: boolean;
  /** Nanoseconds, when the job was timed. */
  readonly start: bigint;
  readonly end: bigint;
}

/** A submitted job. */
export interface Ticket {
  readonly slot: number;
  readonly generation: number;
}

/** What a thread instantiates a kernel from. */
export function codeOf({ module, memory, checks }: LoadedKernel): KernelCode {
  return checks ? { module, memory: memory.memory, checks } : { module, memory: memory.memory };
}

/** The memory that a worker needs for one group: local memory, followed by private memory. */
export function groupBytes(job: Job): number {
  return align64(job.localBytes) + align64(job.scratchBytes);
}

/** Not by bit operations, which have only 32 bits. */
export function align64(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}

/** The message of a kernel's trap. */
export function trapText(kernel: LoadedKernel, text: string): string {
  return `kernel '${kernel.name}' ${text}`;
}
