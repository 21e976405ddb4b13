// SPDX-License-Identifier: MIT

import type { BackendMemory } from '../../backend/backend-objects';
import { ErrorCode, MemFlags } from '../../cl/constants.gen';
import { memInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { checkView } from '../data/transfers';
import { type InfoOf, queryInfo } from '../info/info';
import { argumentFor, handleFor, hostView } from '../internals';
import type { ExternalMemory } from '../interop/external-memory';
import type { Context } from './context';
import { MemoryHandle } from './memory-pressure';

/** Properties by name, without `CL_MEM_`. */
export type MemoryInfo = InfoOf<typeof memInfo, { CONTEXT: Context }>;

/** How kernels and the host may use a memory object. */
export interface MemoryOptions {
  /** How kernels access it. Default: both. */
  readonly access?: 'read-write' | 'read-only' | 'write-only';
  /** How the host accesses it. Default: both. */
  readonly hostAccess?: 'read-write' | 'read-only' | 'write-only' | 'none';
  /**
   * Lets the driver allocate it in memory that the host can map quickly (CL_MEM_ALLOC_HOST_PTR: pinned
   * memory).
   */
  readonly allocHost?: boolean;
  /** Uses the given array as the memory (CL_MEM_USE_HOST_PTR). Scripts must access it only through map. */
  readonly useHost?: boolean;
  /** Memory of another API, given by the operating system's handle (cl_khr_external_memory). */
  readonly external?: ExternalMemory;
}

const ACCESS = {
  'read-write': MemFlags.READ_WRITE,
  'read-only': MemFlags.READ_ONLY,
  'write-only': MemFlags.WRITE_ONLY,
} as const;
/** Flags that a sub-buffer inherits. */
export const ACCESS_MASK =
  MemFlags.READ_WRITE |
  MemFlags.READ_ONLY |
  MemFlags.WRITE_ONLY |
  MemFlags.HOST_READ_ONLY |
  MemFlags.HOST_WRITE_ONLY |
  MemFlags.HOST_NO_ACCESS;
const HOST_ACCESS = {
  'read-write': 0,
  'read-only': MemFlags.HOST_READ_ONLY,
  'write-only': MemFlags.HOST_WRITE_ONLY,
  none: MemFlags.HOST_NO_ACCESS,
} as const;

/** cl_mem_flags of the options; `contents` are the initial ones. */
export function memoryFlags(
  options: MemoryOptions,
  contents: ArrayBufferView | undefined,
  functionName: string,
): number {
  const access = ACCESS[options.access ?? 'read-write'];
  const host = HOST_ACCESS[options.hostAccess ?? 'read-write'];
  if (options.useHost && !contents) {
    throw new OpenCLError(ErrorCode.INVALID_HOST_PTR, functionName, 'useHost needs an array to use');
  }
  if (options.useHost && (contents!.buffer as { readonly resizable?: boolean }).resizable)
    throw new OpenCLError(
      ErrorCode.INVALID_HOST_PTR,
      functionName,
      'a resizable ArrayBuffer may shrink under the device: copy it, or use one of fixed length',
    );
  const data = contents ? (options.useHost ? MemFlags.USE_HOST_PTR : MemFlags.COPY_HOST_PTR) : 0;
  return access | host | data | (options.allocHost ? MemFlags.ALLOC_HOST_PTR : 0);
}

/**
 * The common base of buffers, images and pipes.
 *
 * @example
 * ```ts
 * const memory = cl.buffer(Float32Array, 100);
 * console.log(memory instanceof MemoryObject, memory.memoryInfo('SIZE')); // true 400
 * ```
 */
export abstract class MemoryObject extends MemoryHandle<BackendMemory> {
  /** @internal */
  [hostView]: ArrayBufferView | undefined;

  /** @internal */
  protected constructor(
    handle: BackendMemory,
    /** The context that it belongs to. */
    readonly context: Context,
    /** Bytes. */
    readonly size: number,
    /** cl_mem_flags */
    readonly flags: number,
    /** The bytes of the device's memory that its release frees. */
    ownBytes: number,
  ) {
    super(handle, ErrorCode.INVALID_MEM_OBJECT, ownBytes);
  }

  /** A property that all memory has, by its name without `CL_MEM_`, or by number as bytes (clGetMemObjectInfo). */
  memoryInfo<K extends keyof MemoryInfo>(key: K): MemoryInfo[K];
  memoryInfo(key: number): Uint8Array;
  /** A property of all memory objects (clGetMemObjectInfo). */
  memoryInfo(key: keyof MemoryInfo | number): unknown {
    const read = (param: number) => this[handleFor]('clGetMemObjectInfo').info(param);
    return queryInfo(memInfo, key, 'clGetMemObjectInfo', read, { CONTEXT: this.context });
  }

  /** @internal */
  override [argumentFor](functionName: string): BackendMemory {
    return this[handleFor](functionName);
  }

  /** Calls back when the memory is freed (clSetMemObjectDestructorCallback). */
  onDestroy(listener: () => void): void {
    this[handleFor]('clSetMemObjectDestructorCallback').onDestroy(listener);
  }
}

guard('MemoryObject', MemoryObject);

/** Memory that the script has given (`useHost`) must not have been moved to another owner: mappings would not show it. */
export function checkHost(memory: MemoryObject, functionName: string): void {
  const host = memory[hostView];
  if (host) checkView(host, functionName);
}
