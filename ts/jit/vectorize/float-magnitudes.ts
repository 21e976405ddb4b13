// SPDX-License-Identifier: MIT
//
// Floats that are computed from integers and constants: how large they are at most, and at least unless they are zero. So they are
// numbers, finite, and not subnormal.
import { constantOf } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { bitsOf } from '../ir/types';

interface Magnitude {
  readonly most: number;
  /** The least but zero. */
  readonly least: number;
  readonly mayBeZero: boolean;
  readonly mayBeNegativeZero: boolean;
  readonly mayBeNegative: boolean;
}

/** Results beyond are not followed: far from overflow, and from subnormal numbers. */
const LARGEST = 2 ** 56;
const SMALLEST = 2 ** -56;
const SIGNIFICAND_BITS = 23;
/** The longest chain of operations that is followed. */
const MOST_DEPTH = 32;
/** Roundings change a number by less. */
const UP = 1 + 2 ** -20;
const DOWN = 1 - 2 ** -20;

export class Magnitudes {
  private readonly known = new Map<Inst, Magnitude | undefined>();

  of(v: Value, depth = 0): Magnitude | undefined {
    if (v.type !== Type.F32) return undefined;
    const constant = constantOf(v);
    if (constant !== undefined) return ofConstant(Number(constant));
    // A longer chain of operations is not followed, however long it is.
    if (v.kind !== 'inst' || depth === MOST_DEPTH) return undefined;
    if (!this.known.has(v)) {
      this.known.set(v, undefined);
      this.known.set(v, within(this.compute(v, depth + 1)));
    }
    return this.known.get(v);
  }

  private compute({ op, operands }: Inst, depth: number): Magnitude | undefined {
    // Arguments, undefined values and the environment have no operands.
    if (operands.length === 0) return undefined;
    const [first, second, third] = operands as [Value, Value, Value];
    const a = this.of(first, depth);
    switch (op) {
      case Op.SToF:
      case Op.UToF: {
        const most = 2 ** bitsOf(first.type);
        return { most, least: 1, ...POSITIVE, mayBeNegative: op === Op.SToF };
      }
      case Op.FNeg:
        return a && { ...a, mayBeNegativeZero: a.mayBeZero, mayBeNegative: true };
      case Op.FAbs:
        return a && { ...a, ...POSITIVE };
      case Op.FAdd:
      case Op.FSub: {
        const b = a && this.of(second, depth);
        return b && sum(a, op === Op.FSub ? { ...b, mayBeNegativeZero: true, mayBeNegative: true } : b);
      }
      case Op.FMul: {
        const b = a && this.of(second, depth);
        return b && product(a, b);
      }
      case Op.FDiv: {
        const b = constantOf(second) ? this.of(second, depth) : undefined;
        return a && b && product(a, { ...b, most: 1 / b.least, least: 1 / b.most });
      }
      case Op.MulAdd:
      case Op.Fma: {
        const [b, c] = [this.of(second, depth), this.of(third, depth)];
        return a && b && c && sum(product(a, b), c, grainOf(a) * grainOf(b));
      }
      case Op.FMin:
      case Op.FMax: {
        const b = a && this.of(second, depth);
        return b && either(a, b);
      }
      case Op.Select: {
        const [b, c] = [this.of(second, depth), this.of(third, depth)];
        return b && c && either(b, c);
      }
      default:
        return undefined;
    }
  }
}

const POSITIVE = { mayBeZero: true, mayBeNegativeZero: false, mayBeNegative: false };

/** A zero has no least number, and the smallest greatest one. */
function ofConstant(c: number): Magnitude | undefined {
  if (c === 0) return { most: SMALLEST, least: LARGEST, ...POSITIVE, mayBeNegativeZero: Object.is(c, -0) };
  const magnitude = Math.abs(c);
  return within({
    most: magnitude,
    least: magnitude,
    mayBeZero: false,
    mayBeNegativeZero: false,
    mayBeNegative: c < 0,
  });
}

function within(m: Magnitude | undefined): Magnitude | undefined {
  return m && m.most <= LARGEST && m.least >= SMALLEST ? m : undefined;
}

/** A power of two of which such floats are multiples: the last bit of the least. */
const grainOf = ({ least }: Magnitude): number => 2 ** (Math.floor(Math.log2(least)) - SIGNIFICAND_BITS);

/**
 * What is a multiple of a power of two is at least that, unless it is zero. The sum is -0 only if both numbers are.
 */
function sum(a: Magnitude, b: Magnitude, grainOfA = grainOf(a)): Magnitude {
  return {
    most: (a.most + b.most) * UP,
    least: Math.min(grainOfA, grainOf(b)),
    mayBeZero: true,
    mayBeNegativeZero: a.mayBeNegativeZero && b.mayBeNegativeZero,
    mayBeNegative: a.mayBeNegative || b.mayBeNegative,
  };
}

function product(a: Magnitude, b: Magnitude): Magnitude {
  const isNegativeZero = (x: Magnitude, y: Magnitude) =>
    x.mayBeNegativeZero || (x.mayBeZero && (y.mayBeNegative || y.mayBeNegativeZero));
  return {
    most: a.most * b.most * UP,
    least: a.least * b.least * DOWN,
    mayBeZero: a.mayBeZero || b.mayBeZero,
    mayBeNegativeZero: isNegativeZero(a, b) || isNegativeZero(b, a),
    mayBeNegative: a.mayBeNegative || b.mayBeNegative,
  };
}

const either = (a: Magnitude, b: Magnitude): Magnitude => ({
  most: Math.max(a.most, b.most),
  least: Math.min(a.least, b.least),
  mayBeZero: a.mayBeZero || b.mayBeZero,
  mayBeNegativeZero: a.mayBeNegativeZero || b.mayBeNegativeZero,
  mayBeNegative: a.mayBeNegative || b.mayBeNegative,
});
