// SPDX-License-Identifier: MIT
import type { BackendSvm } from '../backend/backend';
import { ErrorCode, MapFlags, MemFlags } from '../backend/cl.gen';
import { OpenCLError } from '../backend/opencl-error';
import type { Context } from './context';
import { Event, waitList } from './event';
import { Owned } from './lifetime';
import type { CommandOptions, CommandQueue, MapMode } from './queue';

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

const freeable = (svm: BackendSvm) => ({ svm, release: () => svm.free() });

/**
 * Shared virtual memory: the same addresses on host and device. `bytes` is the memory itself; coarse-grained memory is
 * the host's between `map` and `unmap` only.
 */
export class Svm extends Owned<ReturnType<typeof freeable>> {
  /** @internal */
  constructor(
    svm: BackendSvm,
    readonly context: Context,
    readonly flags: number,
  ) {
    super(freeable(svm), ErrorCode.INVALID_VALUE);
  }

  /** @internal */
  svmFor(functionName: string): BackendSvm {
    return this.handleFor(functionName).svm;
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
    const { offset, size } = this.#span(options, functionName);
    const flags =
      mode === 'write-invalidate'
        ? MapFlags.WRITE_INVALIDATE_REGION
        : (mode !== 'write' ? MapFlags.READ : 0) | (mode !== 'read' ? MapFlags.WRITE : 0);
    const svm = this.svmFor(functionName);
    const event = this.#queue(options)
      .handleFor(functionName)
      .svmMap(svm, flags, offset, size, waitList(options.waitFor, functionName), true)!;
    return new Event(event, functionName, () => svm.bytes.subarray(offset, offset + size));
  }

  unmap(options: { queue?: CommandQueue } & CommandOptions = {}): Event {
    const functionName = 'clEnqueueSVMUnmap';
    const event = this.#queue(options)
      .handleFor(functionName)
      .svmUnmap(this.svmFor(functionName), waitList(options.waitFor, functionName), true)!;
    return new Event(event, functionName);
  }

  /** Repeats `pattern` over the memory or a part of it (clEnqueueSVMMemFill). */
  fill(
    pattern: ArrayBufferView,
    options: { offset?: number; size?: number; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueSVMMemFill';
    const { offset, size } = this.#span(options, functionName);
    const bytes = new Uint8Array(pattern.buffer, pattern.byteOffset, pattern.byteLength);
    const step = bytes.length;
    if (step < 1 || step > 128 || (step & (step - 1)) !== 0 || size % step !== 0 || offset % step !== 0) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `a pattern of ${step} bytes does not fill bytes ${offset} to ${offset + size}`,
      );
    }
    const event = this.#queue(options)
      .handleFor(functionName)
      .svmFill(
        this.svmFor(functionName),
        offset,
        bytes,
        size,
        waitList(options.waitFor, functionName),
        true,
      )!;
    return new Event(event, functionName);
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
    const { offset, size } = this.#span(options, functionName);
    const targetOffset = options.targetOffset ?? 0;
    const room = target instanceof Svm ? target.size : target.byteLength;
    if (targetOffset < 0 || targetOffset + size > room) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `${size} bytes do not fit at byte ${targetOffset} of the target's ${room}`,
      );
    }
    const to = target instanceof Svm ? target.svmFor(functionName) : target;
    const wait = waitList(options.waitFor, functionName);
    const event = this.#queue(options)
      .handleFor(functionName)
      .svmMemcpy(to, targetOffset, this.svmFor(functionName), offset, size, wait, true)!;
    return new Event(event, functionName);
  }

  #queue(options: { queue?: CommandQueue }): CommandQueue {
    return options.queue ?? this.context.defaultQueue;
  }

  #span(options: { offset?: number; size?: number }, functionName: string): { offset: number; size: number } {
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
