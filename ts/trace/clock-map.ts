// SPDX-License-Identifier: MIT

/** Nanoseconds: two readings of one moment that differ by more are from different clocks. */
const TOLERANCE = 1_000_000n;

/**
 * Maps times of a device's clock to the host's. Each command narrows the difference of the clocks: the device took the time at
 * which it was queued during the call that enqueued it. The device's timers (clGetDeviceAndHostTimer) are better where they
 * agree with that; some drivers have none, or profile with another clock.
 */
export class ClockMap {
  private low: bigint | undefined;
  private high = 0n;

  /** @param timers the device's clock and the host's at one moment, undefined where the device has no timers */
  constructor(private readonly timers: { readonly device: bigint; readonly host: bigint } | undefined) {}

  /** The command was queued at `queued` of the device's clock, between two times of the host's. */
  narrow(before: bigint, queued: bigint, after: bigint): void {
    const [low, high] = [before - queued, after - queued];
    if (this.low === undefined || low > this.high || high < this.low) {
      // The first command, or the clocks have drifted apart.
      this.low = low;
      this.high = high;
      return;
    }
    if (low > this.low) this.low = low;
    if (high < this.high) this.high = high;
  }

  toHost(time: bigint): bigint {
    return time + this.difference();
  }

  private difference(): bigint {
    const measured = this.timers && this.timers.host - this.timers.device;
    if (this.low === undefined) return measured ?? 0n;
    const fits =
      measured !== undefined && measured > this.low - TOLERANCE && measured < this.high + TOLERANCE;
    if (fits) return measured < this.low ? this.low : measured > this.high ? this.high : measured;
    return (this.low + this.high) / 2n;
  }
}
