// SPDX-License-Identifier: MIT

import { EventInfo, ExecutionStatus } from '../../cl/constants.gen';
import type { BackendEvent } from '../backend-objects';
import type { Handle } from './addon';
import type { EventGroup, Session } from './session';

/** The part of a queue that its events use. */
export interface Flushable {
  /** Makes sure that the device receives all enqueued commands. */
  flushPending(): void;
}

export class NativeEvent implements BackendEvent {
  /** Set on failure, which is rare. */
  declare private statusMessage: string | undefined;
  private readonly group: EventGroup;
  private readonly place: number;

  constructor(
    private readonly session: Session,
    readonly handle: Handle,
    /** None for a user event. */
    readonly queue?: Flushable,
    /** Copies results to the caller's memory when the command is complete. */
    private settle?: () => void,
  ) {
    this.group = session.ownInGroup(handle);
    this.place = this.group.handles.length - 1;
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  status(): number {
    const status = this.session.addon.eventStatus(this.handle);
    if (status === ExecutionStatus.COMPLETE) this.settled();
    return status;
  }

  profilingInfo(param: number): Uint8Array {
    return this.session.addon.profilingInfo(this.handle, param);
  }

  onComplete(callback: (status: number) => void): void {
    this.onStatus(ExecutionStatus.COMPLETE, callback);
  }

  onStatus(type: number, callback: (status: number) => void): void {
    this.queue?.flushPending();
    this.session.when(this.session.addon.onEvent(this.handle, type), (status) => {
      if (status < 0) this.statusMessage = this.session.lastMessage;
      if (status === ExecutionStatus.COMPLETE) this.settled();
      callback(status);
    });
  }

  waitSync(): void {
    this.session.addon.waitSync([this.handle]);
    this.settled();
  }

  setUserStatus(status: number): void {
    this.session.addon.setUserStatus(this.handle, status);
  }

  get failure(): string | undefined {
    return this.statusMessage;
  }

  release(): void {
    this.session.releaseHandle(this.handle);
    this.group.handles[this.place] = 0;
  }

  settleWith(settle: () => void): void {
    this.settle = settle;
  }

  /** CL_EVENT_COMMAND_TYPE */
  commandType(): number {
    return new DataView(this.info(EventInfo.COMMAND_TYPE).buffer).getUint32(0, true);
  }

  private settled(): void {
    const settle = this.settle;
    this.settle = undefined;
    settle?.();
  }
}
