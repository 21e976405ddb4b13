// SPDX-License-Identifier: MIT

/** The fuzzers' choices, the same for the same seed. */
export function choices(seed) {
  let state = Number(seed) >>> 0 || 1;
  /** xorshift32, in [0, n) */
  const random = (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
  return { random, pick: (list) => list[random(list.length)] };
}
