// SPDX-License-Identifier: MIT
//
// Semaphores (cl_khr_semaphore) and their exchange with other APIs by the handles of the operating system
// (cl_khr_external_semaphore).

import type { BackendSemaphore } from '../../backend/backend-objects';
import { ErrorCode, SemaphoreHandleType, SemaphoreProperty, SemaphoreType } from '../../cl/constants.gen';
import { semaphoreInfo } from '../../cl/info-keys.gen';
import { guard } from '../checks/guard';
import { type InfoOf, queryInfo } from '../info/info';
import { handleFor } from '../internals';
import type { CommandOptions } from './command-options';
import type { Context } from './context';
import type { Device } from './device';
import type { Event } from './event';
import { Handle } from './handle';
import type { CommandQueue } from './queue';

/** Properties by name, without `CL_SEMAPHORE_`. */
export type SemaphoreInfo = InfoOf<typeof semaphoreInfo, { CONTEXT_KHR: Context }>;

const HANDLE_TYPES = {
  'opaque-fd': SemaphoreHandleType.OPAQUE_FD_KHR,
  'sync-fd': SemaphoreHandleType.SYNC_FD_KHR,
  'opaque-win32': SemaphoreHandleType.OPAQUE_WIN32_KHR,
  'opaque-win32-kmt': SemaphoreHandleType.OPAQUE_WIN32_KMT_KHR,
  'd3d12-fence': SemaphoreHandleType.D3D12_FENCE_KHR,
} as const;

/** The form in which APIs exchange a semaphore: a file descriptor, or a Windows handle. */
export type SemaphoreHandleName = keyof typeof HANDLE_TYPES;

/** Options of `context.createSemaphore`. */
export interface SemaphoreOptions {
  /** The handle types that `exportHandle` will return. */
  readonly exportAs?: readonly SemaphoreHandleName[];
  /** Another API's semaphore: the type of its handle, and the handle itself. */
  readonly from?: { readonly type: SemaphoreHandleName; readonly handle: number | bigint };
  /** The devices that use it; default: the context's. Drivers of several devices may require exactly one. */
  readonly devices?: readonly Device[];
}

/** Options of `wait` and `signal`. */
export interface SemaphoreCommandOptions extends CommandOptions {
  /** Default: the context's default queue. */
  readonly queue?: CommandQueue;
  /** The value of a counting semaphore; binary ones, the only standard type, have none. */
  readonly payload?: number;
}

/** @internal */
export function semaphoreProperties(options: SemaphoreOptions): bigint[] {
  const typeOf = (name: SemaphoreHandleName) => BigInt(HANDLE_TYPES[name]);
  const properties = [BigInt(SemaphoreProperty.TYPE_KHR), BigInt(SemaphoreType.BINARY_KHR)];
  if (options.exportAs && options.exportAs.length > 0)
    properties.push(
      BigInt(SemaphoreProperty.EXPORT_HANDLE_TYPES_KHR),
      ...options.exportAs.map(typeOf),
      BigInt(SemaphoreProperty.EXPORT_HANDLE_TYPES_LIST_END_KHR),
    );
  if (options.from) properties.push(typeOf(options.from.type), BigInt(options.from.handle));
  return properties;
}

/**
 * Orders commands between queues, and with other APIs; created by `context.createSemaphore`.
 *
 * @example
 * ```ts
 * if (cl.device.extensions.includes('cl_khr_semaphore')) {
 *   const semaphore = cl.context.createSemaphore();
 *   await semaphore.signal();
 *   await semaphore.wait();
 *   semaphore.release();
 * }
 * ```
 */
export class Semaphore extends Handle<BackendSemaphore> {
  /** @internal */
  constructor(
    handle: BackendSemaphore,
    /** The context that it belongs to. */
    readonly context: Context,
  ) {
    super(handle, ErrorCode.INVALID_SEMAPHORE_KHR);
  }

  /** A property by its name without `CL_SEMAPHORE_`, or by number as bytes (clGetSemaphoreInfoKHR). */
  info<K extends keyof SemaphoreInfo>(key: K): SemaphoreInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof SemaphoreInfo | number): unknown {
    const functionName = 'clGetSemaphoreInfoKHR';
    const read = (param: number) => this[handleFor](functionName).info(param);
    return queryInfo(semaphoreInfo, key, functionName, read, { CONTEXT_KHR: this.context });
  }

  /** Later commands of the queue wait until the semaphore is signalled (clEnqueueWaitSemaphoresKHR). */
  wait(options: SemaphoreCommandOptions = {}): Event {
    return this.#queue(options).enqueueWaitSemaphores([this], commandOptions(options));
  }

  /** Signals the semaphore when the earlier commands are complete (clEnqueueSignalSemaphoresKHR). */
  signal(options: SemaphoreCommandOptions = {}): Event {
    return this.#queue(options).enqueueSignalSemaphores([this], commandOptions(options));
  }

  /**
   * The operating system's handle of it (clGetSemaphoreHandleForTypeKHR), for another API: a file descriptor, or the
   * value of a Windows handle. The caller must close it.
   * @throws OpenCLError INVALID_VALUE unless it was created with that type in `exportAs`
   */
  exportHandle(type: SemaphoreHandleName, device: Device = this.context.device): bigint {
    const functionName = 'clGetSemaphoreHandleForTypeKHR';
    const bytes = this[handleFor](functionName).exportHandle(
      device[handleFor](functionName),
      HANDLE_TYPES[type] ?? 0,
    );
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return bytes.byteLength >= 8 ? view.getBigUint64(0, true) : BigInt(view.getInt32(0, true));
  }

  /** Imports the state of a new sync file (clReImportSemaphoreSyncFdKHR). */
  reimportSyncFd(fd: number): void {
    this[handleFor]('clReImportSemaphoreSyncFdKHR').reimportSyncFd([], fd);
  }

  #queue(options: SemaphoreCommandOptions): CommandQueue {
    return options.queue ?? this.context.defaultQueue;
  }
}

guard('Semaphore', Semaphore);

/** The options in the form of the queue's method, for one semaphore. */
const commandOptions = ({ queue: _, payload, ...rest }: SemaphoreCommandOptions) =>
  payload === undefined ? rest : { ...rest, payloads: [payload] };
