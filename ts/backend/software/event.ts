// SPDX-License-Identifier: MIT

import type { Coverage } from '../../base/coverage';
import type { Fault } from '../../base/faults';
import { CommandType, ErrorCode, ExecutionStatus } from '../../cl/constants.gen';
import { answerInfo } from '../../cl/encode-info';
import { eventInfo, profilingInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { StopReason } from '../../cl/stop-codes';
import type { Command } from '../../device/commands/command';
import type { Device } from '../../device/device';
import type { BackendEvent } from '../backend-objects';

/** A command as the API sees it. */
export class SoftwareEvent implements BackendEvent {
  constructor(
    private readonly device: Device,
    readonly command: Command,
    readonly type: CommandType,
  ) {}

  info(param: number): Uint8Array {
    const answers = {
      COMMAND_TYPE: this.type,
      COMMAND_EXECUTION_STATUS: this.status(),
      REFERENCE_COUNT: 1,
    };
    return answerInfo(eventInfo, answers, 'clGetEventInfo', param);
  }

  profilingInfo(param: number): Uint8Array {
    const { command } = this;
    this.checkProfiled();
    const answers = {
      COMMAND_QUEUED: command.queuedAt,
      COMMAND_SUBMIT: command.submittedAt,
      COMMAND_START: command.startedAt,
      COMMAND_END: command.endedAt,
      COMMAND_COMPLETE: command.childrenEndedAt || command.endedAt,
    };
    return answerInfo(profilingInfo, answers, 'clGetEventProfilingInfo', param);
  }

  get failure(): string | undefined {
    return this.command.failure;
  }

  get isInternalError(): boolean {
    return this.command.isInternalError;
  }

  get faults(): readonly Fault[] | undefined {
    const { work } = this.command;
    return work.kind === 'job' ? work.faults : undefined;
  }

  get coverage(): Coverage | undefined {
    const { work } = this.command;
    return work.kind === 'job' ? work.counters?.coverage : undefined;
  }

  status(): number {
    return this.device.scheduler.stops.statusOf(this.command);
  }

  onComplete(callback: (status: number) => void): void {
    this.command.whenDone(callback);
  }

  onStatus(type: number, callback: (status: number) => void): void {
    const { command } = this;
    command.onStatus(type, callback);
    if (type === ExecutionStatus.RUNNING && !command.done) this.device.scheduler.stops.watchStart(command);
  }

  waitSync(): void {
    if (this.device.scheduler.waitSync(this.command)) return;
    throw new OpenCLError(
      ErrorCode.INVALID_OPERATION,
      'clWaitForEvents',
      'a command waits for a user event that only this thread can complete: complete it before, or await',
    );
  }

  stop(reason: StopReason): void {
    this.device.scheduler.stops.stop(this.command, reason);
  }

  limit(ms: number): void {
    if (!this.command.done) this.device.scheduler.stops.limit(this.command, ms);
  }

  setUserStatus(status: number): void {
    if (this.type !== CommandType.USER) {
      throw new OpenCLError(ErrorCode.INVALID_EVENT, 'clSetUserEventStatus', 'this is not a user event');
    }
    if (this.command.done) {
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        'clSetUserEventStatus',
        'the status of this user event was set before',
      );
    }
    this.device.scheduler.complete(this.command, status);
  }

  release(): void {}

  private checkProfiled(): void {
    if (this.command.profiled && this.command.status === ExecutionStatus.COMPLETE) return;
    throw new OpenCLError(
      ErrorCode.PROFILING_INFO_NOT_AVAILABLE,
      'clGetEventProfilingInfo',
      this.command.profiled
        ? 'the command is not complete'
        : 'the queue was made without profiling, or this is a user event',
    );
  }
}

/** The commands of a wait list. */
export function commandsOf(wait: readonly BackendEvent[] | undefined): Command[] | undefined {
  return wait?.map((event) => (event as SoftwareEvent).command);
}
