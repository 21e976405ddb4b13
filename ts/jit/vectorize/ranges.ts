// SPDX-License-Identifier: MIT
//
// Ranges of numbers of 32 bits and narrower ones, from what computes them within an iteration, and from the conditions under which
// it does.
import { constantOf } from '../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { isWithin, type Range, rangeOfOperation, signedRange, unsignedRange } from '../ir/operation-ranges';
import { bitsOf } from '../ir/types';
import { boundedBy, Conditions, type Held, heldBySelect } from './conditions';

/** How far up what is computed on one side of a select is looked at with the select's condition. */
const DEEPEST_CHOICE = 4;

type RangeOf = (operand: Value) => Range | undefined;

const within32 = (range: Range | undefined): Range | undefined =>
  range && isWithin(range, signedRange(32)) ? range : undefined;

/** What two ranges of a number have in common. In code that is never executed, they may have nothing in common. */
function both(a: Range | undefined, b: Range | undefined): Range | undefined {
  if (!a || !b) return a ?? b;
  const [low, high] = [Math.max(a.low, b.low), Math.min(a.high, b.high)];
  return low <= high ? { low, high } : a;
}

/** An integer of at most 32 bits that is computed. */
const isNumber = (v: Value): v is Inst =>
  v.kind === 'inst' && v.type <= Type.I32 && constantOf(v) === undefined;

export class Ranges {
  private readonly known = new Map<Value, Range | undefined>();
  private readonly conditions: Conditions;

  constructor(func: Func) {
    this.conditions = new Conditions(func);
  }

  /** The signed numbers that a value can have; undefined if it can be any. */
  of(v: Value): Range | undefined {
    const constant = constantOf(v);
    if (constant !== undefined) return { low: Number(constant), high: Number(constant) };
    if (!isNumber(v)) return undefined;
    if (!this.known.has(v)) this.find(v);
    return this.known.get(v);
  }

  /** Operands first, on a stack of its own: chains of operations may be longer than the engine's stack. */
  private find(v: Inst): void {
    const stack = [v];
    const open = new Set<Value>();
    while (stack.length > 0) {
      const at = stack.at(-1)!;
      const isLeft = (o: Value): o is Inst => isNumber(o) && !this.known.has(o) && !open.has(o);
      const operands = open.has(at) ? [] : at.operands.filter(isLeft);
      open.add(at);
      stack.push(...operands);
      if (operands.length > 0) continue;
      stack.pop();
      if (this.known.has(at)) continue;
      const held = this.conditions.in(at.block);
      const rangeOf = (operand: Value) => boundedBy(held, operand, this.of(operand));
      this.known.set(at, within32(this.compute(at, rangeOf, held, DEEPEST_CHOICE)));
    }
  }

  /** The signed numbers that a value can have where a block uses it. */
  at(v: Value, block: Block): Range | undefined {
    return boundedBy(this.conditions.in(block), v, this.of(v));
  }

  /** The numbers that a value has where more is true than where it is computed. */
  private under(held: readonly Held[], v: Value, depth: number): Range | undefined {
    const rangeOf = (operand: Value) => this.under(held, operand, depth - 1);
    const computed =
      depth > 0 && isNumber(v) ? within32(this.compute(v, rangeOf, held, depth - 1)) : undefined;
    return boundedBy(held, v, both(computed, this.of(v)));
  }

  /** `depth`: how far up the sides of a select are computed again with its condition. */
  private compute(v: Inst, rangeOf: RangeOf, held: readonly Held[], depth: number): Range | undefined {
    const [a, b] = v.operands as [Value, Value];
    if (v.op === Op.ZExt || v.op === Op.SExt) {
      const all = (v.op === Op.ZExt ? unsignedRange : signedRange)(bitsOf(a.type));
      // A number that was truncated without a loss.
      const whole = a.kind === 'inst' && a.op === Op.Trunc ? rangeOf(a.operands[0]!) : undefined;
      return whole && isWithin(whole, all) ? whole : all;
    }
    if (v.type !== Type.I32) return undefined;
    if (v.op === Op.Select) {
      const [then, otherwise] = heldBySelect(v);
      const x = this.under([...held, ...then], b, depth);
      const y = this.under([...held, ...otherwise], v.operands[2]!, depth);
      return x && y && { low: Math.min(x.low, y.low), high: Math.max(x.high, y.high) };
    }
    const x = a && rangeOf(a);
    const y = b && rangeOf(b);
    const most = v.op === Op.Add && x && y ? this.mostOfBlend(a, b) : Number.POSITIVE_INFINITY;
    return rangeOfOperation(v.op, x, y, most);
  }

  /** The most that a blend, p * q + r * (c - q), can be: c times the larger of p and r. Infinite for other sums. */
  private mostOfBlend(a: Value, b: Value): number {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      if (one.kind !== 'inst' || other.kind !== 'inst' || one.op !== Op.Mul || other.op !== Op.Mul) continue;
      const rest = other.operands.findIndex((o) => o.kind === 'inst' && o.op === Op.Sub);
      if (rest < 0) continue;
      const [whole, q] = (other.operands[rest] as Inst).operands as [Value, Value];
      const at = one.operands.indexOf(q);
      const limit = constantOf(whole);
      if (at < 0 || limit === undefined) continue;
      const [share, p, r] = [q, one.operands[1 - at]!, other.operands[1 - rest]!].map((v) => this.of(v));
      if (!share || !p || !r || Math.min(share.low, p.low, r.low) < 0 || share.high > Number(limit)) continue;
      return Number(limit) * Math.max(p.high, r.high);
    }
    return Number.POSITIVE_INFINITY;
  }
}
