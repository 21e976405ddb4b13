// SPDX-License-Identifier: MIT
//
// IEEE 754 binary32 from integers of any width.

/** The float nearest to an integer (ties to even). Through a double, integers above 2^53 would be rounded twice. */
export function singleOf(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  if (magnitude < 1n << 53n) return Math.fround(Number(value));
  // Of the bits that a double would round away, it only matters whether any is set.
  const sticky = (magnitude & 0xfffn) !== 0n ? 1n : 0n;
  const rounded = Math.fround(Number((magnitude >> 12n) | sticky)) * 4096;
  return value < 0n ? -rounded : rounded;
}
