// SPDX-License-Identifier: MIT
//
// A float divided by a constant as a product and a fused multiply-add (Brisebarre, Muller, Raina: Accelerating Correctly Rounded
// Floating-Point Division When the Divisor Is Known in Advance): with the reciprocal as a sum of two floats, high and low,
// fma(x, high, x * low) is the rounded quotient for nearly every divisor. Which they are is computed here.

export interface Reciprocal {
  readonly high: number;
  readonly low: number;
}

const SIGNIFICAND = 2 ** 23;
/**
 * The largest exponent of a divisor, and the least. The lower part of a reciprocal is at least 2^-47 of it, so that its product with a number of
 * 2^-56 or more (float-magnitudes.ts) is not subnormal.
 */
const MOST_EXPONENT = 20;

/** The reciprocal of a positive float, if it gives each rounded quotient of floats that does not overflow and is not near to subnormal. */
export function exactReciprocal(divisor: number): Reciprocal | undefined {
  const exponent = Math.floor(Math.log2(divisor));
  if (!(divisor > 0) || Math.abs(exponent) > MOST_EXPONENT || divisor !== Math.fround(divisor))
    return undefined;
  // As an integer of 24 bits: powers of two change nothing.
  const scale = SIGNIFICAND / 2 ** exponent;
  const reciprocal = reciprocalOf(divisor * scale);
  if (!isExact(divisor * scale, reciprocal)) return undefined;
  return { high: reciprocal.high * scale, low: reciprocal.low * scale };
}

function reciprocalOf(divisor: number): Reciprocal {
  const high = Math.fround(1 / divisor);
  // The product of two floats is exact, as is the difference.
  return { high, low: Math.fround((1 - high * divisor) / divisor) };
}

/**
 * The sum before its rounding differs from the quotient by less than 2^-46 of it. So the result can only be wrong if the quotient is as near
 * to the middle of two floats, m / 2^k, that x * 2^k - m * divisor is a small number other than zero. There are a few such x for each number.
 */
const MOST_DIFFERENCE = 8;

function isExact(divisor: number, reciprocal: Reciprocal): boolean {
  let odd = divisor;
  let power = 0;
  for (; odd % 2 === 0; odd /= 2) power++;
  for (const k of [24, 25])
    for (let difference = -MOST_DIFFERENCE; difference <= MOST_DIFFERENCE; difference++) {
      if (difference === 0 || difference % 2 ** power !== 0) continue;
      const modulus = 2n ** BigInt(k - power);
      const rest = (BigInt(-difference / 2 ** power) * inverse(BigInt(odd), modulus)) % modulus;
      for (let m = (rest + modulus) % modulus; m < 2n ** 25n; m += modulus) {
        const x = Number((m * BigInt(divisor) + BigInt(difference)) / 2n ** BigInt(k));
        if (x < SIGNIFICAND || x >= 2 * SIGNIFICAND || m < 2n ** 24n) continue;
        if (!isOnSameSide(x, Number(m) / 2 ** k, difference, reciprocal)) return false;
      }
    }
  return true;
}

/** Whether the sum for x, and so the float that it is rounded to, is on the same side of the middle of two floats as the quotient. */
function isOnSameSide(x: number, middle: number, difference: number, { high, low }: Reciprocal): boolean {
  // All are exact: the middle and the product with `high` are near each other.
  const distance = x * high - middle + Math.fround(x * low);
  return Math.sign(distance) === Math.sign(difference);
}

/** Of an odd number, modulo a power of two. */
function inverse(odd: bigint, modulus: bigint): bigint {
  let result = 1n;
  // Each step doubles the number of correct bits.
  for (let bits = 1; bits < 32; bits *= 2) result = (result * (2n - odd * result)) % modulus;
  return (result + modulus) % modulus;
}
