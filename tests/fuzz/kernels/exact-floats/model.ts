// SPDX-License-Identifier: MIT
//
// Floats as their bits, and exact numbers made of them: a finite float is a multiple of the least denormal of its type.
export const FLOATS = ['half', 'float', 'double'] as const;
export type Float = (typeof FLOATS)[number];
export const MODES = ['rte', 'rtz', 'rtp', 'rtn'] as const;
export type Mode = (typeof MODES)[number];

/** `least`: the least denormal is two to the power of this. */
const FORMATS = {
  half: { bits: 16, precision: 11, least: -24 },
  float: { bits: 32, precision: 24, least: -149 },
  double: { bits: 64, precision: 53, least: -1074 },
} as const;

export const formatOf = (base: Float) => FORMATS[base];

const fieldBits = (base: Float) => BigInt(FORMATS[base].precision - 1);
export const signOf = (base: Float): bigint => 1n << BigInt(FORMATS[base].bits - 1);
export const infinityOf = (base: Float): bigint => signOf(base) - (1n << fieldBits(base));
/** A quiet NaN, which stands for all whose bits are not known. */
export const nanOf = (base: Float): bigint => infinityOf(base) | (1n << (fieldBits(base) - 1n));
export const oneOf = (base: Float): bigint => toFloat(base, 1n, 0);

export const magnitudeOf = (base: Float, bits: bigint): bigint => bits & (signOf(base) - 1n);
export const isNegative = (base: Float, bits: bigint): boolean => (bits & signOf(base)) !== 0n;
export const isNan = (base: Float, bits: bigint): boolean => magnitudeOf(base, bits) > infinityOf(base);
export const isInfinite = (base: Float, bits: bigint): boolean =>
  magnitudeOf(base, bits) === infinityOf(base);
export const isFiniteFloat = (base: Float, bits: bigint): boolean =>
  magnitudeOf(base, bits) < infinityOf(base);
export const isZero = (base: Float, bits: bigint): boolean => magnitudeOf(base, bits) === 0n;
export const isNormal = (base: Float, bits: bigint): boolean =>
  isFiniteFloat(base, bits) && magnitudeOf(base, bits) >= 1n << fieldBits(base);
export const isSignalling = (base: Float, bits: bigint): boolean =>
  isNan(base, bits) && (bits & (1n << (fieldBits(base) - 1n))) === 0n;
export const negated = (base: Float, bits: bigint): bigint => bits ^ signOf(base);
export const withSign = (base: Float, magnitude: bigint, negative: boolean): bigint =>
  magnitudeOf(base, magnitude) | (negative ? signOf(base) : 0n);

/** A finite float as a multiple of the least denormal. */
export function unitsOf(base: Float, bits: bigint): bigint {
  const field = fieldBits(base);
  const magnitude = magnitudeOf(base, bits);
  const exponent = magnitude >> field;
  const digits = magnitude & ((1n << field) - 1n);
  const units = exponent === 0n ? digits : (digits | (1n << field)) << (exponent - 1n);
  return isNegative(base, bits) ? -units : units;
}

const lengthOf = (value: bigint) => (value === 0n ? 0 : value.toString(2).length);
export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** The exponent of a finite number that is not zero: 0 for one, also of denormals. */
export const exponentOf = (base: Float, bits: bigint): number =>
  lengthOf(absolute(unitsOf(base, bits))) - 1 + FORMATS[base].least;

/** Whether a magnitude that lies `rest` of `whole` above one number becomes the next. `odd`: the number is odd. */
function roundsUp(rest: bigint, whole: bigint, odd: boolean, negative: boolean, mode: Mode): boolean {
  switch (mode) {
    case 'rte':
      return 2n * rest > whole || (2n * rest === whole && odd);
    case 'rtz':
      return false;
    case 'rtp':
      return rest > 0n && !negative;
    case 'rtn':
      return rest > 0n && negative;
  }
}

/** The float of `value * 2^exponent`. `negativeZero`: the sign of a value that is 0. */
export function toFloat(
  base: Float,
  value: bigint,
  exponent: number,
  mode: Mode = 'rte',
  negativeZero = false,
): bigint {
  const { precision, least } = FORMATS[base];
  const negative = value < 0n || (value === 0n && negativeZero);
  const magnitude = absolute(value);
  const unit = Math.max(lengthOf(magnitude) + exponent - precision, least);
  const shift = unit - exponent;
  let digits = shift > 0 ? magnitude >> BigInt(shift) : magnitude << BigInt(-shift);
  if (shift > 0) {
    const whole = 1n << BigInt(shift);
    const rest = magnitude - (digits << BigInt(shift));
    if (roundsUp(rest, whole, (digits & 1n) === 1n, negative, mode)) digits++;
  }
  // A digit too many adds one to the exponent.
  const found = digits === 0n ? 0n : (BigInt(unit - least) << fieldBits(base)) + digits;
  const infinity = infinityOf(base);
  if (found < infinity) return withSign(base, found, negative);
  const overflows = mode === 'rte' || (mode === 'rtp' && !negative) || (mode === 'rtn' && negative);
  return withSign(base, overflows ? infinity : infinity - 1n, negative);
}

/** A finite float as a whole number. */
export function toWhole(base: Float, bits: bigint, mode: Mode | 'away'): bigint {
  const units = unitsOf(base, bits);
  const shift = BigInt(-FORMATS[base].least);
  const magnitude = absolute(units);
  const digits = magnitude >> shift;
  const rest = magnitude - (digits << shift);
  const whole = 1n << shift;
  const up =
    mode === 'away' ? 2n * rest >= whole : roundsUp(rest, whole, (digits & 1n) === 1n, units < 0n, mode);
  const result = digits + (up ? 1n : 0n);
  return units < 0n ? -result : result;
}

/** The same number as another type, or rounded to it. */
export function convertFloat(to: Float, from: Float, bits: bigint, mode: Mode = 'rte'): bigint {
  if (isNan(from, bits)) return nanOf(to);
  const negative = isNegative(from, bits);
  if (isInfinite(from, bits)) return withSign(to, infinityOf(to), negative);
  return toFloat(to, unitsOf(from, bits), FORMATS[from].least, mode, negative);
}

/** -1, 0 or 1; undefined with NaNs. */
export function compareFloats(base: Float, a: bigint, b: bigint): number | undefined {
  if (isNan(base, a) || isNan(base, b)) return undefined;
  const order = (bits: bigint) =>
    isNegative(base, bits) ? -magnitudeOf(base, bits) : magnitudeOf(base, bits);
  const [p, q] = [order(a), order(b)];
  return p < q ? -1 : p > q ? 1 : 0;
}
