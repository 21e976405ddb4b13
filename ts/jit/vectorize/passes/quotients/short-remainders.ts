// SPDX-License-Identifier: MIT
//
// Remainders of numbers that are not far from their divisor: where a number is below twice the divisor, one comparison and one
// subtraction are enough, as in `(i + 3) % 26` with i below 26.
import { constantOf } from '../../../ir/build';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';
import type { Range } from '../../../ir/operation-ranges';
import { bitsOf } from '../../../ir/types';
import { divisorOf, type Emit, type Quotient, quotientOf } from './quotients';

/** number % divisor. */
export interface Remainder {
  readonly quotient: Quotient;
  readonly divisor: number;
}

/** All numbers of 32 bits. */
const MOST = { signed: 1n << 31n, unsigned: (1n << 32n) - 1n } as const;

/** What n - n / d * d computes, or its low bits. */
export function remainderOf(inst: Inst): Remainder | undefined {
  if (inst.op !== Op.Sub) return undefined;
  const [number, product] = inst.operands as [Value, Value];
  if (product.kind !== 'inst' || product.op !== Op.Mul) return undefined;
  const [q, d] = product.operands as [Value, Value];
  const constant = constantOf(d);
  if (constant === undefined || q.kind !== 'inst') return undefined;
  const quotient = quotientOf(inst.type !== Type.I32 && q.op === Op.Trunc ? (q.operands[0] as Inst) : q);
  if (!quotient || quotient.number !== wholeOf(number, inst.type)) return undefined;
  const isSigned = quotient.isSigned === true;
  const divisor = divisorOf(quotient, isSigned ? MOST.signed : MOST.unsigned, isSigned);
  // Divisors that a byte or short cannot hold are compared modulo its numbers.
  const isSame =
    divisor !== undefined && BigInt.asUintN(bitsOf(inst.type), divisor - BigInt(constant)) === 0n;
  return isSame && divisor < 2n ** 15n ? { quotient, divisor: Number(divisor) } : undefined;
}

/** The number of 32 bits of which a value has the low bits. */
function wholeOf(value: Value, type: Type): Value | undefined {
  if (type === Type.I32) return value;
  if (value.kind !== 'inst') return undefined;
  const [whole] = value.operands;
  return value.op === Op.Trunc && whole?.type === Type.I32 ? whole : undefined;
}

/** The remainder of a number in a range, if it is near enough to the divisor. `isNarrow`: whether only low bits of it are used. */
export function nearRemainder(
  { quotient: { number, isSigned }, divisor }: Remainder,
  range: Range,
  isNarrow: boolean,
  emit: Emit,
  constant: (n: bigint) => Value,
): Value | undefined {
  // In 32 bits, a product takes no longer than two steps.
  const steps = isNarrow ? [2, 1] : [1];
  const limit = 2 * steps[0]! * divisor;
  let { low, high } = range;
  if (high >= limit || low <= -limit || (low < 0 && !isSigned)) return undefined;
  let n = number;
  const addIf = (op: Op, bound: number, added: number) => {
    const isBeyond = emit(op, [n, constant(BigInt(bound))], Type.I1);
    n = emit(Op.Select, [isBeyond, emit(Op.Add, [n, constant(BigInt(added))]), n]);
  };
  for (const step of steps) {
    const d = step * divisor;
    if (low <= -d) addIf(Op.SLe, -d, d);
    if (high >= d) addIf(Op.SGe, d, -d);
    low = Math.max(low, 1 - d);
    high = Math.min(high, d - 1);
  }
  return n;
}
