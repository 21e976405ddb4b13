// SPDX-License-Identifier: MIT
//
// What a backend's queues can do: every command, one method each. The contract is in backend.ts.
import type { BackendEvent, BackendKernel, BackendMemory, BackendSemaphore, BackendSvm } from './backend';

export type Wait = readonly BackendEvent[] | undefined;
export type MaybeEvent = BackendEvent | undefined;
export type Triple = readonly [number, number, number];

/** Rectangles as of clEnqueue…BufferRect: origins and region in bytes, rows, slices; pitches in bytes. */
export interface RectLayout {
  readonly bufferOrigin: Triple;
  readonly hostOrigin: Triple;
  readonly region: Triple;
  readonly bufferRowPitch: number;
  readonly bufferSlicePitch: number;
  readonly hostRowPitch: number;
  readonly hostSlicePitch: number;
}

/** The sizes of a kernel's run, one for each dimension. Nobody changes them once they were handed over. */
export interface WorkSizes {
  readonly global: readonly number[];
  /** Left out, the device chooses. */
  readonly local?: readonly number[] | undefined;
  readonly offset?: readonly number[] | undefined;
}

export interface BackendQueue {
  info(param: number): Uint8Array;

  enqueueKernel(kernel: BackendKernel, range: WorkSizes, wait: Wait, wantEvent: boolean): MaybeEvent;

  readBuffer(
    source: BackendMemory,
    offset: number,
    into: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  writeBuffer(
    target: BackendMemory,
    offset: number,
    from: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  readBufferRect(
    source: BackendMemory,
    into: ArrayBufferView,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  writeBufferRect(
    target: BackendMemory,
    from: ArrayBufferView,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  copyBuffer(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    toOffset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  copyBufferRect(
    from: BackendMemory,
    to: BackendMemory,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  fillBuffer(
    target: BackendMemory,
    pattern: Uint8Array,
    offset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;

  readImage(
    source: BackendMemory,
    origin: Triple,
    region: Triple,
    rowPitch: number,
    slicePitch: number,
    into: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  writeImage(
    target: BackendMemory,
    origin: Triple,
    region: Triple,
    rowPitch: number,
    slicePitch: number,
    from: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  copyImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOrigin: Triple,
    toOrigin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  fillImage(
    target: BackendMemory,
    color: Uint8Array,
    origin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  copyImageToBuffer(
    from: BackendMemory,
    to: BackendMemory,
    origin: Triple,
    region: Triple,
    toOffset: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  copyBufferToImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    origin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;

  /** `mapped.bytes` may be read or written once `event` is complete. */
  mapBuffer(
    memory: BackendMemory,
    flags: number,
    offset: number,
    size: number,
    wait: Wait,
  ): { event: BackendEvent; mapped: BackendMapping };
  mapImage(
    memory: BackendMemory,
    flags: number,
    origin: Triple,
    region: Triple,
    wait: Wait,
  ): { event: BackendEvent; mapped: BackendMapping };
  unmap(memory: BackendMemory, mapped: BackendMapping, wait: Wait, wantEvent: boolean): MaybeEvent;
  migrate(memories: readonly BackendMemory[], flags: number, wait: Wait, wantEvent: boolean): MaybeEvent;

  svmMemcpy(
    to: BackendSvm | ArrayBufferView,
    toOffset: number,
    from: BackendSvm | ArrayBufferView,
    fromOffset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  svmFill(
    to: BackendSvm,
    offset: number,
    pattern: Uint8Array,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  svmMap(
    svm: BackendSvm,
    flags: number,
    offset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  svmUnmap(svm: BackendSvm, wait: Wait, wantEvent: boolean): MaybeEvent;
  svmFree(svms: readonly BackendSvm[], wait: Wait, wantEvent: boolean): MaybeEvent;
  svmMigrate(svms: readonly BackendSvm[], flags: number, wait: Wait, wantEvent: boolean): MaybeEvent;

  /**
   * A command that is a function of the host (clEnqueueNativeKernel), given the bytes of each memory object. While it
   * waits to run nothing may block its thread.
   */
  enqueueNativeKernel?(
    run: (memories: readonly Uint8Array[]) => void,
    memories: readonly BackendMemory[],
    wait: Wait,
  ): BackendEvent;
  /** `payloads` is empty for binary semaphores. */
  waitSemaphores?(
    semaphores: readonly BackendSemaphore[],
    payloads: readonly number[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  signalSemaphores?(
    semaphores: readonly BackendSemaphore[],
    payloads: readonly number[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  /** Takes memory from, or gives it back to, whoever shares it: cl_khr_external_memory, GL or EGL. */
  acquire?(
    from: 'external' | 'gl' | 'egl',
    memories: readonly BackendMemory[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  giveBack?(
    to: 'external' | 'gl' | 'egl',
    memories: readonly BackendMemory[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent;
  /** clSetCommandQueueProperty, of OpenCL 1.0 alone */
  setProperty?(flags: number, on: boolean): void;
  /** The commands that `record` enqueues reach the device together, which is faster; none may want an event. */
  batch?(record: () => void): void;

  marker(wait: Wait): BackendEvent;
  barrier(wait: Wait, wantEvent: boolean): MaybeEvent;
  flush(): void;
  /** Resolves when all that was enqueued before has completed. */
  finish(): Promise<void>;
  finishSync(): void;
  release(): void;
}

export interface BackendMapping {
  /** The mapped bytes themselves, not a copy, wherever the runtime allows that. */
  readonly bytes: Uint8Array;
  readonly rowPitch: number;
  readonly slicePitch: number;
}
