// SPDX-License-Identifier: MIT
//
// Whether a number without a sign is within two constants, or outside of them: `c >= 'a' && c <= 'z'` is `c - 'a' <= 'z' - 'a'`. On x64 a comparison of
// numbers without a sign is a minimum and an equality, so that two of them and their conjunction are five instructions. A comparison of numbers with a
// sign is one instruction. So the difference is moved by half of all numbers, which keeps their order with a sign, and the test is two instructions.
// Signed numbers have comparisons of one instruction already, for which it gains nothing.
import { constantOf } from '../../ir/build';
import { type Inst, Op, type Value } from '../../ir/ir';
import { bitsOf, isInteger } from '../../ir/types';
import type { Context } from '../context';

/** `number + added`, modulo its width, compared with a limit as numbers with a sign. */
export interface RangeTest {
  readonly number: Value;
  readonly added: number;
  readonly op: Op.SLt | Op.SGt;
  readonly limit: number;
}

/** The test that a conjunction or disjunction of two comparisons is, if they are evaluated for nothing else. */
export function rangeTest(c: Context, { op, operands }: Inst): RangeTest | undefined {
  const [a, b] = operands as [Value, Value];
  if (a.kind !== 'inst' || b.kind !== 'inst' || !c.isInline(a) || !c.isInline(b)) return undefined;
  const number = a.operands[0];
  if (!number || b.operands[0] !== number) return undefined;
  const width = bitsOf(number.type);
  if (width > 32 || !isInteger(number.type)) return undefined;
  const [x, y] = [intervalOf(a, width), intervalOf(b, width)];
  if (!x || !y) return undefined;
  // What holds outside of a range is the opposite of what holds within: either interval begins where the other one's numbers end.
  const all = 2 ** width - 1;
  const [first, second] = x.low === 0 ? [x, y] : [y, x];
  if (first.low !== 0 || second.low === 0 || second.high !== all || first.high === all) return undefined;
  const least = -(2 ** (width - 1));
  if (op === Op.And) {
    const { low } = second;
    const { high } = first;
    return low < high ? { number, added: least - low, op: Op.SLt, limit: least + high - low + 1 } : undefined;
  }
  const [low, high] = [first.high + 1, second.low - 1];
  return op === Op.Or && low < high
    ? { number, added: least - low, op: Op.SGt, limit: least + high - low }
    : undefined;
}

/** The numbers of a width for which a comparison without a sign with a constant holds. */
function intervalOf({ op, operands }: Inst, width: number): { low: number; high: number } | undefined {
  const constant = constantOf(operands[1]!);
  if (constant === undefined) return undefined;
  const c = Number(BigInt.asUintN(width, BigInt(constant)));
  const all = 2 ** width - 1;
  switch (op) {
    case Op.UGe:
      return { low: c, high: all };
    case Op.UGt:
      return c < all ? { low: c + 1, high: all } : undefined;
    case Op.ULe:
      return { low: 0, high: c };
    case Op.ULt:
      return c > 0 ? { low: 0, high: c - 1 } : undefined;
    default:
      return undefined;
  }
}
