// SPDX-License-Identifier: MIT
//
// Queues that kernels enqueue to. They hold no commands: a launch keeps what it enqueues in a region of its own, as large as
// the queue (device-enqueue.ts).
import { ErrorCode, QueueFlags, QueueInfo } from '../../cl/constants.gen';
import { answerInfo } from '../../cl/encode-info';
import { queueInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { Device, DeviceQueue } from '../../device/device';
import type { Block } from '../../device/memory/allocator';
import type { BackendEvent } from '../backend-objects';
import type { BackendQueue, Mapped, MaybeEvent } from '../backend-queue';
import type { Command } from '../command';
import { COMMANDS } from '../command-table';
import { DEVICE_QUEUE_BYTES } from './device/limits';
import { allocate } from './memory/allocate';
import { RefCounted } from './ref-counted';

const CREATE = 'clCreateCommandQueueWithProperties';
/** Bytes of memory whose address identifies the queue. */
const HANDLE_BYTES = 16;

export class SoftwareDeviceQueue extends RefCounted implements BackendQueue, DeviceQueue {
  readonly bytes: number;
  private readonly block: Block;

  /** @param properties key, value, …, without the closing 0, with the flag for queues on the device. */
  constructor(
    private readonly device: Device,
    private readonly properties: readonly bigint[],
    private readonly flags: number,
    private readonly onRelease: () => void,
  ) {
    super();
    if (!(flags & QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE))
      throw new OpenCLError(ErrorCode.INVALID_VALUE, CREATE, 'queues on the device are out-of-order');
    this.bytes = sizeOf(properties);
    this.block = allocate(device, HANDLE_BYTES, HANDLE_BYTES, CREATE);
    if (flags & QueueFlags.ON_DEVICE_DEFAULT) device.defaultQueue = this;
  }

  get handle(): number {
    return this.block.address;
  }

  info(param: number): Uint8Array {
    const answers = {
      REFERENCE_COUNT: this.referenceCount,
      PROPERTIES: this.flags,
      SIZE: this.bytes,
      PROPERTIES_ARRAY: [...this.properties, 0n],
    };
    return answerInfo(queueInfo, answers, 'clGetCommandQueueInfo', param);
  }

  enqueueKernel(): MaybeEvent {
    throw notFromTheHost('clEnqueueNDRangeKernel');
  }

  enqueue({ op }: Command): MaybeEvent {
    throw notFromTheHost(COMMANDS[op].enqueuedBy);
  }

  supports(): boolean {
    return false;
  }

  mapBuffer(): Mapped {
    throw notFromTheHost('clEnqueueMapBuffer');
  }

  mapImage(): Mapped {
    throw notFromTheHost('clEnqueueMapImage');
  }

  marker(): BackendEvent {
    throw notFromTheHost('clEnqueueMarkerWithWaitList');
  }

  flush(): void {
    throw notFromTheHost('clFlush');
  }

  async finish(): Promise<void> {
    throw notFromTheHost('clFinish');
  }

  finishSync(): void {
    throw notFromTheHost('clFinish');
  }

  protected override destroy(): void {
    if (this.device.defaultQueue === this) this.device.defaultQueue = undefined;
    this.device.memory.free(this.block);
    this.onRelease();
  }
}

function sizeOf(properties: readonly bigint[]): number {
  const at = properties.findIndex((key, i) => i % 2 === 0 && key === BigInt(QueueInfo.SIZE));
  if (at < 0) return DEVICE_QUEUE_BYTES.preferred;
  const size = Number(properties[at + 1]);
  if (size > DEVICE_QUEUE_BYTES.most) {
    const detail = `a queue of ${size} bytes exceeds CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, ${DEVICE_QUEUE_BYTES.most}`;
    throw new OpenCLError(ErrorCode.INVALID_QUEUE_PROPERTIES, CREATE, detail);
  }
  return Math.max(size, DEVICE_QUEUE_BYTES.least);
}

function notFromTheHost(functionName: string): OpenCLError {
  const detail = 'the queue is one on the device, which only kernels enqueue to';
  return new OpenCLError(ErrorCode.INVALID_COMMAND_QUEUE, functionName, detail);
}
