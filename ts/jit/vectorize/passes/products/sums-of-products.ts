// SPDX-License-Identifier: MIT
//
// The terms of sums of 32 bits, and which of them are products of numbers that fit 16 bits with a sign.
import { constantAmount, constantOf } from '../../../ir/build';
import { type Inst, Op, type Value } from '../../../ir/ir';
import type { Range } from '../../../ir/operation-ranges';
import { type SignedTerm, termsOf } from './sum-terms';

/** A factor that differs between work-items, and what it is multiplied by. */
export interface Product {
  readonly factor: Value;
  /** A number, the sign of the term included; two numbers whose sum is the weight, if that does not fit; or another value. */
  readonly weights: readonly number[] | Value;
}

export interface Term extends SignedTerm {
  readonly product?: Product;
}

interface Sum {
  readonly terms: readonly Term[];
  readonly constant: number;
}

interface Inputs {
  rangeOf(v: Value): Range | undefined;
  isVector(v: Value): boolean;
  /** Whether a sum is used only as a term of another one. */
  isInner(sum: Inst): boolean;
}

/** The terms of longer sums stay as they are. */
const MOST_TERMS = 64;
const LEAST = -(2 ** 15);
const MOST = 2 ** 15 - 1;

export function sumOf(root: Inst, inputs: Inputs): Sum | undefined {
  const terms: Term[] = [];
  let constant = 0;
  for (const { value, isNegative } of termsOf(root, inputs.isInner)) {
    const number = constantOf(value);
    if (number !== undefined) {
      constant = (constant + (isNegative ? -Number(number) : Number(number))) | 0;
      continue;
    }
    const product = productOf(value, isNegative, inputs);
    terms.push({ value, isNegative, ...(product && { product }) });
  }
  return terms.length <= MOST_TERMS ? { terms, constant } : undefined;
}

/** A product with a constant or with another value, a number that is shifted left, or a number itself. */
function productOf(value: Value, isNegative: boolean, inputs: Inputs): Product | undefined {
  const fits = (v: Value) => {
    const range = inputs.rangeOf(v);
    return range !== undefined && range.low >= LEAST && range.high <= MOST;
  };
  const scaled = (factor: Value, by: number) => {
    const weights = fits(factor) && inputs.isVector(factor) ? weightsOf(isNegative ? -by : by) : undefined;
    return weights && { factor, weights };
  };
  if (value.kind !== 'inst') return undefined;
  const [a, b] = value.operands as [Value, Value];
  const constant = b && constantOf(b);
  if (value.op === Op.Mul && constant !== undefined) return scaled(a, Number(constant));
  if (value.op === Op.Mul) {
    const [factor, other] = inputs.isVector(a) ? [a, b] : [b, a];
    return fits(a) && fits(b) && inputs.isVector(factor) ? { factor, weights: other } : undefined;
  }
  const amount = value.op === Op.Shl ? constantAmount(b) : undefined;
  return amount === undefined ? scaled(value, 1) : (scaled(a, 2 ** amount) ?? scaled(value, 1));
}

/** A weight as one or two numbers of 16 bits. */
function weightsOf(weight: number): readonly number[] | undefined {
  if (weight >= LEAST && weight <= MOST) return [weight];
  return weight >= 2 * LEAST && weight <= 2 * MOST ? [weight >> 1, weight - (weight >> 1)] : undefined;
}
