// SPDX-License-Identifier: MIT

import {
  ErrorCode,
  ExternalMemoryHandleType,
  MemFlags,
  MemObjectType,
  MemProperty,
} from '../../../cl/constants.gen';
import { answerInfo } from '../../../cl/encode-info';
import { memInfo } from '../../../cl/info-keys.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { FirstContents, TrackedRange } from '../../../device/checks/checked-memory';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { exceeds32Bits, has64BitMemories } from '../../../device/memory/memory';
import type { HostData } from '../../backend';
import type { BackendMemory, BackendSvm } from '../../backend-objects';
import { RefCounted } from '../ref-counted';
import type { SharedPages } from './shared-pages';
import type { UnifiedSvm } from './unified-svm';

/** The strictest alignment of any OpenCL C type; buffers and sub-buffers have it. */
export const BASE_ALIGN = 128;

export function bytesOf(data: HostData): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** Throws MEM_OBJECT_ALLOCATION_FAILURE if the device's memory is exhausted. */
export function allocate(device: Device, bytes: number, align: number, functionName: string): Block {
  const block = device.memory.allocate(bytes, align);
  if (block) return block;
  throw exhausted(device, bytes, functionName);
}

/** The same for memory that may be above 4 GB. */
function allocateAnywhere(device: Device, bytes: number, align: number, functionName: string): Block {
  const block = device.memory.allocateAnywhere(bytes, align);
  if (block) return block;
  throw exhausted(device, bytes, functionName);
}

export function exhausted(device: Device, bytes: number, functionName: string): OpenCLError {
  const { memory } = device;
  const isLimited = memory.budget !== Number.POSITIVE_INFINITY;
  const whose = isLimited ? 'the context may use (`maxMemory`)' : 'the device’s memory has';
  const hint = isLimited ? undefined : whereMoreFits(device);
  return new OpenCLError(
    ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE,
    functionName,
    `${bytes} bytes do not fit into the ${memory.capacity} bytes that ${whose}, of which ${memory.used} are in use${hint ? `; ${hint}` : ''}`,
  );
}

/**
 * Says which device has more memory than one with 32-bit addresses. Undefined where there is none: of the one that has most, on a
 * machine whose memory 32-bit addresses reach, and for kernels that have no more memory on the other.
 */
export function whereMoreFits({
  memory,
  host,
  checked,
  coverage,
  isRobust,
  isNarrowed,
}: Device): string | undefined {
  if (isNarrowed)
    return 'contexts of this device that are not checked, counted or robust have 64-bit addresses and more memory';
  if (memory.addressBits === 64 || !exceeds32Bits(host)) return undefined;
  if (checked || coverage || isRobust) return undefined;
  return has64BitMemories()
    ? "the software device with 64-bit addresses has more memory: open({ device: '64-bit' })"
    : 'with Node.js 24 or later there is a software device with 64-bit addresses, which has more memory';
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

/** A range of the device's memory. */
export abstract class SoftwareMemory extends RefCounted implements BackendMemory {
  abstract readonly type: MemObjectType;
  mapCount = 0;
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
    throw new OpenCLError(ErrorCode.INVALID_MEM_OBJECT, 'clGetPipeInfo', 'the object is no pipe');
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

  /** A view of the bytes. */
  bytes(offset = 0, size = this.size - offset): Uint8Array {
    return this.device.memory.bytes(this.address + offset, size);
  }
}

const INHERITED = MemFlags.USE_HOST_PTR | MemFlags.ALLOC_HOST_PTR | MemFlags.COPY_HOST_PTR;
const ACCESS = MemFlags.READ_WRITE | MemFlags.READ_ONLY | MemFlags.WRITE_ONLY;
const HOST_ACCESS = MemFlags.HOST_READ_ONLY | MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS;

export class SoftwareBuffer extends SoftwareMemory {
  override readonly type = MemObjectType.BUFFER;

  private constructor(
    device: Device,
    flags: number,
    address: number,
    size: number,
    host: Uint8Array | undefined,
    properties: readonly bigint[] | undefined,
    private readonly block: Block | undefined,
    readonly parent: SoftwareBuffer | undefined,
    private readonly shared: boolean,
    contents: FirstContents = 'any',
    /** Runs before its memory is free. */
    private readonly onFree: () => void = () => {},
  ) {
    super(device, flags, address, size, host, properties);
    if (!parent) this.tracked = device.checked?.track(address, size, contents);
  }

  /** The state of its bytes in a context whose kernels are checked. */
  private readonly tracked: TrackedRange | undefined;

  static create(
    device: Device,
    flags: number,
    size: number,
    data?: HostData,
    properties?: readonly bigint[],
  ): SoftwareBuffer {
    const access = flags & ACCESS ? flags : flags | MemFlags.READ_WRITE;
    const bytes = data && bytesOf(data).subarray(0, size);
    const inPlace = flags & MemFlags.USE_HOST_PTR && bytes ? device.memory.addressOf(bytes) : undefined;
    if (inPlace !== undefined) {
      return new SoftwareBuffer(
        device,
        access,
        inPlace,
        size,
        undefined,
        properties,
        undefined,
        undefined,
        true,
      );
    }
    const block = allocateAnywhere(device, size, BASE_ALIGN, 'clCreateBuffer');
    if (bytes) device.memory.bytes(block.address, bytes.length).set(bytes);
    const host = flags & MemFlags.USE_HOST_PTR ? bytes : undefined;
    return new SoftwareBuffer(
      device,
      access,
      block.address,
      size,
      host,
      properties,
      block,
      undefined,
      false,
      bytes === undefined ? 'none' : host ? 'any' : 'given',
    );
  }

  /** A buffer in shared pages, `offset` bytes from their start. It takes over the caller's reference to them. */
  static createShared(
    device: Device,
    flags: number,
    size: number,
    properties: readonly bigint[],
    pages: SharedPages,
    offset: number,
  ): SoftwareBuffer {
    const access = flags & ACCESS ? flags : flags | MemFlags.READ_WRITE;
    return new SoftwareBuffer(
      device,
      access,
      pages.address + offset,
      size,
      undefined,
      properties,
      undefined,
      undefined,
      false,
      'any',
      () => pages.release(),
    );
  }

  override get offset(): number {
    return this.parent ? this.address - this.parent.address : 0;
  }

  protected override get inPlace(): boolean {
    return this.shared;
  }

  override get owner(): SoftwareMemory | undefined {
    if (this.parent) return this.parent.owner;
    return this.shared ? undefined : this;
  }

  override createSubBuffer(flags: number, origin: number, size: number): SoftwareBuffer {
    if (this.parent) {
      throw new OpenCLError(
        ErrorCode.INVALID_MEM_OBJECT,
        'clCreateSubBuffer',
        'the buffer is a sub-buffer itself',
      );
    }
    if (origin % BASE_ALIGN !== 0) {
      throw new OpenCLError(
        ErrorCode.MISALIGNED_SUB_BUFFER_OFFSET,
        'clCreateSubBuffer',
        `the origin must be a multiple of ${BASE_ALIGN} bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN), not ${origin}`,
      );
    }
    let all = flags | (this.flags & INHERITED);
    if (!(all & ACCESS)) all |= this.flags & ACCESS;
    if (!(all & HOST_ACCESS)) all |= this.flags & HOST_ACCESS;
    const host = this.host?.subarray(origin, origin + size);
    const address = this.address + origin;
    this.retain();
    return new SoftwareBuffer(this.device, all, address, size, host, undefined, undefined, this, this.shared);
  }

  protected override destroy(): void {
    this.parent?.release();
    if (this.tracked) this.device.checked!.forget(this.tracked);
    this.onFree();
    if (this.block) this.device.memory.free(this.block);
  }
}

/**
 * Shared virtual memory: a pointer is an address in the device's memory, which the host can access, too. Enqueued commands that
 * use it keep it alive.
 */
export class SoftwareSvm extends RefCounted implements BackendSvm {
  readonly address: bigint;
  readonly bytes: Uint8Array;
  private freed = false;

  private constructor(
    readonly device: Device,
    readonly size: number,
    private readonly block: Block,
    readonly unified: UnifiedSvm,
    private readonly onFree: () => void = () => {},
  ) {
    super();
    this.address = BigInt(this.block.address);
    this.bytes = device.memory.bytes(this.block.address, size);
    // The host may write it without a command.
    this.tracked = device.checked?.track(this.block.address, size, 'any');
  }

  private readonly tracked: TrackedRange | undefined;

  static create(device: Device, size: number, align: number, unified: UnifiedSvm): SoftwareSvm {
    const block = allocateAnywhere(device, size, Math.max(align, BASE_ALIGN), 'clSVMAlloc');
    return new SoftwareSvm(device, size, block, unified);
  }

  /** At an address that the caller chooses (DeviceMemory.allocateAt). `onFree` runs before the memory is free. */
  static at(
    device: Device,
    address: number,
    size: number,
    unified: UnifiedSvm,
    onFree: () => void,
  ): SoftwareSvm {
    const block = device.memory.allocateAt(address, size);
    if (!block) throw exhausted(device, size, 'clSVMAlloc');
    return new SoftwareSvm(device, size, block, unified, onFree);
  }

  free(): void {
    if (this.freed) return;
    this.freed = true;
    this.release();
  }

  protected override destroy(): void {
    this.onFree();
    if (this.tracked) this.device.checked!.forget(this.tracked);
    this.device.memory.free(this.block);
  }
}
