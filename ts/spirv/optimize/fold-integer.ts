// SPDX-License-Identifier: MIT
//
// Integer arithmetic on constants: operands are the bits, unsigned; numbers up to 32 bits, bigints for 64. Undefined operations
// (division by zero, shifts beyond the width) are not folded.
import { type IntegerOperator, integerArithmetic } from '../../base/integer-arithmetic';
import { Op } from '../grammar.gen';

type Integer = number | bigint;

export function foldIntegerBinary(op: Op, width: number, left: Integer, right: Integer): Integer | undefined {
  if (typeof left === 'number' && typeof right === 'number' && width <= 32)
    return narrow(op, width, left, right);
  return wide(op, width, BigInt(left), BigInt(right));
}

/** The signed number of these bits at this width. */
const signed = (value: number, width: number): number => (value << (32 - width)) >> (32 - width);

function narrow(op: Op, width: number, left: number, right: number): number | undefined {
  switch (op) {
    case Op.IAdd:
      return left + right;
    case Op.ISub:
      return left - right;
    case Op.IMul:
      return Math.imul(left, right);
    case Op.UDiv:
      return right === 0 ? undefined : Math.floor(left / right);
    case Op.UMod:
      return right === 0 ? undefined : left % right;
    case Op.SDiv:
      return signed(right, width) === 0 ? undefined : Math.trunc(signed(left, width) / signed(right, width));
    case Op.SRem:
      return signed(right, width) === 0 ? undefined : signed(left, width) % signed(right, width);
    case Op.ShiftLeftLogical:
      return right < width ? left << right : undefined;
    case Op.ShiftRightLogical:
      return right < width ? left >>> right : undefined;
    case Op.ShiftRightArithmetic:
      return right < width ? signed(left, width) >> right : undefined;
    case Op.BitwiseAnd:
      return left & right;
    case Op.BitwiseOr:
      return left | right;
    case Op.BitwiseXor:
      return left ^ right;
    default:
      return undefined;
  }
}

/** The C operator of each operation, and whether its operands are signed. */
const WIDE: ReadonlyMap<Op, { readonly operator: IntegerOperator; readonly isSigned: boolean }> = new Map(
  (
    [
      [Op.IAdd, '+', false],
      [Op.ISub, '-', false],
      [Op.IMul, '*', false],
      [Op.UDiv, '/', false],
      [Op.UMod, '%', false],
      [Op.SDiv, '/', true],
      [Op.SRem, '%', true],
      [Op.ShiftLeftLogical, '<<', false],
      [Op.ShiftRightLogical, '>>', false],
      [Op.ShiftRightArithmetic, '>>', true],
      [Op.BitwiseAnd, '&', false],
      [Op.BitwiseOr, '|', false],
      [Op.BitwiseXor, '^', false],
    ] as const
  ).map(([op, operator, isSigned]) => [op, { operator, isSigned }]),
);

function wide(op: Op, width: number, left: bigint, right: bigint): bigint | undefined {
  const found = WIDE.get(op);
  if (found === undefined) return undefined;
  const { operator, isSigned } = found;
  if ((operator === '<<' || operator === '>>') && right >= width) return undefined;
  return isSigned
    ? integerArithmetic(operator, BigInt.asIntN(width, left), BigInt.asIntN(width, right), width)
    : integerArithmetic(operator, left, right, width);
}

export function foldIntegerCompare(
  op: Op,
  width: number,
  left: Integer,
  right: Integer,
): boolean | undefined {
  switch (op) {
    case Op.IEqual:
      return left === right;
    case Op.INotEqual:
      return left !== right;
    case Op.ULessThan:
      return left < right;
    case Op.ULessThanEqual:
      return left <= right;
    case Op.UGreaterThan:
      return left > right;
    case Op.UGreaterThanEqual:
      return left >= right;
  }
  const a = BigInt.asIntN(width, BigInt(left));
  const b = BigInt.asIntN(width, BigInt(right));
  switch (op) {
    case Op.SLessThan:
      return a < b;
    case Op.SLessThanEqual:
      return a <= b;
    case Op.SGreaterThan:
      return a > b;
    case Op.SGreaterThanEqual:
      return a >= b;
    default:
      return undefined;
  }
}
