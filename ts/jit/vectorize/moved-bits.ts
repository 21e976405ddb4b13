// SPDX-License-Identifier: MIT
//
// Numbers whose bits are bits of one other number in other places: what shifts, masks, ors and products with sums of powers of two make of
// it.
import { onesIn } from '../../base/integer-arithmetic';
import { constantAmount, constantOf } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { bitsOf } from '../ir/types';

/** Bits of the source that have moved up by so many places, down if negative. `mask`: where they are now. */
export interface Part {
  readonly by: number;
  readonly mask: number;
}

/** A number's bits by what they are. No bit is in two places of this; those that are in none are zeros. */
export interface MovedBits {
  readonly source: Value;
  readonly parts: readonly Part[];
  /** The bits that are computed from several. */
  readonly mixed: number;
}

/** The most powers of two whose sum a factor is. */
const MOST_SUMMANDS = 4;

const maskOfWidth = (width: number): number => (width === 32 ? -1 : (1 << width) - 1);

/** The bits that may not be zeros. */
const occupied = ({ parts, mixed }: MovedBits): number =>
  parts.reduce((mask, part) => mask | part.mask, mixed);

/** The numbers of one function. */
export class BitMoves {
  private readonly known = new Map<Value, MovedBits>();

  of(v: Value): MovedBits {
    let bits = this.known.get(v);
    if (!bits) {
      bits = (v.kind === 'inst' && this.moved(v)) || itself(v);
      this.known.set(v, bits);
    }
    return bits;
  }

  /** Undefined for a number that counts as the source of others. */
  private moved(v: Inst): MovedBits | undefined {
    if (v.type < Type.I8 || v.type > Type.I32) return undefined;
    const [a, b] = v.operands as [Value, Value];
    const width = bitsOf(v.type);
    switch (v.op) {
      case Op.Shl:
      case Op.LShr: {
        const by = constantAmount(b);
        return by === undefined ? undefined : shifted(this.of(a), v.op === Op.Shl ? by : -by, width);
      }
      case Op.Rotl: {
        const by = constantAmount(b);
        if (!by) return undefined;
        const bits = this.of(a);
        return joined(Op.Or, shifted(bits, by, width), shifted(bits, by - width, width), width);
      }
      case Op.And: {
        const mask = constantOf(b);
        return mask === undefined ? undefined : masked(this.of(a), Number(mask));
      }
      case Op.Or:
      case Op.Xor:
      case Op.Add:
        if (constantOf(b) !== undefined) return undefined;
        return joined(v.op, this.of(a), this.of(b), width);
      case Op.Mul: {
        const factor = constantOf(b);
        return factor === undefined ? undefined : this.product(a, Number(factor), width);
      }
      default:
        return undefined;
    }
  }

  private product(a: Value, factor: number, width: number): MovedBits | undefined {
    const powers = Array.from({ length: width }, (_, bit) => bit).filter((bit) => (factor >>> bit) & 1);
    if (powers.length === 0 || powers.length > MOST_SUMMANDS) return undefined;
    const [first, ...others] = powers.map((by) => shifted(this.of(a), by, width));
    return others.reduce<MovedBits | undefined>(
      (sum, other) => sum && joined(Op.Add, sum, other, width),
      first,
    );
  }
}

function itself(v: Value): MovedBits {
  return { source: v, parts: [{ by: 0, mask: maskOfWidth(widthOf(v)) }], mixed: 0 };
}

/** An upper bound of the bits of a number that nothing else is known of. */
function widthOf(v: Value): number {
  const width = Math.min(bitsOf(v.type), 32);
  if (v.kind !== 'inst') return width;
  if (v.op === Op.ZExt) return Math.min(width, bitsOf(v.operands[0]!.type));
  if (v.op !== Op.FToU) return width;
  const most = mostOf(v.operands[0]!);
  return most < 2 ** 31 ? Math.min(width, 32 - Math.clz32(most)) : width;
}

/** What a float is at most, unless it is NaN, which becomes 0 as an integer. */
function mostOf(v: Value): number {
  const constant = constantOf(v);
  if (constant !== undefined) return Number(constant);
  if (v.kind !== 'inst' || (v.op !== Op.FMin && v.op !== Op.FMax)) return Infinity;
  const [a, b] = v.operands as [Value, Value];
  return v.op === Op.FMin ? Math.min(mostOf(a), mostOf(b)) : Math.max(mostOf(a), mostOf(b));
}

function shifted({ source, parts, mixed }: MovedBits, by: number, width: number): MovedBits {
  const move = (mask: number) => (by < 0 ? mask >>> -by : by > 31 ? 0 : mask << by) & maskOfWidth(width);
  return {
    source,
    parts: parts
      .map((part) => ({ by: part.by + by, mask: move(part.mask) }))
      .filter(({ mask }) => mask !== 0),
    mixed: move(mixed),
  };
}

function masked({ source, parts, mixed }: MovedBits, mask: number): MovedBits {
  return {
    source,
    parts: parts.map((part) => ({ by: part.by, mask: part.mask & mask })).filter((part) => part.mask !== 0),
    mixed: mixed & mask,
  };
}

/** Undefined if the operands have different sources, or if most bits depend on several. */
function joined(
  op: Op.Or | Op.Xor | Op.Add,
  a: MovedBits,
  b: MovedBits,
  width: number,
): MovedBits | undefined {
  if (a.source !== b.source) return undefined;
  const mixed =
    op === Op.Add ? mixedBySum(occupied(a), occupied(b), width) | a.mixed | b.mixed : mixedBits(a, b);
  const places = new Map<number, number>();
  for (const { by, mask } of [...a.parts, ...b.parts]) {
    const before = places.get(by) ?? 0;
    // The same bit twice is a zero for an exclusive or.
    places.set(by, op === Op.Xor ? before ^ mask : before | mask);
  }
  const all = [...places].map(([by, mask]) => ({ by, mask: mask & ~mixed })).filter(({ mask }) => mask !== 0);
  return all.length === 0 || onesIn(mixed) > width / 2 ? undefined : { source: a.source, parts: all, mixed };
}

/** The bits that two operands have in the same place, unless they are the same bit. */
function mixedBits(a: MovedBits, b: MovedBits): number {
  let mixed = a.mixed | b.mixed;
  for (const x of a.parts) for (const y of b.parts) if (x.by !== y.by) mixed |= x.mask & y.mask;
  return mixed;
}

/** The bits of a sum that depend on both operands, or on a carry. */
function mixedBySum(a: number, b: number, width: number): number {
  let mixed = 0;
  let carry = 0;
  for (let bit = 0; bit < width; bit++) {
    const present = ((a >>> bit) & 1) + ((b >>> bit) & 1);
    if (carry || present > 1) mixed |= 1 << bit;
    carry = present + carry > 1 ? 1 : 0;
  }
  return mixed;
}
