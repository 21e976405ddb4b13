// SPDX-License-Identifier: MIT
//
// How commands reach a queue of the software device, and what a queue is without them: its properties, and waiting.

import {
  CommandType,
  ErrorCode,
  QueueFlags,
  QueueInfo,
  QueuePriority,
  QueueProperty,
  QueueThrottle,
} from '../../cl/constants.gen';
import { answerInfo } from '../../cl/encode-info';
import { queueInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { StopReason } from '../../cl/stop-codes';
import type { Command, Work } from '../../device/commands/command';
import type { Queue } from '../../device/commands/queue';
import type { Device } from '../../device/device';
import type { WorkerRange } from '../../device/workers/worker-range';
import type { BackendEvent } from '../backend-objects';
import type { MaybeEvent, Wait } from '../backend-queue';
import { commandsOf, SoftwareEvent } from './event';
import { SoftwareMemory } from './memory/memory';
import { RefCounted } from './ref-counted';

export abstract class CommandStream extends RefCounted {
  readonly queue: Queue;
  private readonly flags: number;

  /** @param properties key, value, …, without the closing 0. */
  constructor(
    readonly device: Device,
    /** The workers that run the queue's kernels. */
    readonly workers: WorkerRange,
    private readonly properties: readonly bigint[],
    private readonly onRelease: () => void,
  ) {
    super();
    this.flags = queueFlags(properties);
    this.queue = device.createQueue({
      outOfOrder: (this.flags & QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0,
      profiling: (this.flags & QueueFlags.PROFILING_ENABLE) !== 0,
    });
  }

  info(param: number): Uint8Array {
    const answers = {
      REFERENCE_COUNT: this.referenceCount,
      PROPERTIES: this.flags,
      PROPERTIES_ARRAY: this.properties.length > 0 ? [...this.properties, 0n] : [],
    };
    return answerInfo(queueInfo, answers, 'clGetCommandQueueInfo', param);
  }

  /** @param type the command type that its event reports. */
  marker(wait: Wait, type = CommandType.MARKER): SoftwareEvent {
    checkTerminated(this.device, 'clEnqueueMarkerWithWaitList');
    const command = this.queue.enqueue(
      { kind: 'host', run: undefined },
      commandsOf(wait),
      undefined,
      'marker',
    );
    return new SoftwareEvent(this.device, command, type);
  }

  barrier(wait: Wait, wantEvent: boolean): MaybeEvent {
    checkTerminated(this.device, 'clEnqueueBarrierWithWaitList');
    const command = this.queue.enqueue(
      { kind: 'host', run: undefined },
      commandsOf(wait),
      undefined,
      'barrier',
      !wantEvent,
    );
    return wantEvent ? new SoftwareEvent(this.device, command, CommandType.BARRIER) : undefined;
  }

  /** Nothing to do: commands start as soon as they can. */
  flush(): void {}

  /** Whether `finish` would not wait. */
  get isIdle(): boolean {
    return this.queue.isIdle;
  }

  finish(): Promise<void> {
    const command = this.queue.fence();
    if (!command) return new Promise((resolve) => resolve(this.reportFailure()));
    return new Promise((resolve, reject) =>
      command.whenDone(() => {
        try {
          resolve(this.reportFailure());
        } catch (error) {
          reject(error);
        }
      }),
    );
  }

  /** Throws the error of a launch that had no event to report it. */
  private reportFailure(): void {
    const failure = this.queue.takeFailure();
    if (failure) throw new OpenCLError(failure.status, 'clEnqueueNDRangeKernel', failure.text);
  }

  finishSync(): void {
    const command = this.queue.fence();
    if (!command || this.device.scheduler.waitSync(command)) {
      this.reportFailure();
      return;
    }
    throw new OpenCLError(
      ErrorCode.INVALID_OPERATION,
      'clFinish',
      'a command waits for a user event that only this thread can complete: complete it before, or await',
    );
  }

  /** Ends all commands that are not complete. */
  terminate(reason: StopReason): void {
    this.queue.terminate(reason);
  }

  /** A marker that ends with all that `enqueue` enqueues. */
  markerOf(enqueue: () => void, type: CommandType): BackendEvent {
    const commands = this.queue.record(enqueue);
    const event = this.marker(undefined, type);
    event.command.children = commands;
    return event;
  }

  protected override destroy(): void {
    this.onRelease();
  }

  /** Enqueues a function that runs on the scheduling thread and may use the memory of `uses`. */
  enqueueHost(
    type: CommandType,
    run: (() => void) | undefined,
    uses: readonly RefCounted[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    checkTerminated(this.device, 'clEnqueue');
    return this.submit(type, { kind: 'host', run }, uses, wait, wantEvent);
  }

  /** Notes that commands of the queue use these objects, as long as they are not all over. */
  noteUses(objects: readonly RefCounted[]): void {
    for (const object of objects) if (object instanceof SoftwareMemory) object.usedBy(this);
  }

  submit(
    type: CommandType,
    work: Work,
    uses: readonly RefCounted[],
    wait: Wait,
    wantEvent: boolean,
    furtherWaits: readonly Command[] = [],
  ): MaybeEvent {
    for (const object of uses) object.retain();
    this.noteUses(uses);
    const commands = commandsOf(wait);
    const waited = furtherWaits.length > 0 ? [...(commands ?? []), ...furtherWaits] : commands;
    const command: Command = this.queue.enqueue(work, waited, uses, 'command', !wantEvent);
    const { limitMs, scheduler } = this.device;
    if (limitMs !== undefined && work.kind !== 'host' && !command.done)
      scheduler.stops.limit(command, limitMs);
    return wantEvent ? new SoftwareEvent(this.device, command, type) : undefined;
  }
}

/** Throws if the context of a call was terminated. */
export function checkTerminated({ terminated }: Device, functionName: string): void {
  if (terminated)
    throw new OpenCLError(ErrorCode.CONTEXT_TERMINATED_KHR, functionName, 'the context was terminated');
}

/** Properties that are hints, and their values. They have no effect, because commands run as soon as they can. */
const HINTS: ReadonlyMap<number, { readonly name: string; readonly values: readonly number[] }> = new Map([
  [
    QueueProperty.PRIORITY_KHR,
    {
      name: 'CL_QUEUE_PRIORITY_KHR',
      values: [QueuePriority.HIGH_KHR, QueuePriority.MED_KHR, QueuePriority.LOW_KHR],
    },
  ],
  [
    QueueProperty.THROTTLE_KHR,
    {
      name: 'CL_QUEUE_THROTTLE_KHR',
      values: [QueueThrottle.HIGH_KHR, QueueThrottle.MED_KHR, QueueThrottle.LOW_KHR],
    },
  ],
]);

/** The bits of CL_QUEUE_PROPERTIES; throws if the property list is invalid. */
export function queueFlags(properties: readonly bigint[]): number {
  let flags = 0;
  for (let i = 0; i + 1 < properties.length; i += 2) {
    const [key, value] = [Number(properties[i]), Number(properties[i + 1])];
    const hint = HINTS.get(key);
    if (key === QueueInfo.PROPERTIES) flags = value;
    else if (hint && !hint.values.includes(value))
      throw refusedProperty(
        ErrorCode.INVALID_VALUE,
        `${hint.name} takes ${hint.values.join(', ')}, not ${value}`,
      );
    else if (!hint && key !== QueueInfo.SIZE)
      throw refusedProperty(
        ErrorCode.INVALID_QUEUE_PROPERTIES,
        `there is no queue property 0x${key.toString(16)}`,
      );
  }
  return flags;
}

function refusedProperty(code: ErrorCode, why: string): OpenCLError {
  return new OpenCLError(code, 'clCreateCommandQueueWithProperties', why);
}
