// SPDX-License-Identifier: MIT
//
// A number that selects choose by comparisons of another one with constants, as a function of that number: it is divided into intervals, in each of which
// the result is a constant or the number plus a constant.
import type { Uses } from '../analyses/uses';
import { constantOf } from '../ir/build';
import { type Inst, Op, type Value } from '../ir/ir';
import { bitsOf } from '../ir/types';

/** What is chosen: a constant, or the number plus a constant; without a sign, modulo the width of the result. */
export interface Choice {
  readonly isSum: boolean;
  readonly constant: number;
}

/** The numbers from `first` up to the next interval. */
export interface Interval {
  readonly first: number;
  /** How many numbers it has. */
  readonly size: number;
  readonly choice: Choice;
}

export interface ByIntervals {
  readonly number: Value;
  /** Whether the intervals are in the order of numbers with a sign. `first` has none in either case. */
  readonly isSigned: boolean;
  readonly intervals: readonly Interval[];
  /** The selects. */
  readonly selects: readonly Inst[];
  /** The conditions and sums that nothing else uses. */
  readonly own: readonly Inst[];
}

/** `number + added` compared with a constant. */
interface Comparison {
  readonly op: Op;
  readonly added: number;
  readonly constant: number;
}

/** The most selects and conditions. */
const MOST = 48;

const SIGNED: ReadonlySet<Op> = new Set([Op.SLt, Op.SLe, Op.SGt, Op.SGe]);

const TESTS: Partial<Record<Op, (a: number, b: number) => boolean>> = {
  [Op.Eq]: (a, b) => a === b,
  [Op.Ne]: (a, b) => a !== b,
  [Op.ULt]: (a, b) => a < b,
  [Op.ULe]: (a, b) => a <= b,
  [Op.UGt]: (a, b) => a > b,
  [Op.UGe]: (a, b) => a >= b,
  [Op.SLt]: (a, b) => a < b,
  [Op.SLe]: (a, b) => a <= b,
  [Op.SGt]: (a, b) => a > b,
  [Op.SGe]: (a, b) => a >= b,
};

/** The function that ends with a select, if it is one. */
export function byIntervals(root: Inst, uses: Uses): ByIntervals | undefined {
  const tree = new Tree(root, uses);
  return tree.isValid ? tree.divide() : undefined;
}

class Tree {
  isValid = true;
  private number: Value | undefined;
  private readonly selects: Inst[] = [];
  private readonly parts = new Set<Inst>();
  private readonly comparisons = new Map<Inst, Comparison>();
  private readonly choices = new Map<Value, Choice>();

  constructor(
    private readonly root: Inst,
    private readonly uses: Uses,
  ) {
    this.visitSelect(root);
    // The conditions say which number it is.
    for (const { operands } of this.selects)
      for (const arm of operands.slice(1))
        if (!this.selects.includes(arm as Inst) && !this.noteChoice(arm)) this.isValid = false;
  }

  private visitSelect(select: Inst): void {
    this.selects.push(select);
    if (this.selects.length + this.parts.size > MOST) this.isValid = false;
    if (!this.isValid) return;
    const [condition, ...arms] = select.operands;
    this.visitCondition(condition!);
    for (const arm of arms)
      if (arm.kind === 'inst' && arm.op === Op.Select && this.uses.onlyUser(arm) === select)
        this.visitSelect(arm);
  }

  private visitCondition(condition: Value): void {
    if (!this.isValid || condition.kind !== 'inst' || this.parts.size > MOST) {
      this.isValid = false;
      return;
    }
    const { op, operands } = condition;
    if (this.parts.has(condition)) return;
    this.parts.add(condition);
    if (op === Op.And || op === Op.Or || op === Op.Not) {
      for (const o of operands) this.visitCondition(o);
      return;
    }
    const constant = TESTS[op] && constantOf(operands[1]!);
    const width = bitsOf(operands[0]?.type ?? this.root.type);
    if (constant === undefined || width > 32) {
      this.isValid = false;
      return;
    }
    const { of, added } = sumOf(operands[0]!);
    this.number ??= of;
    if (this.number !== of) this.isValid = false;
    this.comparisons.set(condition, { op, added, constant: unsigned(Number(constant), width) });
  }

  private noteChoice(arm: Value): boolean {
    const width = bitsOf(this.root.type);
    const constant = constantOf(arm);
    if (constant !== undefined) {
      this.choices.set(arm, { isSum: false, constant: unsigned(Number(constant), width) });
      return true;
    }
    const { of, added } = sumOf(arm);
    if (of !== this.number) return false;
    this.choices.set(arm, { isSum: true, constant: unsigned(added, width) });
    if (arm !== of) this.parts.add(arm as Inst);
    return true;
  }

  divide(): ByIntervals | undefined {
    const { number, comparisons, selects, parts, uses } = this;
    if (!number) return undefined;
    const width = bitsOf(number.type);
    const half = 2 ** (width - 1);
    const all = [...comparisons.values()];
    const isSigned = all.some(({ op }) => SIGNED.has(op));
    const start = isSigned ? half : 0;
    // Where comparisons change: at the constant, behind it, and where the compared numbers wrap.
    const changes = all.flatMap(({ op, added, constant }) =>
      [constant, constant + 1, SIGNED.has(op) ? half : 0].map((n) => n - added),
    );
    // By their distance from the first number.
    const distances = [...new Set([0, ...changes.map((n) => unsigned(n - start, width))])].sort(
      (a, b) => a - b,
    );
    const intervals: Interval[] = [];
    distances.forEach((distance, i) => {
      const size = (distances[i + 1] ?? 2 ** width) - distance;
      const first = unsigned(start + distance, width);
      const choice = this.choiceFor(first, width);
      const last = intervals.at(-1);
      if (last && last.choice.isSum === choice.isSum && last.choice.constant === choice.constant)
        intervals[intervals.length - 1] = { ...last, size: last.size + size };
      else intervals.push({ first, size, choice });
    });
    const isOwn = (part: Inst) =>
      uses.usersOf(part).every((user) => parts.has(user) || selects.includes(user)) &&
      uses.isBlockLocal(part);
    return {
      number,
      isSigned,
      intervals: intervals.map((interval) => simplest(interval, width)),
      selects,
      own: [...parts].filter(isOwn),
    };
  }

  private choiceFor(number: number, width: number): Choice {
    let at: Value = this.root;
    while (this.selects.includes(at as Inst)) {
      const [condition, yes, no]: readonly Value[] = (at as Inst).operands;
      at = this.holds(condition as Inst, number, width) ? yes! : no!;
    }
    return this.choices.get(at)!;
  }

  private holds(condition: Inst, number: number, width: number): boolean {
    const comparison = this.comparisons.get(condition);
    if (comparison) {
      const { op, added, constant } = comparison;
      const flip = SIGNED.has(op) ? 2 ** (width - 1) : 0;
      return TESTS[op]!(unsigned(number + added + flip, width), unsigned(constant + flip, width));
    }
    const holds = (o: Value) => this.holds(o as Inst, number, width);
    switch (condition.op) {
      case Op.Not:
        return !holds(condition.operands[0]!);
      case Op.And:
        return condition.operands.every(holds);
      default:
        return condition.operands.some(holds);
    }
  }
}

/** The sum of one number is a constant. */
function simplest(interval: Interval, width: number): Interval {
  const { first, size, choice } = interval;
  return size === 1 && choice.isSum
    ? { first, size, choice: { isSum: false, constant: unsigned(first + choice.constant, width) } }
    : interval;
}

/** A value as a number plus a constant. */
function sumOf(v: Value): { readonly of: Value; readonly added: number } {
  let of = v;
  let added = 0;
  while (of.kind === 'inst' && (of.op === Op.Add || of.op === Op.Sub)) {
    const constant = constantOf(of.operands[1]!);
    if (typeof constant !== 'number') break;
    added += of.op === Op.Add ? constant : -constant;
    of = of.operands[0]!;
  }
  return { of, added };
}

/** A number modulo a width of at most 32 bits, without a sign. */
export const unsigned = (number: number, width: number): number => {
  const all = 2 ** width;
  return ((number % all) + all) % all;
};
