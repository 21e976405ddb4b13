// SPDX-License-Identifier: MIT
//
// How commands reach a queue of the driver: each is encoded into the session's words (`begin`, its operands, `submit`),
// and one call of the addon hands over one command, or all of a batch.

import { OpenCLError } from '../../cl/opencl-error';
import type { BackendEvent } from '../backend-objects';
import type { Wait } from '../backend-queue';
import type { Handle } from './addon';
import { CommandEncoder } from './command-encoder';
import { type Flushable, NativeEvent } from './event';
import { Opcode } from './opcodes.gen';
import type { RemoteDevice } from './remote-device';
import { handleOf, Session } from './session';

export type MaybeEvent = NativeEvent | undefined;

/** The longest wait list of one command; longer ones are combined by markers. */
const waitLimit = 1024;
/** The most words of one command without its wait list. */
const commandRoom = 192;

export abstract class CommandStream implements Flushable {
  protected readonly encode: CommandEncoder;
  private readonly words: Float64Array;
  /** Whether commands were enqueued that the device may not have received yet. */
  pending = false;
  /** The words of a batch that was not executed yet. */
  private batched = 0;
  private batching = false;
  /** The functions that copy staged reads to their destination when everything is done. */
  private readonly unsettled = new Set<() => void>();

  constructor(
    protected readonly session: Session,
    readonly handle: Handle,
    /** Of a queue of another machine's device. */
    readonly connection?: RemoteDevice,
  ) {
    this.encode = new CommandEncoder(session);
    this.words = session.words;
    session.own(this, handle);
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  marker(wait: Wait): NativeEvent {
    return this.submit(this.begin(Opcode.marker, wait, true), true)!;
  }

  /** Encodes a command's head; its operands follow from the word that is returned on. */
  protected begin(opcode: Opcode, wait: Wait, wantEvent: boolean): number {
    if (wait !== undefined && wait.length > 0) return this.beginWaiting(opcode, wait, wantEvent);
    const { words } = this;
    const n = this.place(0);
    words[n] = opcode;
    words[n + 1] = wantEvent ? 1 : 0;
    words[n + 2] = 0;
    return n + 3;
  }

  private beginWaiting(opcode: Opcode, wait: readonly BackendEvent[], wantEvent: boolean): number {
    const waits = this.waitList(wait);
    return this.encode.head(this.place(waits.length), opcode, wantEvent, waits.map(handleOf));
  }

  /** The word index for the next command, which waits for `waits` events. */
  private place(waits: number): number {
    this.session.settleBatch(this);
    if (this.batched + waits + commandRoom > Session.capacity) this.executeBatch();
    return this.batched;
  }

  private waitList(wait: readonly BackendEvent[]): readonly BackendEvent[] {
    for (let i = 0; i < wait.length; i++) {
      const { queue } = wait[i] as NativeEvent;
      // The device must receive the commands that this one waits for; otherwise it would wait for ever.
      if (queue && queue !== this) queue.flushPending();
    }
    if (wait.length <= waitLimit) return wait;
    const gathered: BackendEvent[] = [];
    for (let at = 0; at < wait.length; at += waitLimit)
      gathered.push(this.marker(wait.slice(at, at + waitLimit)));
    return this.waitList(gathered);
  }

  /** `n`: the end of the command's words. */
  protected submit(n: number, wantEvent: boolean): MaybeEvent {
    this.pending = true;
    if (this.batching && !wantEvent) {
      this.batched = n;
      return undefined;
    }
    this.batched = 0;
    this.connection?.check('clEnqueue');
    const event = this.session.execute(this.handle, n);
    return wantEvent ? new NativeEvent(this.session, event, this) : undefined;
  }

  protected submitWithHost(
    n: number,
    wantEvent: boolean,
    host: ArrayBufferView,
    settle?: () => void,
    second?: ArrayBufferView,
  ): MaybeEvent {
    this.pending = true;
    this.batched = 0;
    this.connection?.check('clEnqueue');
    const event = this.session.addon.execute(this.handle, n, host, second);
    return wantEvent
      ? new NativeEvent(this.session, event, this, settle && this.toSettle(settle))
      : undefined;
  }

  protected toSettle(settle: () => void): () => void {
    const once = () => {
      if (this.unsettled.delete(once)) settle();
    };
    this.unsettled.add(once);
    return once;
  }

  protected executeBatch(): void {
    const n = this.batched;
    this.batched = 0;
    if (n > 0) this.session.execute(this.handle, n);
  }

  batch(record: () => void): void {
    // The words are shared: this would overwrite another queue's commands.
    this.session.batch(this, () => this.executeBatch());
    this.batching = true;
    try {
      record();
    } finally {
      this.batching = false;
      this.executeBatch();
      this.session.endBatch(this);
    }
  }

  /** The wait list alone, at the start of the words. */
  putWaits(wait: Wait): number {
    const waits = wait ? this.waitList(wait) : [];
    this.session.settleBatch();
    return this.encode.numbers(0, ...waits.map(handleOf));
  }

  setProperty(flags: number, on: boolean): void {
    this.session.addon.setQueueProperty(this.handle, flags, on);
  }

  flush(): void {
    this.executeBatch();
    this.pending = false;
    this.session.flush(this.handle);
  }

  flushPending(): void {
    if (this.pending) this.flush();
  }

  async finish(): Promise<void> {
    // A marker can fail with the command before it, although clFinish succeeds. A second marker shows which one failed.
    const status = (await this.statusOfMarker()) && (await this.statusOfMarker());
    this.settleAll();
    if (status < 0) throw new OpenCLError(status, 'clFinish', this.session.lastMessage);
  }

  private statusOfMarker(): Promise<number> {
    return new Promise((resolve) => {
      const marker = this.marker(undefined);
      marker.onComplete((status) => {
        marker.release();
        resolve(status);
      });
    });
  }

  finishSync(): void {
    this.executeBatch();
    this.pending = false;
    if (this.connection) this.finishRemoteSync();
    else this.session.finishSync(this.handle);
    this.settleAll();
  }

  /** clFinish would wait for ever if the connection were lost meanwhile. */
  private finishRemoteSync(): void {
    const marker = this.marker(undefined);
    try {
      marker.waitSync();
      if (marker.status() < 0) throw new OpenCLError(marker.status(), 'clFinish', marker.failure);
    } finally {
      marker.release();
    }
  }

  /** Its commands run to their end, and their events can be awaited: they find nothing left to flush. */
  release(): void {
    this.executeBatch();
    try {
      this.flushPending();
    } finally {
      this.pending = false;
      this.session.release(this, this.handle);
    }
  }

  private settleAll(): void {
    if (this.unsettled.size > 0) for (const settle of [...this.unsettled]) settle();
  }
}
