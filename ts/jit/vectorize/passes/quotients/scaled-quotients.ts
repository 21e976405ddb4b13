// SPDX-License-Identifier: MIT
//
// Small numbers that are multiplied by one constant and divided by another, as five bits are scaled to eight by x * 255 / 31: one product
// in 16 bits, with a sum where it must be corrected, and a shift.

/** (x * multiplier + correction) >> shift. */
export interface ScaledQuotient {
  readonly multiplier: number;
  readonly correction: number;
  readonly shift: number;
}

/** The largest number for which all numbers are tried. */
const MOST_TRIED = 1023;
const MOST_SHIFT = 15;
const LARGEST = 0xffff;

/** The form that gives x * factor / divisor, rounded down, for all x from 0 to `most`, without a result of more than 16 bits. */
export function scaledQuotient(factor: number, divisor: number, most: number): ScaledQuotient | undefined {
  if (most > MOST_TRIED) return undefined;
  for (let shift = 0; shift <= MOST_SHIFT; shift++) {
    const rounded = Math.floor((factor * 2 ** shift) / divisor);
    if (rounded * most > LARGEST) return undefined;
    for (const multiplier of [rounded, rounded + 1]) {
      const correction = correctionOf({ multiplier, shift }, factor, divisor, most);
      if (correction !== undefined) return { multiplier, correction, shift };
    }
  }
  return undefined;
}

/** The least number to add to the product, if one gives the quotient for all numbers. */
function correctionOf(
  { multiplier, shift }: Omit<ScaledQuotient, 'correction'>,
  factor: number,
  divisor: number,
  most: number,
): number | undefined {
  let least = 0;
  let limit = LARGEST - multiplier * most;
  for (let x = 0; x <= most && least <= limit; x++) {
    const quotient = Math.floor((x * factor) / divisor);
    const product = x * multiplier;
    least = Math.max(least, quotient * 2 ** shift - product);
    limit = Math.min(limit, (quotient + 1) * 2 ** shift - 1 - product);
  }
  return least <= limit ? least : undefined;
}
