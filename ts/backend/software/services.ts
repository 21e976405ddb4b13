// SPDX-License-Identifier: MIT
import type { Device, Processor } from '../../device/device';
import type { JitOptions } from '../../jit/compiled';
import type { CompileThread } from './compile-thread';
import type { BuildTools } from './toolchain';

/** What the backend's objects share. */
export interface Services extends BuildTools {
  readonly processor: Processor;
  readonly compiler: CompileThread;
  /** How kernels are compiled here. */
  settings(): JitOptions;
  /** Makes the compiler ready; once. */
  prepare(): Promise<void>;
}

/** The same for the objects of one context. */
export interface ContextServices extends Services {
  readonly device: Device;
}
