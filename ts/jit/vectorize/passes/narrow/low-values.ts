// SPDX-License-Identifier: MIT
//
// The low 8 or 16 bits of numbers of 32 bits, computed in this many bits where low-bits.ts says that this is possible.
import { constantOf, type Leaves } from '../../../ir/build';
import { UNSIGNED } from '../../../ir/comparisons';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';
import type { Ranges } from '../../ranges';
import { isBeyond, type LowBits, type Width } from './low-bits';

interface Inputs {
  readonly leaves: Leaves;
  readonly ranges: Ranges;
  readonly lowBits: LowBits;
  /** Bytes that exist already, by the numbers of which they have all bits. */
  readonly bytes?: ReadonlyMap<Value, Inst>;
  /** Adds an instruction that computes the low bits of `of`, or part of them. */
  emit(op: Op, type: Type, operands: Value[], of: Inst): Inst;
}

export class LowValues {
  private readonly made = [new Map<Value, Value>(), new Map<Value, Value>()] as const;
  /** The number whose low bits are computed. */
  private of!: Inst;

  constructor(private readonly inputs: Inputs) {}

  /** Forgets what exists, as before another block: what one block computes need not dominate another one. */
  forget(): void {
    for (const made of this.made) made.clear();
  }

  /** The low bits of a value that fits. */
  low(v: Value, width: Width): Value {
    const type = width === 8 ? Type.I8 : Type.I16;
    const constant = constantOf(v);
    if (constant !== undefined) return this.inputs.leaves.constant(type, Number(constant));
    const byte = this.inputs.bytes?.get(v);
    if (byte && width === 8) return byte;
    const made = this.made[width === 8 ? 0 : 1];
    const known = made.get(v);
    if (known) return known;
    const outer = this.of;
    this.of = v as Inst;
    const result = byte ? this.emit(Op.ZExt, type, [byte]) : this.make(v as Inst, type, width);
    this.of = outer;
    made.set(v, result);
    return result;
  }

  private make(v: Inst, type: Type, width: Width): Value {
    const [a, b] = v.operands as [Value, Value];
    switch (v.op) {
      case Op.ZExt:
      case Op.SExt:
        return a.type === type ? a : this.emit(v.op, type, [a]);
      case Op.Shl:
        return this.shifted(Op.Shl, a, b, width);
      case Op.LShr:
      case Op.AShr: {
        const number = this.low(a, width);
        const constant = (n: number) => this.inputs.leaves.constant(type, n);
        if (this.inputs.lowBits.isSignMask(v))
          return this.emit(Op.And, type, [number, constant(2 ** (32 - (Number(constantOf(b)) & 31)) - 1)]);
        const isNatural = this.inputs.lowBits.common(a, a, width) === 'unsigned';
        if (isBeyond(v, width))
          return isNatural ? constant(0) : this.emit(Op.AShr, type, [number, constant(width - 1)]);
        return this.shifted(isNatural ? Op.LShr : Op.AShr, a, b, width);
      }
      case Op.SMin:
      case Op.SMax:
      case Op.UMin:
      case Op.UMax: {
        const op = this.inputs.lowBits.common(a, b, width) === 'unsigned' ? (UNSIGNED[v.op] ?? v.op) : v.op;
        return this.emit(op, type, [this.low(a, width), this.low(b, width)]);
      }
      case Op.Select: {
        const [then, otherwise] = [this.low(b, width), this.low(v.operands[2]!, width)];
        return this.isReduction(v, width)
          ? this.emit(Op.UMin, type, [then, otherwise])
          : this.emit(Op.Select, type, [a, then, otherwise]);
      }
      case Op.Not:
      case Op.Neg:
      case Op.PopCount:
        return this.emit(v.op, type, [this.low(a, width)]);
      case Op.And:
        return this.emit(Op.And, type, [
          (width === 16 && this.field(a, Number(constantOf(b) ?? 0))) || this.low(a, width),
          this.low(b, width),
        ]);
      case Op.Clz: {
        if (width === 16) {
          const ofByte = this.zerosOfByte(a);
          if (ofByte) return ofByte;
        }
        const zeros = this.emit(Op.Clz, type, [this.low(a, width)]);
        return this.emit(Op.Add, type, [zeros, this.inputs.leaves.constant(type, 32 - width)]);
      }
      case Op.Abs:
        return this.absolute(v, width);
      default:
        return this.emit(v.op, type, [this.low(a, width), this.low(b, width)]);
    }
  }

  /**
   * The bits of a mask of `number >> amount`, in sixteen, with amounts of their own: they move up to the places from the largest amount on, as a product,
   * and down from there by one amount for all. A right shift of halves is two products of twice the width.
   */
  field(shift: Value, mask: number): Value | undefined {
    const { leaves, lowBits, ranges } = this.inputs;
    if (mask <= 0 || shift.kind !== 'inst' || (shift.op !== Op.LShr && shift.op !== Op.AShr))
      return undefined;
    const [number, amount] = shift.operands as [Value, Value];
    const most =
      constantOf(amount) === undefined && !lowBits.isUniform(amount) ? ranges.of(amount) : undefined;
    if (!most || most.low < 0 || most.high + 32 - Math.clz32(mask) > 16) return undefined;
    // Bytes are shifted in 16 bits in any case.
    if (!lowBits.fits(number, 16) || lowBits.fits(number, 8) || this.made[1].has(shift)) return undefined;
    const constant = (n: number) => leaves.constant(Type.I16, n);
    const own = lowBits.fits(amount, 16) ? this.low(amount, 16) : this.truncatedAmount(amount, Type.I16);
    const up = this.emit(Op.Sub, Type.I16, [constant(most.high), own]);
    const moved = this.emit(Op.Shl, Type.I16, [this.low(number, 16), up]);
    return this.emit(Op.LShr, Type.I16, [moved, constant(most.high)]);
  }

  /** Leading zeros of a number whose highest bit is within eight places: those of a byte. */
  private zerosOfByte(number: Value): Value | undefined {
    const { leaves, lowBits, ranges } = this.inputs;
    const range = ranges.of(number);
    if (!range || range.low < 0 || lowBits.isUniform(number)) return undefined;
    const by = Math.max(0, 24 - Math.clz32(range.high));
    if (by > 0 && range.low < 2 ** by) return undefined;
    const half = this.low(number, 16);
    const shifted = by === 0 ? half : this.emit(Op.LShr, Type.I16, [half, leaves.constant(Type.I16, by)]);
    const byte = this.emit(Op.Trunc, Type.I8, [shifted]);
    byte.facts = { ...byte.facts, noUnsignedWrap: true };
    const zeros = this.emit(Op.ZExt, Type.I16, [this.emit(Op.Clz, Type.I8, [byte])]);
    return this.emit(Op.Add, Type.I16, [zeros, leaves.constant(Type.I16, 24 - by)]);
  }

  /** Where the difference of two numbers does not fit, its absolute value is the larger one less the smaller one. */
  private absolute(v: Inst, width: Width): Value {
    const { lowBits } = this.inputs;
    const type = width === 8 ? Type.I8 : Type.I16;
    const [a] = v.operands as [Value];
    if (width === 16 && lowBits.fits(v, 8) && lowBits.differenceOf(a, 8))
      return this.emit(Op.ZExt, type, [this.low(v, 8)]);
    const sign = lowBits.common(a, a, width);
    const difference = sign ? undefined : lowBits.differenceOf(a, width);
    if (!difference) {
      const low = this.low(a, width);
      return sign === 'unsigned' ? low : this.emit(Op.Abs, type, [low]);
    }
    const { number, other } = difference;
    const of = (term: Value | number) =>
      typeof term === 'number' ? this.inputs.leaves.constant(type, term) : this.low(term, width);
    const terms = [of(number), of(other)];
    const [max, min] = difference.sign === 'unsigned' ? [Op.UMax, Op.UMin] : [Op.SMax, Op.SMin];
    return this.emit(Op.Sub, type, [this.emit(max, type, terms), this.emit(min, type, terms)]);
  }

  /** `n >= d ? n - d : n`, with a constant d: where n is below d, n - d wraps to a larger number than n. */
  private isReduction({ operands: [condition, difference, n] }: Inst, width: Width): boolean {
    if (condition!.kind !== 'inst' || (condition!.op !== Op.SGe && condition!.op !== Op.UGe)) return false;
    if (difference!.kind !== 'inst' || difference!.op !== Op.Add) return false;
    if (condition!.operands[0] !== n || difference!.operands[0] !== n) return false;
    const d = Number(constantOf(condition!.operands[1]!));
    const isSame = Number(constantOf(difference!.operands[1]!)) === -d;
    return isSame && d > 0 && d < 2 ** width && this.inputs.lowBits.common(n!, n!, width) === 'unsigned';
  }

  /** A shift of the low bits by less than 32, which may be more than they are. */
  private shifted(op: Op, a: Value, b: Value, width: Width): Value {
    const type = width === 8 ? Type.I8 : Type.I16;
    const number = this.low(a, width);
    if (constantOf(b) !== undefined) return this.emit(op, type, [number, this.low(b, width)]);
    const amount = this.inputs.lowBits.fits(b, width) ? this.low(b, width) : this.truncatedAmount(b, type);
    const constant = (n: number) => this.inputs.leaves.constant(type, n);
    if (this.inputs.ranges.of(b)!.high < width) return this.emit(op, type, [number, amount]);
    if (op === Op.AShr)
      return this.emit(op, type, [number, this.emit(Op.UMin, type, [amount, constant(width - 1)])]);
    const isWithinWidth = this.emit(Op.ULt, Type.I1, [amount, constant(width)]);
    return this.emit(Op.Select, type, [isWithinWidth, this.emit(op, type, [number, amount]), constant(0)]);
  }

  private truncatedAmount(b: Value, type: Type): Value {
    const amount = this.emit(Op.Trunc, type, [b]);
    amount.facts = { ...amount.facts, noUnsignedWrap: true };
    return amount;
  }

  private emit(op: Op, type: Type, operands: Value[]): Inst {
    return this.inputs.emit(op, type, operands, this.of);
  }
}
