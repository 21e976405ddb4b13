// SPDX-License-Identifier: MIT

import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { allocate } from '../memory/allocate';
import { RefCounted } from '../ref-counted';

/** A block's captured variables. */
export class Literal extends RefCounted {
  private readonly block: Block;

  constructor(
    private readonly device: Device,
    from: number,
    /** Bytes of the variables. */
    readonly size: number,
  ) {
    super();
    this.block = allocate(device, Math.max(size, 1), 128, 'enqueue_kernel');
    device.memory.u8.copyWithin(this.block.address, from, from + size);
  }

  get address(): number {
    return this.block.address;
  }

  protected override destroy(): void {
    this.device.memory.free(this.block);
  }
}
