// SPDX-License-Identifier: MIT

import type { BackendSvm } from '../../backend/backend-objects';
import { ErrorCode, MemFlags, SvmAllocAccessFlags, SvmAllocProperty } from '../../cl/constants.gen';
import { svmPointerInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import type { ByteRange, CopyRange } from '../commands/buffers';
import type { MigrateOptions } from '../commands/svm';
import type { MapMode } from '../data/transfers';
import { unsupported } from '../errors/refusals';
import { type InfoOf, queryInfo } from '../info/info';
import { argumentFor, handleFor } from '../internals';
import type { CommandOptions } from './command-options';
import type { Context } from './context';
import type { Device } from './device';
import type { Event } from './event';
import { checkConstructor } from './handle';
import { MemoryHandle, memoryPressure } from './memory-pressure';
import type { CommandQueue } from './queue';

/** Options of `context.createSvm`. */
export interface SvmOptions {
  /** What kernels do with it; default `read-write`. */
  readonly access?: 'read-write' | 'read-only' | 'write-only';
  /** Host and kernels may use it at the same time, without mapping (fine-grained). */
  readonly fineGrained?: boolean;
  /** Fine-grained, and atomics work between host and kernels. */
  readonly atomics?: boolean;
  /** Bytes, a power of two; 0 lets the device choose. */
  readonly align?: number;
}

const ACCESS = {
  'read-write': MemFlags.READ_WRITE,
  'read-only': MemFlags.READ_ONLY,
  'write-only': MemFlags.WRITE_ONLY,
} as const;

function svmFlags(options: SvmOptions): number {
  return (
    ACCESS[options.access ?? 'read-write'] |
    (options.fineGrained || options.atomics ? MemFlags.SVM_FINE_GRAIN_BUFFER : 0) |
    (options.atomics ? MemFlags.SVM_ATOMICS : 0)
  );
}

/** Options of `context.createUnifiedSvm`. */
export interface UnifiedSvmOptions {
  /** The required capabilities: bits as in the device's `SVM_TYPE_CAPABILITIES_KHR`. */
  readonly capabilities?: number;
  /** Or the index of a type in that list. */
  readonly typeIndex?: number;
  /** The device that owns it, if the type requires one. */
  readonly device?: Device;
  /** Bytes, a power of two. */
  readonly align?: number;
  /** Accesses that will not happen, so that drivers can choose a better place. */
  readonly never?: readonly ('host-read' | 'host-write' | 'device-read' | 'device-write')[];
}

const NEVER = {
  'host-read': SvmAllocAccessFlags.HOST_NOREAD_KHR,
  'host-write': SvmAllocAccessFlags.HOST_NOWRITE_KHR,
  'device-read': SvmAllocAccessFlags.DEVICE_NOREAD_KHR,
  'device-write': SvmAllocAccessFlags.DEVICE_NOWRITE_KHR,
} as const;

/** The property list of clSVMAllocWithPropertiesKHR, except for the device. */
function unifiedSvmProperties({ align, never = [] }: UnifiedSvmOptions): bigint[] {
  const list: number[] = [];
  if (align !== undefined) list.push(SvmAllocProperty.ALIGNMENT_KHR, align);
  if (never.length > 0)
    list.push(
      SvmAllocProperty.ACCESS_FLAGS_KHR,
      never.reduce((bits, what) => bits | NEVER[what], 0),
    );
  return list.map(BigInt);
}

/** Properties by name, without `CL_SVM_INFO_`. */
export type SvmPointerInfo = InfoOf<typeof svmPointerInfo>;

const freeable = (svm: BackendSvm) => ({ svm, release: () => svm.free() });

/**
 * Shared virtual memory: the same addresses on host and device. `bytes` is the memory itself; the host may access
 * coarse-grained memory only between `map` and `unmap`.
 *
 * @example
 * ```ts
 * const { twice } = (await cl.build('kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }')).kernels;
 * const memory = cl.context.createSvm(16);
 * new Int32Array((await memory.map()).buffer, memory.bytes.byteOffset, 4).set([1, 2, 3, 4]);
 * await memory.unmap();
 * await twice.run({ global: 4 }, memory);
 * const bytes = await memory.map('read');
 * console.log(new Int32Array(bytes.buffer, bytes.byteOffset, 4)); // Int32Array(4) [ 2, 4, 6, 8 ]
 * await memory.unmap();
 * ```
 */
export class Svm extends MemoryHandle<ReturnType<typeof freeable>> {
  /** @internal */
  constructor(
    svm: BackendSvm,
    /** The context that it belongs to. */
    readonly context: Context,
    /** The flags that it was allocated with (cl_svm_mem_flags). */
    readonly flags: number,
  ) {
    checkConstructor(svm && freeable(svm), new.target);
    super(freeable(svm), ErrorCode.INVALID_VALUE, svm.size);
  }

  /** @internal */
  override [argumentFor](functionName: string): BackendSvm {
    return this[handleFor](functionName).svm;
  }

  /** The address, the same for host and kernels. */
  get address(): bigint {
    return this[handleFor]('clSVMAlloc').svm.address;
  }

  /** In bytes. */
  get size(): number {
    return this[handleFor]('clSVMAlloc').svm.size;
  }

  /** The memory itself. */
  get bytes(): Uint8Array {
    return this[handleFor]('clSVMAlloc').svm.bytes;
  }

  /** Gives the host access to bytes from `offset` on until `unmap` (clEnqueueSVMMap). */
  map(
    mode: MapMode = 'read-write',
    options: ByteRange & { queue?: CommandQueue } & CommandOptions = {},
  ): Event<Uint8Array> {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueSvmMap(this, mode, rest);
  }

  /** Gives the memory back to the device (clEnqueueSVMUnmap). */
  unmap(options: { queue?: CommandQueue } & CommandOptions = {}): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueSvmUnmap(this, rest);
  }

  /** The driver's information about this memory (clGetSVMPointerInfoKHR, cl_khr_unified_svm). */
  info<K extends keyof SvmPointerInfo>(key: K, device?: Device): SvmPointerInfo[K];
  info(key: number, device?: Device): Uint8Array;
  info(key: keyof SvmPointerInfo | number, device?: Device): unknown {
    const functionName = 'clGetSVMPointerInfoKHR';
    const handle = this.context[handleFor](functionName);
    const svm = this[handleFor](functionName).svm;
    return queryInfo(svmPointerInfo, key, functionName, (param) => {
      if (!handle.svmPointerInfo) throw unsupported(functionName, 'cl_khr_unified_svm');
      return handle.svmPointerInfo(svm, device?.[handleFor](functionName), param);
    });
  }

  /**
   * Frees the memory once the earlier commands are complete (clEnqueueSVMFree). The script's object is released at
   * once.
   */
  free(options: { queue?: CommandQueue } & CommandOptions = {}): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueSvmFree([this], rest);
  }

  /** Moves the memory to the queue's device, or to the host, ahead of its use (clEnqueueSVMMigrateMem). */
  migrate(options: MigrateOptions & { queue?: CommandQueue } & CommandOptions = {}): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueSvmMigrate([this], rest);
  }

  /** Repeats `pattern` over the memory or a part of it (clEnqueueSVMMemFill). */
  fill(pattern: ArrayBufferView, options: ByteRange & { queue?: CommandQueue } & CommandOptions = {}): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueSvmFill(this, pattern, rest);
  }

  /** Copies to other shared memory or to an array (clEnqueueSVMMemcpy). */
  copyTo(
    target: Svm | ArrayBufferView,
    options: CopyRange & { queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueSvmCopy(this, target, rest);
  }

  #queue(queue: CommandQueue | undefined): CommandQueue {
    return queue ?? this.context.defaultQueue;
  }
}

guard('Svm', Svm);

/** @internal `context.createSvm` */
export function allocateSvm(context: Context, size: number, options: SvmOptions): Svm {
  const functionName = 'clSVMAlloc';
  checkSize(size, functionName);
  const flags = svmFlags(options);
  const handle = context[handleFor](functionName);
  const svm = memoryPressure.allocate(() => handle.svmAlloc(flags, size, options.align ?? 0));
  return new Svm(svm, context, flags);
}

/** @internal `context.createUnifiedSvm` */
export function allocateUnifiedSvm(context: Context, size: number, options: UnifiedSvmOptions): Svm {
  const functionName = 'clSVMAllocWithPropertiesKHR';
  checkSize(size, functionName);
  const handle = context[handleFor](functionName);
  if (!handle.unifiedSvmAlloc || !handle.svmTypeIndex) throw unsupported(functionName, 'cl_khr_unified_svm');
  const device = options.device?.[handleFor](functionName);
  const type = options.typeIndex ?? handle.svmTypeIndex(options.capabilities ?? 0, device, size);
  const properties = unifiedSvmProperties(options);
  const { unifiedSvmAlloc } = handle;
  const svm = memoryPressure.allocate(() => unifiedSvmAlloc.call(handle, properties, type, size, device));
  return new Svm(svm, context, 0);
}

function checkSize(size: number, functionName: string): void {
  if (!Number.isSafeInteger(size) || size < 1)
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, `${size} is not a size`);
}
