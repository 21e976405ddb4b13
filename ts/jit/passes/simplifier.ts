// SPDX-License-Identifier: MIT
import type { Leaves } from '../ir/build';
import type { InstFacts, Op, Type, Value } from '../ir/ir';

/** The interface that the rules use. */
export interface Simplifier {
  readonly leaves: Leaves;
  /** Adds an instruction before the current one; the result is simplified as well. */
  emit(op: Op, type: Type, operands: Value[], facts?: InstFacts): Value;
}

/** log2 of a power of two; undefined for other numbers. */
export function powerOfTwo(c: bigint): number | undefined {
  if (c <= 0n || (c & (c - 1n)) !== 0n) return undefined;
  return c.toString(2).length - 1;
}
