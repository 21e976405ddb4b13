// SPDX-License-Identifier: MIT
import type { Event } from './event';

/** Options of all commands. */
export interface CommandOptions {
  /** Commands that must complete first, on this queue or any other of the context. */
  readonly waitFor?: readonly Event<unknown>[];
}

/** When a command is ended before its time. Drivers cannot end commands: there the event fails, and the command goes on. */
export interface StopOptions {
  /**
   * Milliseconds that the command may run, from when it starts; what its kernel enqueues included. After that it fails with
   * COMMAND_TIMED_OUT. Default: the context's `timeout`.
   */
  readonly timeout?: number | undefined;
  /** Ends the command when it is aborted, also before it starts: it fails with COMMAND_ABORTED, the signal's reason as `cause`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of kernel launches. */
export interface LaunchOptions extends CommandOptions, StopOptions {
  /**
   * With `false` there is no event, which is cheaper where only `finish` is waited for; not together with `timeout` and
   * `signal`.
   */
  readonly event?: boolean;
}

/** A function of the script that runs as a command: `memories` are valid until it returns. */
export type NativeKernel = (memories: readonly Uint8Array[]) => void;
