// SPDX-License-Identifier: MIT
//
// Numbers that a loop makes of conditions on consecutive elements, a bit for each: `mask |= (p[k] == c) << k`, `mask = mask << 1 | …`. The
// conditions of sixteen elements are one operation (Op.MaskOfElements), and one shift puts them where the loop puts them.
import { onesInAny } from '../../../../base/integer-arithmetic';
import { constantAmount, constantOf, isZero } from '../../../ir/build';
import { conditionBytes } from '../../../ir/elements';
import { type ElementStep, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { bitsOf } from '../../../ir/types';
import { type CountedLoop, constantStep } from './constant-steps';
import { MOST_STEPS, StepList } from './element-steps';
import type { SteppedLoop } from './stepped-loops';

type Loop = SteppedLoop['counted'];

/** Where an iteration puts its bit. */
type Place =
  /** At a place that grows or falls by one from each iteration to the next, modulo the width; from the highest bit on, if that is said. */
  | { readonly at: 'amount'; readonly amount: Value; readonly falls: boolean; readonly fromTop: boolean }
  /** Below all others, which are shifted up; or above all others, which are shifted down. */
  | { readonly at: 'bottom' | 'top' }
  /** Where a parameter of the loop that is doubled in each iteration has its only one. */
  | { readonly at: 'bit'; readonly bit: Value };

export interface ElementMask {
  readonly place: Place;
  /** What combines the bits with the number before. */
  readonly op: Op;
  readonly steps: readonly ElementStep[];
  readonly operands: readonly Value[];
}

/** What adds bits to a number in which they are zero, or which are different ones each time. */
const COMBINING: readonly Op[] = [Op.Or, Op.Add, Op.Xor];
const DEEPEST = 6;

/** Whether a parameter of the loop is doubled in each iteration, and has one bit at most from the start on. */
export function isMovingBit(func: Func, loop: Loop, param: Value): boolean {
  const at = loop.header.params.indexOf(param as Loop['header']['params'][number]);
  if (at < 0 || !isDouble(loop.again[at]!, param)) return false;
  return func.blocks.every(
    (block) =>
      loop.blocks.has(block) ||
      block.targets.every((target) => target.block !== loop.header || isOneBit(target.arguments[at]!)),
  );
}

function isOneBit(value: Value): boolean {
  const bits = constantOf(value);
  return bits !== undefined && onesInAny(BigInt.asUintN(bitsOf(value.type), BigInt(bits))) === 1;
}

/** From a parameter of the loop to its next value; undefined if that is another thing. */
export function maskOf(func: Func, loop: Loop, param: Value, next: Value): ElementMask | undefined {
  if ((param.type !== Type.I32 && param.type !== Type.I64) || next.kind !== 'inst') return undefined;
  if (!loop.blocks.has(next.block)) return undefined;
  return new Masks(func, loop, param).of(next);
}

class Masks {
  constructor(
    private readonly func: Func,
    private readonly loop: Loop,
    private readonly param: Value,
  ) {}

  of({ op, operands }: Inst): ElementMask | undefined {
    if (op === Op.Select) {
      const [condition, yes, no] = operands as [Value, Value, Value];
      return this.chosen(condition, yes, no, true) ?? this.chosen(condition, no, yes, false);
    }
    if (!COMBINING.includes(op)) return undefined;
    const [a, b] = operands as [Value, Value];
    return this.combined(op, a, b) ?? this.combined(op, b, a);
  }

  /** A select between the number with the bit and without. */
  private chosen(condition: Value, grown: Value, rest: Value, holds: boolean): ElementMask | undefined {
    if (grown.kind !== 'inst' || !COMBINING.includes(grown.op)) return undefined;
    const bit = grown.operands.find((operand) => !isSame(operand, rest));
    if (!bit || !grown.operands.some((operand) => isSame(operand, rest))) return undefined;
    return this.placed(grown.op, rest, bit, (list) => conditionOf(list, condition, holds));
  }

  /** The number before, shifted or not, and something that is a bit or zero. */
  private combined(op: Op, rest: Value, other: Value): ElementMask | undefined {
    if (other.kind !== 'inst') return undefined;
    if (other.op === Op.Select) {
      const [condition, yes, no] = other.operands as [Value, Value, Value];
      for (const [bit, zero, holds] of [
        [yes, no, true],
        [no, yes, false],
      ] as const)
        if (isZero(zero)) return this.placed(op, rest, bit, (list) => conditionOf(list, condition, holds));
      return undefined;
    }
    if (other.op === Op.Shl) {
      const [truth, amount] = other.operands as [Value, Value];
      // At the top, nothing but the lowest bit remains.
      if (constantAmount(amount) === bitsOf(this.param.type) - 1)
        return this.withPlace(
          op,
          rest,
          { at: 'top' },
          (list) => truthOf(list, truth) ?? lowestBit(list, truth),
        );
      return this.withPlace(op, rest, this.placeOfAmount(amount, false), (list) => truthOf(list, truth));
    }
    return this.withPlace(op, rest, { at: 'bottom' }, (list) => truthOf(list, other));
  }

  private placed(
    op: Op,
    rest: Value,
    bit: Value,
    condition: (list: StepList) => number | undefined,
  ): ElementMask | undefined {
    return this.withPlace(op, rest, this.placeOf(bit), condition);
  }

  private withPlace(
    op: Op,
    rest: Value,
    place: Place | undefined,
    condition: (list: StepList) => number | undefined,
  ): ElementMask | undefined {
    if (!place || !this.keeps(rest, place)) return undefined;
    const list = new StepList(this.loop);
    const last = condition(list);
    const { steps, operands } = list;
    if (last === undefined || last !== steps.length - 1 || steps.length > MOST_STEPS) return undefined;
    return steps.some(({ is }) => is === 'loaded') ? { place, op, steps, operands } : undefined;
  }

  /** Whether what the bit is combined with is the number before, moved as the place says. */
  private keeps(rest: Value, { at }: Place): boolean {
    if (at === 'bottom') return isDouble(rest, this.param);
    if (at !== 'top') return rest === this.param;
    return (
      rest.kind === 'inst' &&
      rest.op === Op.LShr &&
      rest.operands[0] === this.param &&
      constantAmount(rest.operands[1]!) === 1
    );
  }

  private placeOf(bit: Value): Place | undefined {
    const width = bitsOf(this.param.type);
    const constant = constantOf(bit);
    if (constant !== undefined) {
      const bits = BigInt.asUintN(width, BigInt(constant));
      if (bits === 1n) return { at: 'bottom' };
      return bits === 1n << BigInt(width - 1) ? { at: 'top' } : undefined;
    }
    if (bit.kind === 'param') return isMovingBit(this.func, this.loop, bit) ? { at: 'bit', bit } : undefined;
    if (bit.op !== Op.Shl && bit.op !== Op.LShr) return undefined;
    const [one, amount] = bit.operands as [Value, Value];
    const start = this.placeOf(one)?.at;
    if (start !== (bit.op === Op.Shl ? 'bottom' : 'top') || constantOf(one) === undefined) return undefined;
    return this.placeOfAmount(amount, bit.op === Op.LShr);
  }

  private placeOfAmount(amount: Value, fromTop: boolean): Place | undefined {
    if (amount.type !== this.param.type) return undefined;
    const slope = slopeOf(amount, this.loop, bitsOf(amount.type));
    return Math.abs(slope) === 1
      ? { at: 'amount', amount, falls: slope < 0 !== fromTop, fromTop }
      : undefined;
  }
}

/** Doubled values are two instructions where both sides of a select have one. */
function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind !== 'inst' || b.kind !== 'inst' || a.op !== b.op || a.type !== b.type) return false;
  if (a.op !== Op.Shl && a.op !== Op.LShr) return false;
  const amount = constantAmount(a.operands[1]!);
  return a.operands[0] === b.operands[0] && amount !== undefined && amount === constantAmount(b.operands[1]!);
}

function isDouble(value: Value, of: Value): boolean {
  if (value.kind !== 'inst') return false;
  const [a, b] = value.operands as [Value, Value];
  if (value.op === Op.Add) return a === of && b === of;
  return value.op === Op.Shl && a === of && constantAmount(b) === 1;
}

/** By how much an amount of a shift grows in each iteration, modulo the width: 1, -1, or another number that does not count. */
function slopeOf(value: Value, loop: CountedLoop, width: number, depth = DEEPEST): number {
  if (!loop.blocks.has(value.block)) return 0;
  if (depth === 0) return Number.NaN;
  if (value.kind === 'param') return constantStep(value, loop);
  const { op, operands } = value;
  const of = (operand: Value | undefined) => slopeOf(operand!, loop, width, depth - 1);
  const hasLowBits = (mask: Value) => {
    const bits = constantOf(mask);
    return bits !== undefined && (BigInt(bits) & BigInt(width - 1)) === BigInt(width - 1);
  };
  switch (op) {
    case Op.And:
      return hasLowBits(operands[1]!) ? of(operands[0]) : Number.NaN;
    case Op.Xor:
      return hasLowBits(operands[1]!) ? -of(operands[0]) : Number.NaN;
    case Op.ZExt:
    case Op.SExt:
      return operands[0]!.type === Type.I32 ? of(operands[0]) : Number.NaN;
    case Op.Not:
    case Op.Neg:
      return -of(operands[0]);
    case Op.Add:
      return of(operands[0]) + of(operands[1]);
    case Op.Sub:
      return of(operands[0]) - of(operands[1]);
    default:
      return Number.NaN;
  }
}

function conditionOf(list: StepList, condition: Value, holds: boolean): number | undefined {
  const at = list.stepOf(condition);
  return at === undefined || holds ? at : list.computed(Op.Not, Type.I1, [at]);
}

/** The condition that a number which is 1 or 0 says. */
function truthOf(list: StepList, value: Value): number | undefined {
  if (value.kind !== 'inst') return undefined;
  const { op, operands } = value;
  if (op === Op.ZExt && operands[0]!.type === Type.I1) return list.stepOf(operands[0]!);
  if (op === Op.Select && constantOf(operands[1]!) !== undefined) {
    const [yes, no] = operands.slice(1).map((operand) => Number(constantOf(operand)));
    if (yes === 1 && no === 0) return list.stepOf(operands[0]!);
    return yes === 0 && no === 1 ? conditionOf(list, operands[0]!, false) : undefined;
  }
  const found = bitOf(value);
  return found && signOfShifted(list, found.of, found.bit);
}

function lowestBit(list: StepList, value: Value): number | undefined {
  const { of, bit } = narrowest(value, 0);
  return signOfShifted(list, of, bit);
}

/** The bit of another number that a number consists of. */
function bitOf(value: Inst): { readonly of: Value; readonly bit: number } | undefined {
  const { op, operands } = value;
  const [from, mask] = operands as [Value, Value];
  if (op === Op.ZExt || op === Op.SExt)
    return from.kind === 'inst' && from.type !== Type.I1 ? bitOf(from) : undefined;
  if (op === Op.And) return Number(constantOf(mask)) === 1 ? narrowest(from, 0) : undefined;
  if (op !== Op.LShr && op !== Op.AShr) return undefined;
  const bit = constantAmount(mask);
  if (bit === undefined) return undefined;
  const narrow = narrowest(from, bit);
  // Nothing above the bit.
  const isHighest = bit === bitsOf(narrow.of.type) - 1;
  const isAlone = narrow.of === from ? op === Op.LShr : isExtended(from, narrow.of);
  return isHighest && isAlone ? narrow : undefined;
}

const isExtended = (value: Value, of: Value): boolean =>
  value.kind === 'inst' && value.op === Op.ZExt && value.operands[0] === of;

/** The number that a bit is of, before it was shifted or extended. */
function narrowest(of: Value, bit: number): { readonly of: Value; readonly bit: number } {
  if (of.kind !== 'inst') return { of, bit };
  const { op, operands } = of;
  const [from, by] = operands as [Value, Value];
  if ((op === Op.ZExt || op === Op.SExt) && from.type !== Type.I1 && bit < bitsOf(from.type))
    return narrowest(from, bit);
  const amount = op === Op.LShr || op === Op.AShr ? constantAmount(by) : undefined;
  return amount !== undefined && amount + bit < bitsOf(of.type) ? narrowest(from, amount + bit) : { of, bit };
}

/** Whether a bit of a number is one, as the sign of the number that has the bit as its highest. */
function signOfShifted(list: StepList, of: Value, bit: number): number | undefined {
  const at = list.stepOf(of);
  if (at === undefined || of.type > Type.I32 || of.type === Type.I1) return undefined;
  const by = bitsOf(of.type) - 1 - bit;
  const shifted = by === 0 ? at : list.computed(Op.Shl, of.type, [at], by);
  const zero = list.computed(Op.Xor, of.type, [at, at]);
  return list.computed(Op.SLt, Type.I1, [shifted, zero]);
}

/** The bytes of the widest elements that a mask compares. */
export const widthOfMask = ({ steps }: ElementMask): number =>
  conditionBytes(steps, steps.length - 1) ?? bitsOf(Type.I64) / 8;

/** What makes instructions. */
export interface MaskBuilder {
  emit(op: Op, type: Type, operands: readonly Value[], facts?: Inst['facts']): Value;
  /** A value of the loop in the first of the iterations. */
  copy(value: Value): Value;
  constant(type: Type, bits: number): Value;
}

/** The number after `size` iterations, from that before. */
export function afterMask(
  { emit, copy, constant }: MaskBuilder,
  { place, op, steps, operands }: ElementMask,
  before: Value,
  size: number,
): Value {
  const { type } = before;
  const width = bitsOf(type);
  const reversed = place.at === 'bottom' || (place.at === 'amount' && place.falls);
  const facts = { elements: { steps }, size, ...(reversed ? { reversed } : {}) };
  const mask = emit(Op.MaskOfElements, type, operands.map(copy), facts);
  switch (place.at) {
    case 'amount': {
      const amount = copy(place.amount);
      const lowest = place.fromTop ? emit(Op.Sub, type, [constant(type, width - 1), amount]) : amount;
      const by = place.falls ? emit(Op.Sub, type, [lowest, constant(type, size - 1)]) : lowest;
      return emit(op, type, [before, emit(Op.Rotl, type, [mask, by])]);
    }
    case 'bit':
      return emit(op, type, [before, emit(Op.Mul, type, [mask, copy(place.bit)])]);
    default: {
      // All others are gone.
      if (size === width) return mask;
      const shift = (code: Op, value: Value, by: number) => emit(code, type, [value, constant(type, by)]);
      return place.at === 'bottom'
        ? emit(Op.Or, type, [shift(Op.Shl, before, size), mask])
        : emit(Op.Or, type, [shift(Op.LShr, before, size), shift(Op.Shl, mask, width - size)]);
    }
  }
}

/** A bit that is doubled, after `size` iterations. */
export function afterDoubling({ emit, constant }: MaskBuilder, before: Value, size: number): Value {
  const { type } = before;
  return size === bitsOf(type) ? constant(type, 0) : emit(Op.Shl, type, [before, constant(type, size)]);
}
