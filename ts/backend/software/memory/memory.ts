// SPDX-License-Identifier: MIT
//
// What all memory objects of the software device have in common.
import {
  ErrorCode,
  ExternalMemoryHandleType,
  type MemObjectType,
  MemProperty,
} from '../../../cl/constants.gen';
import { answerInfo } from '../../../cl/encode-info';
import { memInfo } from '../../../cl/info-keys.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Device } from '../../../device/device';
import type { HostData } from '../../backend';
import type { BackendMemory } from '../../backend-objects';
import { RefCounted } from '../ref-counted';

export function bytesOf(data: HostData): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/**
 * Refuses properties that the device does not have. Handles of other APIs are among them: a WebAssembly memory cannot contain
 * what the operating system maps elsewhere.
 */
export function checkMemoryProperties(properties: readonly bigint[] | undefined, functionName: string): void {
  for (let at = 0; at < (properties?.length ?? 0); at += 2) {
    const key = Number(properties![at]);
    if (key === MemProperty.DEVICE_PRIVATE_ADDRESS_EXT) continue;
    const detail =
      ExternalMemoryHandleType[key] === undefined
        ? `the software device has no property 0x${key.toString(16)} of memory objects`
        : 'the software device cannot import memory by a handle (no cl_khr_external_memory): its buffers are in a WebAssembly memory';
    throw new OpenCLError(ErrorCode.INVALID_PROPERTY, functionName, detail);
  }
}

function hasProperty(properties: readonly bigint[], key: MemProperty): boolean {
  return properties.some((value, at) => at % 2 === 0 && value === BigInt(key) && properties[at + 1] !== 0n);
}

/** A queue. */
interface MemoryUser {
  /** Whether all its commands are over. */
  readonly isIdle: boolean;
}

/** A range of the device's memory. */
export abstract class SoftwareMemory extends RefCounted implements BackendMemory {
  abstract readonly type: MemObjectType;
  mapCount = 0;
  /** Maps of it and of what is a part of it; only of what owns memory. */
  private ownMaps = 0;
  /** The queue whose commands use the memory; only of what owns memory. */
  private user: MemoryUser | 'several' | undefined;
  constructor(
    readonly device: Device,
    readonly flags: number,
    readonly address: number,
    readonly size: number,
    /** The memory of USE_HOST_PTR; undefined if the object is in the device's memory. */
    readonly host: Uint8Array | undefined,
    readonly properties: readonly bigint[] = [],
  ) {
    super();
  }

  info(param: number): Uint8Array {
    const answers = {
      TYPE: this.type,
      FLAGS: this.flags,
      SIZE: this.size,
      HOST_PTR: 0n,
      MAP_COUNT: this.mapCount,
      REFERENCE_COUNT: this.referenceCount,
      OFFSET: this.offset,
      USES_SVM_POINTER: this.inPlace,
      PROPERTIES: this.properties.length > 0 ? [...this.properties, 0n] : [],
      DEVICE_ADDRESS_EXT: () => this.deviceAddress(),
    };
    return answerInfo(memInfo, answers, 'clGetMemObjectInfo', param);
  }

  /** The value for clSetKernelArgDevicePointerEXT (cl_ext_buffer_device_address). */
  private deviceAddress(): bigint {
    if (hasProperty(this.properties, MemProperty.DEVICE_PRIVATE_ADDRESS_EXT)) return BigInt(this.address);
    throw new OpenCLError(
      ErrorCode.INVALID_OPERATION,
      'clGetMemObjectInfo',
      'the buffer was created without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT',
    );
  }

  /** A map of the object begins, or ends. */
  countMap(by: 1 | -1): void {
    this.mapCount += by;
    if (this.owner) this.owner.ownMaps += by;
  }

  /** Notes that commands of a queue use the memory. */
  usedBy(queue: MemoryUser): void {
    const { owner } = this;
    if (!owner || owner.user === queue || owner.user === 'several') return;
    owner.user = !owner.user || owner.user.isIdle ? queue : 'several';
  }

  /**
   * Whether commands of this queue alone may write the memory now: no queue has used it while another one did, the host has not mapped
   * any of it.
   */
  isWrittenOnlyBy(queue: MemoryUser): boolean {
    this.usedBy(queue);
    const { owner } = this;
    return owner !== undefined && owner.hasOwnPages && owner.user === queue && owner.ownMaps === 0;
  }

  /** Whether nothing outside of the context has its memory. */
  protected get hasOwnPages(): boolean {
    return false;
  }

  /** Offset in the parent, for sub-buffers. */
  get offset(): number {
    return 0;
  }

  /** Whether it uses memory that the host already shared with the device. */
  protected get inPlace(): boolean {
    return false;
  }

  imageInfo(_param: number): Uint8Array {
    throw new OpenCLError(ErrorCode.INVALID_MEM_OBJECT, 'clGetImageInfo', 'the object is not an image');
  }

  pipeInfo(_param: number): Uint8Array {
    throw new OpenCLError(ErrorCode.INVALID_MEM_OBJECT, 'clGetPipeInfo', 'the object is not a pipe');
  }

  /** The object that owns its memory; undefined for host memory. */
  get owner(): SoftwareMemory | undefined {
    return this;
  }

  createSubBuffer(_flags: number, _origin: number, _size: number): BackendMemory {
    throw new OpenCLError(ErrorCode.INVALID_MEM_OBJECT, 'clCreateSubBuffer', 'the object is not a buffer');
  }

  /** Bytes were written by no command: a checked context has to know. */
  noteWritten(offset = 0, size = this.size - offset): void {
    this.device.checked?.written(this.address + offset, size);
  }

  /** A command has mapped bytes or ended a mapping: a checked context has to know. */
  noteMapped(offset: number, size: number, isForWriting: boolean): void {
    this.device.checked?.maps.map({ address: this.address + offset, size, isForWriting });
  }

  noteUnmapped(offset: number, size: number, isForWriting: boolean): void {
    this.device.checked?.maps.unmap({ address: this.address + offset, size, isForWriting });
  }

  /** A view of the bytes. */
  bytes(offset = 0, size = this.size - offset): Uint8Array {
    return this.device.memory.bytes(this.address + offset, size);
  }
}
