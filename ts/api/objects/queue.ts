// SPDX-License-Identifier: MIT

import type { BackendEvent } from '../../backend/backend-objects';
import type { BackendQueue } from '../../backend/backend-queue';
import type { BackendMapping, Command, CoreOp, ExtensionOp } from '../../backend/command';
import { ErrorCode, QueueFlags } from '../../cl/constants.gen';
import { queueInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import {
  type ByteRange,
  bufferMap,
  type CopyRange,
  copyBuffer,
  copyBufferRect,
  fillBuffer,
  readBuffer,
  readBufferRect,
  writeBuffer,
  writeBufferRect,
} from '../commands/buffers';
import { EXCHANGES, type Owner } from '../commands/exchange';
import {
  type Color,
  copyBufferToImage,
  copyImage,
  copyImageToBuffer,
  fillImage,
  imageBox,
  readImage,
  writeImage,
} from '../commands/images';
import { launch, noOptions, saysNoEvent } from '../commands/launch';
import { type SemaphorePayloads, semaphoreCommand } from '../commands/semaphores';
import {
  copySvm,
  fillSvm,
  freeSvm,
  type MigrateOptions,
  mapSvm,
  migrateSvm,
  migrationFlags,
} from '../commands/svm';
import type { TypedArray, TypedArrayConstructor } from '../data/element-types';
import { ifNotDetached, ifSourceNotDetached, MAP_FLAGS, type MapMode, type Rect } from '../data/transfers';
import type { Calls } from '../errors/call-site';
import { throwFrom } from '../errors/caller-stack';
import { type InfoOf, queryInfo } from '../info/info';
import { unlessAborted, type Waiting } from '../options/abort';
import { checkRangeNames, type Range } from '../options/range';
import { type Buffer, Mapping, type MemoryObject } from './buffer';
import type { Context } from './context';
import type { Device } from './device';
import { Event, waitList } from './event';
import type { Image, ImageRegion } from './image';
import type { Kernel } from './kernel';
import { Handle, illegalReceiver, unsupported } from './lifetime';
import type { Semaphore } from './semaphore';
import type { Svm } from './svm';

/** Properties by name, without `CL_QUEUE_`. */
export type QueueInfo = InfoOf<typeof queueInfo, { CONTEXT: Context; DEVICE: Device }>;

export interface CommandOptions {
  /** Commands that must complete first, on this queue or any other of the context. */
  readonly waitFor?: readonly Event<unknown>[];
}

/** Options of kernel launches. */
export interface LaunchOptions extends CommandOptions {
  /** With `false` there is no event, which is cheaper where only `finish` is waited for. */
  readonly event?: boolean;
}

/** A function of the script as a command: `memories` are valid until it returns. */
export type NativeKernel = (memories: readonly Uint8Array[]) => void;

/** Commands for one device, run in the order of enqueueing unless the queue was made out-of-order. */
export class CommandQueue extends Handle<BackendQueue> {
  /** The handle again: V8 reads a private field of one class several times faster than one that all objects share. */
  #backend: BackendQueue | undefined;

  /** @internal */
  constructor(
    handle: BackendQueue,
    readonly context: Context,
    readonly device: Device,
    readonly outOfOrder: boolean,
    readonly profiling: boolean,
  ) {
    super(handle, ErrorCode.INVALID_COMMAND_QUEUE);
    this.#backend = handle;
  }

  /** @internal */
  override handleFor(functionName: string): BackendQueue {
    return this.#backend ?? super.handleFor(functionName);
  }

  override release(): void {
    super.release();
    this.#backend = undefined;
  }

  /** @internal */
  override argumentFor(functionName: string): BackendQueue {
    const handle = this.handleFor(functionName);
    if ((Number(this.info('PROPERTIES')) & QueueFlags.ON_DEVICE) !== 0) return handle;
    const detail = 'a kernel takes queues on the device only; this CommandQueue is on the host';
    throw new OpenCLError(ErrorCode.INVALID_DEVICE_QUEUE, functionName, detail);
  }

  info<K extends keyof QueueInfo>(key: K): QueueInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof QueueInfo | number): unknown {
    const read = (param: number) => this.handleFor('clGetCommandQueueInfo').info(param);
    const own = { CONTEXT: this.context, DEVICE: this.device };
    return queryInfo(queueInfo, key, 'clGetCommandQueueInfo', read, own);
  }

  /**
   * Runs a kernel with the arguments it has been given (clEnqueueNDRangeKernel). With `event: false` it returns no event,
   * which is cheaper.
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
      if (!(#event in Object(this))) throw illegalReceiver(this, 'CommandQueue.enqueueNDRange');
      checkRangeNames(range, functionName);
      if (options === noOptions || !saysNoEvent(options, functionName))
        return this.enqueueRun(kernel, range, options);
      const waits = options.waitFor === undefined ? noOptions : options;
      launch(this, functionName, kernel, range, waits, false);
      return undefined;
    } catch (error) {
      throwFrom(CommandQueue.prototype.enqueueNDRange, error);
    }
  }

  /** @internal The same of options whose names are known to be right, which may be more. */
  enqueueRun(kernel: Kernel, range: Range, options: CommandOptions): Event {
    const functionName = 'clEnqueueNDRangeKernel';
    const event = launch(this, functionName, kernel, range, options, true);
    return this.#event(event, functionName, undefined, kernel.runs);
  }

  /** Runs a kernel once, as a single work-item (clEnqueueTask). */
  enqueueTask(kernel: Kernel, options: CommandOptions = {}): Event {
    return this.enqueueNDRange(kernel, { global: 1, local: 1 }, options);
  }

  /** Copies bytes from byte `offset` of a buffer on into `into`, which is also the event's result. */
  enqueueRead<T extends ArrayBufferView>(
    source: Buffer,
    into: T,
    options: { offset?: number } & CommandOptions = {},
  ): Event<T> {
    const functionName = 'clEnqueueReadBuffer';
    const command = readBuffer(source, into, options, functionName);
    return this.#enqueue(command, functionName, options, ifNotDetached(into, 'wrote to it', functionName));
  }

  /** Copies the bytes of `from` into a buffer from byte `offset` on. They must not change until the event is complete. */
  enqueueWrite(
    target: Buffer,
    from: ArrayBufferView,
    options: { offset?: number } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueWriteBuffer';
    const command = writeBuffer(target, from, options, functionName);
    return this.#enqueue(command, functionName, options, ifSourceNotDetached(from, functionName));
  }

  /** Reads a box out of a buffer (clEnqueueReadBufferRect); origins and region are [bytes, rows, slices]. */
  enqueueReadRect<T extends ArrayBufferView>(
    source: Buffer,
    into: T,
    rect: Rect,
    options: CommandOptions = {},
  ): Event<T> {
    const functionName = 'clEnqueueReadBufferRect';
    const command = readBufferRect(source, into, rect, functionName);
    return this.#enqueue(command, functionName, options, ifNotDetached(into, 'wrote to it', functionName));
  }

  /** Writes a box of a buffer (clEnqueueWriteBufferRect); origins and region are [bytes, rows, slices]. */
  enqueueWriteRect(target: Buffer, from: ArrayBufferView, rect: Rect, options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueWriteBufferRect';
    return this.#enqueue(writeBufferRect(target, from, rect, functionName), functionName, options);
  }

  /** Copies bytes of a buffer to another, or to another part of itself; offsets and size are bytes. */
  enqueueCopy(from: Buffer, to: Buffer, options: CopyRange & CommandOptions = {}): Event {
    const functionName = 'clEnqueueCopyBuffer';
    return this.#enqueue(copyBuffer(from, to, options, functionName), functionName, options);
  }

  /** Copies a box between buffers (clEnqueueCopyBufferRect): `from` is the rectangle's `buffer…`, `to` its `host…`. */
  enqueueCopyRect(from: Buffer, to: Buffer, rect: Rect, options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueCopyBufferRect';
    return this.#enqueue(copyBufferRect(from, to, rect, functionName), functionName, options);
  }

  /** Repeats `pattern` (1, 2, 4, … 128 bytes) over bytes `offset` … `offset + size`, both multiples of its size. */
  enqueueFill(target: Buffer, pattern: ArrayBufferView, options: ByteRange & CommandOptions = {}): Event {
    const functionName = 'clEnqueueFillBuffer';
    return this.#enqueue(fillBuffer(target, pattern, options, functionName), functionName, options);
  }

  /** Maps a part of a buffer (bytes); the event's result is the mapping. */
  enqueueMap<T extends TypedArray>(
    buffer: Buffer<T>,
    mode: MapMode = 'read-write',
    options: ByteRange & CommandOptions = {},
  ): Event<Mapping<T>> {
    const functionName = 'clEnqueueMapBuffer';
    const memory = buffer.handleFor(functionName);
    const { flags, offset, size } = bufferMap(buffer as Buffer, mode, options, functionName);
    const waits = waitList(options.waitFor, functionName);
    const queue = this.handleFor(functionName);
    const { event, mapped } = queue.mapBuffer(memory, flags, offset, size, waits);
    return new Event(event, functionName, this.context, () => {
      const { bytes } = mapped;
      const length = Math.floor(size / buffer.type.BYTES_PER_ELEMENT);
      return new Mapping(buffer, this, mapped, new buffer.type(bytes.buffer, bytes.byteOffset, length));
    });
  }

  /** Copies pixels of an image to the host, row after row without gaps, into `into`, which is also the event's result. */
  enqueueReadImage<T extends ArrayBufferView>(
    source: Image,
    into: T,
    options: ImageRegion & CommandOptions = {},
  ): Event<T> {
    const functionName = 'clEnqueueReadImage';
    const command = readImage(source, into, options, functionName);
    return this.#enqueue(command, functionName, options, ifNotDetached(into, 'wrote to it', functionName));
  }

  /** Copies pixels, row after row without gaps, into an image. They must not change until the event is complete. */
  enqueueWriteImage(target: Image, from: ArrayBufferView, options: ImageRegion & CommandOptions = {}): Event {
    const functionName = 'clEnqueueWriteImage';
    return this.#enqueue(writeImage(target, from, options, functionName), functionName, options);
  }

  /** Copies pixels to an image of the same format, or to another part of the image. */
  enqueueCopyImage(
    from: Image,
    to: Image,
    options: ImageRegion & { targetOrigin?: readonly number[] } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueCopyImage';
    return this.#enqueue(copyImage(from, to, options, functionName), functionName, options);
  }

  /** Fills pixels with one color: four floats, or four integers for integer formats. */
  enqueueFillImage(target: Image, color: Color, options: ImageRegion & CommandOptions = {}): Event {
    const functionName = 'clEnqueueFillImage';
    return this.#enqueue(fillImage(target, color, options, functionName), functionName, options);
  }

  /** Copies pixels without gaps into a buffer from byte `targetOffset` on. */
  enqueueCopyImageToBuffer(
    from: Image,
    to: Buffer,
    options: ImageRegion & { targetOffset?: number } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueCopyImageToBuffer';
    return this.#enqueue(copyImageToBuffer(from, to, options, functionName), functionName, options);
  }

  /** Copies pixels that follow each other without gaps out of a buffer from byte `sourceOffset` on. */
  enqueueCopyBufferToImage(
    from: Buffer,
    to: Image,
    options: ImageRegion & { sourceOffset?: number } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueCopyBufferToImage';
    return this.#enqueue(copyBufferToImage(from, to, options, functionName), functionName, options);
  }

  /** Maps a box of pixels; the event's result is the mapping. Its rows begin `mapping.rowPitch` bytes apart. */
  enqueueMapImage<T extends TypedArray>(
    image: Image<T>,
    mode: MapMode = 'read-write',
    options: ImageRegion & CommandOptions = {},
  ): Event<Mapping<T>> {
    const functionName = 'clEnqueueMapImage';
    const { origin, region } = imageBox(image as Image, options, functionName);
    const memory = image.handleFor(functionName);
    const waits = waitList(options.waitFor, functionName);
    const queue = this.handleFor(functionName);
    const { event, mapped } = queue.mapImage(memory, MAP_FLAGS[mode], origin, region, waits);
    return new Event(event, functionName, this.context, () => {
      const { bytes } = mapped;
      const array = image.format.array as unknown as TypedArrayConstructor<T>;
      const length = Math.floor(bytes.byteLength / array.BYTES_PER_ELEMENT);
      return new Mapping(image, this, mapped, new array(bytes.buffer, bytes.byteOffset, length));
    });
  }

  /** Makes bytes of coarse-grained memory the host's until `enqueueSvmUnmap`; they are the event's result. */
  enqueueSvmMap(
    svm: Svm,
    mode: MapMode = 'read-write',
    options: ByteRange & CommandOptions = {},
  ): Event<Uint8Array> {
    const functionName = 'clEnqueueSVMMap';
    const command = mapSvm(svm, mode, options, functionName);
    const { offset, size } = command;
    const bytes = () => command.svm.bytes.subarray(offset, offset + size);
    return this.#enqueue(command, functionName, options, bytes);
  }

  /** Gives mapped memory back to the device. */
  enqueueSvmUnmap(svm: Svm, options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueSVMUnmap';
    return this.#enqueue({ op: 'svmUnmap', svm: svm.svmFor(functionName) }, functionName, options);
  }

  /** Copies bytes to other shared memory or to an array (clEnqueueSVMMemcpy). */
  enqueueSvmCopy(from: Svm, to: Svm | ArrayBufferView, options: CopyRange & CommandOptions = {}): Event {
    const functionName = 'clEnqueueSVMMemcpy';
    const command = copySvm(from, to, options, functionName);
    const check = ArrayBuffer.isView(to) ? ifNotDetached(to, 'wrote to it', functionName) : undefined;
    return this.#enqueue(command, functionName, options, check && (() => void check()));
  }

  /** Repeats `pattern` over bytes of the memory (clEnqueueSVMMemFill). */
  enqueueSvmFill(svm: Svm, pattern: ArrayBufferView, options: ByteRange & CommandOptions = {}): Event {
    const functionName = 'clEnqueueSVMMemFill';
    return this.#enqueue(fillSvm(svm, pattern, options, functionName), functionName, options);
  }

  /** Frees memory once the earlier commands are complete. It is released at once for the script. */
  enqueueSvmFree(svms: readonly Svm[], options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueSVMFree';
    const event = this.#enqueue(freeSvm(svms, functionName), functionName, options);
    for (const svm of svms) svm.disown();
    return event;
  }

  /** Moves shared memory to this queue's device, or with `toHost` to the host, ahead of its use (clEnqueueSVMMigrateMem). */
  enqueueSvmMigrate(svms: readonly Svm[], options: MigrateOptions & CommandOptions = {}): Event {
    const functionName = 'clEnqueueSVMMigrateMem';
    return this.#enqueue(migrateSvm(svms, options, functionName), functionName, options);
  }

  /** Later commands of the queue wait until the semaphores are signalled (cl_khr_semaphore). */
  enqueueWaitSemaphores(
    semaphores: readonly Semaphore[],
    options: SemaphorePayloads & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueWaitSemaphoresKHR';
    return this.#enqueueSemaphores('waitSemaphores', semaphores, functionName, options);
  }

  /** Signals the semaphores when the earlier commands are complete (cl_khr_semaphore). */
  enqueueSignalSemaphores(
    semaphores: readonly Semaphore[],
    options: SemaphorePayloads & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueSignalSemaphoresKHR';
    return this.#enqueueSemaphores('signalSemaphores', semaphores, functionName, options);
  }

  #enqueueSemaphores(
    op: 'waitSemaphores' | 'signalSemaphores',
    semaphores: readonly Semaphore[],
    functionName: string,
    options: SemaphorePayloads & CommandOptions,
  ): Event {
    if (!this.handleFor(functionName).supports(op)) throw unsupported(functionName, 'cl_khr_semaphore');
    return this.#enqueue(semaphoreCommand(op, semaphores, options, functionName), functionName, options);
  }

  /** @internal Mapping.unmap is the way to it. */
  enqueueUnmap(memory: MemoryObject, mapped: BackendMapping, options: CommandOptions): Event {
    const functionName = 'clEnqueueUnmapMemObject';
    const command = { op: 'unmap', memory: memory.handleFor(functionName), mapping: mapped } as const;
    return this.#enqueue(command, functionName, options);
  }

  /** Moves memory to this queue's device, or with `toHost` to the host, ahead of its use. */
  enqueueMigrate(memories: readonly MemoryObject[], options: MigrateOptions & CommandOptions = {}): Event {
    const functionName = 'clEnqueueMigrateMemObjects';
    if (memories.length === 0)
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'there is nothing to migrate');
    const handles = memories.map((memory) => memory.handleFor(functionName));
    const command = { op: 'migrate', memories: handles, flags: migrationFlags(options) } as const;
    return this.#enqueue(command, functionName, options);
  }

  /**
   * Runs a function of the script as a command (clEnqueueNativeKernel), when those before it are done; it gets the
   * bytes of each buffer. Only devices that run on the host's processor can (`EXECUTION_CAPABILITIES`).
   */
  enqueueNativeKernel(
    run: NativeKernel,
    buffers: readonly Buffer[] = [],
    options: CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueNativeKernel';
    const queue = this.handleFor(functionName);
    if (!queue.enqueueNativeKernel) throw unsupported(functionName, 'a device that executes native kernels');
    if (typeof run !== 'function')
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'a native kernel is a function');
    const memories = buffers.map((buffer) => buffer.handleFor(functionName));
    return this.#event(
      queue.enqueueNativeKernel(run, memories, waitList(options.waitFor, functionName)),
      functionName,
    );
  }

  /**
   * Takes memory that another API owns, so that commands behind this one may use it: `external` (Vulkan and the like,
   * cl_khr_external_memory), `gl` or `egl`.
   */
  enqueueAcquire(memories: readonly MemoryObject[], owner: Owner, options: CommandOptions = {}): Event {
    return this.#exchange('acquire', memories, owner, options);
  }

  /** Gives it back to that API when the commands before are done. */
  enqueueRelease(memories: readonly MemoryObject[], owner: Owner, options: CommandOptions = {}): Event {
    return this.#exchange('release', memories, owner, options);
  }

  #exchange(
    way: 'acquire' | 'release',
    memories: readonly MemoryObject[],
    owner: Owner,
    options: CommandOptions,
  ): Event {
    const { needs, [way]: exchange } = EXCHANGES[owner];
    const { op, functionName } = exchange;
    const handles = memories.map((memory) => memory.handleFor(functionName));
    if (!this.handleFor(functionName).supports(op)) throw unsupported(functionName, needs);
    return this.#enqueue({ op, memories: handles }, functionName, options);
  }

  /**
   * Changes how the queue works after its creation (clSetCommandQueueProperty): OpenCL 1.0 drivers alone can.
   * @throws OpenCLError INVALID_OPERATION on every later one
   */
  setProperty(property: 'out-of-order' | 'profiling', on: boolean): void {
    const functionName = 'clSetCommandQueueProperty';
    const queue = this.handleFor(functionName);
    if (!queue.setProperty) throw unsupported(functionName, 'OpenCL 1.0, which later versions took back');
    const { OUT_OF_ORDER_EXEC_MODE_ENABLE, PROFILING_ENABLE } = QueueFlags;
    queue.setProperty(property === 'profiling' ? PROFILING_ENABLE : OUT_OF_ORDER_EXEC_MODE_ENABLE, on);
  }

  /** An event that completes when everything enqueued before it has, or `waitFor` if given. */
  enqueueMarker(options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueMarkerWithWaitList';
    return new Event(
      this.handleFor(functionName).marker(waitList(options.waitFor, functionName)),
      functionName,
      this.context,
    );
  }

  /** As a marker, and later commands wait for it too. */
  enqueueBarrier(options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueBarrierWithWaitList';
    return this.#enqueue({ op: 'barrier' }, functionName, options);
  }

  /**
   * Hands the commands that `record` enqueues to the device together, which is faster than one by one. None may
   * want an event: `enqueueNDRange(kernel, range, { event: false })`.
   */
  batch(record: () => void): void {
    const queue = this.handleFor('clEnqueueNDRangeKernel');
    if (queue.batch) queue.batch(record);
    else record();
  }

  /** Hands what was enqueued to the device without waiting. */
  flush(): void {
    this.handleFor('clFlush').flush();
  }

  /** Resolves when everything enqueued before has completed. */
  finish({ signal }: Waiting = {}): Promise<void> {
    const queue = this.handleFor('clFinish');
    return signal ? unlessAborted(() => queue.finish(), signal) : queue.finish();
  }

  /** Blocks the thread until everything enqueued before has completed. */
  finishSync(): void {
    try {
      if (!(#event in Object(this))) throw illegalReceiver(this, 'CommandQueue.finishSync');
      this.handleFor('clFinish').finishSync();
    } catch (error) {
      throwFrom(CommandQueue.prototype.finishSync, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.released) return;
    await this.finish();
    this.release();
  }

  #enqueue<T = void>(
    command: Command<CoreOp | ExtensionOp>,
    functionName: string,
    options: CommandOptions,
    result?: () => T,
  ): Event<T> {
    const waits = waitList(options.waitFor, functionName);
    return this.#event(this.handleFor(functionName).enqueue(command, waits, true), functionName, result);
  }

  #event<T = void>(
    handle: BackendEvent | undefined,
    functionName: string,
    result?: () => T,
    runs?: Calls,
  ): Event<T> {
    if (handle === undefined)
      throw new OpenCLError(ErrorCode.OUT_OF_RESOURCES, functionName, 'no event was made');
    return new Event(handle, functionName, this.context, result, runs);
  }
}
