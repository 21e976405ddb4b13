// SPDX-License-Identifier: MIT
//
// Division and remainder by constants: shifts and masks for powers of two, multiplication by a reciprocal else
// (Granlund and Montgomery; the constants as in Hacker's Delight, chapter 10).
import { constantAmount, constantOf } from '../ir/build';
import { Op, Type, type Value } from '../ir/ir';
import { bitsOf } from '../ir/types';
import { powerOfTwo, type Simplifier } from './simplifier';

export function divideByConstant(s: Simplifier, op: Op, type: Type, a: Value, c: bigint): Value | undefined {
  const width = bitsOf(type);
  const constant = (v: bigint) =>
    s.leaves.constant(type, type === Type.I64 ? v : Number(BigInt.asIntN(width, v)));
  if (op === Op.UDiv || op === Op.URem) {
    const d = BigInt.asUintN(width, c);
    if (d === 0n) return constant(0n);
    const power = powerOfTwo(d);
    if (power !== undefined)
      return op === Op.UDiv
        ? s.emit(Op.LShr, type, [a, constant(BigInt(power))])
        : s.emit(Op.And, type, [a, constant(d - 1n)]);
    if (type !== Type.I32) return undefined;
    const quotient = unsignedQuotient(s, type, a, d, width);
    return op === Op.UDiv ? quotient : remainder(s, type, a, quotient, constant(d));
  }
  if (c === 0n) return constant(0n);
  if (c === 1n) return op === Op.SDiv ? a : constant(0n);
  if (c === -1n) return op === Op.SDiv ? s.emit(Op.Neg, type, [a]) : constant(0n);
  const magnitude = c < 0n ? -c : c;
  const power = powerOfTwo(magnitude);
  let quotient: Value;
  if (power !== undefined) {
    if (isNonNegative(a)) {
      if (op === Op.SRem) return s.emit(Op.And, type, [a, constant(magnitude - 1n)]);
      quotient = s.emit(Op.LShr, type, [a, constant(BigInt(power))]);
      return c < 0n ? s.emit(Op.Neg, type, [quotient]) : quotient;
    }
    // Rounds toward zero: the divisor minus one is added to negative numbers first.
    const sign = s.emit(Op.AShr, type, [a, constant(BigInt(width - 1))]);
    const bias = s.emit(Op.LShr, type, [sign, constant(BigInt(width - power))]);
    const biased = s.emit(Op.Add, type, [a, bias]);
    if (op === Op.SRem) {
      const whole = s.emit(Op.And, type, [biased, constant(-magnitude)]);
      return s.emit(Op.Sub, type, [a, whole]);
    }
    quotient = s.emit(Op.AShr, type, [biased, constant(BigInt(power))]);
    return c < 0n ? s.emit(Op.Neg, type, [quotient]) : quotient;
  }
  if (type !== Type.I32) return undefined;
  quotient = signedQuotient(s, type, a, c, width);
  return op === Op.SDiv ? quotient : remainder(s, type, a, quotient, constant(c));
}

/** How far a number is traced to what it is computed from. */
const MAX_DEPTH = 3;

/** Whether a signed number is certainly not below 0, as bytes and shorts without sign are in arithmetic. */
function isNonNegative(value: Value, depth = 0): boolean {
  const constant = constantOf(value);
  if (constant !== undefined) return BigInt.asIntN(bitsOf(value.type), BigInt(constant)) >= 0n;
  if (value.kind !== 'inst' || depth === MAX_DEPTH) return false;
  const is = (i: number) => isNonNegative(value.operands[i]!, depth + 1);
  switch (value.op) {
    case Op.ZExt:
      return bitsOf(value.operands[0]!.type) < bitsOf(value.type);
    case Op.LShr:
      return (constantAmount(value.operands[1]!) ?? 0) > 0;
    case Op.And:
    case Op.SMax:
      return is(0) || is(1);
    case Op.SMin:
      return is(0) && is(1);
    case Op.Select:
      return is(1) && is(2);
    default:
      return false;
  }
}

function remainder(s: Simplifier, type: Type, a: Value, quotient: Value, divisor: Value): Value {
  return s.emit(Op.Sub, type, [a, s.emit(Op.Mul, type, [quotient, divisor])]);
}

function unsignedQuotient(s: Simplifier, type: Type, a: Value, d: bigint, width: number): Value {
  const constant = (v: bigint) => s.leaves.constant(type, Number(BigInt.asIntN(width, v)));
  const n = BigInt(width);
  const log = BigInt((d - 1n).toString(2).length);
  // The smallest multiplier of width + 1 bits; often `width` bits are enough.
  let shift = log;
  let low = (1n << (n + shift)) / d;
  let high = ((1n << (n + shift)) + (1n << shift)) / d;
  while (low / 2n < high / 2n && shift > 0n) {
    low /= 2n;
    high /= 2n;
    shift--;
  }
  if (high < 1n << n)
    return s.emit(Op.LShr, type, [s.emit(Op.UMulHi, type, [a, constant(high)]), constant(shift)]);
  const product = s.emit(Op.UMulHi, type, [a, constant(high - (1n << n))]);
  const half = s.emit(Op.LShr, type, [s.emit(Op.Sub, type, [a, product]), constant(1n)]);
  return s.emit(Op.LShr, type, [s.emit(Op.Add, type, [half, product]), constant(shift - 1n)]);
}

function signedQuotient(s: Simplifier, type: Type, a: Value, d: bigint, width: number): Value {
  const constant = (v: bigint) => s.leaves.constant(type, Number(BigInt.asIntN(width, v)));
  const { multiplier, shift } = signedMagic(d, width);
  let quotient = s.emit(Op.SMulHi, type, [a, constant(multiplier)]);
  if (d > 0n && multiplier < 0n) quotient = s.emit(Op.Add, type, [quotient, a]);
  if (d < 0n && multiplier > 0n) quotient = s.emit(Op.Sub, type, [quotient, a]);
  if (shift > 0) quotient = s.emit(Op.AShr, type, [quotient, constant(BigInt(shift))]);
  const sign = s.emit(Op.LShr, type, [quotient, constant(BigInt(width - 1))]);
  return s.emit(Op.Add, type, [quotient, sign]);
}

/** Multiplier (signed) and shift for dividing by d, 2 <= |d|. */
function signedMagic(d: bigint, width: number): { multiplier: bigint; shift: number } {
  const two = 1n << BigInt(width - 1);
  const magnitude = d < 0n ? -d : d;
  const t = two + (d < 0n ? 1n : 0n);
  const limit = t - 1n - (t % magnitude);
  let p = width - 1;
  for (;;) {
    p++;
    const power = 1n << BigInt(p);
    const delta = magnitude - (power % magnitude);
    if (power > limit * delta) {
      const multiplier = BigInt.asIntN(width, (power + delta) / magnitude);
      return { multiplier: d < 0n ? BigInt.asIntN(width, -multiplier) : multiplier, shift: p - width };
    }
  }
}
