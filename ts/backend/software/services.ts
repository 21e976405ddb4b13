// SPDX-License-Identifier: MIT
import type { Turns } from '../../base/turns';
import type { Device, Processor } from '../../device/device';
import type { JitOptions } from '../../jit/compiled';
import type { BuildTools, Target } from './build/toolchain';
import type { CompileThread } from './compile-thread/compile-thread';

/** Shared by the backend's objects. */
export interface Services extends BuildTools {
  readonly processor: Processor;
  readonly compiler: CompileThread;
  /** Runs what does not block the event loop. */
  readonly turns: Turns;
  readonly target: Target;
  /** How kernels are compiled here. */
  settings(): JitOptions;
  /** Prepares the compiler, once. Ends with the signals of all that wait for it, and rejects then. */
  prepare(signal?: AbortSignal): Promise<void>;
}

/** Shared by the objects of one context. */
export interface ContextServices extends Services {
  readonly device: Device;
}
