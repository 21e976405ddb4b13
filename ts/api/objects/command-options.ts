// SPDX-License-Identifier: MIT
import type { Event } from './event';

export interface CommandOptions {
  /** Commands that must complete first, on this queue or any other of the context. */
  readonly waitFor?: readonly Event<unknown>[];
}

/** Options of kernel launches. */
export interface LaunchOptions extends CommandOptions {
  /** With `false` there is no event. This is cheaper for scripts that wait only with `finish`. */
  readonly event?: boolean;
}

/** A function of the script that runs as a command: `memories` are valid until it returns. */
export type NativeKernel = (memories: readonly Uint8Array[]) => void;
