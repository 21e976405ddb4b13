// SPDX-License-Identifier: MIT
//
// Selects by comparisons of one number with constants: `x < 128 ? 1 : x < 16384 ? 2 : 3` is `1 + (x >= 128) + (x >= 16384)`. A comparison of numbers
// without a sign is two instructions of x64, a select three; of a number whose highest bit is inverted once, each comparison is one, and its mask is a
// number that can be added. Where some results are sums with the number, as in `c >= 'a' && c <= 'f' ? c - 87 : …`, each interval's result is kept under
// its mask, less what the result is elsewhere, and added up.
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { isZero, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { replaceInsts } from '../../../ir/rewrite';
import { bitsOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { type ByIntervals, byIntervals, type Interval, unsigned } from '../../intervals';
import { packableWidth } from '../../packing';

/** Instructions of x64 for one vector. */
const COST = { select: 3, unsignedComparison: 2 } as const;
/** The part of the cost of the selects from which sums pay. */
const PAYS = 0.9;
const LEAST_SELECTS = 2;

/** Returns whether it changed the function. */
export function sumIntervals(func: Func, divergence: Divergence, uses: Uses): boolean {
  const leaves = new Leaves(func);
  const changed = replaceInsts(func, (inst, before) => {
    const known = isRoot(inst, divergence, uses) ? byIntervals(inst, uses) : undefined;
    const form = known && fits(inst, known, divergence) ? cheapest(inst, known) : undefined;
    return form && new Builder(func, inst, known!, leaves, before).build(form);
  });
  if (changed) removeDeadCode(func);
  return changed;
}

function isRoot(inst: Inst, divergence: Divergence, uses: Uses): boolean {
  if (inst.op !== Op.Select || inst.type < Type.I8 || inst.type > Type.I32) return false;
  if (!Number.isNaN(divergence.stride[inst.id]!)) return false;
  // Part of another one.
  return uses.onlyUser(inst)?.op !== Op.Select;
}

/** Whether the number has as many bits as the result, or more, and is in vectors of its own width. */
function fits(root: Inst, { number, selects }: ByIntervals, divergence: Divergence): boolean {
  if (selects.length < LEAST_SELECTS || !Number.isNaN(divergence.stride[number.id]!)) return false;
  if (bitsOf(number.type) < bitsOf(root.type)) return false;
  return number.type === Type.I32 || packableWidth(root.block, root, divergence) !== undefined;
}

/** A constant, or the number plus one, from which each interval's difference is added: where it begins, or within it. */
interface Form {
  readonly by: 'steps' | 'windows';
  readonly from: number;
  readonly isSum: boolean;
  readonly cost: number;
}

/** The cheaper form, if it costs less than the selects. */
function cheapest(root: Inst, known: ByIntervals): Form | undefined {
  const forms = [steps(known), windows(known)].filter((form) => form !== undefined);
  // Vectors of the number for each of the result, with what narrows them.
  const wider = bitsOf(known.number.type) / bitsOf(root.type);
  const narrowing = wider - 1;
  const before = costOfSelects(known, wider, narrowing);
  const best = forms.sort((a, b) => a.cost - b.cost)[0];
  return best && best.cost * wider + narrowing < before * PAYS ? best : undefined;
}

function costOfSelects({ selects, own }: ByIntervals, wider: number, narrowing: number): number {
  let cost = 0;
  for (const { operands } of selects) cost += isZero(operands[1]!) || isZero(operands[2]!) ? 1 : COST.select;
  for (const { op, type, operands } of own) {
    if (type !== Type.I1) cost += 1;
    else if (op === Op.Not) cost += 1;
    // Two comparisons without a sign are one test of a range, as cheap as one of them.
    else if (op === Op.And || op === Op.Or) cost -= operands.every(isUnsignedComparison) ? 2 : -1;
    else cost += (isUnsignedComparison({ op }) ? COST.unsignedComparison : 1) * wider + narrowing;
  }
  return cost;
}

const isUnsignedComparison = (v: Value | { readonly op: Op; readonly kind?: undefined }): boolean =>
  (v.kind === undefined || v.kind === 'inst') && [Op.ULt, Op.ULe, Op.UGt, Op.UGe].includes((v as Inst).op);

/** The instructions that add a constant under a mask. */
const costOfTerm = (constant: number, width: number): number => (isOne(constant, width) ? 1 : 2);
const isOne = (constant: number, width: number): boolean =>
  [1, 2 ** width - 1].includes(unsigned(constant, width));

function steps({ number, isSigned, intervals }: ByIntervals): Form | undefined {
  const [first] = intervals as [Interval];
  const { isSum, constant: from } = first.choice;
  if (intervals.some(({ choice }) => choice.isSum !== isSum)) return undefined;
  const width = bitsOf(number.type);
  let cost = (isSigned ? 0 : 1) + (isSum || from !== 0 ? 1 : 0);
  intervals.slice(1).forEach(({ choice }, i) => {
    cost += 1 + costOfTerm(choice.constant - intervals[i]!.choice.constant, width);
  });
  return { by: 'steps', from, isSum, cost };
}

function windows(known: ByIntervals): Form | undefined {
  const { number, isSigned, intervals } = known;
  const width = bitsOf(number.type);
  const constants = new Set(
    intervals.filter(({ choice }) => !choice.isSum).map(({ choice }) => choice.constant),
  );
  let best: Form | undefined;
  for (const from of constants) {
    let cost = from === 0 ? 0 : 1;
    let isFlipped = isSigned;
    intervals.forEach(({ size, choice }, i) => {
      if (!choice.isSum && choice.constant === from) return;
      const isAtEnd = i === 0 || i === intervals.length - 1;
      cost += size === 1 || isAtEnd ? 1 : 2;
      cost += choice.isSum ? 3 : costOfTerm(choice.constant - from, width);
      if (isAtEnd && size > 1 && !isFlipped) {
        cost += 1;
        isFlipped = true;
      }
    });
    if (!best || cost < best.cost) best = { by: 'windows', from, isSum: false, cost };
  }
  return best;
}

class Builder {
  private readonly width: number;
  private readonly half: number;
  private flipped: Value | undefined;

  constructor(
    private readonly func: Func,
    private readonly root: Inst,
    private readonly known: ByIntervals,
    private readonly leaves: Leaves,
    private readonly out: Inst[],
  ) {
    this.width = bitsOf(known.number.type);
    this.half = 2 ** (this.width - 1);
  }

  build({ by, from, isSum }: Form): Value {
    const { known, root } = this;
    const { intervals, number } = known;
    let sum: Value | undefined = isSum ? this.plus(number, from) : undefined;
    if (!isSum && from !== 0) sum = this.constant(from);
    const add = (mask: Value, term: number | Value) => {
      sum = this.added(sum, mask, term);
    };
    intervals.forEach((interval, i) => {
      const { choice } = interval;
      if (by === 'steps') {
        if (i > 0) add(this.atLeast(interval.first), choice.constant - intervals[i - 1]!.choice.constant);
        return;
      }
      if (!choice.isSum && choice.constant === from) return;
      const term = choice.isSum ? this.plus(number, choice.constant - from) : choice.constant - from;
      add(this.within(interval, i), term);
    });
    const result = sum ?? this.constant(0);
    if (number.type === root.type) return result;
    // Constants fit, as they are without a sign.
    const facts = { noUnsignedWrap: true } as const;
    const trunc = makeInst(this.func, root.block, Op.Trunc, root.type, [result], facts, root.position);
    this.out.push(trunc);
    return trunc;
  }

  /** `sum` plus a term where a condition holds. A mask is -1. */
  private added(sum: Value | undefined, mask: Value, term: number | Value): Value {
    const { type } = this.known.number;
    const select = (v: Value) => this.inst(Op.Select, type, [mask, v, this.constant(0)]);
    if (typeof term !== 'number') return sum ? this.inst(Op.Add, type, [sum, select(term)]) : select(term);
    const constant = unsigned(term, this.width);
    if (!sum) return select(this.constant(constant));
    return constant === 1
      ? this.inst(Op.Sub, type, [sum, select(this.constant(-1))])
      : this.inst(Op.Add, type, [sum, select(this.constant(constant))]);
  }

  private within({ first, size }: Interval, at: number): Value {
    const { number } = this.known;
    if (size === 1) return this.inst(Op.Eq, Type.I1, [number, this.constant(first)]);
    if (at === this.known.intervals.length - 1) return this.atLeast(first);
    if (at === 0) return this.compared(Op.SLt, first + size);
    const distance = this.plus(number, this.half - first);
    return this.inst(Op.SLt, Type.I1, [distance, this.constant(size - this.half)]);
  }

  /** Whether the number is at least another one, which is not the first. */
  private atLeast(first: number): Value {
    return this.compared(Op.SGt, first - 1);
  }

  private compared(op: Op, limit: number): Value {
    const { number, isSigned } = this.known;
    if (isSigned) return this.inst(op, Type.I1, [number, this.constant(limit)]);
    this.flipped ??= this.inst(Op.Xor, number.type, [number, this.constant(this.half)]);
    return this.inst(op, Type.I1, [this.flipped, this.constant(limit - this.half)]);
  }

  private plus(number: Value, added: number): Value {
    return unsigned(added, this.width) === 0
      ? number
      : this.inst(Op.Add, number.type, [number, this.constant(added)]);
  }

  private constant(value: number): Value {
    const bits = unsigned(value, this.width);
    return this.leaves.constant(this.known.number.type, bits < this.half ? bits : bits - 2 * this.half);
  }

  private inst(op: Op, type: Type, operands: readonly Value[]): Inst {
    const { func, root, out } = this;
    const made = makeInst(func, root.block, op, type, operands, {}, root.position);
    out.push(made);
    return made;
  }
}
