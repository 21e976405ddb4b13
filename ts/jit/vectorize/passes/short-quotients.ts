// SPDX-License-Identifier: MIT
//
// A division by a constant is the upper half of a product (passes/divide.ts), which is seven instructions on vectors. Where the number
// is known to be small, such as a sum of pixels, all of the product fits 32 bits, or even 16: one instruction, and signs are corrected
// by one.
import { constantOf, Leaves, makeInst } from '../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../ir/ir';
import { Replacements } from '../../ir/rewrite';
import { removeDeadCode } from '../../passes/dead-code';
import { Ranges } from '../ranges';
import type { Range } from './uniform-bounds';

const WIDTH = 32n;
/** The largest number of 16 bits. */
const HALF = 0xffffn;

/** Returns whether it changed the function. */
export function shortenQuotients(func: Func): boolean {
  const ranges = new Ranges(func);
  const leaves = new Leaves(func);
  const replaced = new Replacements(func);
  let changed = false;
  for (const block of func.blocks) {
    const insts: Inst[] = [];
    for (const inst of block.insts) {
      const quotient = quotientOf(inst);
      const range = quotient && ranges.of(quotient.number);
      if (range) {
        const emit = (op: Op, operands: readonly Value[], type = Type.I32): Inst => {
          insts.push(makeInst(func, block, op, type, operands, {}, inst.position));
          return insts.at(-1)!;
        };
        const constant = (n: bigint) => leaves.constant(Type.I32, Number(BigInt.asIntN(32, n)));
        const short = shortQuotient(quotient, range, inst.type !== Type.I32, emit, constant);
        if (short) {
          replaced.set(inst, inst.type === Type.I32 ? short : emit(Op.Trunc, [short], inst.type));
          changed = true;
        }
      }
      insts.push(inst);
    }
    block.insts = insts;
  }
  if (!changed) return false;
  replaced.apply(func);
  removeDeadCode(func);
  return true;
}

/** number * multiplier >> shift, for numbers of at most 31 bits. */
interface Quotient {
  readonly number: Value;
  /** Whether it is that of negative numbers too. */
  readonly isSigned?: boolean;
  readonly multiplier: bigint;
  readonly shift: bigint;
}

type Emit = (op: Op, operands: readonly Value[]) => Value;

/** `isNarrow`: whether only low bits of the quotient are used. */
function shortQuotient(
  quotient: Quotient,
  { low, high }: Range,
  isNarrow: boolean,
  emit: Emit,
  constant: (n: bigint) => Value,
): Value | undefined {
  const { number } = quotient;
  const most = BigInt(Math.max(high, -low));
  const divisor = divisorOf(quotient, most, low < 0);
  if (divisor === undefined) return undefined;
  const short = shortForm(divisor, most, low < 0);
  if (low < 0) {
    if (!short || !quotient.isSigned) return undefined;
    // Rounded down, so that negative numbers are one too low.
    const rounded = emit(Op.AShr, [
      emit(Op.Mul, [number, constant(short.multiplier)]),
      constant(short.shift),
    ]);
    const fitsHalf = low >= -(2 ** 15) && high < 2 ** 15;
    return emit(Op.Sub, [rounded, emit(Op.AShr, [number, constant(fitsHalf ? 15n : 31n)])]);
  }
  const bits = onesOf(divisor);
  if (isNarrow && bits && !(short && most * short.multiplier <= HALF) && dividesByOnes(bits, most)) {
    const sum = emit(Op.Add, [emit(Op.Add, [number, constant(1n)]), emit(Op.LShr, [number, constant(bits)])]);
    return emit(Op.LShr, [sum, constant(bits)]);
  }
  return short && emit(Op.LShr, [emit(Op.Mul, [number, constant(short.multiplier)]), constant(short.shift)]);
}

/** What an instruction computes; of sums that correct signs, only the low bits may be used. */
function quotientOf(inst: Inst): Quotient | undefined {
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
function divides(m: bigint, s: bigint, divisor: bigint, most: bigint): boolean {
  const excess = m * divisor - (1n << s);
  return excess >= 0n && most * excess < 1n << s;
}

/** Whether the same holds of negative numbers: -x * m >> s is then the quotient of x rounded down, and one more, negated. */
const dividesNegative = (m: bigint, s: bigint, divisor: bigint) => m * divisor > 1n << s;

/** What an instruction divides numbers up to `most` by, if it does. */
function divisorOf({ multiplier, shift }: Quotient, most: bigint, hasNegative: boolean): bigint | undefined {
  if (multiplier === 0n) return undefined;
  const divisor = ((1n << shift) + multiplier - 1n) / multiplier;
  if (hasNegative && !dividesNegative(multiplier, shift, divisor)) return undefined;
  return divides(multiplier, shift, divisor, most) ? divisor : undefined;
}

/**
 * A multiplier and a shift for all numbers from 0, or from -`most`, to `most`, where no product needs more than 32 bits. Quotients of
 * negative numbers are one too low.
 */
function shortForm(
  divisor: bigint,
  most: bigint,
  hasNegative: boolean,
): { multiplier: bigint; shift: bigint } | undefined {
  const limit = 1n << (hasNegative ? WIDTH - 1n : WIDTH);
  // A short multiplier may fit sixteen bits.
  for (let shift = 1n; shift < WIDTH; shift++) {
    const multiplier = ((1n << shift) + divisor - 1n) / divisor;
    if (hasNegative && !dividesNegative(multiplier, shift, divisor)) continue;
    if (most * multiplier < limit && divides(multiplier, shift, divisor, most)) return { multiplier, shift };
  }
  return undefined;
}

/** k, if the divisor is 2^k - 1. */
function onesOf(divisor: bigint): bigint | undefined {
  const bits = BigInt(divisor.toString(2).length);
  return divisor === (1n << bits) - 1n && bits > 1n ? bits : undefined;
}

/**
 * Whether (x + 1 + (x >> k)) >> k is x / (2^k - 1) for all x from 0 to `most`, in 16 bits. With x = q * 2^k + (r - q), where r < 2^k - 1 and
 * q is at most 2^k, x >> k is q where r is at least q, and q - 1 elsewhere. The sum is q * 2^k + r + 1 or q * 2^k + r.
 */
function dividesByOnes(bits: bigint, most: bigint): boolean {
  const one = 1n << bits;
  return most < (one + 1n) * (one - 1n) && most + 1n + (most >> bits) <= HALF;
}
