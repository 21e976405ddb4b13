// SPDX-License-Identifier: MIT

import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendMemory, BackendSampler, BackendSvm } from '../backend-objects';
import type { BackendMapping } from '../command';
import type { Handle } from './addon';
import type { Session } from './session';

export class NativeMemory implements BackendMemory {
  constructor(
    readonly session: Session,
    readonly handle: Handle,
    /** The script's own memory, where the object is made over it (USE_HOST_PTR): a mapping shows just that. */
    readonly host?: Uint8Array,
  ) {
    session.own(this, handle);
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
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

  release(): void {
    this.session.release(this, this.handle);
  }
}

export class NativeSampler implements BackendSampler {
  constructor(
    private readonly session: Session,
    readonly handle: Handle,
  ) {
    session.own(this, handle);
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  release(): void {
    this.session.release(this, this.handle);
  }
}

/** Keeps what owns foreign memory for as long as a script holds an array over it. */
const owners = new WeakMap<ArrayBufferLike, object>();

export class NativeMapping implements BackendMapping {
  constructor(
    readonly session: Session,
    readonly handle: Handle,
    readonly bytes: Uint8Array,
    readonly rowPitch: number,
    readonly slicePitch: number,
    /** What `bytes` is: the mapped memory, a copy of it, or the script's own array that the object is made over. */
    private readonly shown: 'direct' | 'copy' | 'host',
    private readonly writes: boolean,
  ) {
    if (shown === 'direct') owners.set(bytes.buffer, this);
  }

  /** Brings the device's bytes into the copy, where it is one. */
  load(): void {
    if (this.shown === 'copy') this.session.addon.mappingCopy(this.handle, this.bytes, false);
  }

  /** Brings the copy's bytes to the device before the region is unmapped. */
  store(): void {
    if (this.shown === 'copy' && this.writes) this.session.addon.mappingCopy(this.handle, this.bytes, true);
  }

  /** The region is unmapped: its array must not show it any more. */
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

  /** After a map, where `bytes` is a copy. */
  load(): void {
    if (!this.direct) this.session.addon.svmCopy(this.handle, 0, this.bytes, false);
  }

  /** Before an unmap or a kernel, where `bytes` is a copy. */
  store(): void {
    if (!this.direct) this.session.addon.svmCopy(this.handle, 0, this.bytes, true);
  }

  free(): void {
    if (this.freed) throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clSVMFree', 'it has been freed already');
    this.detached();
    this.session.release(this, this.handle);
  }

  /** A command frees it. */
  handedOver(): void {
    this.detached();
    this.session.disown(this);
  }

  private detached(): void {
    this.freed = true;
    this.session.addon.detach(this.bytes);
  }
}
