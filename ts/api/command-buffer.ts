// SPDX-License-Identifier: MIT
import type { BackendCommandBuffer, KernelUpdate } from '../backend/backend';
import { ErrorCode } from '../backend/cl.gen';
import { CommandList } from '../backend/command-list';
import { OpenCLError } from '../backend/opencl-error';
import { Buffer } from './buffer';
import { Event, waitList } from './event';
import { Kernel, type KernelValue } from './kernel';
import { liveHandle, Owned } from './lifetime';
import type { CommandOptions, CommandQueue } from './queue';
import { checkRange, type Range } from './range';

/** A command in a command buffer: later commands can wait for it, and a mutable kernel run can be changed. */
export interface Recorded {
  /** @internal */
  readonly point: number;
  /** @internal */
  readonly command: number;
}

export interface RecordOptions {
  /** Commands of this buffer that come first; needed where the queue is out-of-order. */
  readonly after?: readonly Recorded[];
}

/**
 * Commands recorded once and enqueued often (cl_khr_command_buffer): what is checked and marshalled while recording
 * costs nothing later. Devices without command buffers replay the commands (`emulated`).
 */
export class CommandBuffer extends Owned<BackendCommandBuffer> {
  readonly #queue: CommandQueue;
  /** Keeps what the commands use alive. */
  readonly #used: unknown[] = [];

  /** @internal */
  static create(queue: CommandQueue): CommandBuffer {
    const functionName = 'clCreateCommandBufferKHR';
    const handle = queue.handleFor(functionName);
    const context = queue.context.handleFor(functionName);
    return new CommandBuffer(context.createCommandBuffer?.([handle], []) ?? new CommandList([handle]), queue);
  }

  private constructor(handle: BackendCommandBuffer, queue: CommandQueue) {
    super(handle, ErrorCode.INVALID_COMMAND_BUFFER_KHR);
    this.#queue = queue;
  }

  get emulated(): boolean {
    return this.handleFor('clGetCommandBufferInfoKHR').emulated;
  }

  /** Records a kernel run with these arguments; `mutable` lets `update` change it. */
  run(
    kernel: Kernel,
    options: Range & RecordOptions & { readonly mutable?: boolean },
    ...values: readonly KernelValue[]
  ): Recorded {
    const functionName = 'clCommandNDRangeKernelKHR';
    const { global, local, offset } = checkRange(options, functionName);
    const target = liveHandle(kernel, Kernel, functionName, ErrorCode.INVALID_KERNEL, 'kernel');
    kernel.setArgs(...values);
    this.#used.push(kernel, ...values);
    const after = options.after?.map(({ point }) => point);
    return this.handleFor(functionName).kernel(
      target,
      global,
      local,
      offset,
      after,
      options.mutable ?? false,
    );
  }

  /** Records a copy between buffers; offsets and size in bytes. */
  copy(
    from: Buffer,
    to: Buffer,
    options: { offset?: number; targetOffset?: number; size?: number } & RecordOptions = {},
  ): Recorded {
    const functionName = 'clCommandCopyBufferKHR';
    const [offset, targetOffset] = [options.offset ?? 0, options.targetOffset ?? 0];
    const size = options.size ?? from.size - offset;
    if (
      size < 1 ||
      offset < 0 ||
      targetOffset < 0 ||
      offset + size > from.size ||
      targetOffset + size > to.size
    ) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `${size} bytes do not lie in both buffers`,
      );
    }
    const [source, target] = [from, to].map((buffer) =>
      liveHandle(buffer, Buffer, functionName, ErrorCode.INVALID_MEM_OBJECT, 'the memory object'),
    );
    this.#used.push(from, to);
    const after = options.after?.map(({ point }) => point);
    return this.handleFor(functionName).copyBuffer(source!, target!, offset, targetOffset, size, after);
  }

  /** Records filling a buffer, all of it, with a pattern. */
  fill(target: Buffer, pattern: ArrayBufferView, options: RecordOptions = {}): Recorded {
    const functionName = 'clCommandFillBufferKHR';
    const bytes = new Uint8Array(pattern.buffer, pattern.byteOffset, pattern.byteLength);
    const powerOfTwo = bytes.length > 0 && bytes.length <= 128 && (bytes.length & (bytes.length - 1)) === 0;
    if (!powerOfTwo || target.size % bytes.length !== 0) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `a pattern of ${bytes.length} bytes does not fill ${target.size}`,
      );
    }
    this.#used.push(target);
    const after = options.after?.map(({ point }) => point);
    const handle = target.handleFor(functionName);
    return this.handleFor(functionName).fillBuffer(handle, bytes, 0, target.size, after);
  }

  /** Later commands wait for all earlier ones, or for `after`. */
  barrier(options: RecordOptions = {}): Recorded {
    return this.handleFor('clCommandBarrierWithWaitListKHR').barrier(
      options.after?.map(({ point }) => point),
    );
  }

  /** Ends the recording; only now the buffer can be enqueued. */
  finalize(): this {
    this.handleFor('clFinalizeCommandBufferKHR').finalize();
    return this;
  }

  /** Changes sizes of a run that was recorded as mutable (cl_khr_command_buffer_mutable_dispatch). */
  update(command: Recorded, change: Pick<KernelUpdate, 'global' | 'local' | 'offset'>): void {
    const functionName = 'clUpdateMutableCommandsKHR';
    if (command.command === 0) {
      throw new OpenCLError(
        ErrorCode.INVALID_MUTABLE_COMMAND_KHR,
        functionName,
        'it was not recorded as mutable',
      );
    }
    this.handleFor(functionName).update(command.command, change);
  }

  /** Runs all commands, in order. Throws INVALID_OPERATION before `finalize`. */
  enqueue(options: CommandOptions = {}): Event {
    const functionName = 'clEnqueueCommandBufferKHR';
    const event = this.handleFor(functionName).enqueue(
      undefined,
      waitList(options.waitFor, functionName),
      true,
    );
    return event ? new Event(event, functionName) : this.#queue.enqueueMarker();
  }
}
