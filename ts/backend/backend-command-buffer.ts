// SPDX-License-Identifier: MIT
//
// Commands that are recorded once and enqueued often. The contract is in backend.ts.
import type { BackendArgument, BackendKernel, BackendMemory, BackendSvm } from './backend';
import type { BackendQueue, MaybeEvent, RectLayout, Triple, Wait, WorkSizes } from './backend-queue';

/** What a recorded command is known by: later ones wait for `point`; `command` is for `update`, 0 if it cannot be. */
export interface RecordedCommand {
  readonly point: number;
  readonly command: number;
}

/** What may change in a recorded kernel (cl_khr_command_buffer_mutable_dispatch). */
export interface KernelUpdate {
  readonly global?: readonly number[];
  readonly local?: readonly number[];
  readonly offset?: readonly number[];
  readonly args?: ReadonlyMap<number, BackendArgument>;
}

type After = readonly number[] | undefined;

/** Commands recorded once and enqueued often (cl_khr_command_buffer). `after`: sync points that come first. */
export interface BackendCommandBuffer {
  /** Replayed command by command, because the device has no command buffers. */
  readonly emulated: boolean;
  info(param: number): Uint8Array;
  /** clGetMutableCommandInfoKHR */
  mutableInfo?(command: number, param: number): Uint8Array;
  /** The commands recorded from here on are for this one of several queues. */
  recordOn?(queue: BackendQueue | undefined): void;
  /** clRemapCommandBufferKHR: the same commands for other queues; `automatic` lets the driver spread them. */
  remap?(automatic: boolean, queues: readonly BackendQueue[]): BackendCommandBuffer;
  kernel(kernel: BackendKernel, range: WorkSizes, after: After, mutable: boolean): RecordedCommand;
  copyBuffer(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    toOffset: number,
    size: number,
    after: After,
  ): RecordedCommand;
  copyBufferRect(from: BackendMemory, to: BackendMemory, rect: RectLayout, after: After): RecordedCommand;
  fillBuffer(
    target: BackendMemory,
    pattern: Uint8Array,
    offset: number,
    size: number,
    after: After,
  ): RecordedCommand;
  copyImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOrigin: Triple,
    toOrigin: Triple,
    region: Triple,
    after: After,
  ): RecordedCommand;
  fillImage(
    target: BackendMemory,
    color: Uint8Array,
    origin: Triple,
    region: Triple,
    after: After,
  ): RecordedCommand;
  copyImageToBuffer(
    from: BackendMemory,
    to: BackendMemory,
    origin: Triple,
    region: Triple,
    toOffset: number,
    after: After,
  ): RecordedCommand;
  copyBufferToImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    origin: Triple,
    region: Triple,
    after: After,
  ): RecordedCommand;
  svmMemcpy(
    to: BackendSvm,
    toOffset: number,
    from: BackendSvm,
    fromOffset: number,
    size: number,
    after: After,
  ): RecordedCommand;
  svmFill(to: BackendSvm, offset: number, pattern: Uint8Array, size: number, after: After): RecordedCommand;
  barrier(after: After): RecordedCommand;
  /** No more commands; only now can it be enqueued. */
  finalize(): void;
  update(command: number, change: KernelUpdate): void;
  enqueue(queues: readonly BackendQueue[] | undefined, wait: Wait, wantEvent: boolean): MaybeEvent;
  release(): void;
}
