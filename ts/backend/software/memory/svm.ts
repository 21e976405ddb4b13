// SPDX-License-Identifier: MIT
import type { TrackedRange } from '../../../device/checks/checked-memory';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import type { BackendSvm } from '../../backend-objects';
import { RefCounted } from '../ref-counted';
import { allocateAnywhere, BASE_ALIGN, exhausted } from './allocate';
import type { UnifiedSvm } from './unified-svm';

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
