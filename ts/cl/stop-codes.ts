// SPDX-License-Identifier: MIT
//
// Error codes of this package's own, for commands that were ended: OpenCL has none. No vendor's codes are near.

/** Codes of errors of commands that were ended before their time; no specification has them. */
export enum StopCode {
  /** It ran for longer than its `timeout`, its context's, or ANYCL_TIMEOUT. */
  COMMAND_TIMED_OUT = -9701,
  /** Its AbortSignal was aborted. */
  COMMAND_ABORTED = -9702,
  /** `terminate()` of its event or queue was called. */
  COMMAND_TERMINATED = -9703,
}

/** Why a command is ended before its time. */
export interface StopReason {
  /** The error code that its event gets: a `StopCode`, or CL_CONTEXT_TERMINATED_KHR. */
  readonly status: number;
  readonly text: string;
}
