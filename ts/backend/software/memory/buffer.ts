// SPDX-License-Identifier: MIT
//
// Buffers and sub-buffers.
import { ErrorCode, MemFlags, MemObjectType } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { FirstContents, TrackedRange } from '../../../device/checks/checked-memory';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import type { HostData } from '../../backend';
import { allocateAnywhere, BASE_ALIGN } from './allocate';
import { bytesOf, SoftwareMemory } from './memory';
import type { SharedPages } from './shared-pages';

const INHERITED = MemFlags.USE_HOST_PTR | MemFlags.ALLOC_HOST_PTR | MemFlags.COPY_HOST_PTR;
const ACCESS = MemFlags.READ_WRITE | MemFlags.READ_ONLY | MemFlags.WRITE_ONLY;
const HOST_ACCESS = MemFlags.HOST_READ_ONLY | MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS;

/** Where a buffer's memory is, and whose it is. */
interface Placed {
  readonly device: Device;
  readonly flags: number;
  readonly address: number;
  readonly size: number;
  /** The memory of USE_HOST_PTR, if that is not the device's memory. */
  readonly host?: Uint8Array | undefined;
  readonly properties?: readonly bigint[] | undefined;
  /** The allocation, if the buffer owns it. */
  readonly block?: Block;
  /** The buffer that this one is a part of. */
  readonly parent?: SoftwareBuffer;
  /** Whether it uses memory that the host already shared with the device. */
  readonly isShared?: boolean;
  /** Default: what the host may write at any time. */
  readonly contents?: FirstContents;
  /** Runs before its memory is free. */
  readonly onFree?: () => void;
}

export class SoftwareBuffer extends SoftwareMemory {
  override readonly type = MemObjectType.BUFFER;

  private constructor({ device, flags, address, size, host, properties, ...more }: Placed) {
    super(device, flags, address, size, host, properties);
    const { block, parent, isShared = false, contents = 'any', onFree } = more;
    this.block = block;
    this.parent = parent;
    this.isShared = isShared;
    this.onFree = onFree;
    if (!parent) this.tracked = device.checked?.track(address, size, contents);
  }

  readonly parent: SoftwareBuffer | undefined;
  private readonly block: Block | undefined;
  private readonly isShared: boolean;
  private readonly onFree: (() => void) | undefined;
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
    if (inPlace !== undefined)
      return new SoftwareBuffer({
        device,
        flags: access,
        address: inPlace,
        size,
        properties,
        isShared: true,
      });
    const block = allocateAnywhere(device, size, BASE_ALIGN, 'clCreateBuffer');
    if (bytes) device.memory.bytes(block.address, bytes.length).set(bytes);
    const host = flags & MemFlags.USE_HOST_PTR ? bytes : undefined;
    return new SoftwareBuffer({
      device,
      flags: access,
      address: block.address,
      size,
      host,
      properties,
      block,
      contents: bytes === undefined ? 'none' : host ? 'any' : 'given',
    });
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
    const address = pages.address + offset;
    const onFree = () => pages.release();
    return new SoftwareBuffer({ device, flags: access, address, size, properties, onFree });
  }

  override get offset(): number {
    return this.parent ? this.address - this.parent.address : 0;
  }

  protected override get inPlace(): boolean {
    return this.isShared;
  }

  protected override get hasOwnPages(): boolean {
    return this.block !== undefined;
  }

  override get owner(): SoftwareMemory | undefined {
    if (this.parent) return this.parent.owner;
    return this.isShared ? undefined : this;
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
    const { device, isShared } = this;
    return new SoftwareBuffer({ device, flags: all, address, size, host, parent: this, isShared });
  }

  protected override destroy(): void {
    this.parent?.release();
    if (this.tracked) this.device.checked!.forget(this.tracked);
    this.onFree?.();
    if (this.block) this.device.memory.free(this.block);
  }
}
