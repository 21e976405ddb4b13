// SPDX-License-Identifier: MIT

import type { BackendCommandBuffer, RecordedCommand } from '../../backend/backend-command-buffer';
import type { BackendArgument } from '../../backend/backend-queue';
import type { RecordableCommand } from '../../backend/command';
import { CommandList } from '../../backend/command-list';
import { COMMANDS } from '../../backend/command-table';
import { CommandBufferFlags, CommandBufferProperty, ErrorCode } from '../../cl/constants.gen';
import { commandBufferInfo, mutableCommandInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { type ByteRange, type CopyRange, copyBuffer, copyBufferRect, fillBuffer } from '../commands/buffers';
import { type Color, copyBufferToImage, copyImage, copyImageToBuffer, fillImage } from '../commands/images';
import type { ImageRegion } from '../commands/operands';
import { copySvm, fillSvm } from '../commands/svm';
import type { Rect } from '../data/transfers';
import { unsupported } from '../errors/refusals';
import { type InfoOf, queryInfo } from '../info/info';
import { handleFor, kernelHandle, wrap } from '../internals';
import { checkRange, ownSizes, type Range, type Size } from '../options/range';
import type { Buffer } from './buffer';
import type { CommandOptions, StopOptions } from './command-options';
import type { Context } from './context';
import { noEvent } from './enqueue';
import { Event, waitList } from './event';
import { Handle } from './handle';
import type { Image } from './image';
import { Kernel } from './kernel';
import { backendArgument, checkIndex } from './kernel-argument';
import type { KernelValue } from './kernel-values';
import type { MemoryObject } from './memory-object';
import type { CommandQueue } from './queue';
import { applyStops, checkStops } from './stops';
import type { Svm } from './svm';

/** Properties by name, without `CL_COMMAND_BUFFER_` and `CL_MUTABLE_`. */
export type CommandBufferInfo = InfoOf<typeof commandBufferInfo, { QUEUES_KHR: readonly CommandQueue[] }>;
/** Properties of a recorded launch, without `CL_MUTABLE_` (clGetMutableCommandInfoKHR). */
export type MutableCommandInfo = InfoOf<
  typeof mutableCommandInfo,
  { DISPATCH_KERNEL_KHR: Kernel | undefined }
>;

/** A command in a command buffer: later commands can wait for it, and a mutable kernel launch can be changed. */
export interface Recorded {
  /** The function of OpenCL that recorded it. */
  readonly functionName: string;
}

/** The backend's identification of a recorded command. */
interface Recording extends RecordedCommand {
  readonly kernel?: Kernel | undefined;
}

/** Options of each recorded command. */
export interface RecordOptions {
  /** Commands of this buffer that must complete first; needed if the queue is out-of-order. */
  readonly after?: readonly Recorded[];
}

/** Options of `context.createCommandBuffer`. */
export interface CommandBufferOptions {
  /** It may be enqueued again before it is complete (CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR). */
  readonly simultaneousUse?: boolean;
  /** `update` will be used (CL_COMMAND_BUFFER_MUTABLE_KHR, cl_khr_command_buffer_mutable_dispatch). */
  readonly mutable?: boolean;
}

/** The changes that `update` makes to a kernel launch; absent members stay unchanged. */
export interface KernelChange {
  /** The new global size, in work-items. */
  readonly global?: Size;
  /** The new local size, in work-items. */
  readonly local?: Size;
  /** The new global offset, in work-items. */
  readonly offset?: Size;
  /** New values by the arguments' indices. */
  readonly args?: Readonly<Record<number, KernelValue>>;
}

/**
 * Commands recorded once and enqueued often (cl_khr_command_buffer): checks and marshalling happen only once, while
 * recording. Devices without command buffers replay the commands (`emulated`).
 *
 * @example
 * ```ts
 * const { twice } = (await cl.build('kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }')).kernels;
 * const x = cl.buffer(Float32Array.of(1, 2));
 * const commands = cl.context.createCommandBuffer();
 * commands.run(twice, { global: 2 }, x);
 * commands.run(twice, { global: 2 }, x);
 * commands.finalize();
 * await commands.enqueue();
 * console.log(await x.read());                     // Float32Array(2) [ 4, 8 ]
 * ```
 */
export class CommandBuffer extends Handle<BackendCommandBuffer> {
  readonly #queues: readonly CommandQueue[];
  /** Created with CL_COMMAND_BUFFER_MUTABLE_KHR. */
  readonly #isMutable: boolean;
  /** Keeps the objects that the commands use alive. */
  readonly #used: unknown[] = [];
  /** The buffer's own commands. Commands of other buffers cannot be waited for or changed here. */
  readonly #recorded = new WeakMap<Recorded, Recording>();
  /** The context that it belongs to. */
  readonly context: Context;

  /** @internal */
  static [wrap](queues: readonly CommandQueue[], options: CommandBufferOptions): CommandBuffer {
    const functionName = 'clCreateCommandBufferKHR';
    const [first] = queues;
    if (first === undefined)
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'a command buffer needs a queue');
    const handles = queues.map((queue) => queue[handleFor](functionName));
    const flags =
      (options.simultaneousUse ? CommandBufferFlags.SIMULTANEOUS_USE_KHR : 0) |
      (options.mutable ? CommandBufferFlags.MUTABLE_KHR : 0);
    const properties = flags === 0 ? [] : [BigInt(CommandBufferProperty.FLAGS_KHR), BigInt(flags)];
    const context = first.context[handleFor](functionName);
    const made = context.createCommandBuffer?.(handles, properties) ?? new CommandList(handles, properties);
    return new CommandBuffer(made, queues, options.mutable === true);
  }

  private constructor(handle: BackendCommandBuffer, queues: readonly CommandQueue[], isMutable: boolean) {
    super(handle, ErrorCode.INVALID_COMMAND_BUFFER_KHR);
    this.#queues = queues;
    this.#isMutable = isMutable;
    this.context = queues[0]!.context;
  }

  /** Whether the device has no command buffers, so that the commands are enqueued one by one. */
  get emulated(): boolean {
    return this[handleFor]('clGetCommandBufferInfoKHR').emulated;
  }

  /** A property by its name without `CL_COMMAND_BUFFER_`, or by number as bytes (clGetCommandBufferInfoKHR). */
  info<K extends keyof CommandBufferInfo>(key: K): CommandBufferInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof CommandBufferInfo | number): unknown {
    const functionName = 'clGetCommandBufferInfoKHR';
    const read = (param: number) => this[handleFor](functionName).info(param);
    return queryInfo(commandBufferInfo, key, functionName, read, { QUEUES_KHR: this.#queues });
  }

  /** A property of a launch that was recorded as mutable (clGetMutableCommandInfoKHR). */
  commandInfo<K extends keyof MutableCommandInfo>(command: Recorded, key: K): MutableCommandInfo[K];
  commandInfo(command: Recorded, key: number): Uint8Array;
  commandInfo(command: Recorded, key: keyof MutableCommandInfo | number): unknown {
    const functionName = 'clGetMutableCommandInfoKHR';
    const handle = this[handleFor](functionName);
    const read = (param: number) => {
      if (!handle.mutableInfo) throw unsupported(functionName, 'cl_khr_command_buffer_mutable_dispatch');
      return handle.mutableInfo(this.#mutable(command, functionName).command, param);
    };
    const kernel = this.#recorded.get(command)?.kernel;
    return queryInfo(mutableCommandInfo, key, functionName, read, { DISPATCH_KERNEL_KHR: kernel });
  }

  /** Commands recorded by `record` are for this one of the buffer's queues (cl_khr_command_buffer_multi_device). */
  on(queue: CommandQueue, record: (buffer: this) => void): this {
    const functionName = 'clCreateCommandBufferKHR';
    const handle = this[handleFor](functionName);
    if (!this.#queues.includes(queue))
      throw new OpenCLError(ErrorCode.INVALID_COMMAND_QUEUE, functionName, 'not a queue of this buffer');
    handle.recordOn?.(queue[handleFor](functionName));
    try {
      record(this);
    } finally {
      handle.recordOn?.(undefined);
    }
    return this;
  }

  /** Records a kernel launch with these arguments; `mutable` lets `update` change it. */
  run(
    kernel: Kernel,
    options: Range & RecordOptions & { readonly mutable?: boolean },
    ...values: readonly KernelValue[]
  ): Recorded {
    const functionName = 'clCommandNDRangeKernelKHR';
    const range = checkRange(options, functionName);
    const target = Kernel[kernelHandle](kernel, functionName);
    const mutable = options.mutable ?? false;
    if (mutable && !this.#isMutable)
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        functionName,
        '`mutable: true` needs a command buffer that was created with `mutable: true`',
      );
    kernel.setArgs(...values);
    this.#used.push(kernel, ...values);
    const handle = this[handleFor](functionName);
    const recorded = handle.recordKernel(target, range, this.#points(options, functionName), mutable);
    return this.#keep({ ...recorded, kernel }, functionName);
  }

  /** Records a copy between buffers, all of them or as the options say (bytes). */
  copy(from: Buffer, to: Buffer, options: CopyRange & RecordOptions = {}): Recorded {
    return this.#record(copyBuffer(from, to, options, COMMANDS.copyBuffer.recordedBy), [from, to], options);
  }

  /** Records a copy of a box between buffers, as `queue.enqueueCopyRect`. */
  copyRect(from: Buffer, to: Buffer, rect: Rect, options: RecordOptions = {}): Recorded {
    return this.#record(
      copyBufferRect(from, to, rect, COMMANDS.copyBufferRect.recordedBy),
      [from, to],
      options,
    );
  }

  /** Records filling a buffer, or `size` bytes of it from byte `offset` on, with a pattern. */
  fill(target: Buffer, pattern: ArrayBufferView, options: ByteRange & RecordOptions = {}): Recorded {
    return this.#record(
      fillBuffer(target, pattern, options, COMMANDS.fillBuffer.recordedBy),
      [target],
      options,
    );
  }

  /** Records a copy of pixels between images of one format. */
  copyImage(
    from: Image,
    to: Image,
    options: ImageRegion & { targetOrigin?: readonly number[] } & RecordOptions = {},
  ): Recorded {
    return this.#record(copyImage(from, to, options, COMMANDS.copyImage.recordedBy), [from, to], options);
  }

  /** Records filling an image with one color, as `image.fill`. */
  fillImage(target: Image, color: Color, options: ImageRegion & RecordOptions = {}): Recorded {
    return this.#record(fillImage(target, color, options, COMMANDS.fillImage.recordedBy), [target], options);
  }

  /** Records a copy of pixels, packed, to byte `targetOffset` of a buffer and on. */
  copyImageToBuffer(
    from: Image,
    to: Buffer,
    options: ImageRegion & { targetOffset?: number } & RecordOptions = {},
  ): Recorded {
    return this.#record(
      copyImageToBuffer(from, to, options, COMMANDS.copyImageToBuffer.recordedBy),
      [from, to],
      options,
    );
  }

  /** Records a copy of packed pixels out of a buffer, from byte `sourceOffset` on. */
  copyBufferToImage(
    from: Buffer,
    to: Image,
    options: ImageRegion & { sourceOffset?: number } & RecordOptions = {},
  ): Recorded {
    return this.#record(
      copyBufferToImage(from, to, options, COMMANDS.copyBufferToImage.recordedBy),
      [from, to],
      options,
    );
  }

  /** Records a copy between shared virtual memories; offsets and size in bytes. */
  copySvm(from: Svm, to: Svm, options: CopyRange & RecordOptions = {}): Recorded {
    return this.#record(copySvm(from, to, options, COMMANDS.svmMemcpy.recordedBy), [from, to], options);
  }

  /** Records filling shared virtual memory, or a part of it (bytes), with a pattern. */
  fillSvm(target: Svm, pattern: ArrayBufferView, options: ByteRange & RecordOptions = {}): Recorded {
    return this.#record(fillSvm(target, pattern, options, COMMANDS.svmFill.recordedBy), [target], options);
  }

  /** Records a barrier: later commands wait for all earlier ones, or for `after`. */
  barrier(options: RecordOptions = {}): Recorded {
    return this.#record({ op: 'barrier' }, [], options);
  }

  /** Ends the recording; only now the buffer can be enqueued. */
  finalize(): this {
    this[handleFor]('clFinalizeCommandBufferKHR').finalize();
    return this;
  }

  /**
   * Changes sizes or arguments of a launch that was recorded as mutable, from the next time on that the buffer is
   * enqueued.
   */
  update(command: Recorded, change: KernelChange): void {
    const functionName = 'clUpdateMutableCommandsKHR';
    const handle = this[handleFor](functionName);
    const { command: target, kernel } = this.#mutable(command, functionName);
    if (kernel === undefined)
      throw new OpenCLError(ErrorCode.INVALID_MUTABLE_COMMAND_KHR, functionName, 'it runs no kernel');
    const args = new Map<number, BackendArgument>();
    for (const [index, value] of Object.entries(change.args ?? {})) {
      checkIndex(kernel, Number(index), functionName);
      args.set(Number(index), backendArgument(kernel, Number(index), value));
      this.#used.push(value);
    }
    const [global, local, offset] = [
      ownSizes(change.global),
      ownSizes(change.local),
      ownSizes(change.offset),
    ];
    handle.update(target, {
      ...(global && { global }),
      ...(local && { local }),
      ...(offset && { offset }),
      ...(args.size > 0 && { args }),
    });
  }

  /**
   * The same commands for other queues (clRemapCommandBufferKHR); `automatic` lets the driver distribute them over
   * all queues.
   * @throws OpenCLError INVALID_OPERATION without cl_khr_command_buffer_multi_device
   */
  remap(queues: readonly CommandQueue[], options: { readonly automatic?: boolean } = {}): CommandBuffer {
    const functionName = 'clRemapCommandBufferKHR';
    const handle = this[handleFor](functionName);
    if (!handle.remap) throw unsupported(functionName, 'cl_khr_command_buffer_multi_device');
    if (queues.length === 0)
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'a command buffer needs a queue');
    const handles = queues.map((queue) => queue[handleFor](functionName));
    const remapped = new CommandBuffer(
      handle.remap(options.automatic ?? false, handles),
      queues,
      this.#isMutable,
    );
    remapped.#used.push(...this.#used);
    return remapped;
  }

  /**
   * Runs all commands, in order, on the buffer's queues or on others. Throws INVALID_OPERATION before `finalize`.
   */
  enqueue(options: { readonly queues?: readonly CommandQueue[] } & CommandOptions & StopOptions = {}): Event {
    const functionName = 'clEnqueueCommandBufferKHR';
    checkStops(options, functionName);
    const queues = options.queues?.map((queue) => queue[handleFor](functionName));
    const waits = waitList(options.waitFor, functionName);
    const queue = options.queues?.[0] ?? this.#queues[0]!;
    const handle = this[handleFor](functionName).enqueue(queues, waits, true) ?? noEvent(functionName);
    return applyStops(new Event(handle, functionName, queue), handle, options);
  }

  #keep(recording: Recording, functionName: string): Recorded {
    const recorded = Object.freeze({ functionName });
    this.#recorded.set(recorded, recording);
    return recorded;
  }

  #points({ after }: RecordOptions, functionName: string): readonly number[] | undefined {
    return after?.map((recorded, i) => {
      const recording = this.#recorded.get(recorded);
      if (recording) return recording.point;
      const detail = `\`after[${i}]\` is not a command of this buffer`;
      throw new OpenCLError(ErrorCode.INVALID_SYNC_POINT_WAIT_LIST_KHR, functionName, detail);
    });
  }

  #mutable(command: Recorded, functionName: string): Recording {
    const recording = this.#recorded.get(command);
    if (recording && recording.command !== 0) return recording;
    const detail = recording
      ? '`command` was not recorded with `mutable: true`'
      : '`command` is not a command of this buffer';
    throw new OpenCLError(ErrorCode.INVALID_MUTABLE_COMMAND_KHR, functionName, detail);
  }

  /** Records a command; the buffer keeps the objects that it uses alive. */
  #record(
    command: RecordableCommand,
    used: readonly (MemoryObject | Svm)[],
    options: RecordOptions,
  ): Recorded {
    const functionName = COMMANDS[command.op].recordedBy;
    const points = this.#points(options, functionName);
    const recorded = this[handleFor](functionName).record(command, points);
    this.#used.push(...used);
    return this.#keep(recorded, functionName);
  }
}

guard('CommandBuffer', CommandBuffer);
