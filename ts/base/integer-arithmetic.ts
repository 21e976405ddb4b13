// SPDX-License-Identifier: MIT
//
// C's arithmetic on integers of any width, for constant folding. Operands are the values of the bits.

export type IntegerOperator = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<<' | '>>';

/** The value of the low `bits` of an integer. */
export const wrapBits = (value: bigint, bits: number, isUnsigned: boolean): bigint =>
  isUnsigned ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);

/** How many bits of a number of 32 bits are ones. */
export function onesIn(value: number): number {
  let count = 0;
  // Each step clears the lowest one.
  for (let rest = value; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The same of a number of any width, without a sign. */
export const onesInAny = (value: bigint): number =>
  value === 0n ? 0 : onesIn(Number(value & 0xffff_ffffn)) + onesInAny(value >> 32n);

/**
 * The exact result, before it is wrapped to `bits`; undefined for a division by 0. Shifts use only the low bits of the count
 * (OpenCL C 6.3.j); `>>` keeps the sign of a negative value.
 */
export function integerArithmetic(
  op: IntegerOperator,
  left: bigint,
  right: bigint,
  bits: number,
): bigint | undefined {
  switch (op) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0n ? undefined : left / right;
    case '%':
      return right === 0n ? undefined : left % right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '<<':
      return left << (right & BigInt(bits - 1));
    case '>>':
      return left >> (right & BigInt(bits - 1));
  }
}

export type Comparison = '==' | '!=' | '<' | '>' | '<=' | '>=';

export const isComparison = (op: string): op is Comparison =>
  op === '==' || op === '!=' || op === '<' || op === '>' || op === '<=' || op === '>=';

/** Whether a comparison holds: of two integers, or of two floating-point numbers. */
export function holds(op: Comparison, left: bigint | number, right: bigint | number): boolean {
  switch (op) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
  }
}
