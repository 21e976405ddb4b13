// SPDX-License-Identifier: MIT
import type { BackendSvm } from '../backend/backend';
import {
  ErrorCode,
  MemFlags,
  MemMigrationFlags,
  SvmAllocAccessFlags,
  SvmAllocProperty,
} from '../backend/cl.gen';
import { svmPointerInfo } from '../backend/info-keys.gen';
import { OpenCLError } from '../backend/opencl-error';
import type { Context } from './context';
import type { Device } from './device';
import { Event, waitList } from './event';
import { type InfoOf, queryInfo } from './info';
import { checkMade, lacks } from './lifetime';
import { OwnedMemory } from './memory-pressure';
import type { CommandOptions, CommandQueue, MapMode } from './queue';
import { checkView, MAP_FLAGS, patternBytes, whenStillThere } from './transfers';

export interface SvmOptions {
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

/** @internal */
export function svmFlags(options: SvmOptions): number {
  return (
    ACCESS[options.access ?? 'read-write'] |
    (options.fineGrained || options.atomics ? MemFlags.SVM_FINE_GRAIN_BUFFER : 0) |
    (options.atomics ? MemFlags.SVM_ATOMICS : 0)
  );
}

export interface UnifiedSvmOptions {
  /** What it must be capable of: bits as in the device's `SVM_TYPE_CAPABILITIES_KHR`. */
  readonly capabilities?: number;
  /** A type of that list, instead. */
  readonly typeIndex?: number;
  /** The device that owns it, where the type wants one. */
  readonly device?: Device;
  /** Bytes, a power of two. */
  readonly align?: number;
  /** What is not going to happen, which lets drivers place it better. */
  readonly never?: readonly ('host-read' | 'host-write' | 'device-read' | 'device-write')[];
}

const NEVER = {
  'host-read': SvmAllocAccessFlags.HOST_NOREAD_KHR,
  'host-write': SvmAllocAccessFlags.HOST_NOWRITE_KHR,
  'device-read': SvmAllocAccessFlags.DEVICE_NOREAD_KHR,
  'device-write': SvmAllocAccessFlags.DEVICE_NOWRITE_KHR,
} as const;

/** @internal The property list of clSVMAllocWithPropertiesKHR, but for the device. */
export function unifiedSvmProperties({ align, never = [] }: UnifiedSvmOptions): bigint[] {
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
 * Shared virtual memory: the same addresses on host and device. `bytes` is the memory itself; coarse-grained memory is
 * the host's between `map` and `unmap` only.
 */
export class Svm extends OwnedMemory<ReturnType<typeof freeable>> {
  /** @internal */
  constructor(
    svm: BackendSvm,
    readonly context: Context,
    readonly flags: number,
  ) {
    checkMade(svm && freeable(svm), new.target);
    super(freeable(svm), ErrorCode.INVALID_VALUE, svm.size);
  }

  /** @internal */
  svmFor(functionName: string): BackendSvm {
    return this.handleFor(functionName).svm;
  }

  /** @internal */
  override argumentFor(functionName: string): BackendSvm {
    return this.svmFor(functionName);
  }

  get address(): bigint {
    return this.svmFor('clSVMAlloc').address;
  }

  get size(): number {
    return this.svmFor('clSVMAlloc').size;
  }

  get bytes(): Uint8Array {
    return this.svmFor('clSVMAlloc').bytes;
  }

  /** Makes bytes `offset` … the host's until `unmap` (clEnqueueSVMMap). */
  map(
    mode: MapMode = 'read-write',
    options: { offset?: number; size?: number; queue?: CommandQueue } & CommandOptions = {},
  ): Event<Uint8Array> {
    const functionName = 'clEnqueueSVMMap';
    const { offset, size } = this.span(options, functionName);
    const flags = MAP_FLAGS[mode];
    const svm = this.svmFor(functionName);
    const event = this.#queue(options)
      .handleFor(functionName)
      .enqueue({ op: 'svmMap', svm, flags, offset, size }, waitList(options.waitFor, functionName), true)!;
    return new Event(event, functionName, this.context, () => svm.bytes.subarray(offset, offset + size));
  }

  unmap(options: { queue?: CommandQueue } & CommandOptions = {}): Event {
    const functionName = 'clEnqueueSVMUnmap';
    const event = this.#queue(options)
      .handleFor(functionName)
      .enqueue(
        { op: 'svmUnmap', svm: this.svmFor(functionName) },
        waitList(options.waitFor, functionName),
        true,
      )!;
    return new Event(event, functionName, this.context);
  }

  /** What the driver knows of this memory (clGetSVMPointerInfoKHR, cl_khr_unified_svm). */
  info<K extends keyof SvmPointerInfo>(key: K, device?: Device): SvmPointerInfo[K];
  info(key: number, device?: Device): Uint8Array;
  info(key: keyof SvmPointerInfo | number, device?: Device): unknown {
    const functionName = 'clGetSVMPointerInfoKHR';
    const handle = this.context.handleFor(functionName);
    const svm = this.svmFor(functionName);
    return queryInfo(svmPointerInfo, key, functionName, (param) => {
      if (!handle.svmPointerInfo) throw lacks(functionName, 'cl_khr_unified_svm');
      return handle.svmPointerInfo(svm, device?.handleFor(functionName), param);
    });
  }

  /** Frees the memory once the commands before are done (clEnqueueSVMFree). It is released at once for the script. */
  free(options: { queue?: CommandQueue } & CommandOptions = {}): Event {
    const functionName = 'clEnqueueSVMFree';
    const queue = this.#queue(options).handleFor(functionName);
    const waits = waitList(options.waitFor, functionName);
    const event = queue.enqueue({ op: 'svmFree', svms: [this.svmFor(functionName)] }, waits, true)!;
    this.disown();
    return new Event(event, functionName, this.context);
  }

  /** Moves the memory to the queue's device, or to the host, ahead of its use (clEnqueueSVMMigrateMem). */
  migrate(
    options: { toHost?: boolean; contentUndefined?: boolean; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueSVMMigrateMem';
    const flags =
      (options.toHost ? MemMigrationFlags.HOST : 0) |
      (options.contentUndefined ? MemMigrationFlags.CONTENT_UNDEFINED : 0);
    const queue = this.#queue(options).handleFor(functionName);
    const waits = waitList(options.waitFor, functionName);
    return new Event(
      queue.enqueue({ op: 'svmMigrate', svms: [this.svmFor(functionName)], flags }, waits, true)!,
      functionName,
      this.context,
    );
  }

  /** Repeats `pattern` over the memory or a part of it (clEnqueueSVMMemFill). */
  fill(
    pattern: ArrayBufferView,
    options: { offset?: number; size?: number; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueSVMMemFill';
    const { offset, size } = this.span(options, functionName);
    const bytes = patternBytes(pattern, offset, size, functionName);
    const event = this.#queue(options)
      .handleFor(functionName)
      .enqueue(
        { op: 'svmFill', svm: this.svmFor(functionName), offset, pattern: bytes, size },
        waitList(options.waitFor, functionName),
        true,
      )!;
    return new Event(event, functionName, this.context);
  }

  /** Copies to other shared memory or to an array (clEnqueueSVMMemcpy). */
  copyTo(
    target: Svm | ArrayBufferView,
    options: {
      offset?: number;
      targetOffset?: number;
      size?: number;
      queue?: CommandQueue;
    } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueSVMMemcpy';
    const { offset, size } = this.span(options, functionName);
    const targetOffset = options.targetOffset ?? 0;
    if (!(target instanceof Svm)) checkView(target, functionName);
    const room = target instanceof Svm ? target.size : target.byteLength;
    if (!Number.isSafeInteger(targetOffset) || targetOffset < 0 || targetOffset + size > room) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `${size} bytes do not fit at byte ${targetOffset} of the target's ${room}`,
      );
    }
    if (target === this && offset < targetOffset + size && targetOffset < offset + size) {
      throw new OpenCLError(ErrorCode.MEM_COPY_OVERLAP, functionName, 'source and target overlap');
    }
    const to = target instanceof Svm ? target.svmFor(functionName) : target;
    const wait = waitList(options.waitFor, functionName);
    const event = this.#queue(options)
      .handleFor(functionName)
      .enqueue(
        {
          op: 'svmMemcpy',
          to,
          toOffset: targetOffset,
          from: this.svmFor(functionName),
          fromOffset: offset,
          size,
        },
        wait,
        true,
      )!;
    if (target instanceof Svm) return new Event(event, functionName, this.context);
    const check = whenStillThere(target, 'wrote to it', functionName);
    return new Event<void>(event, functionName, this.context, () => void check());
  }

  #queue(options: { queue?: CommandQueue }): CommandQueue {
    return options.queue ?? this.context.defaultQueue;
  }

  /** @internal The options' bytes, which must lie in the memory. */
  span(options: { offset?: number; size?: number }, functionName: string): { offset: number; size: number } {
    const offset = options.offset ?? 0;
    const size = options.size ?? this.size - offset;
    if (
      !Number.isSafeInteger(offset) ||
      offset < 0 ||
      !Number.isSafeInteger(size) ||
      size < 1 ||
      offset + size > this.size
    ) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `bytes ${offset} to ${offset + size} do not lie in the memory's ${this.size}`,
      );
    }
    return { offset, size };
  }
}
