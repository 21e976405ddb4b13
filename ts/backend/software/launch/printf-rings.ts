// SPDX-License-Identifier: MIT
//
// The rings of launches that print. A launch has one from when it is prepared until its text is written, so not all that are enqueued
// may be prepared at once.
import type { Device } from '../../../device/device';
import { makeRing, type Ring } from '../../../device/printf/printf';
import { PRINTF_BUFFER_BYTES } from '../device/limits';
import { exhausted } from '../memory/allocate';

/** Rings of launches that have not started. */
const MOST_EARLY_RINGS = 64;

/** Thrown for a launch whose ring must wait for those of others. */
export class MissingRing extends Error {
  constructor(readonly freed: Promise<void>) {
    super('launches that print have all rings');
  }
}

export class PrintfRings {
  private static readonly ofDevices = new WeakMap<Device, PrintfRings>();
  private inUse = 0;
  /** How many rings there may be before a launch has to wait; undefined while none can wait. */
  private most: number | undefined;
  private freed: { readonly promise: Promise<void>; readonly settle: () => void } | undefined;

  static of(device: Device): PrintfRings {
    const known = PrintfRings.ofDevices.get(device) ?? new PrintfRings(device);
    PrintfRings.ofDevices.set(device, known);
    return known;
  }

  private constructor(private readonly device: Device) {}

  /** Prepares a launch before it starts. Throws MissingRing if it has to be prepared when it starts. */
  early<T>(prepare: () => T): T {
    return this.withMost(MOST_EARLY_RINGS, prepare);
  }

  /**
   * Prepares a launch that starts. Throws MissingRing if there is no memory for another ring: launches that have not started may hold
   * others until this one is complete, so their number does not matter.
   */
  atStart<T>(prepare: () => T): T {
    return this.withMost(Number.POSITIVE_INFINITY, prepare);
  }

  take(functionName: string): { readonly ring: Ring; free(): void } {
    const { memory } = this.device;
    const mayWait = this.most !== undefined && this.inUse > 0;
    if (mayWait && this.inUse >= this.most!) throw this.missing();
    const block = memory.allocate(PRINTF_BUFFER_BYTES, 64);
    if (!block) throw mayWait ? this.missing() : exhausted(this.device, PRINTF_BUFFER_BYTES, functionName);
    if (mayWait && this.most !== Number.POSITIVE_INFINITY && !this.leavesAnother()) {
      memory.free(block);
      throw this.missing();
    }
    this.inUse++;
    const free = (): void => {
      memory.free(block);
      this.inUse--;
      this.freed?.settle();
      this.freed = undefined;
    };
    return { ring: makeRing(memory.u8, block.address, PRINTF_BUFFER_BYTES), free };
  }

  /** Whether there is memory for another ring: one that starts must not wait for those that have not started. */
  private leavesAnother(): boolean {
    const { memory } = this.device;
    const another = memory.allocate(PRINTF_BUFFER_BYTES, 64);
    if (another) memory.free(another);
    return another !== undefined;
  }

  private withMost<T>(most: number, prepare: () => T): T {
    const before = this.most;
    this.most = most;
    try {
      return prepare();
    } finally {
      this.most = before;
    }
  }

  private missing(): MissingRing {
    this.freed ??= withSettle();
    return new MissingRing(this.freed.promise);
  }
}

function withSettle(): { readonly promise: Promise<void>; readonly settle: () => void } {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
