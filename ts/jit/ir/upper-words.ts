// SPDX-License-Identifier: MIT
//
// The upper halves of numbers of 64 bits.
import { constantAmount } from './build';
import { type Inst, Op, Type, type Value } from './ir';

/** Whether a truncation takes the upper words, which is one shuffle of what is shifted (emit/vector-conversions.ts). */
export function isUpperWord(user: Inst, operand: Value): boolean {
  if (user.op !== Op.Trunc || user.type !== Type.I32) return false;
  const isShifted = operand.kind === 'inst' && operand.op === Op.LShr && operand.type === Type.I64;
  return isShifted && constantAmount(operand.operands[1]!) === 32;
}
