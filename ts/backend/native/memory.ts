// SPDX-License-Identifier: MIT
//
// Memory objects of a driver: buffers and images, samplers, mapped regions, shared virtual memory.
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendMemory, BackendSampler, BackendSvm } from '../backend-objects';
import type { BackendMapping } from '../command';
import type { Handle } from './addon';
import { NativeObject } from './native-object';
import type { Session } from './session';

export class NativeMemory extends NativeObject implements BackendMemory {
  constructor(
    session: Session,
    handle: Handle,
    /** The script's memory, if the object uses it (USE_HOST_PTR): mappings show this memory. */
    readonly host?: Uint8Array,
  ) {
    super(session, handle);
  }

  imageInfo(param: number): Uint8Array {
    return this.session.addon.imageInfo(this.handle, param);
  }

  pipeInfo(param: number): Uint8Array {
    return this.session.addon.pipeInfo(this.handle, param);
  }

  glObject(): { type: number; name: number } {
    const bytes = this.session.addon.glObjectInfo(this.handle);
    const pair = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
    return { type: pair[0]!, name: pair[1]! };
  }

  glTextureInfo(param: number): Uint8Array {
    return this.session.addon.glTextureInfo(this.handle, param);
  }

  createSubBuffer(flags: number, origin: number, size: number): NativeMemory {
    return new NativeMemory(
      this.session,
      this.session.addon.createSubBuffer(this.handle, flags, origin, size),
      this.host?.subarray(origin, origin + size),
    );
  }

  onDestroy(callback: () => void): void {
    this.session.when(this.session.addon.onMemoryDestroyed(this.handle), callback);
  }
}

export class NativeSampler extends NativeObject implements BackendSampler {}

/** Keeps the owner of foreign memory alive as long as a script has an array over it. */
const owners = new WeakMap<ArrayBufferLike, object>();

export class NativeMapping implements BackendMapping {
  constructor(
    readonly session: Session,
    readonly handle: Handle,
    readonly bytes: Uint8Array,
    readonly rowPitch: number,
    readonly slicePitch: number,
    /** The kind of `bytes`: the mapped memory, a copy of it, or the script's array that the object uses. */
    private readonly shown: 'direct' | 'copy' | 'host',
    private readonly writes: boolean,
  ) {
    if (shown === 'direct') owners.set(bytes.buffer, this);
  }

  get isCopy(): boolean {
    return this.shown === 'copy';
  }

  /** Copies the device's bytes into `bytes`, if that is a copy. */
  load(): void {
    if (this.isCopy) this.session.addon.mappingCopy(this.handle, this.bytes, false);
  }

  /** Copies the bytes of a copy to the device before the region is unmapped. */
  store(): void {
    if (this.isCopy && this.writes) this.session.addon.mappingCopy(this.handle, this.bytes, true);
  }

  /** Called when the region is unmapped: the array must not show it any more. */
  close(): void {
    if (this.shown !== 'host') this.session.addon.detach(this.bytes);
  }
}

export class NativeSvm implements BackendSvm {
  private freed = false;
  readonly bytes: Uint8Array;
  /** `bytes` is the memory itself, not a copy of it. */
  readonly direct: boolean;

  constructor(
    readonly session: Session,
    readonly handle: Handle,
    readonly address: bigint,
    readonly size: number,
    bytes: Uint8Array | undefined,
  ) {
    this.direct = bytes !== undefined;
    this.bytes = bytes ?? new Uint8Array(size);
    if (bytes) owners.set(bytes.buffer, this);
    session.own(this, handle);
  }

  /** After a map, if `bytes` is a copy. */
  load(): void {
    if (!this.direct) this.session.addon.svmCopy(this.handle, 0, this.bytes, false);
  }

  /** Before an unmap or a kernel, if `bytes` is a copy. */
  store(): void {
    if (!this.direct) this.session.addon.svmCopy(this.handle, 0, this.bytes, true);
  }

  free(): void {
    if (this.freed) throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clSVMFree', 'it has been freed already');
    this.detached();
    this.session.release(this, this.handle);
  }

  /** Called when a command frees it. */
  handedOver(): void {
    this.detached();
    this.session.disown(this);
  }

  private detached(): void {
    this.freed = true;
    this.session.addon.detach(this.bytes);
  }
}
