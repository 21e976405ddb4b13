// SPDX-License-Identifier: MIT
//
// A division by a constant is the upper half of a product (passes/divide.ts), which is seven instructions on vectors. Where the number
// is known to be small, such as a sum of pixels, all of the product fits 32 bits, or even 16: one instruction, and signs are corrected
// by one.
import { type Divergence, X } from '../../../analyses/divergence';
import { constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import type { Range } from '../../../ir/operation-ranges';
import { replaceInsts } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { Ranges } from '../../ranges';
import {
  divides,
  dividesNegative,
  divisorOf,
  type Emit,
  type Quotient,
  quotientOf,
  WIDTH,
} from './quotients';
import { reduceDividend } from './reduce-terms';
import { scaledQuotient } from './scaled-quotients';
import { nearRemainder, type Remainder, remainderOf } from './short-remainders';

/** The largest number of 16 bits. */
const HALF = 0xffffn;

/** Returns whether it changed the function. `divergence` is called if the pass needs it. */
export function shortenQuotients(func: Func, divergence: () => Divergence): boolean {
  return new Shortener(func, divergence).run();
}

class Shortener {
  private readonly ranges: Ranges;
  private readonly leaves: Leaves;
  private readonly original: number;
  private known: Divergence | undefined;
  private insts: Inst[] = [];
  /** What is computed once, at the start of the body: from arguments. */
  private readonly forAll: Inst[] = [];
  private at!: Inst;

  constructor(
    private readonly func: Func,
    private readonly divergence: () => Divergence,
  ) {
    this.ranges = new Ranges(func);
    this.leaves = new Leaves(func);
    this.original = func.idBound;
  }

  run(): boolean {
    const changed = replaceInsts(this.func, (inst, before) => {
      this.at = inst;
      this.insts = before;
      return this.remainder(inst) ?? this.scaled(inst) ?? this.quotient(inst);
    });
    if (!changed) return false;
    this.body.insts = [...this.forAll, ...this.body.insts];
    removeDeadCode(this.func);
    return true;
  }

  private quotient(inst: Inst): Value | undefined {
    const quotient = quotientOf(inst);
    const range = quotient && this.ranges.of(quotient.number);
    const short = range && shortQuotient(quotient, range, inst.type !== Type.I32, this.emit, this.constant);
    return short && this.lowOf(short, inst.type);
  }

  /** The quotient of a small number that is multiplied first. */
  private scaled(inst: Inst): Value | undefined {
    const quotient = quotientOf(inst);
    const range = quotient && this.ranges.of(quotient.number);
    if (!range || range.low < 0) return undefined;
    const product = productOf(quotient.number);
    const small = product && this.ranges.of(product.number);
    const divisor = divisorOf(quotient, BigInt(range.high), false);
    if (!small || small.low < 0 || divisor === undefined || small.high * product.factor > range.high)
      return undefined;
    const form = scaledQuotient(product.factor, Number(divisor), small.high);
    if (!form) return undefined;
    const constant = (n: number) => this.constant(BigInt(n));
    let sum = this.emit(Op.Mul, [product.number, constant(form.multiplier)]);
    if (form.correction > 0) sum = this.emit(Op.Add, [sum, constant(form.correction)]);
    return this.lowOf(this.emit(Op.LShr, [sum, constant(form.shift)]), inst.type);
  }

  private remainder(inst: Inst): Value | undefined {
    const remainder = remainderOf(inst);
    if (!remainder) return undefined;
    const { quotient, divisor } = remainder;
    const range = this.ranges.of(quotient.number);
    const isNarrow = inst.type !== Type.I32;
    if (range) {
      const near = nearRemainder(remainder, range, isNarrow, this.emit, this.constant);
      return near && this.lowOf(near, inst.type);
    }
    const start = this.insts.length;
    const startForAll = this.forAll.length;
    const number = reduceDividend(remainder, {
      isUniform: (v) => this.isUniform(v),
      rangeOf: (v) => this.ranges.at(v, inst.block),
      emit: this.emit,
      emitForAll: this.emitForAll,
      i32: (n) => this.leaves.i32(n),
    });
    const reduced = number && this.ranges.of(number);
    const small = number && { quotient: { ...quotient, number }, divisor };
    const result =
      reduced &&
      (nearRemainder(small!, reduced, isNarrow, this.emit, this.constant) ??
        this.shortRemainder(small!, reduced));
    if (!result) {
      this.insts.length = start;
      this.forAll.length = startForAll;
    }
    return result && this.lowOf(result, inst.type);
  }

  private shortRemainder({ quotient, divisor }: Remainder, range: Range): Value | undefined {
    const short = shortQuotient(quotient, range, false, this.emit, this.constant);
    const product = short && this.emit(Op.Mul, [short, this.constant(BigInt(divisor))]);
    return product && this.emit(Op.Sub, [quotient.number, product]);
  }

  /** The low bits of a number of 32 bits. */
  private lowOf(number: Value, type: Type): Value {
    return type === Type.I32 ? number : this.emit(Op.Trunc, [number], type);
  }

  private readonly constant = (n: bigint): Value =>
    this.leaves.constant(Type.I32, Number(BigInt.asIntN(32, n)));

  private readonly emit: Emit = (op, operands, type = Type.I32) => {
    const inst = makeInst(this.func, this.at.block, op, type, operands, {}, this.at.position);
    this.insts.push(inst);
    return inst;
  };

  /** The same operation on the same operands is computed once. */
  private readonly emitForAll: Emit = (op, operands, type = Type.I32) => {
    const known = this.forAll.find(
      (each) => each.op === op && each.type === type && operands.every((v, i) => v === each.operands[i]),
    );
    if (known) return known;
    const inst = makeInst(this.func, this.body, op, type, operands, {}, this.at.position);
    this.forAll.push(inst);
    return inst;
  };

  private get body(): Block {
    return this.func.entry.targets[0]!.block;
  }

  private isUniform(v: Value): boolean {
    this.known ??= this.divergence();
    // The analysis does not know the values that this pass creates.
    return v.id < this.original && (this.known.dims[v.id]! & X) === 0;
  }
}

/** A number that is multiplied by a positive constant. */
function productOf(value: Value): { readonly number: Value; readonly factor: number } | undefined {
  if (value.kind !== 'inst' || value.op !== Op.Mul) return undefined;
  const [number, by] = value.operands as [Value, Value];
  const factor = Number(constantOf(by) ?? 0);
  return factor > 0 ? { number, factor } : undefined;
}

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
