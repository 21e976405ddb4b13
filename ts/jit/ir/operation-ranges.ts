// SPDX-License-Identifier: MIT
//
// Ranges of the results of integer operations.
import { Op } from './ir';

/** Of numbers with a sign. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The signed numbers of this many bits. */
export const signedRange = (bits: number): Range => ({ low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 });
export const unsignedRange = (bits: number): Range => ({ low: 0, high: 2 ** bits - 1 });

export const isWithin = (range: Range, all: Range): boolean => range.low >= all.low && range.high <= all.high;

/** The upper half of 64 bits, of products that are exact as doubles. */
const upper = ({ low, high }: Range): Range | undefined =>
  Number.isSafeInteger(low) && Number.isSafeInteger(high)
    ? { low: Math.floor(low / 2 ** 32), high: Math.floor(high / 2 ** 32) }
    : undefined;

/**
 * The results of an operation on numbers of 32 bits in these ranges, undefined for any. They may be outside of 32 bits. `mostOfSum`: a
 * limit for sums that the ranges do not say.
 */
export function rangeOfOperation(
  op: Op,
  x: Range | undefined,
  y: Range | undefined,
  mostOfSum = Number.POSITIVE_INFINITY,
): Range | undefined {
  if (op === Op.PopCount) return { low: 0, high: 32 };
  if (op === Op.Clz)
    return x && x.low >= 0 ? { low: Math.clz32(x.high), high: Math.clz32(x.low) } : { low: 0, high: 32 };
  if (y && op === Op.URem && y.low > 0) return { low: 0, high: y.high - 1 };
  if (op === Op.UMin) {
    // A non-negative operand bounds the result, whatever the other one is.
    const bounds = [x, y].filter((r) => r !== undefined && r.low >= 0).map((r) => r!.high);
    if (bounds.length === 1) return { low: 0, high: bounds[0]! };
  }
  if (x && op === Op.Neg) return { low: -x.high, high: -x.low };
  if (x && op === Op.Abs)
    return { low: Math.max(0, x.low, -x.high), high: Math.max(Math.abs(x.low), Math.abs(x.high)) };
  if (op === Op.And) {
    // A non-negative operand bounds the result.
    const bounds = [x, y].filter((r) => r !== undefined && r.low >= 0).map((r) => r!.high);
    return bounds.length > 0 ? { low: 0, high: Math.min(...bounds) } : undefined;
  }
  // A shift bounds any number.
  if (y && (op === Op.AShr || op === Op.LShr)) x ??= signedRange(32);
  if (!x || !y) return undefined;
  const within = (results: readonly number[]) => ({
    low: Math.min(...results),
    high: Math.max(...results),
  });
  switch (op) {
    case Op.Add:
      return { low: x.low + y.low, high: Math.min(x.high + y.high, mostOfSum) };
    case Op.Sub:
      return { low: x.low - y.high, high: x.high - y.low };
    case Op.Mul:
      return within([x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high]);
    case Op.SMulHi:
      return upper(within([x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high]));
    case Op.UMulHi:
      return x.low >= 0 && y.low >= 0 ? upper({ low: x.low * y.low, high: x.high * y.high }) : undefined;
    case Op.Or:
    case Op.Xor:
      return x.low >= 0 && y.low >= 0
        ? { low: 0, high: 2 ** (32 - Math.clz32(x.high | y.high)) - 1 }
        : undefined;
    case Op.Shl:
      if (y.low < 0 || y.high >= 31) return undefined;
      return within([x.low, x.high].flatMap((n) => [n * 2 ** y.low, n * 2 ** y.high]));
    case Op.AShr:
    case Op.LShr:
      if (y.low < 0 || y.high > 31) return undefined;
      if (op === Op.LShr && x.low < 0) return y.low > 0 ? { low: 0, high: 2 ** (32 - y.low) - 1 } : undefined;
      return within([x.low, x.high].flatMap((n) => [n >> y.low, n >> y.high]));
    case Op.SMin:
      return { low: Math.min(x.low, y.low), high: Math.min(x.high, y.high) };
    case Op.SMax:
      return { low: Math.max(x.low, y.low), high: Math.max(x.high, y.high) };
    case Op.UMin:
      return x.low >= 0 && y.low >= 0
        ? { low: Math.min(x.low, y.low), high: Math.min(x.high, y.high) }
        : undefined;
    case Op.UMax:
      return x.low >= 0 && y.low >= 0
        ? { low: Math.max(x.low, y.low), high: Math.max(x.high, y.high) }
        : undefined;
    default:
      return undefined;
  }
}
