// SPDX-License-Identifier: MIT
//
// a * b + c, rounded once: exact integers times powers of two.

/** The bits of a significand, and the exponent of the least number. */
export const PRECISION = {
  half: { bits: 11, least: -24 },
  float: { bits: 24, least: -149 },
  double: { bits: 53, least: -1074 },
} as const;
export type Precision = (typeof PRECISION)[keyof typeof PRECISION];

const view = new DataView(new ArrayBuffer(8));

/** A finite number is m * 2^e. */
function decompose(x: number): { m: bigint; e: number } {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const m = field === 0 ? fraction : fraction | (1n << 52n);
  return { m: bits >> 63n ? -m : m, e: (field || 1) - 1075 };
}

/** n * 2^e, rounded to the nearest number, and to the even one of two. */
function rounded(n: bigint, e: number, { bits, least }: Precision): number {
  const magnitude = n < 0n ? -n : n;
  const excess = Math.max(magnitude.toString(2).length - bits, least - e, 0);
  const drop = BigInt(excess);
  const kept = magnitude >> drop;
  const rest = magnitude - (kept << drop);
  const half = excess > 0 ? 1n << (drop - 1n) : 1n;
  const up = rest > half || (rest === half && kept & 1n) ? 1n : 0n;
  const value = Number(kept + up) * 2 ** (e + excess);
  return n < 0n ? -value : value;
}

export function fusedMultiplyAdd(a: number, b: number, c: number, precision: Precision): number {
  const product = a * b;
  if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) return product + c;
  if (!Number.isFinite(c)) return c;
  const [x, y, z] = [decompose(a), decompose(b), decompose(c)];
  const e = Math.min(x.e + y.e, z.e);
  const sum = ((x.m * y.m) << BigInt(x.e + y.e - e)) + (z.m << BigInt(z.e - e));
  // The product alone keeps its sign when it becomes zero; what cancels is a positive zero.
  if (sum === 0n) return 0;
  return rounded(sum, e, precision);
}
