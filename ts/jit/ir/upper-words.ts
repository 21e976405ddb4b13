// SPDX-License-Identifier: MIT
//
// The upper halves of numbers of 64 bits.
import { constantAmount, constantOf } from './build';
import { type Inst, Op, Type, type Value } from './ir';
import { bitsOf } from './types';

const HALF = 32n;
const LARGEST: Record<'signed' | 'unsigned', readonly [bigint, bigint]> = {
  signed: [-(1n << 31n), (1n << 31n) - 1n],
  unsigned: [0n, (1n << 32n) - 1n],
};

/** Whether a truncation takes the upper words, which is one shuffle of what is shifted (emit/arithmetic/vector-conversions.ts). */
export function isUpperWord(user: Inst, operand: Value): boolean {
  if (user.op !== Op.Trunc || user.type !== Type.I32) return false;
  const isShifted = operand.kind === 'inst' && operand.op === Op.LShr && operand.type === Type.I64;
  return isShifted && constantAmount(operand.operands[1]!) === 32;
}

/** Whether a 64-bit number is an extended 32-bit number. */
export function fitsWord(value: Value, sign: 'signed' | 'unsigned'): boolean {
  const known = constantOf(value);
  const [least, most] = LARGEST[sign];
  if (known !== undefined) return BigInt(known) >= least && BigInt(known) <= most;
  if (value.kind !== 'inst') return false;
  const [from, by] = value.operands;
  const amount = by && constantOf(by);
  switch (value.op) {
    case Op.ZExt:
      return sign === 'unsigned' || bitsOf(from!.type) < 32;
    case Op.SExt:
      return sign === 'signed';
    case Op.LShr:
      return amount !== undefined && amount >= (sign === 'unsigned' ? HALF : HALF + 1n) && amount < 64n;
    case Op.AShr:
      return sign === 'signed' && amount !== undefined && amount >= HALF && amount < 64n;
    case Op.And:
      return amount !== undefined && amount >= 0n && BigInt(amount) <= most;
    default:
      return false;
  }
}
