// SPDX-License-Identifier: MIT
//
// Floating-point arithmetic on constants. A double represents the sum, difference, product or quotient of two floats (or halves)
// so precisely that rounding it again gives the correctly rounded result.
import { Op } from '../grammar.gen';

/** A NaN that results is positive: the processor would choose its sign, and so would the engine that runs this. */
export function foldFloatBinary(op: Op, left: number, right: number): number | undefined {
  const result = computeFloat(op, left, right);
  return Number.isNaN(result) ? Number.NaN : result;
}

function computeFloat(op: Op, left: number, right: number): number | undefined {
  switch (op) {
    case Op.FAdd:
      return left + right;
    case Op.FSub:
      return left - right;
    case Op.FMul:
      return left * right;
    case Op.FDiv:
      return left / right;
    default:
      return undefined;
  }
}

export function foldFloatCompare(op: Op, left: number, right: number): boolean | undefined {
  switch (op) {
    case Op.FOrdEqual:
      return left === right;
    case Op.FUnordNotEqual:
      return left !== right;
    case Op.FOrdLessThan:
      return left < right;
    case Op.FOrdGreaterThan:
      return left > right;
    case Op.FOrdLessThanEqual:
      return left <= right;
    case Op.FOrdGreaterThanEqual:
      return left >= right;
    default:
      return undefined;
  }
}
