// SPDX-License-Identifier: MIT
//
// The objects that commands work on. They do not refer to queues, nor to their context. The contract is in
// backend.ts.

import type { Coverage } from '../base/coverage';
import type { Fault } from '../base/faults';
import type { StopReason } from '../cl/stop-codes';

/** A device as an identity. */
export interface DeviceReference {
  info(param: number): Uint8Array;
}

export interface BackendMemory {
  info(param: number): Uint8Array;
  imageInfo(param: number): Uint8Array;
  pipeInfo(param: number): Uint8Array;
  /** cl_khr_gl_sharing: kind and name of the GL object; clGetGLTextureInfo. */
  glObject?(): { type: number; name: number };
  glTextureInfo?(param: number): Uint8Array;
  createSubBuffer(flags: number, origin: number, size: number): BackendMemory;
  onDestroy(callback: () => void): void;
  release(): void;
}

export interface BackendSampler {
  info(param: number): Uint8Array;
  release(): void;
}

/** Shared virtual memory. `bytes` is a view of it if host and device share it without mapping. */
export interface BackendSvm {
  readonly address: bigint;
  readonly size: number;
  readonly bytes: Uint8Array;
  free(): void;
}

export interface BackendEvent {
  info(param: number): Uint8Array;
  /** CL_QUEUED 3, CL_SUBMITTED 2, CL_RUNNING 1, CL_COMPLETE 0, or a negative error code. */
  status(): number;
  profilingInfo(param: number): Uint8Array;
  /**
   * Calls back once, from the event loop, with 0 or the negative error code; in its next iteration if the
   * command is done already.
   */
  onComplete(callback: (status: number) => void): void;
  /** Calls back when the event reaches CL_SUBMITTED, CL_RUNNING or CL_COMPLETE (clSetEventCallback). */
  onStatus(type: number, callback: (status: number) => void): void;
  waitSync(): void;
  /**
   * Ends the command; it fails with the reason. Where the device cannot do that, the event alone fails, and the command goes on.
   * Nothing happens to a command that is complete.
   */
  stop(reason: StopReason): void;
  /** Ends the command so when it has run for this many milliseconds. */
  limit(ms: number): void;
  /** Only for user events. */
  setUserStatus(status: number): void;
  /** The reason of a failure, if the backend knows more than the error code: a trap and its place. */
  readonly failure?: string;
  /** Whether the reason is a bug of anycl. */
  readonly isInternalError?: boolean;
  /** The faults of a checked kernel, after it has run; undefined for other commands. */
  readonly faults?: readonly Fault[] | undefined;
  /** What a kernel has executed in a context that counts it, after it has run. */
  readonly coverage?: Coverage | undefined;
  release(): void;
}

export interface BackendSemaphore {
  info(param: number): Uint8Array;
  /** The operating system's handle (clGetSemaphoreHandleForTypeKHR): its bytes. */
  exportHandle(device: DeviceReference, type: number): Uint8Array;
  /** clReImportSemaphoreSyncFdKHR */
  reimportSyncFd(properties: readonly bigint[], fd: number): void;
  release(): void;
}
