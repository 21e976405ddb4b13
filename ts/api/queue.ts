// SPDX-License-Identifier: MIT

import type { BackendEvent } from '../backend/backend';
import type { BackendQueue } from '../backend/backend-queue';
import { ErrorCode, MapFlags, MemFlags, QueueFlags } from '../backend/cl.gen';
import type { BackendMapping, ExtensionOp } from '../backend/command';
import { queueInfo } from '../backend/info-keys.gen';
import { OpenCLError } from '../backend/opencl-error';
import { unlessAborted, type Waiting } from './abort';
import { type Buffer, Mapping, type MemoryObject } from './buffer';
import type { Calls } from './call-site';
import { throwFrom } from './caller-stack';
import type { Context } from './context';
import type { Device } from './device';
import type { TypedArray } from './element-types';
import { Event, waitList, waitListOf } from './event';
import { type InfoOf, queryInfo } from './info';
import { Kernel } from './kernel';
import { calledOn, lacks, Owned, ofAnotherContext } from './lifetime';
import { unknownName, unknownNameDetail } from './option-names';
import { checkRange, checkRangeNames, type Range } from './range';
import {
  checkHostAccess,
  checkSpan,
  checkView,
  MAP_FLAGS,
  patternBytes,
  type Rect,
  rectLayout,
  sourceStillThere,
  whenStillThere,
} from './transfers';

/** Properties by name, without `CL_QUEUE_`. */
export type QueueInfo = InfoOf<typeof queueInfo, { CONTEXT: Context; DEVICE: Device }>;

export interface CommandOptions {
  /** Commands that must complete first, on this queue or any other of the context. */
  readonly waitFor?: readonly Event<unknown>[];
}

/** Known without a look into it. */
const noOptions: CommandOptions = Object.freeze({});

/** A part of a buffer, in bytes. */
export interface ByteRange {
  readonly offset?: number;
  readonly size?: number;
}

export type MapMode = 'read' | 'write' | 'read-write' | 'write-invalidate';

/** A function of the script as a command: `memories` are valid until it returns. */
export type NativeKernel = (memories: readonly Uint8Array[]) => void;

/** Another API that owns memory which this one uses too. */
export type Owner = 'external' | 'gl' | 'egl';

type ExchangeOp = Exclude<ExtensionOp, 'waitSemaphores' | 'signalSemaphores'>;

/** For each owner: the commands that take memory from it and give it back, their functions, and the extension. */
const EXCHANGES: Readonly<
  Record<
    Owner,
    Readonly<Record<'acquire' | 'release', { op: ExchangeOp; functionName: string }>> & { needs: string }
  >
> = {
  external: {
    acquire: { op: 'acquireExternal', functionName: 'clEnqueueAcquireExternalMemObjectsKHR' },
    release: { op: 'releaseExternal', functionName: 'clEnqueueReleaseExternalMemObjectsKHR' },
    needs: 'cl_khr_external_memory',
  },
  gl: {
    acquire: { op: 'acquireGl', functionName: 'clEnqueueAcquireGLObjects' },
    release: { op: 'releaseGl', functionName: 'clEnqueueReleaseGLObjects' },
    needs: 'cl_khr_gl_sharing',
  },
  egl: {
    acquire: { op: 'acquireEgl', functionName: 'clEnqueueAcquireEGLObjectsKHR' },
    release: { op: 'releaseEgl', functionName: 'clEnqueueReleaseEGLObjectsKHR' },
    needs: 'cl_khr_egl_image',
  },
};

/** What both ways to run a kernel do. Apart from the event, so that V8 makes that in one go: it takes only so much code together. */
function launch(
  queue: CommandQueue,
  functionName: string,
  kernel: Kernel,
  range: Range,
  options: CommandOptions,
  wantEvent: boolean,
): BackendEvent | undefined {
  const sizes = checkRange(range, functionName);
  const target = Kernel.handleOf(kernel, functionName);
  const { program } = kernel;
  if (program.context !== queue.context) refuseForeign(functionName);
  program.checkBuiltFor(queue.device, functionName);
  kernel.checkArgumentsSet(functionName);
  const waits = options === noOptions ? undefined : waitListOf(options, queue.context, functionName);
  return queue.handleFor(functionName).enqueueKernel(target, sizes, waits, wantEvent);
}

const COMMAND_NAMES = { waitFor: true } as const;

function checkCommandNames(options: CommandOptions, functionName: string): void {
  const unknown = typeof options === 'object' && options ? unknownName(options, COMMAND_NAMES) : undefined;
  if (unknown === undefined) return;
  const detail = `\`options.${unknown}\` ${unknownNameDetail(unknown, Object.keys(COMMAND_NAMES))}`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

function refuseForeign(functionName: string): never {
  throw new OpenCLError(ErrorCode.INVALID_CONTEXT, functionName, `\`kernel\` ${ofAnotherContext('Kernel')}`);
}

/** Commands for one device, run in the order of enqueueing unless the queue was made out-of-order. */
export class CommandQueue extends Owned<BackendQueue> {
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
   * Runs a kernel with the arguments it has been given (clEnqueueNDRangeKernel).
   * @throws OpenCLError INVALID_KERNEL_ARGS if one is missing, INVALID_WORK_GROUP_SIZE if the local size does not fit
   */
  enqueueNDRange(kernel: Kernel, range: Range, options: CommandOptions = noOptions): Event {
    try {
      const functionName = 'clEnqueueNDRangeKernel';
      if (!(#event in Object(this))) throw calledOn(this, 'CommandQueue.enqueueNDRange');
      checkRangeNames(range, functionName);
      if (options !== noOptions) checkCommandNames(options, functionName);
      return this.enqueueRun(kernel, range, options);
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

  /** As enqueueNDRange, without an event: cheaper where only `finish` is waited for. */
  submitNDRange(kernel: Kernel, range: Range): void {
    try {
      if (!(#event in Object(this))) throw calledOn(this, 'CommandQueue.submitNDRange');
      checkRangeNames(range, 'clEnqueueNDRangeKernel');
      launch(this, 'clEnqueueNDRangeKernel', kernel, range, noOptions, false);
    } catch (error) {
      throwFrom(CommandQueue.prototype.submitNDRange, error);
    }
  }

  /** Runs a kernel once, as a single work-item (clEnqueueTask). */
  enqueueTask(kernel: Kernel, options: CommandOptions = {}): Event {
    return this.enqueueNDRange(kernel, { global: 1, local: 1 }, options);
  }

  /** Copies bytes `offset` … of a buffer into `into`, which is also the event's result. */
  enqueueRead<T extends ArrayBufferView>(
    source: Buffer,
    into: T,
    options: { offset?: number } & CommandOptions = {},
  ): Event<T> {
    const functionName = 'clEnqueueReadBuffer';
    const from = source.handleFor(functionName);
    const offset = options.offset ?? 0;
    checkView(into, functionName);
    checkSpan(offset, into.byteLength, source, functionName);
    checkHostAccess(source, MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS, 'read', functionName);
    const queue = this.handleFor(functionName);
    return this.#event(
      queue.enqueue(
        { op: 'readBuffer', buffer: from, offset, into },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
      whenStillThere(into, 'wrote to it', functionName),
    );
  }

  enqueueWrite(
    target: Buffer,
    from: ArrayBufferView,
    options: { offset?: number } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueWriteBuffer';
    const to = target.handleFor(functionName);
    const offset = options.offset ?? 0;
    checkView(from, functionName);
    checkSpan(offset, from.byteLength, target, functionName);
    checkHostAccess(target, MemFlags.HOST_READ_ONLY | MemFlags.HOST_NO_ACCESS, 'written', functionName);
    const queue = this.handleFor(functionName);
    return this.#event(
      queue.enqueue(
        { op: 'writeBuffer', buffer: to, offset, from },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
      sourceStillThere(from, functionName),
    );
  }

  /** Reads a box out of a buffer (clEnqueueReadBufferRect); origins and region are [bytes, rows, slices]. */
  enqueueReadRect<T extends ArrayBufferView>(
    source: Buffer,
    into: T,
    rect: Rect,
    options: CommandOptions = {},
  ): Event<T> {
    const functionName = 'clEnqueueReadBufferRect';
    const from = source.handleFor(functionName);
    checkView(into, functionName);
    const layout = rectLayout(rect, source.size, into.byteLength, functionName);
    checkHostAccess(source, MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS, 'read', functionName);
    return this.#event(
      this.handleFor(functionName).enqueue(
        { op: 'readBufferRect', buffer: from, into, rect: layout },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
      whenStillThere(into, 'wrote to it', functionName),
    );
  }

  enqueueWriteRect(target: Buffer, from: ArrayBufferView, rect: Rect, options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueWriteBufferRect';
    const to = target.handleFor(functionName);
    checkView(from, functionName);
    const layout = rectLayout(rect, target.size, from.byteLength, functionName);
    checkHostAccess(target, MemFlags.HOST_READ_ONLY | MemFlags.HOST_NO_ACCESS, 'written', functionName);
    return this.#event(
      this.handleFor(functionName).enqueue(
        { op: 'writeBufferRect', buffer: to, from, rect: layout },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
    );
  }

  enqueueCopy(
    from: Buffer,
    to: Buffer,
    options: { offset?: number; targetOffset?: number; size?: number } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueCopyBuffer';
    const source = from.handleFor(functionName);
    const target = to.handleFor(functionName);
    const offset = options.offset ?? 0;
    const targetOffset = options.targetOffset ?? 0;
    const size = options.size ?? from.size - offset;
    checkSpan(offset, size, from, functionName);
    checkSpan(targetOffset, size, to, functionName);
    const start = from.origin + offset;
    const targetStart = to.origin + targetOffset;
    const shared = (from.parent ?? from) === (to.parent ?? to);
    if (shared && start < targetStart + size && targetStart < start + size) {
      throw new OpenCLError(
        ErrorCode.MEM_COPY_OVERLAP,
        functionName,
        'source and target overlap in one buffer',
      );
    }
    return this.#event(
      this.handleFor(functionName).enqueue(
        { op: 'copyBuffer', from: source, to: target, fromOffset: offset, toOffset: targetOffset, size },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
    );
  }

  enqueueCopyRect(from: Buffer, to: Buffer, rect: Rect, options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueCopyBufferRect';
    const source = from.handleFor(functionName);
    const target = to.handleFor(functionName);
    const layout = rectLayout(rect, from.size, to.size, functionName);
    return this.#event(
      this.handleFor(functionName).enqueue(
        { op: 'copyBufferRect', from: source, to: target, rect: layout },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
    );
  }

  /** Repeats `pattern` (1, 2, 4, … 128 bytes) over bytes `offset` … `offset + size`, both multiples of its size. */
  enqueueFill(target: Buffer, pattern: ArrayBufferView, options: ByteRange & CommandOptions = {}): Event {
    const functionName = 'clEnqueueFillBuffer';
    const to = target.handleFor(functionName);
    const offset = options.offset ?? 0;
    const size = options.size ?? target.size - offset;
    checkSpan(offset, size, target, functionName);
    const bytes = patternBytes(pattern, offset, size, functionName);
    return this.#event(
      this.handleFor(functionName).enqueue(
        { op: 'fillBuffer', buffer: to, pattern: bytes, offset, size },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
    );
  }

  /** Maps a part of a buffer (bytes); the event's result is the mapping. */
  enqueueMap<T extends TypedArray>(
    buffer: Buffer<T>,
    mode: MapMode,
    options: ByteRange & CommandOptions = {},
  ): Event<Mapping<T>> {
    const functionName = 'clEnqueueMapBuffer';
    const memory = buffer.handleFor(functionName);
    const offset = options.offset ?? 0;
    const size = options.size ?? buffer.size - offset;
    const flags = MAP_FLAGS[mode];
    checkSpan(offset, size, buffer as Buffer, functionName);
    if (flags & MapFlags.READ) {
      checkHostAccess(
        buffer,
        MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS,
        'mapped for reading',
        functionName,
      );
    }
    if (flags & (MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION)) {
      checkHostAccess(
        buffer,
        MemFlags.HOST_READ_ONLY | MemFlags.HOST_NO_ACCESS,
        'mapped for writing',
        functionName,
      );
    }
    const { event, mapped } = this.handleFor(functionName).mapBuffer(
      memory,
      flags,
      offset,
      size,
      waitList(options.waitFor, functionName),
    );
    return new Event(event, functionName, this.context, () => {
      const { bytes } = mapped;
      const data = new buffer.type(
        bytes.buffer,
        bytes.byteOffset,
        Math.floor(size / buffer.type.BYTES_PER_ELEMENT),
      );
      return new Mapping(buffer, this, mapped, data);
    });
  }

  /** @internal Mapping.unmap is the way to it. */
  enqueueUnmap(memory: MemoryObject, mapped: BackendMapping, options: CommandOptions): Event {
    const functionName = 'clEnqueueUnmapMemObject';
    const handle = memory.handleFor(functionName);
    return this.#event(
      this.handleFor(functionName).enqueue(
        { op: 'unmap', memory: handle, mapping: mapped },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
    );
  }

  /** Moves memory to this queue's device, or with `toHost` to the host, ahead of its use. */
  enqueueMigrate(
    memories: readonly MemoryObject[],
    options: { toHost?: boolean; contentUndefined?: boolean } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueMigrateMemObjects';
    if (memories.length === 0)
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'there is nothing to migrate');
    const handles = memories.map((memory) => memory.handleFor(functionName));
    const flags = (options.toHost ? 1 : 0) | (options.contentUndefined ? 2 : 0);
    return this.#event(
      this.handleFor(functionName).enqueue(
        { op: 'migrate', memories: handles, flags },
        waitList(options.waitFor, functionName),
        true,
      ),
      functionName,
    );
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
    if (!queue.enqueueNativeKernel) throw lacks(functionName, 'a device that executes native kernels');
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
    const queue = this.handleFor(functionName);
    const handles = memories.map((memory) => memory.handleFor(functionName));
    if (!queue.supports(op)) throw lacks(functionName, needs);
    const waits = waitList(options.waitFor, functionName);
    return this.#event(queue.enqueue({ op, memories: handles }, waits, true), functionName);
  }

  /**
   * Changes how the queue works after its creation (clSetCommandQueueProperty): OpenCL 1.0 drivers alone can.
   * @throws OpenCLError INVALID_OPERATION on every later one
   */
  setProperty(property: 'out-of-order' | 'profiling', on: boolean): void {
    const functionName = 'clSetCommandQueueProperty';
    const queue = this.handleFor(functionName);
    if (!queue.setProperty) throw lacks(functionName, 'OpenCL 1.0, which later versions took back');
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
    return this.#event(
      this.handleFor(functionName).enqueue({ op: 'barrier' }, waitList(options.waitFor, functionName), true),
      functionName,
    );
  }

  /**
   * Hands the commands that `record` enqueues to the device together, which is faster than one by one. They are
   * submitted with `submitNDRange`: none may want an event.
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
      if (!(#event in Object(this))) throw calledOn(this, 'CommandQueue.finishSync');
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
