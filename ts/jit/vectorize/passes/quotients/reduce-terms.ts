// SPDX-License-Identifier: MIT
//
// `(c - 'a' + key) % 26` where c is a byte, and key an argument that can be any number: the dividend needs 32 bits, and so does its
// quotient. Another key that differs by a multiple of 26 gives the same remainder, if the sums have the same signs. One near 0 is
// computed once for all work-items, and the sums with it are narrow.
import { constantOf, isPrologueOp } from '../../../ir/build';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';
import type { Range } from '../../../ir/operation-ranges';
import type { Emit } from './quotients';
import type { Remainder } from './short-remainders';

/** How deep sums are taken apart. */
const DEEPEST = 4;
/** Sums and divisors are below it together, so that they fit sixteen bits with a sign. */
const LIMIT = 2 ** 15;

/** A sum modulo 2^32. */
interface Terms {
  readonly varying: Value[];
  readonly uniform: { readonly value: Value; readonly isSubtracted: boolean }[];
  constant: number;
}

export interface Context {
  readonly isUniform: (v: Value) => boolean;
  readonly rangeOf: (v: Value) => Range | undefined;
  readonly emit: Emit;
  /** Of operations on arguments and constants alone, which need not be among those of a work-item. */
  readonly emitForAll: Emit;
  readonly i32: (n: number) => Value;
}

/** A small number with the same remainder, of which `rangeOf` knows the range. */
export function reduceDividend({ quotient, divisor }: Remainder, context: Context): Value | undefined {
  const { number, isSigned } = quotient;
  const { isUniform, rangeOf, emit, i32 } = context;
  if (isUniform(number)) return undefined;
  const terms = termsOf(number, isUniform);
  if (terms.varying.length === 0 || terms.uniform.length === 0) return undefined;
  const varying = terms.varying.reduce((a, b) => emit(Op.Add, [a, b]));
  const range = rangeOf(varying);
  const most = range ? range.high - range.low : LIMIT;
  if (!range || most === 0 || most + divisor >= LIMIT) return undefined;
  // The number is x + u modulo 2^32, and x is from 0 to `most`.
  const x = range.low === 0 ? varying : emit(Op.Add, [varying, i32(-range.low)]);
  const areGiven = terms.uniform.every(({ value }) => value.kind === 'inst' && isPrologueOp(value.op));
  const forAll = areGiven ? context.emitForAll : emit;
  const u = sumOf(terms, range.low, forAll, i32);
  const { small, beyond, largest } = (isSigned ? signedTerms : unsignedTerms)(u, divisor, most, forAll, i32);
  // Where x + u is not below the largest number, it begins again at the smallest one.
  const room = forAll(Op.UMin, [forAll(Op.Sub, [i32(largest), u]), i32(most)]);
  const narrowRoom = forAll(Op.Trunc, [room], most < 256 ? Type.I8 : Type.I16);
  const wraps = emit(Op.UGt, [x, emit(Op.ZExt, [narrowRoom])], Type.I1);
  const type = most + divisor < 128 ? Type.I8 : Type.I16;
  // Their low bits, extended: so their narrow form is found.
  const term = (v: Value) => emit(Op.SExt, [forAll(Op.Trunc, [v], type)]);
  return emit(Op.Add, [x, emit(Op.Select, [wraps, term(beyond), term(small)])]);
}

/** The sum of what work-items share. */
function sumOf({ uniform, constant }: Terms, more: number, emit: Emit, i32: (n: number) => Value): Value {
  const moved = (constant + more) | 0;
  const start = uniform[0]!.isSubtracted || moved !== 0 ? i32(moved) : undefined;
  return uniform.reduce<Value | undefined>(
    (a, { value, isSubtracted }) => (a ? emit(isSubtracted ? Op.Sub : Op.Add, [a, value]) : value),
    start,
  )!;
}

interface SmallTerms {
  readonly small: Value;
  /** For numbers that wrap. */
  readonly beyond: Value;
  readonly largest: number;
}

/** Of sums with a sign, which the new ones keep: from -most - divisor to most + divisor. */
function signedTerms(
  u: Value,
  divisor: number,
  most: number,
  emit: Emit,
  i32: (n: number) => Value,
): SmallTerms {
  const remainder = (v: Value) => emit(Op.URem, [v, i32(divisor)]);
  // No sum is above 0, also where the distance below 0 needs 32 bits without a sign because the sum wraps.
  const below = emit(Op.Sub, [i32(-most), remainder(emit(Op.Sub, [i32(-most), u]))]);
  const isBelow = emit(Op.SLe, [u, i32(-most)], Type.I1);
  const negative = emit(Op.Select, [isBelow, below, u]);
  const isNatural = emit(Op.SGe, [u, i32(0)], Type.I1);
  return {
    small: emit(Op.Select, [isNatural, remainder(u), negative]),
    beyond: below,
    largest: 2 ** 31 - 1,
  };
}

/** Of sums without a sign: from 0 to most + divisor. */
function unsignedTerms(
  u: Value,
  divisor: number,
  _most: number,
  emit: Emit,
  i32: (n: number) => Value,
): SmallTerms {
  const remainder = (v: Value) => emit(Op.URem, [v, i32(divisor)]);
  // 2^32 less than u, which is -u below 0.
  const below = emit(Op.Sub, [i32(divisor), remainder(emit(Op.Neg, [u]))]);
  return { small: remainder(u), beyond: below, largest: -1 };
}

function termsOf(number: Value, isUniform: (v: Value) => boolean): Terms {
  const terms: Terms = { varying: [], uniform: [], constant: 0 };
  const add = (v: Value, depth: number): void => {
    const constant = constantOf(v);
    if (constant !== undefined) terms.constant = (terms.constant + Number(constant)) | 0;
    else if (isUniform(v)) terms.uniform.push({ value: v, isSubtracted: false });
    else if (depth > 0 && isInst(v, Op.Add)) for (const operand of v.operands) add(operand, depth - 1);
    else if (depth > 0 && isInst(v, Op.Sub) && isUniform(v.operands[1]!)) {
      add(v.operands[0]!, depth - 1);
      terms.uniform.push({ value: v.operands[1]!, isSubtracted: true });
    } else terms.varying.push(v);
  };
  add(number, DEEPEST);
  return terms;
}

const isInst = (v: Value, op: Op): v is Inst => v.kind === 'inst' && v.op === op && v.type === Type.I32;
