// SPDX-License-Identifier: MIT

import { type CommandType, ErrorCode } from '../../cl/constants.gen';
import { eventInfo, profilingInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendEvent } from '../backend-objects';
import { answer } from './null-object';

/** Complete from the start, except for user events. */
export class NullEvent implements BackendEvent {
  private waiting: { readonly at: number; readonly callback: (status: number) => void }[] = [];
  private state: number;

  constructor(
    private readonly type: CommandType,
    complete = true,
  ) {
    this.state = complete ? 0 : 2;
  }

  info(param: number): Uint8Array {
    const answers = { COMMAND_TYPE: this.type, COMMAND_EXECUTION_STATUS: this.state, REFERENCE_COUNT: 1 };
    return answer(eventInfo, answers, param);
  }

  status(): number {
    return this.state;
  }

  profilingInfo(param: number): Uint8Array {
    const answers = {
      COMMAND_QUEUED: 0n,
      COMMAND_SUBMIT: 0n,
      COMMAND_START: 0n,
      COMMAND_END: 0n,
      COMMAND_COMPLETE: 0n,
    };
    return answer(profilingInfo, answers, param);
  }

  onComplete(callback: (status: number) => void): void {
    this.onStatus(0, callback);
  }

  onStatus(type: number, callback: (status: number) => void): void {
    if (this.state <= type) queueMicrotask(() => callback(Math.min(this.state, type)));
    else this.waiting.push({ at: type, callback });
  }

  waitSync(): void {
    if (this.state > 0)
      throw new OpenCLError(ErrorCode.INVALID_OPERATION, 'clWaitForEvents', 'this would never end');
  }

  stop(): void {}

  limit(): void {}

  setUserStatus(status: number): void {
    if (this.state <= 0) throw new OpenCLError(ErrorCode.INVALID_OPERATION, 'clSetUserEventStatus');
    this.state = status;
    for (const { callback } of this.waiting) queueMicrotask(() => callback(status));
    this.waiting = [];
  }

  release(): void {}
}
