// SPDX-License-Identifier: MIT
//
// Command buffers as lists of commands (cl_khr_command_buffer), for the software device and for devices that have none: commands
// are stored, and enqueued one after the other each time. Kernels are cloned when recorded, so that later arguments do not change what was recorded.
import type { NDRange } from '../base/nd-range';
import {
  CommandBufferFlags,
  CommandBufferProperty,
  CommandBufferState,
  CommandProperty,
  CommandType,
  ErrorCode,
  MutableDispatchFields,
  QueueFlags,
  QueueInfo,
} from '../cl/constants.gen';
import { answerInfo } from '../cl/encode-info';
import { commandBufferInfo, mutableCommandInfo } from '../cl/info-keys.gen';
import { OpenCLError } from '../cl/opencl-error';
import type { After, BackendCommandBuffer, KernelUpdate, RecordedCommand } from './backend-command-buffer';
import type { BackendEvent } from './backend-objects';
import type { BackendKernel, BackendQueue } from './backend-queue';
import type { RecordableCommand } from './command';
import { COMMANDS } from './command-table';

const BARRIER = { op: 'barrier' } as const;

/** The part of a kernel launch that `update` can change. */
export const UPDATABLE =
  MutableDispatchFields.GLOBAL_OFFSET_KHR |
  MutableDispatchFields.GLOBAL_SIZE_KHR |
  MutableDispatchFields.LOCAL_SIZE_KHR |
  MutableDispatchFields.ARGUMENTS_KHR;

interface Recorded {
  /** Whether it must run after earlier commands; an out-of-order queue would not ensure that. */
  readonly ordered: boolean;
  run(queue: BackendQueue): void;
}

interface RecordedKernel {
  readonly kernel: BackendKernel;
  range: NDRange;
}

export class CommandList implements BackendCommandBuffer {
  private readonly commands: Recorded[] = [];
  private readonly kernels: RecordedKernel[] = [];
  private readonly kept: (() => void)[] = [];
  private finalized = false;

  constructor(
    private readonly queues: readonly BackendQueue[],
    private readonly properties: readonly bigint[] = [],
    /** Returns the event of a whole run: a marker's, because the device has no command buffers. */
    private readonly eventOf?: (queue: BackendQueue, replay: () => void) => BackendEvent,
    /** Keeps the memory of a command, also if the script releases it. Returns what lets go of it. */
    private readonly keep?: (command: RecordableCommand) => () => void,
  ) {
    if (queues.length !== 1)
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clCreateCommandBufferKHR',
        'without cl_khr_command_buffer_multi_device there is exactly one queue',
      );
  }

  get emulated(): boolean {
    return this.eventOf === undefined;
  }

  mutableInfo(command: number, param: number): Uint8Array {
    const functionName = 'clGetMutableCommandInfoKHR';
    const { global, local, offset } = this.kernelOf(command, functionName).range;
    const none = global.map(() => 0);
    const answers = {
      COMMAND_COMMAND_TYPE_KHR: CommandType.NDRANGE_KERNEL,
      COMMAND_PROPERTIES_ARRAY_KHR: [
        BigInt(CommandProperty.MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR),
        BigInt(UPDATABLE),
        0n,
      ],
      DISPATCH_DIMENSIONS_KHR: global.length,
      DISPATCH_GLOBAL_WORK_OFFSET_KHR: [...(offset ?? none)],
      DISPATCH_GLOBAL_WORK_SIZE_KHR: [...global],
      DISPATCH_LOCAL_WORK_SIZE_KHR: [...(local ?? none)],
    };
    return answerInfo(mutableCommandInfo, answers, functionName, param);
  }

  info(param: number): Uint8Array {
    const { EXECUTABLE_KHR, RECORDING_KHR } = CommandBufferState;
    const answers = {
      NUM_QUEUES_KHR: 1,
      REFERENCE_COUNT_KHR: 1,
      STATE_KHR: this.finalized ? EXECUTABLE_KHR : RECORDING_KHR,
      PROPERTIES_ARRAY_KHR: this.properties.length > 0 ? [...this.properties, 0n] : [],
    };
    return answerInfo(commandBufferInfo, answers, 'clGetCommandBufferInfoKHR', param);
  }

  recordKernel(kernel: BackendKernel, range: NDRange, after: After, mutable: boolean): RecordedCommand {
    const own: RecordedKernel = { kernel: kernel.clone(), range };
    this.kernels.push(own);
    const { point } = this.add('clCommandNDRangeKernelKHR', after, (queue) =>
      queue.enqueueKernel(own.kernel, own.range, undefined, false),
    );
    return { point, command: mutable ? this.kernels.length : 0 };
  }

  record(command: RecordableCommand, after: After): RecordedCommand {
    // The script may change its pattern afterwards.
    const own = 'pattern' in command ? { ...command, pattern: command.pattern.slice() } : command;
    const recorded = this.add(COMMANDS[command.op].recordedBy, after, (queue) =>
      queue.enqueue(own, undefined, false),
    );
    if (this.keep) this.kept.push(this.keep(own));
    return recorded;
  }

  finalize(): void {
    if (this.finalized)
      throw new OpenCLError(ErrorCode.INVALID_OPERATION, 'clFinalizeCommandBufferKHR', 'it has been already');
    this.finalized = true;
  }

  update(command: number, change: KernelUpdate): void {
    const functionName = 'clUpdateMutableCommandsKHR';
    if (!this.finalized)
      throw new OpenCLError(ErrorCode.INVALID_OPERATION, functionName, 'finalize the command buffer first');
    if (!this.isMutable)
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        functionName,
        'the command buffer was not created with CL_COMMAND_BUFFER_MUTABLE_KHR (`mutable: true`)',
      );
    const recorded = this.kernelOf(command, functionName);
    for (const [index, value] of change.args ?? []) recorded.kernel.setArg(index, value);
    const { range } = recorded;
    recorded.range = {
      global: change.global ?? range.global,
      local: change.local ?? range.local,
      offset: change.offset ?? range.offset,
    };
  }

  enqueue(
    queues: readonly BackendQueue[] | undefined,
    wait: readonly BackendEvent[] | undefined,
    wantEvent: boolean,
  ): BackendEvent | undefined {
    if (!this.finalized)
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        'clEnqueueCommandBufferKHR',
        'finalize the command buffer first',
      );
    const queue = queues?.[0] ?? this.queues[0]!;
    const unordered = isOutOfOrder(queue);
    if (wait && wait.length > 0) queue.enqueue(BARRIER, wait, false);
    else if (unordered) queue.enqueue(BARRIER, undefined, false);
    const replay = () => {
      for (const command of this.commands) {
        if (unordered && command.ordered) queue.enqueue(BARRIER, undefined, false);
        command.run(queue);
      }
    };
    if (wantEvent && this.eventOf) return this.eventOf(queue, replay);
    if (queue.batch) queue.batch(replay);
    else replay();
    return wantEvent ? queue.marker(undefined) : undefined;
  }

  private get isMutable(): boolean {
    const { properties } = this;
    return properties.some(
      (value, at) =>
        at % 2 === 0 &&
        value === BigInt(CommandBufferProperty.FLAGS_KHR) &&
        (properties[at + 1]! & BigInt(CommandBufferFlags.MUTABLE_KHR)) !== 0n,
    );
  }

  private kernelOf(command: number, functionName: string): RecordedKernel {
    const recorded = this.kernels[command - 1];
    if (!recorded) throw new OpenCLError(ErrorCode.INVALID_MUTABLE_COMMAND_KHR, functionName);
    return recorded;
  }

  release(): void {
    for (const { kernel } of this.kernels) kernel.release();
    for (const letGo of this.kept) letGo();
    this.kernels.length = 0;
    this.kept.length = 0;
    this.commands.length = 0;
  }

  private add(functionName: string, after: After, run: (queue: BackendQueue) => void): RecordedCommand {
    if (this.finalized)
      throw new OpenCLError(ErrorCode.INVALID_OPERATION, functionName, 'the command buffer is finalized');
    const point = this.commands.length + 1;
    for (const earlier of after ?? [])
      if (!(earlier >= 1 && earlier < point))
        throw new OpenCLError(ErrorCode.INVALID_SYNC_POINT_WAIT_LIST_KHR, functionName);
    this.commands.push({ ordered: after !== undefined && after.length > 0, run });
    return { point, command: 0 };
  }
}

function isOutOfOrder(queue: BackendQueue): boolean {
  const bytes = queue.info(QueueInfo.PROPERTIES);
  return ((bytes[0] ?? 0) & QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0;
}
