// SPDX-License-Identifier: MIT
//
// Kernels, and the queues that run them and all other commands. The contract is in backend.ts.
import type { NDRange } from '../base/nd-range';
import type { StopReason } from '../cl/stop-codes';
import type {
  BackendEvent,
  BackendMemory,
  BackendSampler,
  BackendSvm,
  DeviceReference,
} from './backend-objects';
import type { BackendMapping, Command, ExtensionOp, ImageOrigin, Triple } from './command';

export type Wait = readonly BackendEvent[] | undefined;
export type MaybeEvent = BackendEvent | undefined;

/**
 * `__local` storage of that many bytes.
 *
 * @example
 * ```ts
 * const { total } = (await cl.build(`
 *   kernel void total(global int *sum, local int *scratch) {
 *     scratch[get_local_id(0)] = get_global_id(0);
 *     barrier(CLK_LOCAL_MEM_FENCE);
 *     if (get_local_id(0) == 0) for (int i = 0; i < 4; i++) *sum += scratch[i];
 *   }`)).kernels;
 * const sum = cl.buffer(Int32Array.of(0));
 * await total.run({ global: 4, local: 4 }, sum, local(Int32Array, 4));
 * console.log(await sum.read());                   // Int32Array(1) [ 6 ]
 * ```
 */
export class LocalArgument {
  constructor(
    /** The size in bytes. */
    readonly bytes: number,
  ) {}
}

/** A kernel argument as the API passes it. */
export type BackendArgument =
  | BackendMemory
  | BackendSampler
  | BackendQueue
  | BackendSvm
  | ArrayBufferView
  | LocalArgument
  | null;

export interface BackendKernel {
  info(param: number): Uint8Array;
  argInfo(index: number, param: number): Uint8Array;
  /**
   * The type behind a typedef or an enumeration that the argument's type names, if it is known: `float`, `uint4*`, `sampler_t`,
   * `image` for all images.
   */
  baseType?(index: number): string | undefined;
  workGroupInfo(device: DeviceReference, param: number): Uint8Array;
  subGroupInfo(device: DeviceReference, param: number, input: readonly number[]): Uint8Array;
  /** The bytes of a value are copied before this returns. */
  setArg(index: number, value: BackendArgument): void;
  setExecInfo(param: number, value: Uint8Array | readonly BackendSvm[]): void;
  /** cl_ext_buffer_device_address: an address in a buffer, derived from its DEVICE_ADDRESS_EXT. */
  setDevicePointer?(index: number, address: bigint): void;
  suggestedLocalSize(
    queue: BackendQueue,
    global: readonly number[],
    offset: readonly number[] | undefined,
  ): readonly number[];
  clone(): BackendKernel;
  release(): void;
}

/** What a map returns. The bytes may be read or written once the event is complete. */
export interface Mapped {
  readonly event: BackendEvent;
  readonly mapped: BackendMapping;
}

/** What a read into new memory returns. `bytes` has them once the event is complete. */
export interface NewRead {
  readonly event: BackendEvent;
  bytes(): ArrayBuffer;
}

export interface BackendQueue {
  info(param: number): Uint8Array;

  enqueueKernel(kernel: BackendKernel, range: NDRange, wait: Wait, wantEvent: boolean): MaybeEvent;
  /** Enqueues any other command; those of extensions only if `supports` returns true. */
  enqueue(command: Command, wait: Wait, wantEvent: boolean): MaybeEvent;
  supports(op: ExtensionOp): boolean;
  /** Whether `readNew` is better for this many bytes than `enqueue` with memory of the caller. */
  prefersNew?(size: number): boolean;
  /** Reads a range of a buffer into new memory that the device makes, without this thread. */
  readNew?(memory: BackendMemory, offset: number, size: number, wait: Wait): NewRead;
  /**
   * Copies between a buffer and host memory on a thread of its own, in no order with other commands. Undefined if `enqueue` is better.
   */
  copyApart?(command: Command<'readBuffer' | 'writeBuffer'>): Promise<void> | undefined;
  /** Copies host memory on a thread of its own. Undefined if a copy on this thread is better. */
  copyMemory?(from: Uint8Array, to: Uint8Array): Promise<void> | undefined;
  mapBuffer(memory: BackendMemory, flags: number, offset: number, size: number, wait: Wait): Mapped;
  mapImage(memory: BackendMemory, flags: number, origin: ImageOrigin, region: Triple, wait: Wait): Mapped;
  marker(wait: Wait): BackendEvent;
  /**
   * A function of the host as a command (clEnqueueNativeKernel); it gets the bytes of each memory object. Nothing may
   * block its thread until it has run.
   */
  enqueueNativeKernel?(
    run: (memories: readonly Uint8Array[]) => void,
    memories: readonly BackendMemory[],
    wait: Wait,
  ): BackendEvent;

  /** Ends all commands that are not complete; undefined where the device cannot. */
  terminate?(reason: StopReason): void;
  /** clSetCommandQueueProperty, only in OpenCL 1.0 */
  setProperty?(flags: number, on: boolean): void;
  /** Submits the commands that `record` enqueues together, which is faster; none of them may have an event. */
  batch?(record: () => void): void;
  flush(): void;
  /** Resolves when all enqueued commands are complete. */
  finish(): Promise<void>;
  finishSync(): void;
  release(): void;
}
