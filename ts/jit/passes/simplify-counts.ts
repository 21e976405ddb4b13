// SPDX-License-Identifier: MIT
//
// Counts of bits that are written out with shifts and masks: a number's bits are added up in groups of two, of four, and so on
//
//     x -= x >> 1 & 0x55555555; x = (x & 0x33333333) + (x >> 2 & 0x33333333); x = x + (x >> 4) & 0x0f0f0f0f; x * 0x01010101 >> 24
//
// is PopCount, in any of the usual forms of the steps. Likewise x ^= x >> 16, x ^= x >> 8 and so on down to one bit is PopCount's last bit, and
// the bits below the lowest one are Ctz.
import { constantAmount, constantOf } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { bitsOf } from '../ir/types';
import type { Simplifier } from './simplifier';

/**
 * A number that consists of fields of `field` bits, each at most `most`, so that sums of two may not carry. The first field of each group
 * of `width` bits is the number of set bits that `source` has in the group.
 */
interface Counts {
  readonly source: Value;
  readonly width: number;
  readonly field: number;
  readonly most: number;
}

/** A number of whose result a shift to the right and a mask leave some bits, the others being zeros. */
interface Part {
  readonly of: Value;
  readonly by: number;
  readonly mask: bigint;
  /** Whether it is the number itself. */
  readonly isWhole: boolean;
}

const STEPS = 12;
/** The parities of numbers from 0 to 15. */
const PARITIES = 0x6996n;
const PARITY_BITS = 4;

/** The count that an instruction is. It may be an addition, a mask, a shift, or PopCount. */
export function simplifyCount(s: Simplifier, inst: Inst): Value | undefined {
  const { op, type, operands } = inst;
  const [a, b] = operands as [Value, Value];
  if (op === Op.PopCount) {
    const number = lowestOf(a);
    return number && s.emit(Op.Ctz, type, [number]);
  }
  const constant = constantOf(b);
  if (op === Op.And && constant !== undefined && Number(constant) === 1) return parity(s, type, a, b);
  if (type !== Type.I32 && type !== Type.I64) return undefined;
  if (op === Op.Add ? !isLastSum(inst) : constant === undefined) return undefined;
  const counts = op === Op.Add || op === Op.And ? countsOf(inst, STEPS) : totalOf(inst);
  const bits = bitsOf(type);
  return counts?.width === bits && counts.field === bits
    ? s.emit(Op.PopCount, type, [counts.source])
    : undefined;
}

/** Whether a sum may be the last step: both halves of a number. */
function isLastSum({ operands, type }: Inst): boolean {
  const half = bitsOf(type) / 2;
  return operands.some((v) => partOf(v).by === half);
}

function countsOf(v: Value, steps: number): Counts | undefined {
  if (v.kind !== 'inst' || steps === 0) return undefined;
  switch (v.op) {
    case Op.Sub:
      return pairsOf(v);
    case Op.Add:
      return (
        sumOf(v, v.operands[0]!, v.operands[1]!, steps) ?? sumOf(v, v.operands[1]!, v.operands[0]!, steps)
      );
    case Op.And:
      return maskedOf(v, steps);
    default:
      return undefined;
  }
}

/** x - (x >> 1 & 0x55555555) is, of each two bits, the upper one and the lower one. */
function pairsOf({ type, operands }: Inst): Counts | undefined {
  const [source, other] = operands as [Value, Value];
  const { of, by, mask } = partOf(other);
  const bits = bitsOf(type);
  return of === source && by === 1 && mask === repeated(1n, 2, bits)
    ? { source, width: 2, field: 2, most: 2 }
    : undefined;
}

/** What is at even places in `low` and what is at odd ones in `high`. */
function sumOf({ type }: Inst, low: Value, high: Value, steps: number): Counts | undefined {
  const bits = bitsOf(type);
  const [even, odd] = [partOf(low), partOf(high)];
  const { by } = odd;
  if (odd.isWhole || even.by !== 0) return undefined;
  // Without masks, where no sum of two fields carries.
  if (odd.of === low && odd.mask === ones(bits - by)) {
    const counts = countsOf(low, steps - 1);
    if (counts?.width !== by || 2 * counts.most >= 2 ** counts.field) return undefined;
    return { ...counts, width: 2 * by, most: 2 * counts.most };
  }
  if (even.of !== odd.of) return undefined;
  const counts = countsOf(even.of, steps - 1) ?? { source: even.of, width: 1, field: 1, most: 1 };
  if (counts.width !== by || counts.field !== by || 2 * by > bits) return undefined;
  const isOfEach = ({ mask }: Part) => takesCounts(mask, counts, 2 * by, bits);
  return isOfEach(even) && isOfEach(odd)
    ? { source: counts.source, width: 2 * by, field: 2 * by, most: 2 * by }
    : undefined;
}

/** A mask that leaves the counts alone. */
function maskedOf({ type, operands }: Inst, steps: number): Counts | undefined {
  const mask = constantOf(operands[1]!);
  const counts = mask === undefined ? undefined : countsOf(operands[0]!, steps - 1);
  if (!counts) return undefined;
  const { source, width } = counts;
  const bits = bitsOf(type);
  return takesCounts(BigInt.asUintN(bits, BigInt(mask!)), counts, width, bits)
    ? { source, width, field: width, most: width }
    : undefined;
}

/** Whether a mask has, of each group of `width` bits, those that a count may have, and no other than those of its field. */
function takesCounts(
  mask: bigint,
  { width: counted, field, most }: Counts,
  width: number,
  bits: number,
): boolean {
  const group = mask & ones(width);
  const needed = ones(Math.min(counted, most).toString(2).length);
  return mask === repeated(group, width, bits) && (group & needed) === needed && group < 1n << BigInt(field);
}

/** The upper bits of a product with a number that has a bit in each group: the sum of all groups. */
function totalOf({ op, type, operands }: Inst): Counts | undefined {
  const [product, amount] = operands as [Value, Value];
  if (product.kind !== 'inst' || product.op !== Op.Mul) return undefined;
  const counts = countsOf(product.operands[0]!, STEPS);
  const bits = bitsOf(type);
  const factor = constantOf(product.operands[1]!);
  if (!counts || factor === undefined || constantAmount(amount) !== bits - counts.width) return undefined;
  const { source, width, field } = counts;
  // An arithmetic shift copies the sum's highest bit.
  const room = 1 << (op === Op.AShr ? width - 1 : width);
  const isSum = BigInt.asUintN(bits, BigInt(factor)) === repeated(1n, width, bits);
  return isSum && field === width && width < bits && bits < room
    ? { source, width: bits, field: bits, most: bits }
    : undefined;
}

function partOf(v: Value): Part {
  const bits = bitsOf(v.type);
  if (v.kind !== 'inst') return { of: v, by: 0, mask: ones(bits), isWhole: true };
  const constant = v.op === Op.And ? constantOf(v.operands[1]!) : undefined;
  const shifted = constant === undefined ? v : v.operands[0]!;
  const mask = constant === undefined ? ones(bits) : BigInt.asUintN(bits, BigInt(constant));
  const isShift = shifted.kind === 'inst' && (shifted.op === Op.LShr || shifted.op === Op.AShr);
  const by = isShift ? constantAmount(shifted.operands[1]!) : undefined;
  if (by === undefined) return { of: shifted, by: 0, mask, isWhole: constant === undefined };
  const rest = ones(bits - by);
  // Copies of the sign are zeros only under a mask, or where the sign is 0 as in numbers of which sums of two fields do not carry.
  const hasSigns = (shifted as Inst).op === Op.AShr && constant !== undefined && (mask & ~rest) !== 0n;
  if (hasSigns) return { of: v, by: 0, mask: ones(bits), isWhole: true };
  return { of: (shifted as Inst).operands[0]!, by, mask: mask & rest, isWhole: false };
}

const ones = (count: number): bigint => (1n << BigInt(count)) - 1n;

function repeated(group: bigint, width: number, bits: number): bigint {
  let all = 0n;
  for (let at = 0; at < bits; at += width) all |= group << BigInt(at);
  return all;
}

// --- parity, and the bits below the lowest one ---

function parity(s: Simplifier, type: Type, masked: Value, one: Value): Value | undefined {
  const isExtended = masked.kind === 'inst' && (masked.op === Op.ZExt || masked.op === Op.SExt);
  const number = isExtended ? masked.operands[0]! : masked;
  const source = parityOf(number, 1) ?? tabulatedParityOf(untruncated(number));
  if (!source || bitsOf(source.type) < Math.max(bitsOf(Type.I32), bitsOf(type))) return undefined;
  const count = s.emit(Op.PopCount, source.type, [source]);
  return s.emit(Op.And, type, [source.type === type ? count : s.emit(Op.Trunc, type, [count]), one]);
}

/**
 * The number of which the last bit of `v` is the parity, as it is xored with itself shifted by each power of two from `least` on. Bits above
 * those that the last one is computed from do not count, so that steps may be narrow, and shifts may copy the sign.
 */
function parityOf(v: Value, least: number): Value | undefined {
  let source = v;
  let shifts = 0;
  for (let step = 0; step < STEPS; step++) {
    const inner = untruncated(source);
    if (shifts > 0 && shifts === bitsOf(source.type) - least) return source;
    const found = xoredWithShifted(inner);
    if (!found || found.by < least || (found.by & (found.by - 1)) !== 0 || (shifts & found.by) !== 0)
      return undefined;
    if (shifts + least > bitsOf(inner.type)) return undefined;
    shifts |= found.by;
    source = found.of;
  }
  return undefined;
}

function xoredWithShifted(v: Value): { of: Value; by: number } | undefined {
  if (v.kind !== 'inst' || v.op !== Op.Xor) return undefined;
  const [a, b] = v.operands.map(untruncated) as [Value, Value];
  const shiftOf = (shifted: Value, of: Value) => {
    if (shifted.kind !== 'inst' || (shifted.op !== Op.LShr && shifted.op !== Op.AShr)) return undefined;
    const by = shifted.operands[0] === of ? constantAmount(shifted.operands[1]!) : undefined;
    return by ? { of, by } : undefined;
  };
  return shiftOf(b, a) ?? shiftOf(a, b);
}

function untruncated(v: Value): Value {
  return v.kind === 'inst' && v.op === Op.Trunc ? untruncated(v.operands[0]!) : v;
}

/** The same where the last four bits are looked up in a number. */
function tabulatedParityOf(v: Value): Value | undefined {
  if (v.kind !== 'inst' || (v.op !== Op.LShr && v.op !== Op.AShr)) return undefined;
  const [table, place] = v.operands as [Value, Value];
  const parities = constantOf(table);
  if (parities === undefined || BigInt.asUintN(1 << PARITY_BITS, BigInt(parities)) !== PARITIES)
    return undefined;
  if (place.kind !== 'inst' || place.op !== Op.And || Number(constantOf(place.operands[1]!)) !== 15)
    return undefined;
  return parityOf(place.operands[0]!, PARITY_BITS);
}

/** The number of whose lowest bit PopCount counts those below: of ~x & (x - 1), or (x & -x) - 1. */
function lowestOf(v: Value): Value | undefined {
  if (v.kind !== 'inst') return undefined;
  const [a, b] = v.operands as [Value, Value];
  const isOp = (op: Op, x: Value, of: Value) => x.kind === 'inst' && x.op === op && x.operands[0] === of;
  if (v.op === Op.And) {
    for (const [inverted, less] of [
      [a, b],
      [b, a],
    ] as const) {
      const [x] = inverted.kind === 'inst' && inverted.op === Op.Not ? inverted.operands : [];
      if (x && isOneLess(less, x)) return x;
    }
    return undefined;
  }
  if (v.op !== Op.Add || !isOneLess(v, a) || a.kind !== 'inst' || a.op !== Op.And) return undefined;
  const [x, y] = a.operands as [Value, Value];
  return isOp(Op.Neg, y, x) ? x : isOp(Op.Neg, x, y) ? y : undefined;
}

/** Whether a value is `than - 1`. */
export function isOneLess(value: Value, than: Value): value is Inst {
  return (
    value.kind === 'inst' &&
    value.op === Op.Add &&
    value.operands[0] === than &&
    Number(constantOf(value.operands[1]!) ?? 0) === -1
  );
}
