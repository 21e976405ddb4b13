// SPDX-License-Identifier: MIT
//
// The pattern of a division by a constant, as passes/divide.ts computes it: the upper half of a product.
import { constantOf } from '../../../ir/build';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';

export const WIDTH = 32n;

/** number * multiplier >> shift, for numbers of at most 31 bits. */
export interface Quotient {
  readonly number: Value;
  /** Whether it is that of negative numbers too. */
  readonly isSigned?: boolean;
  readonly multiplier: bigint;
  readonly shift: bigint;
}

export type Emit = (op: Op, operands: readonly Value[], type?: Type) => Value;

/** What an instruction computes; of sums that correct signs, only the low bits may be used. */
export function quotientOf(inst: Inst): Quotient | undefined {
  if (inst.op === Op.Add) {
    // Quotients of signed numbers add one to negative ones.
    const [a, sign] = inst.type === Type.I32 ? inst.operands : inst.operands.map(truncated);
    const isSign = sign?.kind === 'inst' && sign.op === Op.LShr && sign.operands[0] === a;
    if (!isSign || sign.type !== Type.I32 || constantOf(sign.operands[1]!) !== 31) return undefined;
    const high = shiftedHigh(a!, Op.SMulHi);
    return high && { ...high, isSigned: true };
  }
  return inst.op === Op.LShr && inst.type === Type.I32 ? shiftedHigh(inst, Op.UMulHi) : undefined;
}

/** The number whose low bits a truncation keeps. */
function truncated(value: Value): Value | undefined {
  return value.kind === 'inst' && value.op === Op.Trunc ? value.operands[0] : undefined;
}

/** An upper half, shifted or not. */
function shiftedHigh(value: Value, op: Op.SMulHi | Op.UMulHi): Quotient | undefined {
  if (value.kind !== 'inst') return undefined;
  if (value.op === (op === Op.SMulHi ? Op.AShr : Op.LShr)) {
    const by = constantOf(value.operands[1]!);
    const high = by === undefined ? undefined : highOf(value.operands[0]!, op);
    return high && { ...high, shift: high.shift + (BigInt(by!) & 31n) };
  }
  return highOf(value, op);
}

function highOf(value: Value, op: Op.SMulHi | Op.UMulHi): Quotient | undefined {
  if (value.kind !== 'inst') return undefined;
  // A multiplier of 32 bits is negative as a signed factor; the number is added for it.
  const isAdded = value.op === Op.Add && op === Op.SMulHi;
  const high = isAdded ? addedHigh(value) : value.op === op ? value : undefined;
  const multiplier = high && constantOf(high.operands[1]!);
  if (multiplier === undefined || (op === Op.SMulHi && multiplier < 0 !== isAdded)) return undefined;
  return { number: high!.operands[0]!, multiplier: BigInt.asUintN(32, BigInt(multiplier)), shift: WIDTH };
}

/** The upper half h of a number's product in the sum h + number, or in (h + x) + c if the number is x + c. */
function addedHigh(sum: Inst): Inst | undefined {
  const [a, b] = sum.operands as [Value, Value];
  const high = highIn(sum);
  if (high) return high.operands[0] === otherOf(sum, high) ? high : undefined;
  if (a.kind !== 'inst' || a.op !== Op.Add || constantOf(b) === undefined) return undefined;
  const inner = highIn(a);
  const number = inner?.operands[0];
  if (number?.kind !== 'inst' || number.op !== Op.Add) return undefined;
  const [x, c] = number.operands as [Value, Value];
  return x === otherOf(a, inner!) && constantOf(c) === constantOf(b) ? inner : undefined;
}

/** The upper half among a sum's operands. */
function highIn({ operands }: Inst): Inst | undefined {
  return operands.find((operand): operand is Inst => operand.kind === 'inst' && operand.op === Op.SMulHi);
}

function otherOf({ operands: [a, b] }: Inst, one: Value): Value | undefined {
  return a === one ? b : a;
}

/** With m * d = 2^s + e, x * m >> s is x / d rounded down for all x from 0 to `most`, as long as x * e is below 2^s. */
export function divides(m: bigint, s: bigint, divisor: bigint, most: bigint): boolean {
  const excess = m * divisor - (1n << s);
  return excess >= 0n && most * excess < 1n << s;
}

/** Whether the same holds of negative numbers: -x * m >> s is then the quotient of x rounded down, and one more, negated. */
export const dividesNegative = (m: bigint, s: bigint, divisor: bigint) => m * divisor > 1n << s;

/** What an instruction divides numbers up to `most` by, if it does. */
export function divisorOf(
  { multiplier, shift }: Quotient,
  most: bigint,
  hasNegative: boolean,
): bigint | undefined {
  if (multiplier === 0n) return undefined;
  const divisor = ((1n << shift) + multiplier - 1n) / multiplier;
  if (hasNegative && !dividesNegative(multiplier, shift, divisor)) return undefined;
  return divides(multiplier, shift, divisor, most) ? divisor : undefined;
}
