// SPDX-License-Identifier: MIT
//
// Numbers of 32 bits whose low 8 or 16 bits can be computed in this many bits, because they depend on nothing but the low bits of what
// computes them.
import { constantOf } from '../../../ir/build';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';
import type { Range } from '../../../ir/operation-ranges';
import type { Ranges } from '../../ranges';

export type Width = 8 | 16;
export type Sign = 'signed' | 'unsigned';

/** `number - other`: two numbers that both fit a width with this signedness. */
export interface Difference {
  readonly number: Value;
  readonly other: Value | number;
  readonly sign: Sign;
}

/** The longest chain of operations from a narrowed value to its inputs. */
const HIGHEST = 24;

/** Whether a constant is a valid shift amount for a width. */
const isWithin = (amount: number | bigint | undefined, width: Width): boolean =>
  amount !== undefined && Number(amount) >= 0 && Number(amount) < width;

/** Whether an arithmetic shift leaves nothing but the sign of numbers that fit the width. */
export function isBeyond({ op, operands }: Inst, width: Width): boolean {
  const amount = constantOf(operands[1]!);
  return op === Op.AShr && amount !== undefined && Number(amount) >= width && Number(amount) < 32;
}

/** The signedness with which numbers of these ranges fit a width. */
function signOf(ranges: readonly Range[], width: Width): Sign | undefined {
  const low = Math.min(...ranges.map((r) => r.low));
  const high = Math.max(...ranges.map((r) => r.high));
  if (low >= 0 && high < 2 ** width) return 'unsigned';
  return low >= -(2 ** (width - 1)) && high < 2 ** (width - 1) ? 'signed' : undefined;
}

export class LowBits {
  /** By width, for values whose low bits depend only on low bits: the length of the chain of operations that computes them. */
  private readonly heights = { 8: new Map<Value, number>(), 16: new Map<Value, number>() } as const;

  constructor(
    private readonly ranges: Ranges,
    /** Whether all work-items share a value. */
    readonly isUniform: (v: Value) => boolean,
  ) {}

  /** The signedness with which two values both fit a width. */
  common(a: Value, b: Value, width: Width): Sign | undefined {
    const [x, y] = [this.ranges.of(a), this.ranges.of(b)];
    return x && y && signOf([x, y], width);
  }

  /** Whether a value is less than a limit. */
  isBelow(v: Value, limit: number): boolean {
    const range = this.ranges.of(v);
    return range !== undefined && range.high < limit;
  }

  fits(v: Value, width: Width): boolean {
    return this.heightOf(v, width) <= HIGHEST;
  }

  private heightOf(v: Value, width: Width): number {
    if (constantOf(v) !== undefined) return 0;
    return this.heights[width].get(v) ?? Number.POSITIVE_INFINITY;
  }

  /** Says that there is a byte with all bits of a number. */
  give(v: Value): void {
    for (const width of [8, 16] as const) this.heights[width].set(v, 0);
  }

  /** Visits each instruction once, after its operands: shared operands are not visited again for each use. */
  measure(inst: Inst): void {
    if (inst.type !== Type.I32) return;
    for (const width of [8, 16] as const) {
      const needed = this.neededFor(inst, width);
      if (!needed) continue;
      let height = 0;
      for (const operand of needed) height = Math.max(height, 1 + this.heightOf(operand, width));
      if (height <= HIGHEST) this.heights[width].set(inst, height);
    }
  }

  /** The operands on whose low bits an operation's low bits depend; undefined if they depend on more. */
  private neededFor(v: Inst, width: Width): readonly Value[] | undefined {
    const [a, b] = v.operands as [Value, Value];
    const given = (condition: boolean, ...needed: Value[]) => (condition ? needed : undefined);
    switch (v.op) {
      case Op.ZExt:
      case Op.SExt:
        return a.type === Type.I1
          ? given(v.op === Op.ZExt)
          : given(a.type === Type.I8 || (a.type === Type.I16 && width === 16));
      case Op.Add:
      case Op.Sub:
      case Op.Mul:
      case Op.And:
      case Op.Or:
      case Op.Xor:
        return [a, b];
      case Op.Shl:
        return given(isWithin(constantOf(b), width) || this.isAmount(b, width), a);
      case Op.LShr:
      case Op.AShr: {
        if (this.isSignMask(v)) return [a];
        const sign = this.common(a, a, width);
        if (isBeyond(v, width)) return given(sign !== undefined, a);
        if (!isWithin(constantOf(b), width) && !this.isAmount(b, width)) return undefined;
        return given(sign !== undefined && (v.op === Op.AShr || sign === 'unsigned'), a);
      }
      case Op.SMin:
      case Op.SMax:
        return given(this.common(a, b, width) !== undefined, a, b);
      case Op.UMin:
      case Op.UMax:
        return given(this.common(a, b, width) === 'unsigned', a, b);
      case Op.Select:
        return [b, v.operands[2]!];
      case Op.Not:
      case Op.Neg:
        return [a];
      case Op.Abs:
        return this.common(a, a, width) !== undefined ? [a] : this.termsOf(a, width);
      case Op.PopCount:
      case Op.Clz:
        return given(this.common(a, a, width) === 'unsigned', a);
      default:
        return undefined;
    }
  }

  /** The numbers that fit a width whose difference a value is: its absolute value fits too, without a sign. */
  differenceOf(value: Value, width: Width): Difference | undefined {
    if (value.kind !== 'inst') return undefined;
    const [number, other] = value.operands as [Value, Value];
    if (value.op === Op.Sub) {
      const sign = this.common(number, other, width);
      return sign && { number, other, sign };
    }
    // A difference from a constant is a sum.
    const added = value.op === Op.Add ? constantOf(other) : undefined;
    const range = added === undefined ? undefined : this.ranges.of(number);
    if (!range) return undefined;
    const constant = -Number(added);
    const sign = signOf([range, { low: constant, high: constant }], width);
    return sign && { number, other: constant, sign };
  }

  private termsOf(difference: Value, width: Width): readonly Value[] | undefined {
    const found = this.differenceOf(difference, width);
    return found && (typeof found.other === 'number' ? [found.number] : [found.number, found.other]);
  }

  /** Whether a logical shift takes bits of a number that is 0 or -1, as divisions by powers of two do to correct signs. */
  isSignMask({ op, operands: [a, b] }: Inst): boolean {
    if (op !== Op.LShr || constantOf(b!) === undefined) return false;
    const range = this.ranges.of(a!);
    return range !== undefined && range.low >= -1 && range.high <= 0;
  }

  /** Whether a value is an amount by which each lane shifts its own 32 bits, or all of them by less than the width. */
  private isAmount(b: Value, width: Width): boolean {
    const range = this.ranges.of(b);
    return range !== undefined && range.low >= 0 && range.high < (this.isUniform(b) ? width : 32);
  }
}
