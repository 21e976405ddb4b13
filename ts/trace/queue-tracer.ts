// SPDX-License-Identifier: MIT
//
// Records the commands of one queue. The queue's methods are replaced on the object itself: other objects of its backend hold and
// recognize that object.
import type { BackendEvent } from '../backend/backend-objects';
import type { BackendQueue, MaybeEvent, Wait } from '../backend/backend-queue';
import { ProfilingInfo } from '../cl/constants.gen';
import type { ClockMap } from './clock-map';
import { type Description, describeCommand, describeLaunch, describeMap } from './describe';
import type { Arguments } from './events';
import type { Track } from './recorder';
import type { Trace } from './trace';

/** A command that is not known to be complete. */
interface Pending {
  readonly id: number;
  readonly what: Description;
  readonly event: BackendEvent;
  readonly after: readonly number[];
  /** The host's times around the call. */
  readonly before: bigint;
  readonly returned: bigint;
  /** Releases the event: the API's release is deferred until its times were read. */
  release(): void;
  /** Whether nobody else needs it. */
  released: boolean;
}

/** A queue is polled after this many commands, so that their events can be released. */
const POLL_AFTER = 256;

export class QueueTracer {
  private pending: Pending[] = [];
  private isReleased = false;
  private readonly forget: () => void;

  constructor(
    private readonly trace: Trace,
    private readonly queue: BackendQueue,
    private readonly track: Track,
    private readonly clock: ClockMap,
  ) {
    this.forget = trace.watch(
      () => this.poll(),
      () => this.end(),
    );
    this.replaceCommands();
    this.replaceWaits();
  }

  /** Records a command that `enqueue` enqueues with an event. */
  follow(what: Description, wait: Wait, wantEvent: boolean, enqueue: () => MaybeEvent): MaybeEvent {
    const { trace } = this;
    const id = trace.recorder.nextId();
    const before = trace.now();
    let event: MaybeEvent;
    try {
      event = enqueue();
    } catch (error) {
      this.recordCall(id, what, before, { error: String(error) });
      throw error;
    }
    const { returned, place } = this.recordCall(id, what, before, {});
    trace.recorder.flow('s', id, trace.program, place);
    if (!event) return undefined;
    const after = (wait ?? []).flatMap((other) => trace.ids.get(other) ?? []);
    trace.ids.set(event, id);
    const release = event.release.bind(event);
    const pending = { id, what, event, after, before, returned, release, released: !wantEvent };
    if (wantEvent) this.replaceEvent(pending);
    this.pending.push(pending);
    if (this.pending.length % POLL_AFTER === 0) this.poll();
    return wantEvent ? event : undefined;
  }

  private recordCall(id: number, { name }: Description, before: bigint, error: Arguments) {
    const { trace } = this;
    const returned = trace.now();
    const args = { id, ...error };
    const place = trace.recorder.span(trace.program, `enqueue ${name}`, 'call', before, returned, args);
    return { returned, place };
  }

  private replaceCommands(): void {
    const { queue } = this;
    const enqueueKernel = queue.enqueueKernel.bind(queue);
    queue.enqueueKernel = (kernel, range, wait, wantEvent) =>
      this.follow(describeLaunch(kernel, range), wait, wantEvent, () =>
        enqueueKernel(kernel, range, wait, true),
      );
    const enqueue = queue.enqueue.bind(queue);
    queue.enqueue = (command, wait, wantEvent) =>
      this.follow(describeCommand(command), wait, wantEvent, () => enqueue(command, wait, true));
    const mapBuffer = queue.mapBuffer.bind(queue);
    queue.mapBuffer = (memory, flags, offset, size, wait) =>
      this.followMap(describeMap('map', size), wait, () => mapBuffer(memory, flags, offset, size, wait));
    const mapImage = queue.mapImage.bind(queue);
    queue.mapImage = (memory, flags, origin, region, wait) =>
      this.followMap(describeMap('map image', 0), wait, () => mapImage(memory, flags, origin, region, wait));
    const readNew = queue.readNew?.bind(queue);
    if (readNew)
      queue.readNew = (memory, offset, size, wait) =>
        this.followMap(describeMap('read', size), wait, () => readNew(memory, offset, size, wait));
    const native = queue.enqueueNativeKernel?.bind(queue);
    if (native)
      queue.enqueueNativeKernel = (run, memories, wait) => {
        const what: Description = { name: 'host function', cat: 'kernel', args: {} };
        return this.follow(what, wait, true, () => native(run, memories, wait))!;
      };
  }

  private followMap<T extends { readonly event: BackendEvent }>(
    what: Description,
    wait: Wait,
    map: () => T,
  ): T {
    let mapped: T | undefined;
    this.follow(what, wait, true, () => {
      mapped = map();
      return mapped.event;
    });
    return mapped!;
  }

  private replaceWaits(): void {
    const { queue, trace } = this;
    const on = { queue: this.track.name, device: this.track.pid };
    const finish = queue.finish.bind(queue);
    queue.finish = () => trace.later(trace.awaits, `await ${this.track.name}`, 'wait', on, finish);
    const finishSync = queue.finishSync.bind(queue);
    queue.finishSync = () => {
      trace.call(`wait for ${this.track.name}`, 'wait', on, finishSync);
      this.poll();
    };
    const release = queue.release.bind(queue);
    queue.release = () => {
      this.poll();
      this.isReleased = true;
      if (this.pending.length === 0) this.forget();
      release();
    };
  }

  private replaceEvent(pending: Pending): void {
    const { trace } = this;
    const { event, what, id } = pending;
    const args = { for: id, queue: this.track.name, device: this.track.pid };
    const waitSync = event.waitSync.bind(event);
    event.waitSync = () => {
      trace.call(`wait for ${what.name}`, 'wait', args, waitSync);
      this.poll();
    };
    const onComplete = event.onComplete.bind(event);
    event.onComplete = (callback) => {
      const start = trace.now();
      onComplete((status) => {
        trace.recorder.span(trace.awaits, `await ${what.name}`, 'wait', start, trace.now(), args);
        this.poll();
        callback(status);
      });
    };
    event.release = () => {
      this.poll();
      if (pending.released) return;
      pending.released = true;
      if (!this.pending.includes(pending)) pending.release();
    };
  }

  /** Records the commands that have become complete. */
  private poll(): void {
    if (this.pending.length === 0) return;
    const isOrdered = this.track.kind === 'ordered';
    const done: (readonly [Pending, readonly bigint[] | undefined])[] = [];
    const left: Pending[] = [];
    for (const pending of this.pending) {
      // A query costs a call of the driver.
      const isDone = !(isOrdered && left.length > 0) && pending.event.status() <= 0;
      if (isDone) done.push([pending, timesOf(pending.event)]);
      else left.push(pending);
    }
    this.pending = left;
    // First the clocks' difference, from all of them.
    for (const [{ before, returned }, times] of done)
      if (times) this.clock.narrow(before, times[0]!, returned);
    for (const [pending, times] of done) {
      this.record(pending, times);
      if (pending.released) pending.release();
    }
    if (this.isReleased && left.length === 0) this.forget();
  }

  /** The program ends: commands that are still on their way are recorded up to now. */
  private end(): void {
    const now = this.trace.now();
    for (const { id, what, after, before } of this.pending)
      this.span(id, what, after, before, now, { unfinished: true });
    this.pending = [];
  }

  private record({ id, what, event, after, before }: Pending, times: readonly bigint[] | undefined): void {
    const status = event.status();
    const failed: Arguments = status < 0 ? { error: event.failure ?? `error ${status}` } : {};
    if (!times) {
      // A command without times of its own, such as a failed one: from its call until it was seen to be complete.
      this.span(id, what, after, before, this.trace.now(), { estimated: true, ...failed });
      return;
    }
    const [queued, submitted, started, ended] = times.map((time) => this.clock.toHost(time));
    const micros = (from: bigint, to: bigint): number => Math.max(0, Number(to - from) / 1000);
    const waited = { queued_us: micros(queued!, submitted!), submitted_us: micros(submitted!, started!) };
    this.span(id, what, after, started!, ended!, { ...waited, ...failed });
  }

  private span(
    id: number,
    { name, cat, args }: Description,
    after: readonly number[],
    start: bigint,
    end: bigint,
    more: Arguments,
  ): void {
    const { recorder } = this.trace;
    const all = { id, ...args, ...(after.length > 0 ? { after } : {}), ...more };
    const place = recorder.span(this.track, name, cat, start, end, all);
    recorder.flow('f', id, this.track, place);
  }
}

const KEYS = [
  ProfilingInfo.COMMAND_QUEUED,
  ProfilingInfo.COMMAND_SUBMIT,
  ProfilingInfo.COMMAND_START,
  ProfilingInfo.COMMAND_END,
];

/** When the command was queued, submitted, started and ended, by the device's clock; undefined where it does not say. */
function timesOf(event: BackendEvent): readonly bigint[] | undefined {
  try {
    const times = KEYS.map((key) => {
      const bytes = event.profilingInfo(key);
      return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
    });
    return times[2] === 0n || times[3]! < times[2]! ? undefined : times;
  } catch {
    return undefined;
  }
}
