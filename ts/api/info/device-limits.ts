// SPDX-License-Identifier: MIT

type LimitKey = 'MAX_MEM_ALLOC_SIZE' | 'LOCAL_MEM_SIZE' | 'MEM_BASE_ADDR_ALIGN';

/** The part of a device that this file uses. */
interface Queried {
  info(key: LimitKey): number | bigint;
}

/** Limits of a context's devices. Each is queried when it is first needed. */
export class DeviceLimits {
  readonly #devices: readonly Queried[];
  readonly #known = new Map<LimitKey, number>();

  constructor(devices: readonly Queried[]) {
    this.#devices = devices;
  }

  /** The size of the largest buffer that one of the devices can have, in bytes. */
  get maxAllocation(): number {
    return this.#largest('MAX_MEM_ALLOC_SIZE');
  }

  /** The local memory of a work-group on the device that has most, in bytes. */
  get localMemory(): number {
    return this.#largest('LOCAL_MEM_SIZE');
  }

  /** The alignment of a sub-buffer's origin on all devices, in bytes. */
  get subBufferAlign(): number {
    return Math.max(1, this.#largest('MEM_BASE_ADDR_ALIGN') / 8);
  }

  #largest(key: LimitKey): number {
    let value = this.#known.get(key);
    if (value === undefined) {
      value = Math.max(...this.#devices.map((device) => Number(device.info(key))));
      this.#known.set(key, value);
    }
    return value;
  }
}
