// SPDX-License-Identifier: MIT
//
// IEEE 754 binary16 <-> JavaScript numbers.

const float64 = new Float64Array(1);
const bits = new BigUint64Array(float64.buffer);

/** The bits of the half nearest to a number (ties to even). */
export function halfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  float64[0] = value;
  const sign = Number(bits[0]! >> 63n) << 15;
  const magnitude = Math.abs(value);
  // 65520 is halfway between the largest half and the next number with its spacing.
  if (magnitude >= 65520) return sign | 0x7c00;
  const exponent = Math.max(Number((bits[0]! >> 52n) & 0x7ffn) - 1023, -14);
  // In units of the last place: exact, since both are powers of two within range.
  const units = roundToEven(magnitude * 2 ** (10 - exponent));
  // A carry into the exponent gives the right bits.
  return sign | (exponent === -14 ? units : ((exponent + 14) << 10) + units);
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && (floor & 1) === 1) ? floor + 1 : floor;
}

/** The value of a half with these bits. */
export function halfValue(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (fraction + 0x400) * 2 ** (exponent - 25);
}

/** The half nearest to a number, as a number. */
export function roundToHalf(value: number): number {
  return halfValue(halfBits(value));
}
