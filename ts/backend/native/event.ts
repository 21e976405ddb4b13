// SPDX-License-Identifier: MIT

import { EventInfo, ExecutionStatus } from '../../cl/constants.gen';
import { StopCode, type StopReason } from '../../cl/stop-codes';
import type { BackendEvent } from '../backend-objects';
import type { Handle, Ticket } from './addon';
import type { Awaited, RemoteDevice } from './remote-device';
import type { EventGroup, Session } from './session';

/** Nobody wakes who sleeps on it. */
const SLEEP = new Int32Array(new SharedArrayBuffer(4));

/** 25 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The part of a queue that its events use. */
export interface Flushable {
  /** Makes sure that the device receives all enqueued commands. */
  flushPending(): void;
  /** Of a queue of another machine's device. */
  readonly connection?: RemoteDevice | undefined;
}

export class NativeEvent implements BackendEvent, Awaited {
  /** Set on failure, which is rare. */
  declare private statusMessage: string | undefined;
  /** Why nobody waits for the command any more: no OpenCL driver can end it, or its device was lost. */
  declare private abandoned: StopReason | undefined;
  declare private limitMs: number | undefined;
  /** What was asked for last, and before: their callbacks hear of it. */
  declare private ticket: Ticket | undefined;
  declare private tickets: Ticket[] | undefined;
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
    if (this.abandoned) return this.abandoned.status;
    const status = this.session.addon.eventStatus(this.handle);
    if (status === ExecutionStatus.COMPLETE) this.settled();
    else {
      const loss = this.queue?.connection?.loss;
      if (loss) this.lose(loss);
      return loss?.status ?? status;
    }
    return status;
  }

  profilingInfo(param: number): Uint8Array {
    return this.session.addon.profilingInfo(this.handle, param);
  }

  onComplete(callback: (status: number) => void): void {
    this.onStatus(ExecutionStatus.COMPLETE, callback);
  }

  onStatus(type: number, callback: (status: number) => void): void {
    if (this.abandoned) {
      const { status } = this.abandoned;
      queueMicrotask(() => callback(status));
      return;
    }
    this.queue?.flushPending();
    if (this.ticket !== undefined) {
      this.tickets ??= [];
      this.tickets.push(this.ticket);
    }
    this.ticket = this.session.addon.onEvent(this.handle, type);
    const connection = this.queue?.connection;
    connection?.watch(this);
    this.session.when(this.ticket, (given) => {
      connection?.forget(this);
      // PoCL's client reports commands of a lost device as complete, or fails them without a reason.
      const loss = connection?.loss;
      if (loss) this.abandoned ??= loss;
      const status = loss?.status ?? given;
      if (status < 0) this.statusMessage = this.session.lastMessage;
      if (status === ExecutionStatus.COMPLETE) this.settled();
      callback(status);
    });
  }

  waitSync(): void {
    const connection = this.queue?.connection;
    if (connection) connection.whileBlocked(() => this.waitFor(this.limitMs ?? Infinity));
    else if (this.limitMs !== undefined) this.waitFor(this.limitMs);
    const loss = connection?.loss;
    if (loss) this.lose(loss);
    if (this.abandoned) return;
    this.session.addon.waitSync([this.handle]);
    this.settled();
  }

  stop({ status, text }: StopReason): void {
    if (this.abandoned || this.status() <= 0) return;
    const detail = `${text}; no OpenCL driver can end a command, so it goes on: its queue and what it writes to stay in use until the process ends`;
    this.lose({ status, text: detail });
  }

  lose(reason: StopReason): void {
    this.abandoned = reason;
    const { status } = reason;
    for (const ticket of [this.ticket, ...(this.tickets ?? [])])
      if (ticket !== undefined) this.session.abandon(ticket, status);
  }

  limit(ms: number): void {
    this.limitMs = ms;
    if (this.status() <= ExecutionStatus.RUNNING) this.startTime(ms);
    else this.onStatus(ExecutionStatus.RUNNING, (status) => status >= 0 && this.startTime(ms));
  }

  /** The command has started, and may run for so long. */
  private startTime(ms: number): void {
    if (ms > LONGEST_TIMER_MS) return;
    const timer = setTimeout(() => this.timeOut(ms), ms);
    this.onComplete(() => clearTimeout(timer));
  }

  private timeOut(ms: number): void {
    this.stop({ status: StopCode.COMMAND_TIMED_OUT, text: `ran for more than ${ms} ms, its limit` });
  }

  /** Blocks until the command is complete or has run for its time. */
  private waitFor(ms: number): void {
    this.queue?.flushPending();
    this.session.addon.checkBlocking([this.handle]);
    let started: number | undefined;
    for (let status = this.status(); status > 0; status = this.status()) {
      if (status === ExecutionStatus.RUNNING) started ??= performance.now();
      if (started !== undefined && performance.now() - started >= ms) {
        this.timeOut(ms);
        return;
      }
      Atomics.wait(SLEEP, 0, 0, 1);
    }
  }

  setUserStatus(status: number): void {
    this.session.addon.setUserStatus(this.handle, status);
  }

  get failure(): string | undefined {
    return this.abandoned?.text ?? this.statusMessage;
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
