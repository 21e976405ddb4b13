// SPDX-License-Identifier: MIT
import type {
  BackendEvent,
  BackendKernel,
  BackendMapping,
  BackendMemory,
  BackendQueue,
  BackendSvm,
  RectLayout,
  Triple,
} from '../backend';
import { ErrorCode, MapFlags } from '../cl.gen';
import { OpenCLError } from '../opencl-error';
import type { Handle, NativeMapped } from './addon';
import { type Flushable, NativeEvent } from './event';
import { steadySource, steadyTarget } from './host-memory';
import { NativeMapping, NativeSvm } from './memory';
import { Opcode } from './opcodes.gen';
import { handleOf, Session } from './session';

type Wait = readonly BackendEvent[] | undefined;
type MaybeEvent = NativeEvent | undefined;

/** The longest wait list that goes into one command; a longer one is gathered by markers. */
const waitLimit = 1024;
/** Room that one command may need beside its wait list. */
const commandRoom = 64;

export class NativeQueue implements BackendQueue, Flushable {
  /** Commands have been enqueued that the device may not have got yet. */
  private pending = false;
  /** Words of a batch that wait to be executed. */
  private batched = 0;
  private batching = false;
  /** What brings staged reads to their destination once everything is done. */
  private readonly unsettled = new Set<() => void>();

  constructor(
    private readonly session: Session,
    readonly handle: Handle,
  ) {
    session.own(this, handle);
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  // Commands are encoded into the words that the addon reads: `begin`, then the operands, then `submit`.

  private begin(opcode: Opcode, wait: Wait, wantEvent: boolean): number {
    const { words } = this.session;
    const waits = wait ? this.waitList(wait) : undefined;
    let n = this.batched;
    if (n + 3 + commandRoom + (waits?.length ?? 0) > Session.capacity) {
      this.executeBatch();
      n = 0;
    }
    words[n++] = opcode;
    words[n++] = wantEvent ? 1 : 0;
    if (!waits) {
      words[n++] = 0;
      return n;
    }
    words[n++] = waits.length;
    for (let i = 0; i < waits.length; i++) words[n++] = (waits[i] as NativeEvent).handle;
    return n;
  }

  private waitList(wait: readonly BackendEvent[]): readonly BackendEvent[] {
    for (let i = 0; i < wait.length; i++) {
      const { queue } = wait[i] as NativeEvent;
      // The device must get what this command waits for, or it waits for ever.
      if (queue && queue !== this) queue.flushPending();
    }
    if (wait.length <= waitLimit) return wait;
    const gathered: BackendEvent[] = [];
    for (let at = 0; at < wait.length; at += waitLimit)
      gathered.push(this.marker(wait.slice(at, at + waitLimit)));
    return gathered;
  }

  /** `n`: the end of the command's words. */
  private submit(n: number, wantEvent: boolean): MaybeEvent {
    this.pending = true;
    if (this.batching && !wantEvent) {
      this.batched = n;
      return undefined;
    }
    this.batched = 0;
    const event = this.session.addon.execute(this.handle, n);
    return wantEvent ? new NativeEvent(this.session, event, this) : undefined;
  }

  private submitWithHost(
    n: number,
    wantEvent: boolean,
    host: ArrayBufferView,
    settle?: () => void,
    second?: ArrayBufferView,
  ): MaybeEvent {
    this.pending = true;
    this.batched = 0;
    const event = this.session.addon.execute(this.handle, n, host as ArrayBufferView, second);
    if (!wantEvent && !settle) return undefined;
    return new NativeEvent(this.session, event, this, settle && this.toSettle(settle));
  }

  private toSettle(settle: () => void): () => void {
    const once = () => {
      if (this.unsettled.delete(once)) settle();
    };
    this.unsettled.add(once);
    return once;
  }

  private executeBatch(): void {
    const n = this.batched;
    this.batched = 0;
    if (n > 0) this.session.addon.execute(this.handle, n);
  }

  /** Commands that `record` enqueues cross to the addon together. */
  batch(record: () => void): void {
    this.batching = true;
    try {
      record();
    } finally {
      this.batching = false;
      this.executeBatch();
    }
  }

  /** Puts bytes among the words: their number, then themselves. */
  private putBytes(n: number, bytes: Uint8Array): number {
    this.session.words[n] = bytes.length;
    this.session.wordBytes.set(bytes, (n + 1) * 8);
    return n + 1 + ((bytes.length + 7) >> 3);
  }

  private put3(n: number, triple: Triple): number {
    const { words } = this.session;
    words[n] = triple[0];
    words[n + 1] = triple[1];
    words[n + 2] = triple[2];
    return n + 3;
  }

  private putHandles(n: number, objects: readonly unknown[]): number {
    const { words } = this.session;
    // A list as long as this is nobody's; the words end there.
    if (objects.length > Session.capacity / 2)
      throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clEnqueue', 'too many objects in one command');
    words[n++] = objects.length;
    for (const object of objects) words[n++] = handleOf(object);
    return n;
  }

  enqueueKernel(
    kernel: BackendKernel,
    global: readonly number[],
    local: readonly number[] | undefined,
    offset: readonly number[] | undefined,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    let n = this.begin(Opcode.kernel, wait, wantEvent);
    const dimensions = global.length;
    words[n++] = handleOf(kernel);
    words[n++] = dimensions;
    words[n++] = offset ? 1 : 0;
    words[n++] = local ? 1 : 0;
    for (let i = 0; i < dimensions; i++) words[n++] = global[i]!;
    if (offset) for (let i = 0; i < dimensions; i++) words[n++] = offset[i]!;
    if (local) for (let i = 0; i < dimensions; i++) words[n++] = local[i]!;
    return this.submit(n, wantEvent);
  }

  readBuffer(
    source: BackendMemory,
    offset: number,
    into: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { target, settle } = steadyTarget(into);
    const event = wantEvent || settle !== undefined;
    const n = this.begin(Opcode.readBuffer, wait, event);
    this.session.words[n] = handleOf(source);
    this.session.words[n + 1] = offset;
    return this.submitWithHost(n + 2, event, target, settle);
  }

  writeBuffer(
    target: BackendMemory,
    offset: number,
    from: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const n = this.begin(Opcode.writeBuffer, wait, wantEvent);
    this.session.words[n] = handleOf(target);
    this.session.words[n + 1] = offset;
    return this.submitWithHost(n + 2, wantEvent, steadySource(from));
  }

  private putRect(n: number, memory: BackendMemory, rect: RectLayout): number {
    const { words } = this.session;
    words[n++] = handleOf(memory);
    n = this.put3(n, rect.bufferOrigin);
    n = this.put3(n, rect.hostOrigin);
    n = this.put3(n, rect.region);
    words[n++] = rect.bufferRowPitch;
    words[n++] = rect.bufferSlicePitch;
    words[n++] = rect.hostRowPitch;
    words[n++] = rect.hostSlicePitch;
    return n;
  }

  readBufferRect(
    source: BackendMemory,
    into: ArrayBufferView,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { target, settle } = steadyTarget(into);
    const event = wantEvent || settle !== undefined;
    const n = this.begin(Opcode.readBufferRect, wait, event);
    return this.submitWithHost(this.putRect(n, source, rect), event, target, settle);
  }

  writeBufferRect(
    target: BackendMemory,
    from: ArrayBufferView,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const n = this.begin(Opcode.writeBufferRect, wait, wantEvent);
    return this.submitWithHost(this.putRect(n, target, rect), wantEvent, steadySource(from));
  }

  copyBuffer(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    toOffset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    let n = this.begin(Opcode.copyBuffer, wait, wantEvent);
    words[n++] = handleOf(from);
    words[n++] = handleOf(to);
    words[n++] = fromOffset;
    words[n++] = toOffset;
    words[n++] = size;
    return this.submit(n, wantEvent);
  }

  copyBufferRect(
    from: BackendMemory,
    to: BackendMemory,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    const n = this.begin(Opcode.copyBufferRect, wait, wantEvent);
    words[n] = handleOf(from);
    return this.submit(this.putRect(n + 1, to, rect), wantEvent);
  }

  fillBuffer(
    target: BackendMemory,
    pattern: Uint8Array,
    offset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    let n = this.begin(Opcode.fillBuffer, wait, wantEvent);
    words[n++] = handleOf(target);
    words[n++] = offset;
    words[n++] = size;
    n = this.putBytes(n, pattern);
    return this.submit(n, wantEvent);
  }

  private putImageRegion(n: number, image: BackendMemory, origin: Triple, region: Triple): number {
    this.session.words[n] = handleOf(image);
    return this.put3(this.put3(n + 1, origin), region);
  }

  readImage(
    source: BackendMemory,
    origin: Triple,
    region: Triple,
    rowPitch: number,
    slicePitch: number,
    into: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { target, settle } = steadyTarget(into);
    const event = wantEvent || settle !== undefined;
    let n = this.begin(Opcode.readImage, wait, event);
    n = this.putImageRegion(n, source, origin, region);
    this.session.words[n] = rowPitch;
    this.session.words[n + 1] = slicePitch;
    return this.submitWithHost(n + 2, event, target, settle);
  }

  writeImage(
    target: BackendMemory,
    origin: Triple,
    region: Triple,
    rowPitch: number,
    slicePitch: number,
    from: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    let n = this.begin(Opcode.writeImage, wait, wantEvent);
    n = this.putImageRegion(n, target, origin, region);
    this.session.words[n] = rowPitch;
    this.session.words[n + 1] = slicePitch;
    return this.submitWithHost(n + 2, wantEvent, steadySource(from));
  }

  copyImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOrigin: Triple,
    toOrigin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    let n = this.begin(Opcode.copyImage, wait, wantEvent);
    words[n++] = handleOf(from);
    words[n++] = handleOf(to);
    n = this.put3(this.put3(this.put3(n, fromOrigin), toOrigin), region);
    return this.submit(n, wantEvent);
  }

  fillImage(
    target: BackendMemory,
    color: Uint8Array,
    origin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    let n = this.begin(Opcode.fillImage, wait, wantEvent);
    n = this.putImageRegion(n, target, origin, region);
    n = this.putBytes(n, color);
    return this.submit(n, wantEvent);
  }

  copyImageToBuffer(
    from: BackendMemory,
    to: BackendMemory,
    origin: Triple,
    region: Triple,
    toOffset: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    let n = this.begin(Opcode.copyImageToBuffer, wait, wantEvent);
    words[n++] = handleOf(from);
    n = this.putImageRegion(n, to, origin, region);
    words[n++] = toOffset;
    return this.submit(n, wantEvent);
  }

  copyBufferToImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    origin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    let n = this.begin(Opcode.copyBufferToImage, wait, wantEvent);
    words[n++] = handleOf(from);
    words[n++] = handleOf(to);
    words[n++] = fromOffset;
    n = this.put3(this.put3(n, origin), region);
    return this.submit(n, wantEvent);
  }

  mapBuffer(
    memory: BackendMemory,
    flags: number,
    offset: number,
    size: number,
    wait: Wait,
  ): { event: NativeEvent; mapped: NativeMapping } {
    this.executeBatch();
    const waits = this.putWaits(wait);
    return this.mapped(
      this.session.addon.mapBuffer(this.handle, handleOf(memory), flags, offset, size, waits),
      flags,
    );
  }

  mapImage(
    memory: BackendMemory,
    flags: number,
    origin: Triple,
    region: Triple,
    wait: Wait,
  ): { event: NativeEvent; mapped: NativeMapping } {
    this.executeBatch();
    const waits = this.putWaits(wait);
    this.put3(this.put3(waits, origin), region);
    return this.mapped(this.session.addon.mapImage(this.handle, handleOf(memory), flags, waits), flags);
  }

  /** The wait list alone, at the start of the words. */
  private putWaits(wait: Wait): number {
    if (!wait) return 0;
    const waits = this.waitList(wait);
    waits.forEach((event, i) => {
      this.session.words[i] = (event as NativeEvent).handle;
    });
    return waits.length;
  }

  private mapped(
    [event, handle, bytes, size, rowPitch, slicePitch]: NativeMapped,
    flags: number,
  ): { event: NativeEvent; mapped: NativeMapping } {
    this.pending = true;
    const writes = (flags & (MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION)) !== 0;
    const mapped = new NativeMapping(
      this.session,
      handle,
      bytes ?? new Uint8Array(size),
      rowPitch,
      slicePitch,
      bytes !== undefined,
      writes,
    );
    const settle = bytes ? undefined : this.toSettle(() => mapped.load());
    return { event: new NativeEvent(this.session, event, this, settle), mapped };
  }

  unmap(memory: BackendMemory, mapped: BackendMapping, wait: Wait, wantEvent: boolean): MaybeEvent {
    const mapping = mapped as NativeMapping;
    mapping.store();
    const n = this.begin(Opcode.unmap, wait, wantEvent);
    this.session.words[n] = handleOf(memory);
    this.session.words[n + 1] = mapping.handle;
    const event = this.submit(n + 2, wantEvent);
    mapping.close();
    return event;
  }

  migrate(memories: readonly BackendMemory[], flags: number, wait: Wait, wantEvent: boolean): MaybeEvent {
    const n = this.begin(Opcode.migrate, wait, wantEvent);
    this.session.words[n] = flags;
    return this.submit(this.putHandles(n + 1, memories), wantEvent);
  }

  svmMemcpy(
    to: BackendSvm | ArrayBufferView,
    toOffset: number,
    from: BackendSvm | ArrayBufferView,
    fromOffset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const hosts: ArrayBufferView[] = [];
    let settle: (() => void) | undefined;
    if (ArrayBuffer.isView(to)) {
      const steady = steadyTarget(to);
      settle = steady.settle;
      hosts.push(steady.target);
    }
    if (ArrayBuffer.isView(from)) hosts.push(steadySource(from));
    const event = wantEvent || settle !== undefined;
    const { words } = this.session;
    const n = this.begin(Opcode.svmMemcpy, wait, event);
    words[n] = ArrayBuffer.isView(to) ? 0 : handleOf(to);
    words[n + 1] = toOffset;
    words[n + 2] = ArrayBuffer.isView(from) ? 0 : handleOf(from);
    words[n + 3] = fromOffset;
    words[n + 4] = size;
    const [first, second] = hosts;
    return first ? this.submitWithHost(n + 5, event, first, settle, second) : this.submit(n + 5, event);
  }

  svmFill(
    to: BackendSvm,
    offset: number,
    pattern: Uint8Array,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    const n = this.begin(Opcode.svmFill, wait, wantEvent);
    words[n] = handleOf(to);
    words[n + 1] = offset;
    words[n + 2] = size;
    return this.submit(this.putBytes(n + 3, pattern), wantEvent);
  }

  svmMap(
    svm: BackendSvm,
    flags: number,
    offset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { words } = this.session;
    const n = this.begin(Opcode.svmMap, wait, wantEvent);
    words[n] = handleOf(svm);
    words[n + 1] = flags;
    words[n + 2] = offset;
    words[n + 3] = size;
    return this.submit(n + 4, wantEvent);
  }

  svmUnmap(svm: BackendSvm, wait: Wait, wantEvent: boolean): MaybeEvent {
    const n = this.begin(Opcode.svmUnmap, wait, wantEvent);
    this.session.words[n] = handleOf(svm);
    return this.submit(n + 1, wantEvent);
  }

  svmFree(svms: readonly BackendSvm[], wait: Wait, wantEvent: boolean): MaybeEvent {
    const n = this.begin(Opcode.svmFree, wait, wantEvent);
    const end = this.putHandles(n, svms);
    for (const svm of svms) if (svm instanceof NativeSvm) svm.handedOver();
    const event = this.submit(end, wantEvent);
    this.executeBatch();
    return event;
  }

  svmMigrate(svms: readonly BackendSvm[], flags: number, wait: Wait, wantEvent: boolean): MaybeEvent {
    const n = this.begin(Opcode.svmMigrate, wait, wantEvent);
    this.session.words[n] = flags;
    return this.submit(this.putHandles(n + 1, svms), wantEvent);
  }

  marker(wait: Wait): NativeEvent {
    return this.submit(this.begin(Opcode.marker, wait, true), true)!;
  }

  barrier(wait: Wait, wantEvent: boolean): MaybeEvent {
    return this.submit(this.begin(Opcode.barrier, wait, wantEvent), wantEvent);
  }

  flush(): void {
    this.executeBatch();
    this.pending = false;
    this.session.addon.flush(this.handle);
  }

  flushPending(): void {
    if (this.pending) this.flush();
  }

  finish(): Promise<void> {
    return new Promise((resolve, reject) => {
      const marker = this.marker(undefined);
      marker.onComplete((status) => {
        marker.release();
        this.settleAll();
        if (status >= 0) resolve();
        else reject(new OpenCLError(status, 'clFinish', this.session.lastMessage));
      });
    });
  }

  finishSync(): void {
    this.executeBatch();
    this.pending = false;
    this.session.addon.finishSync(this.handle);
    this.settleAll();
  }

  release(): void {
    this.executeBatch();
    this.session.release(this, this.handle);
  }

  private settleAll(): void {
    for (const settle of [...this.unsettled]) settle();
  }
}
