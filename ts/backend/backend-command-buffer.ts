// SPDX-License-Identifier: MIT
//
// Commands that are recorded once and enqueued often. The contract is in backend.ts.
import type { NDRange } from '../base/nd-range';
import type { BackendArgument, BackendKernel, BackendQueue, MaybeEvent, Wait } from './backend-queue';
import type { RecordableCommand } from './command';

/**
 * The identification of a recorded command: later ones wait for `point`; `command` is for `update`, 0 if it
 * is immutable.
 */
export interface RecordedCommand {
  readonly point: number;
  readonly command: number;
}

/** The changes to a recorded kernel launch (cl_khr_command_buffer_mutable_dispatch). */
export interface KernelUpdate extends Partial<NDRange> {
  readonly args?: ReadonlyMap<number, BackendArgument>;
}

/** Sync points to wait for. */
export type After = readonly number[] | undefined;

/** Commands recorded once and enqueued often (cl_khr_command_buffer). */
export interface BackendCommandBuffer {
  /** Replayed command by command, because the device has no command buffers. */
  readonly emulated: boolean;
  info(param: number): Uint8Array;
  /** clGetMutableCommandInfoKHR */
  mutableInfo?(command: number, param: number): Uint8Array;
  /** The commands that are recorded next are for this one of several queues. */
  recordOn?(queue: BackendQueue | undefined): void;
  /** clRemapCommandBufferKHR: the same commands for other queues; with `automatic` the driver distributes them. */
  remap?(automatic: boolean, queues: readonly BackendQueue[]): BackendCommandBuffer;
  recordKernel(kernel: BackendKernel, range: NDRange, after: After, mutable: boolean): RecordedCommand;
  record(command: RecordableCommand, after: After): RecordedCommand;
  /** Ends the recording; only then it can be enqueued. */
  finalize(): void;
  update(command: number, change: KernelUpdate): void;
  enqueue(queues: readonly BackendQueue[] | undefined, wait: Wait, wantEvent: boolean): MaybeEvent;
  release(): void;
}
