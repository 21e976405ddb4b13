// SPDX-License-Identifier: MIT
//
// Numbers whose bits are bits of one other number in other places: what shifts, masks, ors and products with sums of powers of two make of
// it.
import { onesInAny } from '../../base/integer-arithmetic';
import { constantAmount, constantOf } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { bitsOf } from '../ir/types';

/** Bits of the source that have moved up by this many places, down if negative. `mask`: where they are now. */
export interface Part {
  readonly by: number;
  readonly mask: bigint;
}

/** A number's bits by what they are. No bit is in two places of this; those that are in none are zeros. */
export interface MovedBits {
  readonly source: Value;
  readonly parts: readonly Part[];
  /** The bits that are computed from several. */
  readonly mixed: bigint;
}

/** The most powers of two whose sum a factor is. */
const MOST_SUMMANDS = 4;

const maskOfWidth = (width: number): bigint => (1n << BigInt(width)) - 1n;

/** The bits that may not be zeros. */
const occupied = ({ parts, mixed }: MovedBits): bigint =>
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
    if (v.type < Type.I8 || v.type > Type.I64) return undefined;
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
        return mask === undefined ? undefined : masked(this.of(a), BigInt.asUintN(width, BigInt(mask)));
      }
      case Op.Or:
      case Op.Xor:
      case Op.Add:
        if (constantOf(b) !== undefined) return undefined;
        return joined(v.op, this.of(a), this.of(b), width);
      case Op.Mul: {
        const factor = constantOf(b);
        return factor === undefined ? undefined : this.product(a, BigInt(factor), width);
      }
      default:
        return undefined;
    }
  }

  private product(a: Value, factor: bigint, width: number): MovedBits | undefined {
    const powers = Array.from({ length: width }, (_, bit) => bit).filter(
      (bit) => (factor >> BigInt(bit)) & 1n,
    );
    if (powers.length === 0 || powers.length > MOST_SUMMANDS) return undefined;
    const [first, ...others] = powers.map((by) => shifted(this.of(a), by, width));
    return others.reduce<MovedBits | undefined>(
      (sum, other) => sum && joined(Op.Add, sum, other, width),
      first,
    );
  }
}

function itself(v: Value): MovedBits {
  return { source: v, parts: [{ by: 0, mask: maskOfWidth(widthOf(v)) }], mixed: 0n };
}

/** An upper bound of the bits of a number that nothing else is known of. */
function widthOf(v: Value): number {
  const width = bitsOf(v.type);
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
  const move = (mask: bigint) => (by < 0 ? mask >> BigInt(-by) : mask << BigInt(by)) & maskOfWidth(width);
  return {
    source,
    parts: parts
      .map((part) => ({ by: part.by + by, mask: move(part.mask) }))
      .filter(({ mask }) => mask !== 0n),
    mixed: move(mixed),
  };
}

function masked({ source, parts, mixed }: MovedBits, mask: bigint): MovedBits {
  return {
    source,
    parts: parts.map((part) => ({ by: part.by, mask: part.mask & mask })).filter((part) => part.mask !== 0n),
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
  const places = new Map<number, bigint>();
  for (const { by, mask } of [...a.parts, ...b.parts]) {
    const before = places.get(by) ?? 0n;
    // The same bit twice is a zero for an exclusive or.
    places.set(by, op === Op.Xor ? before ^ mask : before | mask);
  }
  const all = [...places]
    .map(([by, mask]) => ({ by, mask: mask & ~mixed }))
    .filter(({ mask }) => mask !== 0n);
  return all.length === 0 || onesInAny(mixed) > width / 2
    ? undefined
    : { source: a.source, parts: all, mixed };
}

/** The bits that two operands have in the same place, unless they are the same bit. */
function mixedBits(a: MovedBits, b: MovedBits): bigint {
  let mixed = a.mixed | b.mixed;
  for (const x of a.parts) for (const y of b.parts) if (x.by !== y.by) mixed |= x.mask & y.mask;
  return mixed;
}

/** The bits of a sum that depend on both operands, or on a carry. */
function mixedBySum(a: bigint, b: bigint, width: number): bigint {
  if ((a & b) === 0n) return 0n;
  let mixed = 0n;
  let carry = 0n;
  for (let bit = 0n; bit < width; bit++) {
    const present = ((a >> bit) & 1n) + ((b >> bit) & 1n);
    if (carry || present > 1n) mixed |= 1n << bit;
    carry = present + carry > 1n ? 1n : 0n;
  }
  return mixed;
}
