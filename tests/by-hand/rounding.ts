// SPDX-License-Identifier: MIT
//
// Exact rounding of numbers to integers, floats and halves, in the four modes of OpenCL C.

export const ROUNDINGS = ['rte', 'rtz', 'rtp', 'rtn'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

/** n / 2^shift as an integer; shift is at least 0. */
function divide(n: bigint, shift: bigint, rounding: Rounding): bigint {
  const floor = n >> shift;
  const rest = n - (floor << shift);
  if (rest === 0n || rounding === 'rtn') return floor;
  if (rounding === 'rtp') return floor + 1n;
  if (rounding === 'rtz') return n < 0n ? floor + 1n : floor;
  const twice = rest << 1n;
  const one = 1n << shift;
  return twice > one || (twice === one && floor & 1n) ? floor + 1n : floor;
}

/** A finite number as integer times a power of two. */
function parts(x: number | bigint): [integer: bigint, exponent: number] {
  if (typeof x === 'bigint') return [x, 0];
  const bits = new BigUint64Array(Float64Array.of(x).buffer)[0]!;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  const integer = exponent === 0 ? fraction : fraction | (1n << 52n);
  return [x < 0 ? -integer : integer, Math.max(exponent, 1) - 1075];
}

export function roundToInteger(x: number, rounding: Rounding): bigint {
  const [n, e] = parts(x);
  return e >= 0 ? n << BigInt(e) : divide(n, BigInt(-e), rounding);
}

/** A number with this many bits of precision, and no exponent below `least`: that of the last bit of denormals. */
export function roundTo(x: number | bigint, rounding: Rounding, precision: number, least = -1074): number {
  if (typeof x === 'number' && (!Number.isFinite(x) || x === 0)) return x;
  const [n, e] = parts(x);
  if (n === 0n) return 0;
  const length = (n < 0n ? -n : n).toString(2).length;
  const cut = Math.max(length - precision, least - e);
  if (cut <= 0) return Number(n) * 2 ** e;
  const rounded = Number(divide(n, BigInt(cut), rounding)) * 2 ** (e + cut);
  return rounded === 0 && n < 0n ? -0 : rounded;
}

/** What a value beyond the largest finite one becomes. */
function overflow(x: number, most: number, rounding: Rounding): number {
  if (Math.abs(x) <= most || !Number.isFinite(x)) return x;
  const stays = rounding === 'rtz' || rounding === (x > 0 ? 'rtn' : 'rtp');
  return Math.sign(x) * (stays ? most : Infinity);
}

export const roundToFloat = (x: number | bigint, rounding: Rounding): number =>
  overflow(roundTo(x, rounding, 24, -149), (2 - 2 ** -23) * 2 ** 127, rounding);

export function halfBits(x: number | bigint, rounding: Rounding): number {
  const value =
    typeof x === 'number' && !Number.isFinite(x)
      ? x
      : overflow(roundTo(x, rounding, 11, -24), 65504, rounding);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (magnitude === Infinity) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
  const exponent = Math.floor(Math.log2(magnitude));
  return sign | ((exponent + 15) << 10) | ((magnitude / 2 ** exponent - 1) * 1024);
}

export function asHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
