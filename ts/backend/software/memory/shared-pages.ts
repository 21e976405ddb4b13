// SPDX-License-Identifier: MIT
import type { Device } from '../../../device/device';
import { RefCounted } from '../ref-counted';

/** The unit in which memory of two processes is shared. */
const SHARED_PAGE = 4096;

/** Pages of a device's memory that are mapped from elsewhere, for one or several buffers; each has a reference. */
export class SharedPages extends RefCounted {
  private constructor(
    readonly address: number,
    /** Makes them the device's own again. */
    private readonly end: () => void,
  ) {
    super();
  }

  /**
   * Undefined if there is no room. `share` maps `size` bytes, rounded up to whole pages; `unshare` ends that. `onFree` runs when the last
   * reference is released.
   */
  static map(
    device: Device,
    size: number,
    share: (bytes: Uint8Array) => void,
    unshare: (bytes: Uint8Array) => void,
    onFree: () => void,
  ): SharedPages | undefined {
    const pages = Math.ceil(size / SHARED_PAGE) * SHARED_PAGE;
    const block = device.memory.allocate(pages, SHARED_PAGE);
    if (!block) return undefined;
    const bytes = device.memory.bytes(block.address, pages);
    try {
      share(bytes);
    } catch (error) {
      device.memory.free(block);
      throw error;
    }
    return new SharedPages(block.address, () => {
      unshare(bytes);
      device.memory.free(block);
      onFree();
    });
  }

  protected override destroy(): void {
    this.end();
  }
}
