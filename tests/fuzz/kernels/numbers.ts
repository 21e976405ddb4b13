// SPDX-License-Identifier: MIT
//
// Numbers of OpenCL C's types as bits, and what conversions make of them. Integers are their values, floats the bits of them.
export const INTEGERS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;
export type Integer = (typeof INTEGERS)[number];
export type Float = 'float' | 'double';
export type Base = Integer | Float;

export const MODES = ['rte', 'rtz', 'rtp', 'rtn'] as const;
export type Mode = (typeof MODES)[number];

export const isFloat = (base: Base): base is Float => base === 'float' || base === 'double';
export const isSigned = (base: Base): boolean => !base.startsWith('u');

export function bitsOf(base: Base): number {
  if (isFloat(base)) return base === 'float' ? 32 : 64;
  return 8 << (INTEGERS.indexOf(base) >> 1);
}

/** The integer type of a size. */
export const integerOf = (bits: number, signed: boolean): Integer =>
  INTEGERS[2 * Math.log2(bits / 8) + (signed ? 0 : 1)]!;

export const wrap = (base: Base, value: bigint): bigint =>
  isSigned(base) && !isFloat(base) ? BigInt.asIntN(bitsOf(base), value) : BigInt.asUintN(bitsOf(base), value);

export function saturate(base: Integer, value: bigint): bigint {
  const bits = BigInt(bitsOf(base));
  const [low, high] = isSigned(base)
    ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
    : [0n, (1n << bits) - 1n];
  return value < low ? low : value > high ? high : value;
}

const view = new DataView(new ArrayBuffer(8));

export function numberOf(base: Float, bits: bigint): number {
  view.setBigUint64(0, bits, true);
  return base === 'float' ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

/** The nearest float's bits. */
export function bitsOfNumber(base: Float, value: number): bigint {
  view.setBigUint64(0, 0n, true);
  if (base === 'float') view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return view.getBigUint64(0, true);
}

/** A whole number, rounded from a float. */
export function rounded(value: number, mode: Mode): number {
  if (mode === 'rtp') return Math.ceil(value);
  if (mode === 'rtn') return Math.floor(value);
  const whole = Math.trunc(value);
  const rest = Math.abs(value - whole);
  if (mode === 'rtz' || rest < 0.5 || (rest === 0.5 && whole % 2 === 0)) return whole;
  return whole + Math.sign(value);
}

export function floatToInteger(to: Integer, value: number, mode: Mode): bigint {
  if (Number.isNaN(value)) return 0n;
  if (!Number.isFinite(value)) return saturate(to, value > 0 ? 1n << 70n : -(1n << 70n));
  return saturate(to, BigInt(rounded(value, mode)));
}

export function integerToFloat(to: Float, value: bigint, mode: Mode): bigint {
  const magnitude = value < 0n ? -value : value;
  const extra = magnitude.toString(2).length - (to === 'float' ? 24 : 53);
  if (extra <= 0) return bitsOfNumber(to, Number(value));
  const shift = BigInt(extra);
  const kept = magnitude >> shift;
  const rest = magnitude - (kept << shift);
  const half = 1n << (shift - 1n);
  const up = {
    rte: rest > half || (rest === half && (kept & 1n) === 1n),
    rtz: false,
    rtp: rest > 0n && value > 0n,
    rtn: rest > 0n && value < 0n,
  }[mode];
  const result = Number((kept + (up ? 1n : 0n)) << shift);
  return bitsOfNumber(to, value < 0n ? -result : result);
}
