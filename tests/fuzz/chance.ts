// SPDX-License-Identifier: MIT

/** Choices that a seed decides. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 0x9e3779b1 + 0x7f4a7c15) >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  random(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both ends included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)]!;
  }

  with(probability: number): boolean {
    return this.random() < probability;
  }
}
