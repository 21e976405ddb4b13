// SPDX-License-Identifier: MIT
//
// Comparisons of a value that is known to be in a narrow range with a uniform number: the number is clamped to the range, and a
// uniform condition says what the result is if the number was outside of it.
import type { Leaves } from '../../../ir/build';
import { Op, Type, type Value } from '../../../ir/ir';
import type { Range } from '../../../ir/operation-ranges';

type Emit = (op: Op, type: Type, operands: Value[]) => Value;

interface ClampedComparison {
  readonly clamped: Value;
  /** The result, given that of the comparison with the clamped number. */
  correct(narrow: Value): Value;
}

/** Where the clamped number gives another result: `outside` compares the number with an end of the range. */
interface Correction {
  readonly end: 'low' | 'high';
  readonly outside: Op;
  /** How the comparison with the clamped number and the uniform condition are combined. */
  readonly combine: Op.And | Op.Or;
}

const CORRECTIONS: Partial<Record<Op, Correction>> = {
  [Op.SLt]: { end: 'high', outside: Op.SGt, combine: Op.Or },
  [Op.SLe]: { end: 'low', outside: Op.SGe, combine: Op.And },
  [Op.SGt]: { end: 'low', outside: Op.SLt, combine: Op.Or },
  [Op.SGe]: { end: 'high', outside: Op.SLe, combine: Op.And },
  [Op.ULt]: { end: 'high', outside: Op.UGt, combine: Op.Or },
  [Op.UGe]: { end: 'high', outside: Op.ULe, combine: Op.And },
};

/** Of a value in `range` with a number of 32 bits. Unsigned comparisons have a range from 0. */
export function clampedComparison(
  op: Op,
  number: Value,
  range: Range,
  leaves: Leaves,
  emit: Emit,
): ClampedComparison {
  const ends = { low: leaves.i32(range.low), high: leaves.i32(range.high) };
  const raised = op >= Op.ULt ? number : emit(Op.SMax, Type.I32, [number, ends.low]);
  const clamped = emit(op >= Op.ULt ? Op.UMin : Op.SMin, Type.I32, [raised, ends.high]);
  const correct = (narrow: Value): Value => {
    if (op === Op.Eq || op === Op.Ne) {
      const outside = emit(op, Type.I1, [clamped, number]);
      return emit(op === Op.Eq ? Op.And : Op.Or, Type.I1, [narrow, outside]);
    }
    const correction = CORRECTIONS[op];
    if (!correction) return narrow;
    const outside = emit(correction.outside, Type.I1, [number, ends[correction.end]]);
    return emit(correction.combine, Type.I1, [narrow, outside]);
  };
  return { clamped, correct };
}
