// SPDX-License-Identifier: MIT
//
// The rings of launches that print. A launch has one from when it is prepared until its text is written, so not all that are enqueued
// may be prepared at once.
import type { Device } from '../../../device/device';
import { makeRing, type Ring } from '../../../device/printf';
import { PRINTF_BUFFER_BYTES } from '../device/limits';
import { exhausted } from '../memory/memory';

/** Rings of launches that need not wait for others. */
const MOST_RINGS = 64;

/** Thrown for a launch whose ring must wait for those of others. */
export class MissingRing extends Error {
  constructor(readonly freed: Promise<void>) {
    super('launches that print have all rings');
  }
}

export class PrintfRings {
  private static readonly ofDevices = new WeakMap<Device, PrintfRings>();
  private inUse = 0;
  private waits = false;
  private freed: { readonly promise: Promise<void>; readonly settle: () => void } | undefined;

  static of(device: Device): PrintfRings {
    const known = PrintfRings.ofDevices.get(device) ?? new PrintfRings(device);
    PrintfRings.ofDevices.set(device, known);
    return known;
  }

  private constructor(private readonly device: Device) {}

  /** Runs a step that may throw MissingRing: its launch is prepared again later. */
  orWait<T>(step: () => T): T {
    const before = this.waits;
    this.waits = true;
    try {
      return step();
    } finally {
      this.waits = before;
    }
  }

  take(functionName: string): { readonly ring: Ring; free(): void } {
    const { memory } = this.device;
    const mayWait = this.waits && this.inUse > 0;
    if (mayWait && this.inUse >= MOST_RINGS) throw this.missing();
    const block = memory.allocate(PRINTF_BUFFER_BYTES, 64);
    if (!block) throw mayWait ? this.missing() : exhausted(this.device, PRINTF_BUFFER_BYTES, functionName);
    this.inUse++;
    const free = (): void => {
      memory.free(block);
      this.inUse--;
      this.freed?.settle();
      this.freed = undefined;
    };
    return { ring: makeRing(memory.u8, block.address, PRINTF_BUFFER_BYTES), free };
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
