// SPDX-License-Identifier: MIT
//
// Rules for and, or, xor, not and comparisons.
import { constantAmount, constantOf } from '../ir/build';
import { INVERSE, SWAPPED, UNSIGNED } from '../ir/comparisons';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { bitsOf, isInteger } from '../ir/types';
import type { Simplifier } from './simplifier';

const isOp = (value: Value, op: Op): value is Inst => value.kind === 'inst' && value.op === op;

export function simplifyLogic(
  s: Simplifier,
  inst: Inst,
  constant: number | bigint | undefined,
): Value | undefined {
  const { op, type } = inst;
  const [a, b] = inst.operands as [Value, Value];
  const zero = () => s.leaves.constant(type, type === Type.I64 ? 0n : 0);
  if (op === Op.Not) {
    if (a.kind === 'inst' && a.op === Op.Not) return a.operands[0];
    const inverse = type === Type.I1 && a.kind === 'inst' ? INVERSE[a.op] : undefined;
    return inverse === undefined ? undefined : s.emit(inverse, Type.I1, [...(a as Inst).operands]);
  }
  if (a === b) return op === Op.Xor ? zero() : a;
  if (constant !== undefined) {
    const c = BigInt(constant);
    const ones = type === Type.I1 ? 1n : -1n;
    if (c === 0n) return op === Op.And ? b : a;
    if (c === ones) return op === Op.And ? a : op === Op.Or ? b : s.emit(Op.Not, type, [a]);
    const inner = a.kind === 'inst' && a.op === op ? constantOf(a.operands[1]!) : undefined;
    if (inner !== undefined) {
      const both = op === Op.And ? BigInt(inner) & c : op === Op.Or ? BigInt(inner) | c : BigInt(inner) ^ c;
      return s.emit(op, type, [
        (a as Inst).operands[0]!,
        s.leaves.constant(type, type === Type.I64 ? both : Number(both)),
      ]);
    }
    // A mask that covers the narrow type does not change a zero-extended value.
    if (op === Op.And && isOp(a, Op.ZExt)) {
      const width = bitsOf(a.operands[0]!.type);
      const mask = (1n << BigInt(width)) - 1n;
      if ((c & mask) === mask) return a;
      if (type === Type.I64 && width === 32) {
        const low = s.leaves.constant(Type.I32, Number(BigInt.asIntN(32, c)));
        return s.emit(Op.ZExt, type, [s.emit(op, Type.I32, [a.operands[0]!, low])]);
      }
    }
  }
  if (op === Op.Or && type === Type.I1) return lessOrEqual(s, a, b);
  // Rotations written as shifts: x << c | x >> (w - c).
  if (op === Op.Or || op === Op.Xor) return rotation(s, op, type, a, b);
  return undefined;
}

/** The comparison that `a < b` and `a == b` are together. */
const OR_EQUAL: Partial<Record<Op, readonly [equal: Op, both: Op]>> = {
  [Op.SLt]: [Op.Eq, Op.SLe],
  [Op.SGt]: [Op.Eq, Op.SGe],
  [Op.ULt]: [Op.Eq, Op.ULe],
  [Op.UGt]: [Op.Eq, Op.UGe],
  [Op.FLt]: [Op.FEq, Op.FLe],
  [Op.FGt]: [Op.FEq, Op.FGe],
};

function lessOrEqual(s: Simplifier, x: Value, y: Value): Value | undefined {
  if (x.kind !== 'inst' || y.kind !== 'inst') return undefined;
  for (const [order, equality] of [
    [x, y],
    [y, x],
  ] as const) {
    const found = OR_EQUAL[order.op];
    if (found?.[0] !== equality.op) continue;
    const [[a, b], [c, d]] = [order.operands, equality.operands];
    if ((a === c && b === d) || (a === d && b === c)) return s.emit(found![1], Type.I1, [a!, b!]);
  }
  return undefined;
}

function rotation(s: Simplifier, op: Op, type: Type, a: Value, b: Value): Value | undefined {
  if (!isInteger(type) || a.kind !== 'inst' || b.kind !== 'inst') return undefined;
  const [left, right] = a.op === Op.Shl ? [a, b] : [b, a];
  if (left.op !== Op.Shl || right.op !== Op.LShr || left.operands[0] !== right.operands[0]) return undefined;
  const [up, down] = [constantAmount(left.operands[1]!), constantAmount(right.operands[1]!)];
  const width = bitsOf(type);
  if (up !== undefined && down !== undefined) {
    if (up === 0 || up + down !== width) return undefined;
    return s.emit(Op.Rotl, type, [left.operands[0]!, left.operands[1]!]);
  }
  // Amounts are modulo the width, so w - n and -n are the same, and masks of the amounts change nothing. For n = 0 that is x | x, but not
  // x ^ x.
  if (op !== Op.Or) return undefined;
  const [, amount] = left.operands as [Value, Value];
  const [leftBy, rightBy] = [lowBitsOf(amount, width), lowBitsOf(right.operands[1]!, width)];
  if (!isOpposite(rightBy, leftBy, width) && !isOpposite(leftBy, rightBy, width)) return undefined;
  return s.emit(Op.Rotl, type, [left.operands[0]!, leftBy.type === type ? leftBy : amount]);
}

/** A value with the same low bits, as many as the amounts of shifts have, without masks and extensions. */
function lowBitsOf(value: Value, width: number): Value {
  if (value.kind !== 'inst') return value;
  const [a, b] = value.operands as [Value, Value];
  const all = BigInt(width - 1);
  const mask = value.op === Op.And ? constantOf(b) : undefined;
  const isMasked = mask !== undefined && (BigInt(mask) & all) === all;
  const isExtended = (value.op === Op.ZExt || value.op === Op.SExt) && bitsOf(a.type) >= LEAST_BITS;
  return isMasked || isExtended ? lowBitsOf(a, width) : value;
}

/** Numbers of which all amounts of shifts are parts. */
const LEAST_BITS = 8;

/** Whether the low bits of `a` are those of `-b`, or `width - b`. */
function isOpposite(a: Value, b: Value, width: number): boolean {
  if (a.kind !== 'inst') return false;
  const [x, y] = a.operands as [Value, Value];
  if (a.op === Op.Neg) return lowBitsOf(x, width) === b;
  const from = a.op === Op.Sub ? constantOf(x) : undefined;
  return from !== undefined && Number(from) % width === 0 && lowBitsOf(y, width) === b;
}

const REFLEXIVE: ReadonlySet<Op> = new Set([Op.Eq, Op.SLe, Op.SGe, Op.ULe, Op.UGe]);

export function simplifyCompare(
  s: Simplifier,
  inst: Inst,
  constant: number | bigint | undefined,
): Value | undefined {
  const { op } = inst;
  const [a, b] = inst.operands as [Value, Value];
  const bool = (value: boolean) => s.leaves.constant(Type.I1, value ? 1 : 0);
  // A constant becomes the right operand.
  if (constant === undefined && constantOf(a) !== undefined) {
    const swapped = SWAPPED[op];
    return swapped === undefined ? undefined : s.emit(swapped, Type.I1, [b, a]);
  }
  if (op >= Op.FEq) return undefined;
  if (a === b) return bool(REFLEXIVE.has(op));
  if (constant === undefined) return bothExtended(s, inst, a, b);
  const c = BigInt(constant);
  if (c === 0n) {
    if (op === Op.ULt) return bool(false);
    if (op === Op.UGe) return bool(true);
    if (op === Op.UGt) return s.emit(Op.Ne, Type.I1, [a, b]);
    if (op === Op.ULe) return s.emit(Op.Eq, Type.I1, [a, b]);
  }
  if (a.kind !== 'inst') return undefined;
  if (op === Op.Eq || op === Op.Ne) {
    // A truth value as a number, compared with a number.
    if (isOp(a, Op.ZExt) && a.operands[0]!.type === Type.I1) {
      if (c !== 0n && c !== 1n) return bool(op === Op.Ne);
      const positive = (op === Op.Ne) === (c === 0n);
      return positive ? a.operands[0] : s.emit(Op.Not, Type.I1, [a.operands[0]!]);
    }
    if (isOp(a, Op.Select)) {
      const [then, otherwise] = [constantOf(a.operands[1]!), constantOf(a.operands[2]!)];
      if (then !== undefined && otherwise !== undefined && then !== otherwise) {
        const matches = (v: number | bigint) => (BigInt(v) === c) === (op === Op.Eq);
        const [t, o] = [matches(then), matches(otherwise)];
        if (t === o) return bool(t);
        return t ? a.operands[0] : s.emit(Op.Not, Type.I1, [a.operands[0]!]);
      }
    }
    if (isOp(a, Op.Add)) {
      const added = constantOf(a.operands[1]!);
      if (added !== undefined) {
        const rest = c - BigInt(added);
        return s.emit(op, Type.I1, [
          a.operands[0]!,
          s.leaves.constant(a.type, a.type === Type.I64 ? rest : Number(BigInt.asIntN(bitsOf(a.type), rest))),
        ]);
      }
    }
    if (hasOtherBits(a, c)) return bool(op === Op.Ne);
    if (isOp(a, Op.Sub) && c === 0n) return s.emit(op, Type.I1, [a.operands[0]!, a.operands[1]!]);
  }
  return narrowCompare(s, inst, a, c);
}

/** Whether a value has a bit set that the number has not, or the other way round. */
function hasOtherBits(value: Inst, number: bigint): boolean {
  const known = value.op === Op.Or || value.op === Op.And ? constantOf(value.operands[1]!) : undefined;
  if (known === undefined) return false;
  const width = bitsOf(value.type);
  const [bits, c] = [BigInt.asUintN(width, BigInt(known)), BigInt.asUintN(width, number)];
  return value.op === Op.Or ? (c & bits) !== bits : (c & bits) !== c;
}

/** Comparing extended values is comparing the narrow ones. */
function bothExtended(s: Simplifier, inst: Inst, a: Value, b: Value): Value | undefined {
  if (a.kind !== 'inst' || b.kind !== 'inst' || a.op !== b.op) return undefined;
  if (a.op !== Op.ZExt && a.op !== Op.SExt) return undefined;
  const [x, y] = [a.operands[0]!, b.operands[0]!];
  if (x.type !== y.type) return undefined;
  if (x.type === Type.I1) {
    if (a.op !== Op.ZExt || (inst.op !== Op.Ne && inst.op !== Op.Eq)) return undefined;
    const differ = s.emit(Op.Xor, Type.I1, [x, y]);
    return inst.op === Op.Ne ? differ : s.emit(Op.Not, Type.I1, [differ]);
  }
  const op = a.op === Op.ZExt ? (UNSIGNED[inst.op] ?? inst.op) : inst.op;
  return s.emit(op, Type.I1, [x, y]);
}

function narrowCompare(s: Simplifier, inst: Inst, a: Inst, c: bigint): Value | undefined {
  if (a.op !== Op.ZExt && a.op !== Op.SExt) return undefined;
  const narrow = a.operands[0]!;
  if (narrow.type === Type.I1) return undefined;
  const width = BigInt(bitsOf(narrow.type));
  const most = a.op === Op.ZExt ? (1n << width) - 1n : (1n << (width - 1n)) - 1n;
  const least = a.op === Op.ZExt ? 0n : -(1n << (width - 1n));
  if (c < least || c > most) return undefined;
  // A sign-extended value keeps its unsigned order too.
  const op = a.op === Op.ZExt ? (UNSIGNED[inst.op] ?? inst.op) : inst.op;
  const value = narrow.type === Type.I64 ? c : Number(BigInt.asIntN(Number(width), c));
  return s.emit(op, Type.I1, [narrow, s.leaves.constant(narrow.type, value)]);
}
