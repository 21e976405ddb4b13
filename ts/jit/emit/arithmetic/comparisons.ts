// SPDX-License-Identifier: MIT
//
// Comparisons of integers by fewer instructions of the processor. x64 compares vectors for equality and for one signed number being
// greater. V8 makes `<=` and `>=` of unsigned numbers from a minimum and an equality, those of signed ones likewise, and inverts the
// result for `<`, `>` of unsigned numbers and for `!=`, which takes two more.
import { constantOf } from '../../ir/build';
import { type Inst, Op, type Value } from '../../ir/ir';
import { bitsOf } from '../../ir/types';
import type { Context } from '../context';

/** For each comparison that takes more instructions than its opposite, the opposite. */
const CHEAPER_OPPOSITES: Partial<Record<Op, Op>> = {
  [Op.Ne]: Op.Eq,
  [Op.ULt]: Op.UGe,
  [Op.UGt]: Op.ULe,
  [Op.SLe]: Op.SGt,
  [Op.SGe]: Op.SLt,
};

/** The comparison with the number next to a constant that says the same, and how far that number is. */
const NEXT_TO_CONSTANT: Partial<Record<Op, readonly [op: Op, step: 1 | -1, signed: boolean]>> = {
  [Op.ULt]: [Op.ULe, -1, false],
  [Op.UGt]: [Op.UGe, 1, false],
  [Op.SLe]: [Op.SLt, 1, true],
  [Op.SGe]: [Op.SGt, -1, true],
};

export interface Comparison {
  readonly op: Op;
  /** The second operand, if it is not the instruction's. */
  readonly constant: number | undefined;
}

/** The cheapest comparison that is true where this one is, in lanes of `lane` bits. */
export function sameComparison({ op, operands }: Inst, lane = 0): Comparison {
  const next = NEXT_TO_CONSTANT[op];
  const [, second] = operands;
  const bits = second && constantOf(second);
  const width = bits === undefined ? 64 : bitsOf(second!.type);
  const bySign = width === lane ? signComparison(op, Number(bits), width) : undefined;
  if (bySign) return bySign;
  if (!next || bits === undefined || width > 32) return { op, constant: undefined };
  const [other, step, signed] = next;
  const moved = inRange(Number(bits), width, signed) + step;
  // There is no number next to the last one.
  return inRange(moved, width, signed) === moved
    ? { op: other, constant: moved }
    : { op, constant: undefined };
}

/** What a comparison without a sign is if only the highest bit decides: one of numbers with a sign with 0 or -1, one instruction. */
function signComparison(op: Op, constant: number, width: number): Comparison | undefined {
  if (op !== Op.UGe && op !== Op.UGt && op !== Op.ULt && op !== Op.ULe) return undefined;
  const half = 2 ** (width - 1);
  const unsigned = inRange(constant, width, false);
  const isUpper = (op === Op.UGe && unsigned === half) || (op === Op.UGt && unsigned === half - 1);
  if (isUpper) return { op: Op.SLt, constant: 0 };
  const isLower = (op === Op.ULt && unsigned === half) || (op === Op.ULe && unsigned === half - 1);
  return isLower ? { op: Op.SGt, constant: -1 } : undefined;
}

/** The opposite of a comparison, if it is cheaper than any that is true where this one is. */
function oppositeComparison(inst: Inst): Op | undefined {
  const opposite = CHEAPER_OPPOSITES[inst.op];
  return opposite !== undefined && sameComparison(inst).constant === undefined ? opposite : undefined;
}

export interface Opposite {
  readonly op: Op;
  readonly operands: readonly Value[];
}

/** The opposite of a condition that is evaluated where it is used, if that takes fewer instructions. */
export function cheaperOpposite(c: Context, condition: Value): Opposite | undefined {
  if (condition.kind !== 'inst' || !c.isInline(condition)) return undefined;
  const op = oppositeComparison(condition);
  return op === undefined ? undefined : { op, operands: condition.operands };
}

/** A number modulo the width. */
function inRange(number: number, width: number, signed: boolean): number {
  return signed
    ? Number(BigInt.asIntN(width, BigInt(number)))
    : Number(BigInt.asUintN(width, BigInt(number)));
}
