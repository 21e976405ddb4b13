// SPDX-License-Identifier: MIT
//
// Numbers of 64 bits of which 32 bits remain, as fixed-point arithmetic has them: `convert_int_sat((long)a * b >> 31)`. Vectors have no
// minimum of 64 bits and no shift with a sign, and half the lanes.
//
// A number fits 32 bits if its upper half is what the sign of the lower one says. If not, the sign of the upper half says by which
// limit it is replaced. Clamped sums of ints are saturating sums.
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { replaceInsts } from '../../../ir/rewrite';
import { bitsOf } from '../../../ir/types';
import { fitsWord } from '../../../ir/upper-words';
import { removeDeadCode } from '../../../passes/dead-code';
import { wordOf } from '../products/widening-multiplication';

const LEAST = -(2n ** 31n);
const MOST = 2n ** 31n - 1n;
const WORD = 32;

/** Returns whether it changed the function. Nothing that is affine in the work-items' ids changes: it may be an address. */
export function truncateLongs(func: Func, divergence: Divergence, uses: Uses): boolean {
  const leaves = new Leaves(func);
  const isCandidate = (inst: Inst) =>
    isTruncation(inst) && Number.isNaN(divergence.stride[inst.operands[0]!.id]!);
  const changed = replaceInsts(func, (inst, before) =>
    isCandidate(inst) ? new Truncation(func, inst, uses, leaves, before).other() : undefined,
  );
  if (changed) removeDeadCode(func);
  return changed;
}

const isTruncation = ({ op, type, operands }: Inst): boolean =>
  op === Op.Trunc && type !== Type.I1 && operands[0]!.type === Type.I64;

class Truncation {
  constructor(
    private readonly func: Func,
    private readonly inst: Inst,
    private readonly uses: Uses,
    private readonly leaves: Leaves,
    private readonly made: Inst[],
  ) {}

  /** The same number from fewer operations on 64 bits. */
  other(): Value | undefined {
    const { type, operands } = this.inst;
    const { number, low, high } = this.unclamped(operands[0]!);
    if (number === operands[0]) return this.withoutSign(number);
    if (low < LEAST || high > MOST) return undefined;
    let word = this.saturated(number);
    if (low > LEAST) word = this.emit(Op.SMax, [word, this.word(low)]);
    if (high < MOST) word = this.emit(Op.SMin, [word, this.word(high)]);
    return type === Type.I32 ? word : this.emit(Op.Trunc, [word], type);
  }

  /** A number without the clamps that nothing else uses, and the range to which they clamp it. */
  private unclamped(clamped: Value): { number: Value; low: bigint; high: bigint } {
    const limit = clamped.kind === 'inst' ? constantOf(clamped.operands[1] ?? clamped) : undefined;
    const isClamp = clamped.kind === 'inst' && (clamped.op === Op.SMin || clamped.op === Op.SMax);
    if (!isClamp || limit === undefined || !this.isUsedOnce(clamped))
      return { number: clamped, low: -(2n ** 63n), high: 2n ** 63n - 1n };
    const { number, low, high } = this.unclamped(clamped.operands[0]!);
    const [bound, isMost] = [BigInt(limit), clamped.op === Op.SMin];
    const clamp = (n: bigint) => (n > bound === isMost ? bound : n);
    return { number, low: clamp(low), high: clamp(high) };
  }

  /** Of a number that is shifted with its sign, bits that do not depend on the sign. */
  private withoutSign(number: Value): Value | undefined {
    const { type } = this.inst;
    const amount = this.shiftOf(number);
    if (amount === undefined || amount > 64 - bitsOf(type) || !this.isUsedOnce(number)) return undefined;
    return this.emit(Op.Trunc, [this.emit(Op.LShr, (number as Inst).operands, Type.I64)], type);
  }

  /** The number, or the limit of 32 bits that is next to it. */
  private saturated(number: Value): Value {
    const sum = this.saturatedSum(number);
    if (sum) return sum;
    const amount = this.shiftOf(number) ?? 0;
    const whole = amount === 0 ? number : (number as Inst).operands[0]!;
    const upper = this.emit(Op.Trunc, [this.emit(Op.LShr, [whole, this.long(WORD)], Type.I64)]);
    if (amount >= WORD)
      return this.emit(Op.AShr, [upper, this.leaves.i32(Math.min(amount - WORD, WORD - 1))]);
    const shifted = amount === 0 ? whole : this.emit(Op.LShr, [whole, this.long(amount)], Type.I64);
    const low = this.emit(Op.Trunc, [shifted]);
    const high = amount === 0 ? upper : this.emit(Op.AShr, [upper, this.leaves.i32(amount)]);
    const sign = (v: Value) => this.emit(Op.AShr, [v, this.leaves.i32(WORD - 1)]);
    const fits = this.emit(Op.Eq, [high, sign(low)], Type.I1);
    const limit = this.emit(Op.Xor, [amount === WORD - 1 ? high : sign(upper), this.word(MOST)]);
    return this.emit(Op.Select, [fits, low, limit]);
  }

  private saturatedSum(number: Value): Value | undefined {
    if (number.kind !== 'inst' || (number.op !== Op.Add && number.op !== Op.Sub)) return undefined;
    const { operands } = number;
    if (!operands.every((operand) => fitsWord(operand, 'signed'))) return undefined;
    const words = operands.map((operand) => wordOf(this.func, this.inst, operand, this.leaves, this.made));
    return this.emit(number.op === Op.Add ? Op.SAddSat : Op.SSubSat, words);
  }

  /** The constant by which a number is shifted with its sign. */
  private shiftOf(number: Value): number | undefined {
    if (number.kind !== 'inst' || number.op !== Op.AShr) return undefined;
    return constantAmount(number.operands[1]!);
  }

  private isUsedOnce(v: Inst | Value): boolean {
    return this.uses.count[v.id] === 1;
  }

  private word(n: bigint): Value {
    return this.leaves.i32(Number(n));
  }

  private long(n: number): Value {
    return this.leaves.constant(Type.I64, BigInt(n));
  }

  private emit(op: Op, operands: readonly Value[], type = Type.I32): Inst {
    const { func, inst } = this;
    const made = makeInst(func, inst.block, op, type, [...operands], {}, inst.position);
    this.made.push(made);
    return made;
  }
}
