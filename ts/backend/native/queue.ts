// SPDX-License-Identifier: MIT
import type { BackendKernel, BackendMemory, BackendSemaphore, BackendSvm } from '../backend';
import type { BackendMapping, BackendQueue, RectLayout, Triple, Wait, WorkSizes } from '../backend-queue';
import { MapFlags } from '../cl.gen';
import { steadySource, steadyTarget } from '../host-memory';
import type { Handle, NativeMapped } from './addon';
import { CommandStream, type MaybeEvent } from './command-stream';
import { NativeEvent } from './event';
import { NativeMapping, type NativeMemory, NativeSvm } from './memory';
import { Opcode } from './opcodes.gen';
import { handleOf } from './session';

type Sharer = 'external' | 'gl' | 'egl';

const acquireOpcodes: Readonly<Record<Sharer, Opcode>> = {
  external: Opcode.acquireExternal,
  gl: Opcode.acquireGl,
  egl: Opcode.acquireEgl,
};
const releaseOpcodes: Readonly<Record<Sharer, Opcode>> = {
  external: Opcode.releaseExternal,
  gl: Opcode.releaseGl,
  egl: Opcode.releaseEgl,
};

export class NativeQueue extends CommandStream implements BackendQueue {
  enqueueKernel(kernel: BackendKernel, range: WorkSizes, wait: Wait, wantEvent: boolean): MaybeEvent {
    const n = this.begin(Opcode.kernel, wait, wantEvent);
    return this.submit(this.encode.kernel(n, kernel, range), wantEvent);
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
    return this.submitWithHost(this.encode.numbers(n, handleOf(source), offset), event, target, settle);
  }

  writeBuffer(
    target: BackendMemory,
    offset: number,
    from: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const n = this.begin(Opcode.writeBuffer, wait, wantEvent);
    const end = this.encode.numbers(n, handleOf(target), offset);
    return this.submitWithHost(end, wantEvent, steadySource(from));
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
    return this.submitWithHost(this.encode.rect(n, source, rect), event, target, settle);
  }

  writeBufferRect(
    target: BackendMemory,
    from: ArrayBufferView,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const n = this.begin(Opcode.writeBufferRect, wait, wantEvent);
    return this.submitWithHost(this.encode.rect(n, target, rect), wantEvent, steadySource(from));
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
    const n = this.begin(Opcode.copyBuffer, wait, wantEvent);
    return this.submit(this.encode.copyBuffer(n, from, to, fromOffset, toOffset, size), wantEvent);
  }

  copyBufferRect(
    from: BackendMemory,
    to: BackendMemory,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const n = this.begin(Opcode.copyBufferRect, wait, wantEvent);
    return this.submit(this.encode.rect(this.encode.numbers(n, handleOf(from)), to, rect), wantEvent);
  }

  fillBuffer(
    target: BackendMemory,
    pattern: Uint8Array,
    offset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const n = this.begin(Opcode.fillBuffer, wait, wantEvent);
    return this.submit(this.encode.fillBuffer(n, target, pattern, offset, size), wantEvent);
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
    const n = this.encode.imageRegion(this.begin(Opcode.readImage, wait, event), source, origin, region);
    return this.submitWithHost(this.encode.numbers(n, rowPitch, slicePitch), event, target, settle);
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
    const n = this.encode.imageRegion(this.begin(Opcode.writeImage, wait, wantEvent), target, origin, region);
    const end = this.encode.numbers(n, rowPitch, slicePitch);
    return this.submitWithHost(end, wantEvent, steadySource(from));
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
    const n = this.begin(Opcode.copyImage, wait, wantEvent);
    return this.submit(this.encode.copyImage(n, from, to, fromOrigin, toOrigin, region), wantEvent);
  }

  fillImage(
    target: BackendMemory,
    color: Uint8Array,
    origin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const n = this.begin(Opcode.fillImage, wait, wantEvent);
    const end = this.encode.bytes(this.encode.imageRegion(n, target, origin, region), color);
    return this.submit(end, wantEvent);
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
    const n = this.begin(Opcode.copyImageToBuffer, wait, wantEvent);
    return this.submit(this.encode.copyImageToBuffer(n, from, to, origin, region, toOffset), wantEvent);
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
    const n = this.begin(Opcode.copyBufferToImage, wait, wantEvent);
    return this.submit(this.encode.copyBufferToImage(n, from, to, fromOffset, origin, region), wantEvent);
  }

  mapBuffer(
    memory: BackendMemory,
    flags: number,
    offset: number,
    size: number,
    wait: Wait,
  ): { event: NativeEvent; mapped: NativeMapping } {
    const waits = this.putWaits(wait);
    const { addon } = this.session;
    const host = (memory as NativeMemory).host?.subarray(offset, offset + size);
    return this.mapped(
      addon.mapBuffer(this.handle, handleOf(memory), flags, offset, size, waits),
      flags,
      host,
    );
  }

  mapImage(
    memory: BackendMemory,
    flags: number,
    origin: Triple,
    region: Triple,
    wait: Wait,
  ): { event: NativeEvent; mapped: NativeMapping } {
    const waits = this.putWaits(wait);
    this.encode.triple(this.encode.triple(waits, origin), region);
    return this.mapped(this.session.addon.mapImage(this.handle, handleOf(memory), flags, waits), flags);
  }

  private mapped(
    [event, handle, bytes, size, rowPitch, slicePitch]: NativeMapped,
    flags: number,
    host?: Uint8Array,
  ): { event: NativeEvent; mapped: NativeMapping } {
    this.pending = true;
    const writes = (flags & (MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION)) !== 0;
    const shown = host ? 'host' : bytes ? 'direct' : 'copy';
    const mapped = new NativeMapping(
      this.session,
      handle,
      host ?? bytes ?? new Uint8Array(size),
      rowPitch,
      slicePitch,
      shown,
      writes,
    );
    const settle = shown !== 'copy' ? undefined : this.toSettle(() => mapped.load());
    return { event: new NativeEvent(this.session, event, this, settle), mapped };
  }

  unmap(memory: BackendMemory, mapped: BackendMapping, wait: Wait, wantEvent: boolean): MaybeEvent {
    const mapping = mapped as NativeMapping;
    mapping.store();
    const n = this.begin(Opcode.unmap, wait, wantEvent);
    const end = this.encode.numbers(n, handleOf(memory), mapping.handle);
    const event = this.submit(end, wantEvent);
    mapping.close();
    return event;
  }

  migrate(memories: readonly BackendMemory[], flags: number, wait: Wait, wantEvent: boolean): MaybeEvent {
    this.executeBatch();
    const n = this.encode.numbers(this.begin(Opcode.migrate, wait, wantEvent), flags);
    return this.submit(this.encode.handles(n, memories), wantEvent);
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
    const end = this.encode.svmMemcpy(
      this.begin(Opcode.svmMemcpy, wait, event),
      ArrayBuffer.isView(to) ? 0 : handleOf(to),
      toOffset,
      ArrayBuffer.isView(from) ? 0 : handleOf(from),
      fromOffset,
      size,
    );
    const [first, second] = hosts;
    return first ? this.submitWithHost(end, event, first, settle, second) : this.submit(end, event);
  }

  svmFill(
    to: BackendSvm,
    offset: number,
    pattern: Uint8Array,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const n = this.begin(Opcode.svmFill, wait, wantEvent);
    return this.submit(this.encode.fillBuffer(n, to, pattern, offset, size), wantEvent);
  }

  svmMap(
    svm: BackendSvm,
    flags: number,
    offset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const own = svm as NativeSvm;
    const event = wantEvent || !own.direct;
    const n = this.begin(Opcode.svmMap, wait, event);
    const made = this.submit(this.encode.numbers(n, own.handle, flags, offset, size), event);
    if (made && !own.direct) made.settleWith(this.toSettle(() => own.load()));
    return made;
  }

  svmUnmap(svm: BackendSvm, wait: Wait, wantEvent: boolean): MaybeEvent {
    (svm as NativeSvm).store();
    const n = this.begin(Opcode.svmUnmap, wait, wantEvent);
    return this.submit(this.encode.numbers(n, handleOf(svm)), wantEvent);
  }

  svmFree(svms: readonly BackendSvm[], wait: Wait, wantEvent: boolean): MaybeEvent {
    this.executeBatch();
    const end = this.encode.handles(this.begin(Opcode.svmFree, wait, wantEvent), svms);
    for (const svm of svms) if (svm instanceof NativeSvm) svm.handedOver();
    const event = this.submit(end, wantEvent);
    this.executeBatch();
    return event;
  }

  svmMigrate(svms: readonly BackendSvm[], flags: number, wait: Wait, wantEvent: boolean): MaybeEvent {
    this.executeBatch();
    const n = this.encode.numbers(this.begin(Opcode.svmMigrate, wait, wantEvent), flags);
    return this.submit(this.encode.handles(n, svms), wantEvent);
  }

  enqueueNativeKernel(
    run: (memories: readonly Uint8Array[]) => void,
    memories: readonly BackendMemory[],
    wait: Wait,
  ): NativeEvent {
    const { addon } = this.session;
    const waits = this.putWaits(wait);
    const [handle, ticket] = addon.enqueueNativeKernel(this.handle, memories.map(handleOf), waits);
    this.pending = true;
    this.session.when(ticket, () => {
      const direct = addon.nativeKernelMemory(ticket);
      const views = direct.map((view, i) => {
        if (typeof view !== 'number') return view;
        const copy = new Uint8Array(view);
        addon.nativeKernelCopy(ticket, i, copy, false);
        return copy;
      });
      try {
        run(views);
      } finally {
        views.forEach((view, i) => {
          if (typeof direct[i] === 'number') addon.nativeKernelCopy(ticket, i, view, true);
          else addon.detach(view);
        });
        addon.nativeKernelDone(ticket);
      }
    });
    const event = new NativeEvent(this.session, handle, this);
    // A command that fails before it runs must not leave its thread unable to block for ever.
    event.onComplete(() => {
      this.session.cancel(ticket);
      addon.nativeKernelDone(ticket);
    });
    return event;
  }

  waitSemaphores(
    semaphores: readonly BackendSemaphore[],
    payloads: readonly number[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    return this.semaphores(Opcode.waitSemaphores, semaphores, payloads, wait, wantEvent);
  }

  signalSemaphores(
    semaphores: readonly BackendSemaphore[],
    payloads: readonly number[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    return this.semaphores(Opcode.signalSemaphores, semaphores, payloads, wait, wantEvent);
  }

  private semaphores(
    opcode: Opcode,
    semaphores: readonly BackendSemaphore[],
    payloads: readonly number[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    this.executeBatch();
    const n = this.encode.handles(this.begin(opcode, wait, wantEvent), semaphores);
    return this.submit(this.encode.list(n, payloads), wantEvent);
  }

  acquire(from: Sharer, memories: readonly BackendMemory[], wait: Wait, wantEvent: boolean): MaybeEvent {
    this.executeBatch();
    const n = this.begin(acquireOpcodes[from], wait, wantEvent);
    return this.submit(this.encode.handles(n, memories), wantEvent);
  }

  giveBack(to: Sharer, memories: readonly BackendMemory[], wait: Wait, wantEvent: boolean): MaybeEvent {
    this.executeBatch();
    const n = this.begin(releaseOpcodes[to], wait, wantEvent);
    return this.submit(this.encode.handles(n, memories), wantEvent);
  }

  /** The driver's own command buffer; `queues` only where it was recorded for several. */
  enqueueCommandBuffer(
    buffer: Handle,
    queues: readonly BackendQueue[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    this.executeBatch();
    const n = this.encode.numbers(this.begin(Opcode.commandBuffer, wait, wantEvent), buffer);
    return this.submit(this.encode.handles(n, queues), wantEvent);
  }

  barrier(wait: Wait, wantEvent: boolean): MaybeEvent {
    return this.submit(this.begin(Opcode.barrier, wait, wantEvent), wantEvent);
  }
}
