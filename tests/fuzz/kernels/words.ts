// SPDX-License-Identifier: MIT
import { Chance } from '../chance';

/** The kernel's input, for models of what kernels read. */
export function invocationWords(chance = new Chance(7)): Uint32Array {
  return Uint32Array.from({ length: 256 }, () => {
    const word = chance.integer(0, 0xffffffff);
    return chance.with(0.5) ? word : word & 15;
  });
}
