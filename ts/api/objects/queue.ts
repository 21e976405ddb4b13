// SPDX-License-Identifier: MIT

import type { BackendQueue } from '../../backend/backend-queue';
import { ErrorCode, QueueFlags } from '../../cl/constants.gen';
import { queueInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import type { ByteRange, CopyRange } from '../commands/buffers';
import * as bufferCommands from '../commands/buffers';
import { exchange, type Owner } from '../commands/exchange';
import type { Color } from '../commands/images';
import * as imageCommands from '../commands/images';
import type { ImageRegion } from '../commands/operands';
import { type SemaphorePayloads, semaphoreCommand } from '../commands/semaphores';
import type { MigrateOptions } from '../commands/svm';
import * as svmCommands from '../commands/svm';
import type { MapMode, Rect } from '../data/transfers';
import type { TypedArray } from '../data/typed-arrays';
import { throwFrom } from '../errors/caller-stack';
import { illegalReceiver } from '../errors/refusals';
import { type InfoOf, queryInfo } from '../info/info';
import { argumentFor, enqueueRun, handleFor, launches, unmapOn } from '../internals';
import { unlessAborted, type Waiting } from '../options/abort';
import { checkRangeNames, type Range } from '../options/range';
import type { Buffer } from './buffer';
import type { CommandOptions, LaunchOptions, NativeKernel, StopOptions } from './command-options';
import type { Context } from './context';
import type { Device } from './device';
import {
  enqueue,
  enqueueExtension,
  enqueueMarker,
  enqueueRead,
  enqueueSvmCopy,
  enqueueWrite,
  noEvent,
} from './enqueue';
import { Event } from './event';
import { Handle } from './handle';
import type { Image } from './image';
import type { Kernel } from './kernel';
import { launch, noOptions, saysNoEvent } from './launch';
import type { Mapping } from './mapping';
import { enqueueBufferMap, enqueueImageMap, enqueueSvmMap } from './maps';
import type { MemoryObject } from './memory-object';
import { disownMemory } from './memory-pressure';
import { enqueueNativeKernel } from './native-kernel';
import { setQueueProperty } from './queue-options';
import type { Semaphore } from './semaphore';
import { applyStops, checkStops, terminateQueue } from './stops';
import type { Svm } from './svm';

/** Properties by name, without `CL_QUEUE_`. */
export type QueueInfo = InfoOf<typeof queueInfo, { CONTEXT: Context; DEVICE: Device }>;

/**
 * A command queue of one device. Commands run in the order of enqueueing unless the queue is out-of-order.
 *
 * @example
 * ```ts
 * const queue = cl.context.createQueue({ profiling: true });
 * const memory = cl.buffer(Float32Array, 4);
 * const filled = queue.enqueueFill(memory, Float32Array.of(7));
 * const read = queue.enqueueRead(memory, new Float32Array(4), { waitFor: [filled] });
 * console.log(await read);                         // Float32Array(4) [ 7, 7, 7, 7 ]
 * console.log(read.profile.durationMs >= 0);     // true
 * ```
 */
export class CommandQueue extends Handle<BackendQueue> {
  /** The handle again: V8 reads a private field of one class several times faster than one that all objects share. */
  #backend: BackendQueue | undefined;

  /** @internal */
  constructor(
    handle: BackendQueue,
    /** The context that it belongs to. */
    readonly context: Context,
    /** The device that runs its commands. */
    readonly device: Device,
    /** Whether commands may run in another order than that of enqueueing: only `waitFor` and barriers order them. */
    readonly outOfOrder: boolean,
    /** Whether events of the queue know their times (`event.profile`). */
    readonly profiling: boolean,
  ) {
    super(handle, ErrorCode.INVALID_COMMAND_QUEUE);
    this.#backend = handle;
  }

  /** @internal */
  override [handleFor](functionName: string): BackendQueue {
    return this.#backend ?? super[handleFor](functionName);
  }

  /** Releases the queue. Commands that were enqueued run to their end. */
  override release(): void {
    super.release();
    this.#backend = undefined;
  }

  /** @internal */
  override [argumentFor](functionName: string): BackendQueue {
    const handle = this[handleFor](functionName);
    if ((Number(this.info('PROPERTIES')) & QueueFlags.ON_DEVICE) !== 0) return handle;
    const detail = 'a kernel takes queues on the device only; this CommandQueue is on the host';
    throw new OpenCLError(ErrorCode.INVALID_DEVICE_QUEUE, functionName, detail);
  }

  /**
   * A property by its name without `CL_QUEUE_`, or by number as bytes (clGetCommandQueueInfo).
   * @throws OpenCLError INVALID_VALUE for a key that the device does not know
   */
  info<K extends keyof QueueInfo>(key: K): QueueInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof QueueInfo | number): unknown {
    const read = (param: number) => this[handleFor]('clGetCommandQueueInfo').info(param);
    const own = { CONTEXT: this.context, DEVICE: this.device };
    return queryInfo(queueInfo, key, 'clGetCommandQueueInfo', read, own);
  }

  /**
   * Launches a kernel with its current arguments (clEnqueueNDRangeKernel). With `event: false` it returns no event, which
   * is cheaper. If the kernel then cannot be compiled, `finish` or the queue's next command that has an event reports it.
   * @throws OpenCLError INVALID_KERNEL_ARGS if one is missing, INVALID_WORK_GROUP_SIZE if the local size does not fit
   */
  enqueueNDRange(kernel: Kernel, range: Range, options: LaunchOptions & { readonly event: false }): undefined;
  enqueueNDRange(
    kernel: Kernel,
    range: Range,
    options?: LaunchOptions & { readonly event?: true | undefined },
  ): Event;
  enqueueNDRange(kernel: Kernel, range: Range, options?: LaunchOptions): Event | undefined;
  enqueueNDRange(kernel: Kernel, range: Range, options: LaunchOptions = noOptions): Event | undefined {
    try {
      const functionName = 'clEnqueueNDRangeKernel';
      if (!(#backend in Object(this))) throw illegalReceiver(this, 'CommandQueue.enqueueNDRange');
      checkRangeNames(range, functionName);
      if (options === noOptions || !saysNoEvent(options, functionName))
        return this[enqueueRun](kernel, range, options);
      const waits = options.waitFor === undefined ? noOptions : options;
      launch(this, functionName, kernel, range, waits, false);
      return undefined;
    } catch (error) {
      throwFrom(CommandQueue.prototype.enqueueNDRange, error);
    }
  }

  /** @internal The same with checked option names; other options are allowed too. */
  [enqueueRun](kernel: Kernel, range: Range, options: CommandOptions & StopOptions): Event {
    const functionName = 'clEnqueueNDRangeKernel';
    // Read once: a getter may answer differently the next time.
    const timeout = options?.timeout;
    const signal = options?.signal;
    const stops = timeout !== undefined || signal !== undefined ? { timeout, signal } : undefined;
    if (stops) checkStops(stops, functionName);
    const handle = launch(this, functionName, kernel, range, options, true) ?? noEvent(functionName);
    const event = new Event(handle, functionName, this, undefined, kernel[launches]);
    return stops ? applyStops(event, handle, stops) : event;
  }

  /** Runs a kernel once, as a single work-item (clEnqueueTask). */
  enqueueTask(kernel: Kernel, options: CommandOptions & StopOptions = {}): Event {
    return this.enqueueNDRange(kernel, { global: 1, local: 1 }, options);
  }

  /** Copies bytes of a buffer from byte `offset` on into `into`, which is also the event's result. */
  enqueueRead<T extends ArrayBufferView>(
    source: Buffer,
    into: T,
    options: { offset?: number } & CommandOptions = {},
  ): Event<T> {
    return enqueueRead(this, bufferCommands.readBuffer(source, into, options), into, options);
  }

  /** Copies the bytes of `from` into a buffer from byte `offset` on. They must not change until the event is complete. */
  enqueueWrite(
    target: Buffer,
    from: ArrayBufferView,
    options: { offset?: number } & CommandOptions = {},
  ): Event {
    return enqueueWrite(this, bufferCommands.writeBuffer(target, from, options), from, options);
  }

  /** Reads a box out of a buffer (clEnqueueReadBufferRect); origins and region are [bytes, rows, slices]. */
  enqueueReadRect<T extends ArrayBufferView>(
    source: Buffer,
    into: T,
    rect: Rect,
    options: CommandOptions = {},
  ): Event<T> {
    return enqueueRead(this, bufferCommands.readBufferRect(source, into, rect), into, options);
  }

  /** Writes a box of a buffer (clEnqueueWriteBufferRect); origins and region are [bytes, rows, slices]. */
  enqueueWriteRect(target: Buffer, from: ArrayBufferView, rect: Rect, options: CommandOptions = {}): Event {
    return enqueue(this, bufferCommands.writeBufferRect(target, from, rect), options);
  }

  /** Copies bytes of a buffer to another, or to another part of itself; offsets and size are bytes. */
  enqueueCopy(from: Buffer, to: Buffer, options: CopyRange & CommandOptions = {}): Event {
    return enqueue(this, bufferCommands.copyBuffer(from, to, options), options);
  }

  /** Copies a box between buffers (clEnqueueCopyBufferRect): `from` is the rectangle's `buffer…`, `to` its `host…`. */
  enqueueCopyRect(from: Buffer, to: Buffer, rect: Rect, options: CommandOptions = {}): Event {
    return enqueue(this, bufferCommands.copyBufferRect(from, to, rect), options);
  }

  /** Repeats `pattern` (1, 2, 4, … 128 bytes) over bytes `offset` … `offset + size`, both multiples of its size. */
  enqueueFill(target: Buffer, pattern: ArrayBufferView, options: ByteRange & CommandOptions = {}): Event {
    return enqueue(this, bufferCommands.fillBuffer(target, pattern, options), options);
  }

  /** Maps a part of a buffer (bytes); the event's result is the mapping. */
  enqueueMap<T extends TypedArray>(
    buffer: Buffer<T>,
    mode: MapMode = 'read-write',
    options: ByteRange & CommandOptions = {},
  ): Event<Mapping<T>> {
    return enqueueBufferMap(this, buffer, mode, options);
  }

  /** Copies pixels of an image to the host, row after row without gaps, into `into`, which is also the event's result. */
  enqueueReadImage<T extends ArrayBufferView>(
    source: Image,
    into: T,
    options: ImageRegion & CommandOptions = {},
  ): Event<T> {
    return enqueueRead(this, imageCommands.readImage(source, into, options), into, options);
  }

  /** Copies pixels, row after row without gaps, into an image. They must not change until the event is complete. */
  enqueueWriteImage(target: Image, from: ArrayBufferView, options: ImageRegion & CommandOptions = {}): Event {
    return enqueue(this, imageCommands.writeImage(target, from, options), options);
  }

  /** Copies pixels to an image of the same format, or to another part of the image. */
  enqueueCopyImage(
    from: Image,
    to: Image,
    options: ImageRegion & { targetOrigin?: readonly number[] } & CommandOptions = {},
  ): Event {
    return enqueue(this, imageCommands.copyImage(from, to, options), options);
  }

  /** Fills pixels with one color: four floats, or four integers for integer formats. */
  enqueueFillImage(target: Image, color: Color, options: ImageRegion & CommandOptions = {}): Event {
    return enqueue(this, imageCommands.fillImage(target, color, options), options);
  }

  /** Copies pixels without gaps into a buffer from byte `targetOffset` on. */
  enqueueCopyImageToBuffer(
    from: Image,
    to: Buffer,
    options: ImageRegion & { targetOffset?: number } & CommandOptions = {},
  ): Event {
    return enqueue(this, imageCommands.copyImageToBuffer(from, to, options), options);
  }

  /** Copies pixels that follow each other without gaps out of a buffer from byte `sourceOffset` on. */
  enqueueCopyBufferToImage(
    from: Buffer,
    to: Image,
    options: ImageRegion & { sourceOffset?: number } & CommandOptions = {},
  ): Event {
    return enqueue(this, imageCommands.copyBufferToImage(from, to, options), options);
  }

  /** Maps a box of pixels; the event's result is the mapping. Its rows begin `mapping.rowPitch` bytes apart. */
  enqueueMapImage<T extends TypedArray>(
    image: Image<T>,
    mode: MapMode = 'read-write',
    options: ImageRegion & CommandOptions = {},
  ): Event<Mapping<T>> {
    return enqueueImageMap(this, image, mode, options);
  }

  /** Unmaps a region of a buffer or image. The mapping's `data` must not be used afterwards. */
  enqueueUnmap(mapping: Mapping<TypedArray>, options: CommandOptions = {}): Event {
    return mapping[unmapOn](this, options);
  }

  /** Gives the host access to bytes of coarse-grained memory until `enqueueSvmUnmap`; they are the event's result. */
  enqueueSvmMap(
    svm: Svm,
    mode: MapMode = 'read-write',
    options: ByteRange & CommandOptions = {},
  ): Event<Uint8Array> {
    return enqueueSvmMap(this, svm, mode, options);
  }

  /** Unmaps the memory, for the device to use. */
  enqueueSvmUnmap(svm: Svm, options: CommandOptions = {}): Event {
    return enqueue(this, svmCommands.unmapSvm(svm), options);
  }

  /** Copies bytes to other shared memory or to an array (clEnqueueSVMMemcpy). */
  enqueueSvmCopy(from: Svm, to: Svm | ArrayBufferView, options: CopyRange & CommandOptions = {}): Event {
    return enqueueSvmCopy(this, from, to, options);
  }

  /** Repeats `pattern` over bytes of the memory (clEnqueueSVMMemFill). */
  enqueueSvmFill(svm: Svm, pattern: ArrayBufferView, options: ByteRange & CommandOptions = {}): Event {
    return enqueue(this, svmCommands.fillSvm(svm, pattern, options), options);
  }

  /** Frees memory once the earlier commands are complete. The script's object is released at once. */
  enqueueSvmFree(svms: readonly Svm[], options: CommandOptions = {}): Event {
    const event = enqueue(this, svmCommands.freeSvm(svms), options);
    for (const svm of svms) disownMemory(svm);
    return event;
  }

  /** Moves shared memory to this queue's device, or with `toHost` to the host, ahead of its use (clEnqueueSVMMigrateMem). */
  enqueueSvmMigrate(svms: readonly Svm[], options: MigrateOptions & CommandOptions = {}): Event {
    return enqueue(this, svmCommands.migrateSvm(svms, options), options);
  }

  /** Later commands of the queue wait until the semaphores are signalled (cl_khr_semaphore). */
  enqueueWaitSemaphores(
    semaphores: readonly Semaphore[],
    options: SemaphorePayloads & CommandOptions = {},
  ): Event {
    return enqueueExtension(this, semaphoreCommand('waitSemaphores', semaphores, options), options);
  }

  /** Signals the semaphores when the earlier commands are complete (cl_khr_semaphore). */
  enqueueSignalSemaphores(
    semaphores: readonly Semaphore[],
    options: SemaphorePayloads & CommandOptions = {},
  ): Event {
    return enqueueExtension(this, semaphoreCommand('signalSemaphores', semaphores, options), options);
  }

  /** Moves memory to this queue's device, or with `toHost` to the host, ahead of its use. */
  enqueueMigrate(memories: readonly MemoryObject[], options: MigrateOptions & CommandOptions = {}): Event {
    return enqueue(this, svmCommands.migrateMemory(memories, options), options);
  }

  /**
   * Runs a function of the script as a command (clEnqueueNativeKernel), after the commands before it; it gets the bytes
   * of each buffer. Only devices that run on the host's processor support this (`EXECUTION_CAPABILITIES`).
   */
  enqueueNativeKernel(
    run: NativeKernel,
    buffers: readonly Buffer[] = [],
    options: CommandOptions = {},
  ): Event {
    return enqueueNativeKernel(this, run, buffers, options);
  }

  /**
   * Acquires memory that another API owns, so that later commands may use it: `external` (such as Vulkan,
   * cl_khr_external_memory), `gl` or `egl`.
   */
  enqueueAcquire(memories: readonly MemoryObject[], owner: Owner, options: CommandOptions = {}): Event {
    return enqueueExtension(this, exchange('acquire', memories, owner), options);
  }

  /** Releases it to that API when the earlier commands are complete. */
  enqueueRelease(memories: readonly MemoryObject[], owner: Owner, options: CommandOptions = {}): Event {
    return enqueueExtension(this, exchange('release', memories, owner), options);
  }

  /**
   * Changes properties of the queue after its creation (clSetCommandQueueProperty). Only OpenCL 1.0 drivers can.
   * @throws OpenCLError INVALID_OPERATION with later versions
   */
  setProperty(property: 'out-of-order' | 'profiling', on: boolean): void {
    setQueueProperty(this, property, on);
  }

  /** An event that completes when all earlier commands are complete, or those of `waitFor` if it is given. */
  enqueueMarker(options: CommandOptions = {}): Event {
    return enqueueMarker(this, options);
  }

  /** A marker that later commands wait for. */
  enqueueBarrier(options: CommandOptions = {}): Event {
    return enqueue(this, { op: 'barrier' }, options);
  }

  /**
   * Submits the commands that `record` enqueues to the device together, which is faster than one by one. None of them may
   * have an event: `enqueueNDRange(kernel, range, { event: false })`.
   */
  batch(record: () => void): void {
    const queue = this[handleFor]('clEnqueueNDRangeKernel');
    if (queue.batch) queue.batch(record);
    else record();
  }

  /**
   * Ends all commands of the queue that are not complete, those that run included: they fail with COMMAND_TERMINATED. The queue
   * can be used on; its next commands start when the ended ones have really ended.
   * @throws OpenCLError INVALID_OPERATION on drivers, which cannot end commands
   */
  terminate(): void {
    const functionName = 'clTerminateContextKHR';
    terminateQueue(this[handleFor](functionName), this.device.name, functionName);
  }

  /** Submits all enqueued commands to the device without waiting. */
  flush(): void {
    this[handleFor]('clFlush').flush();
  }

  /** Resolves when all enqueued commands are complete. */
  finish({ signal }: Waiting = {}): Promise<void> {
    const queue = this[handleFor]('clFinish');
    return signal ? unlessAborted(() => queue.finish(), signal) : queue.finish();
  }

  /** Blocks the thread until all enqueued commands are complete. */
  finishSync(): void {
    try {
      if (!(#backend in Object(this))) throw illegalReceiver(this, 'CommandQueue.finishSync');
      this[handleFor]('clFinish').finishSync();
    } catch (error) {
      throwFrom(CommandQueue.prototype.finishSync, error);
    }
  }

  /** Waits for all commands, then releases the queue: `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.released) return;
    await this.finish();
    this.release();
  }
}

guard('CommandQueue', CommandQueue);
