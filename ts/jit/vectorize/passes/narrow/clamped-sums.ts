// SPDX-License-Identifier: MIT
//
// Sums and differences of narrow numbers that are clamped to the numbers of the same type, such as `clamp(a + b, 0, 255)`: one instruction
// that saturates, instead of a wider sum and comparisons.
import { constantOf, type Leaves } from '../../../ir/build';
import { type Inst, Op, type Value } from '../../../ir/ir';
import { isWithin, type Range, signedRange, unsignedRange } from '../../../ir/operation-ranges';
import type { Width } from './low-bits';

interface ClampedSum {
  readonly op: Op;
  readonly terms: readonly [Value, Value];
}

const ANY: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

type RangeOf = (v: Value) => Range | undefined;

interface Saturation {
  /** The numbers of the type. */
  numbers(width: Width): Range;
  readonly sum: Op;
  readonly difference: Op;
}

const SATURATIONS: readonly Saturation[] = [
  { numbers: unsignedRange, sum: Op.UAddSat, difference: Op.USubSat },
  { numbers: signedRange, sum: Op.SAddSat, difference: Op.SSubSat },
];

/** Undefined for everything else, and for sums that need no clamping. */
export function clampedSum(
  last: Inst,
  width: Width,
  rangeOf: RangeOf,
  leaves: Leaves,
): ClampedSum | undefined {
  const { number, ends } = clampOf(last, rangeOf);
  if (number === last || number.kind !== 'inst') return undefined;
  const { op } = number;
  const [a, b] = number.operands as [Value, Value];
  const all = rangeOf(number);
  if (!all || (op !== Op.Add && op !== Op.Sub)) return undefined;
  const subtracted = op === Op.Add ? constantOf(b) : undefined;
  for (const { numbers, sum, difference } of SATURATIONS) {
    const type = numbers(width);
    const fits = (v: Value) => isWithin(rangeOf(v) ?? ANY, type);
    // One end that the sum does not reach may be any.
    const saturates =
      (ends.low === type.low || all.low >= Math.max(ends.low, type.low)) &&
      (ends.high === type.high || all.high <= Math.min(ends.high, type.high));
    if (!saturates || isWithin(all, type) || !fits(a)) continue;
    if (fits(b)) return { op: op === Op.Add ? sum : difference, terms: [a, b] };
    const other = subtracted === undefined ? undefined : leaves.i32(-Number(subtracted));
    if (other && fits(other)) return { op: difference, terms: [a, other] };
  }
  return undefined;
}

/** The ends to which a chain of minima and maxima with constants clamps a number. */
function clampOf(last: Inst, rangeOf: RangeOf): { readonly number: Value; readonly ends: Range } {
  let ends = ANY;
  let number: Value = last;
  while (number.kind === 'inst') {
    const [inner, limit] = number.operands as [Value, Value];
    const isLeast = number.op === Op.SMin || (number.op === Op.UMin && (rangeOf(inner)?.low ?? -1) >= 0);
    const end = isLeast || number.op === Op.SMax ? constantOf(limit) : undefined;
    if (end === undefined || (number.op === Op.UMin && Number(end) < 0)) break;
    // The minima and maxima of what is clamped.
    const within = Math.min(Math.max(Number(end), ends.low), ends.high);
    ends = isLeast ? { ...ends, high: within } : { ...ends, low: within };
    number = inner;
  }
  return { number, ends };
}
