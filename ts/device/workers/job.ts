// SPDX-License-Identifier: MIT
//
// Jobs: launches of kernels as the worker pool runs them.
import type { CheckTable } from '../../base/checks';
import type { StopReason } from '../../cl/stop-codes';
import type { DeviceMemory } from '../memory/memory';
import type { ChunkedJob } from './chunks';
import type { GroupRange } from './groups';
import type { KernelFunction } from './kernel-function';
import type { KernelCode } from './worker';
import type { WorkerRange } from './worker-range';

/** A kernel's module in the pool. */
export interface LoadedKernel {
  readonly id: number;
  readonly name: string;
  readonly module: WebAssembly.Module;
  /** The memory of its context. */
  readonly memory: DeviceMemory;
  /** Present for a checked kernel. */
  readonly checks: CheckTable | undefined;
  /** The function of its instance on the scheduling thread, after it has run there. */
  run: KernelFunction | undefined;
  /**
   * Whether it was posted to the workers. That happens when they first need it, because they read messages
   * only then.
   */
  posted: boolean;
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
  /** The workers that may take its groups. */
  readonly workers: WorkerRange;
}

export interface Outcome {
  /** The message of a trap or a timeout. */
  readonly failure: string | undefined;
  /** Whether the device has a bug, and the kernel no error. */
  readonly isInternalError: boolean;
  /** Why it was ended, if it was. */
  readonly stopped: StopReason | undefined;
  /** Nanoseconds, if the job was timed. */
  readonly start: bigint;
  readonly end: bigint;
}

/** The error codes of commands that the device itself fails. */
export enum Failure {
  MemObjectAllocation = -4,
  OutOfResources = -5,
  EventsInWaitList = -14,
  ContextTerminated = -1121,
}

/** A submitted job. */
export interface Ticket {
  readonly slot: number;
  readonly generation: number;
}

/** The data from which a thread instantiates a kernel. */
export function codeOf({ module, memory, checks }: LoadedKernel): KernelCode {
  return checks ? { module, memory: memory.memory, checks } : { module, memory: memory.memory };
}

/** The memory that a worker needs for one group: local memory, followed by private memory. */
export function groupBytes(job: Job): number {
  return align64(job.localBytes) + align64(job.scratchBytes);
}

/** Bit operations would have only 32 bits. */
export function align64(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}

/** The message of a kernel's trap. */
export function trapText(kernel: LoadedKernel, text: string): string {
  return `kernel '${kernel.name}' ${text}`;
}
