// SPDX-License-Identifier: MIT
import { Chance } from '../chance';

/** A random kernel that is being written. */
export class Draft {
  readonly chance: Chance;
  /** How many statements may follow. */
  budget = 14;
  private names = 0;

  constructor(seed: number) {
    this.chance = new Chance(seed);
  }

  /** A name that the kernel does not have yet. */
  fresh(prefix: string): string {
    return `${prefix}${this.names++}`;
  }
}
