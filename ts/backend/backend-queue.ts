// SPDX-License-Identifier: MIT
//
// What a backend's queues can do. The contract is in backend.ts.
import type { NDRange } from '../base/nd-range';
import type { BackendEvent, BackendKernel, BackendMemory } from './backend';
import type { BackendMapping, Command, ExtensionOp, Triple } from './command';

export type Wait = readonly BackendEvent[] | undefined;
export type MaybeEvent = BackendEvent | undefined;

export interface BackendQueue {
  info(param: number): Uint8Array;

  enqueueKernel(kernel: BackendKernel, range: NDRange, wait: Wait, wantEvent: boolean): MaybeEvent;
  /** Enqueues any other command. Those of extensions only where `supports` says so. */
  enqueue(command: Command, wait: Wait, wantEvent: boolean): MaybeEvent;
  supports(op: ExtensionOp): boolean;
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
  marker(wait: Wait): BackendEvent;
  /**
   * A command that is a function of the host (clEnqueueNativeKernel), given the bytes of each memory object. While it
   * waits to run nothing may block its thread.
   */
  enqueueNativeKernel?(
    run: (memories: readonly Uint8Array[]) => void,
    memories: readonly BackendMemory[],
    wait: Wait,
  ): BackendEvent;

  /** clSetCommandQueueProperty, of OpenCL 1.0 alone */
  setProperty?(flags: number, on: boolean): void;
  /** The commands that `record` enqueues reach the device together, which is faster; none may want an event. */
  batch?(record: () => void): void;
  flush(): void;
  /** Resolves when all that was enqueued before has completed. */
  finish(): Promise<void>;
  finishSync(): void;
  release(): void;
}
