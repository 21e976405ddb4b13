// SPDX-License-Identifier: MIT
//
// Computes the formulas of an access summary for a launch, whose sizes and arguments are known: abstract interpretation, with
// widening and narrowing for the variables of loops. Variables that depend on each other are computed together: one within the
// computation of another would take a time that is exponential in their number.
import type {
  AccessSummary,
  Arithmetic,
  Comparison,
  SummaryCondition,
  SummaryNode,
} from '../../../base/access-summary';
import {
  ANYTHING,
  EMPTY,
  Forms,
  IDS,
  type Interval,
  isEmpty,
  isSingle,
  isWithin,
  range,
  signed,
  single,
  unsigned,
  valuesOf,
} from './intervals';
import { type Recurrence, recurrencesOf } from './recurrences';

/** What a launch is started with. */
export interface LaunchNumbers {
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly offset: readonly number[];
  readonly groups: readonly number[];
  /** An integer in the dispatch block, signed; undefined if it is not exact as a number, or of no argument's bytes. */
  argument(offset: number, width: number): number | undefined;
}

/** A loop variable that changes more often during the computation may be anything. */
const MOST_CHANGES = 6;
/** Computations that narrow the found intervals. */
const NARROWINGS = 2;

export class Evaluation {
  readonly forms: Forms;
  private readonly known: (Interval | undefined)[];

  constructor(
    private readonly summary: AccessSummary,
    private readonly numbers: LaunchNumbers,
    /** Whether it is about the first group alone. */
    ofOneGroup = false,
  ) {
    const { groups, local, global } = numbers;
    const items = local.map((size, d) => Math.min(size, global[d]!));
    this.forms = new Forms([
      ...groups.map((count) => (ofOneGroup ? 0 : count - 1)),
      ...items.map((count) => count - 1),
    ]);
    this.known = new Array<Interval | undefined>(summary.nodes.length).fill(undefined);
  }

  of(index: number): Interval {
    const known = this.known[index];
    if (known) return known;
    const node = this.summary.nodes[index]!;
    if (node.op === 'loop') {
      this.solve(recurrencesOf(this.summary).get(index)!);
      return this.known[index]!;
    }
    const value = this.node(node);
    this.known[index] = value;
    return value;
  }

  /** Whether a condition is certainly true. */
  holds({ by, a, b, width }: SummaryCondition): boolean {
    return this.compare(by, this.of(a), this.of(b), width).low >= 1;
  }

  private node(node: Exclude<SummaryNode, { op: 'loop' }>): Interval {
    const { forms } = this;
    switch (node.op) {
      case 'unknown':
        return node.width < 32 ? range(-(2 ** node.width), 2 ** node.width - 1) : ANYTHING;
      case 'constant':
        return Number.isSafeInteger(node.value) ? single(node.value) : ANYTHING;
      case 'argument': {
        const value = this.numbers.argument(node.offset, node.width);
        return value === undefined ? ANYTHING : single(value);
      }
      case 'id':
        return this.id(node);
      case 'sext':
        return signed(this.of(node.a), node.from);
      case 'zext':
        return unsigned(this.of(node.a), node.from);
      case 'trunc':
        return this.of(node.a);
      case 'merge':
        return node.of.map((each) => this.of(each)).reduce((a, b) => forms.join(a, b), EMPTY);
      case 'difference': {
        const convert = node.by === 'signed' ? signed : unsigned;
        const [a, b] = [this.of(node.a), this.of(node.b)];
        const isExact = convert(a, node.width) === a && convert(b, node.width) === b;
        const difference = forms.add(a, b, -1);
        return isExact ? forms.within(difference, 0, Infinity) : difference;
      }
      case 'compare':
        return this.compare(node.by, this.of(node.a), this.of(node.b), node.width);
      case 'refine':
        return this.refine(node.by, this.of(node.a), this.of(node.b), node.width);
      default:
        return this.arithmetic(node.op, this.of(node.a), this.of(node.b), node.width);
    }
  }

  private id({ of, dimension: d }: Extract<SummaryNode, { op: 'id' }>): Interval {
    const { global, local, offset, groups } = this.numbers;
    const form = (group: number, item: number, base: number, high: number): Interval => {
      const coefficients = new Array<number>(IDS).fill(0);
      coefficients[d] = group;
      coefficients[3 + d] = item;
      return this.forms.make(coefficients, [base, base], 0, valuesOf(0, base), [base, base + high]);
    };
    switch (of) {
      case 'global':
        return form(local[d]!, 1, offset[d]!, global[d]! - 1);
      case 'local':
        return form(0, 1, 0, local[d]! - 1);
      case 'group':
        return form(1, 0, 0, groups[d]! - 1);
      case 'global-size':
        return single(global[d]!);
      case 'group-size':
        // The last group of a dimension may be smaller.
        return global[d]! % local[d]! === 0 ? single(local[d]!) : range(1, local[d]!);
      case 'local-size':
        return single(local[d]!);
      case 'groups':
        return single(groups[d]!);
      case 'global-offset':
        return single(offset[d]!);
      case 'linear-local': {
        if (global[1] === 1 && global[2] === 1) {
          const coefficients = new Array<number>(IDS).fill(0);
          coefficients[3] = 1;
          return this.forms.make(coefficients, [0, 0], 0, valuesOf(0, 0));
        }
        return range(0, local[0]! * local[1]! * local[2]! - 1);
      }
    }
  }

  /** Loop variables: the least intervals found that have the first values, and with each value the next one. */
  private solve({ nodes, loops }: Recurrence): void {
    const { known, forms } = this;
    /** Each variable's first and next values, if the variables are in these intervals. */
    const step = (assumed: readonly Interval[]): Interval[] => {
      for (const index of nodes) known[index] = undefined;
      for (const [at, index] of loops.entries()) known[index] = assumed[at];
      return loops.map((index) => {
        const { first, next } = this.summary.nodes[index] as Extract<SummaryNode, { op: 'loop' }>;
        return [...first, ...next].map((each) => this.of(each)).reduce((a, b) => forms.join(a, b), EMPTY);
      });
    };
    let found: readonly Interval[] = loops.map(() => EMPTY);
    const changes = loops.map(() => 0);
    for (let isStable = false; !isStable; ) {
      const after = step(found);
      isStable = true;
      found = found.map((before, at) => {
        if (isWithin(after[at]!, before)) return before;
        isStable = false;
        const change = changes[at]!++;
        if (change >= MOST_CHANGES) return ANYTHING;
        const { width } = this.summary.nodes[loops[at]!]!;
        return change < 2 ? forms.join(before, after[at]!) : forms.widen(before, after[at]!, width);
      });
    }
    // Once more may narrow them: what follows from a true assumption is true as well.
    for (let round = 0; round < NARROWINGS; round++) found = step(found);
    for (const index of nodes) known[index] = undefined;
    for (const [at, index] of loops.entries()) known[index] = found[at];
  }

  private compare(by: Comparison, x: Interval, y: Interval, width: number): Interval {
    if (isEmpty(x) || isEmpty(y)) return EMPTY;
    const isUnsigned = by.startsWith('u');
    const convert = isUnsigned ? unsigned : signed;
    const [a, b] = [convert(x, width), convert(y, width)];
    const truth = (always: boolean, never: boolean) => (always ? single(1) : never ? single(0) : range(0, 1));
    switch (by) {
      case 'slt':
      case 'ult':
        return truth(a.high < b.low, a.low >= b.high);
      case 'sle':
      case 'ule':
        return truth(a.high <= b.low, a.low > b.high);
      case 'sgt':
      case 'ugt':
        return truth(a.low > b.high, a.high <= b.low);
      case 'sge':
      case 'uge':
        return truth(a.low >= b.high, a.high < b.low);
      case 'eq':
        return truth(isSingle(a) && isSingle(b) && a.low === b.low, a.high < b.low || a.low > b.high);
      case 'ne':
        return truth(a.high < b.low || a.low > b.high, isSingle(a) && isSingle(b) && a.low === b.low);
    }
  }

  private refine(by: Comparison, x: Interval, y: Interval, width: number): Interval {
    if (isEmpty(x) || isEmpty(y)) return EMPTY;
    const { forms } = this;
    const isUnsigned = by.startsWith('u');
    const b = (isUnsigned ? unsigned : signed)(y, width);
    // A negative number is a large one without its sign, and so above a bound that is not.
    const isBelow = by === 'ult' || by === 'ule';
    const half = 2 ** (width - 1);
    const a =
      isBelow && x.low < 0 && x.low >= -half && x.high < half && b.high < half
        ? forms.within(x, 0, Infinity)
        : (isUnsigned ? unsigned : signed)(x, width);
    switch (by) {
      case 'slt':
      case 'ult':
        return forms.within(a, -Infinity, b.high - 1);
      case 'sle':
      case 'ule':
        return forms.within(a, -Infinity, b.high);
      case 'sgt':
      case 'ugt':
        return forms.within(a, b.low + 1, Infinity);
      case 'sge':
      case 'uge':
        return forms.within(a, b.low, Infinity);
      case 'eq':
        return forms.within(a, b.low, b.high);
      case 'ne':
        if (!isSingle(b)) return a;
        return forms.within(a, a.low === b.low ? a.low + 1 : a.low, a.high === b.low ? a.high - 1 : a.high);
    }
  }

  private arithmetic(op: Arithmetic, x: Interval, y: Interval, width: number): Interval {
    const { forms } = this;
    if (isEmpty(x) || isEmpty(y)) return EMPTY;
    switch (op) {
      case 'add':
        return forms.add(x, y);
      case 'sub':
        return forms.add(x, y, -1);
      case 'mul':
        return forms.multiply(x, y);
      case 'shl':
        if (y.low < 0 || y.high >= width) return ANYTHING;
        if (isSingle(y)) return forms.multiply(x, single(2 ** y.low));
        return forms.multiply(x, range(2 ** y.low, 2 ** y.high));
      case 'lshr':
      case 'ashr':
        return shiftedRight((op === 'lshr' ? unsigned : signed)(x, width), y, width);
      case 'and':
        return and(unsigned(x, width), unsigned(y, width), width);
      case 'or':
      case 'xor':
        return range(0, 2 ** bitsOf(Math.max(unsigned(x, width).high, unsigned(y, width).high)) - 1);
      case 'udiv':
        return quotient(unsigned(x, width), unsigned(y, width));
      case 'sdiv':
        return quotient(signed(x, width), signed(y, width));
      case 'urem':
        return remainder(unsigned(x, width), unsigned(y, width));
      case 'srem':
        return remainder(signed(x, width), signed(y, width));
      case 'smin':
      case 'umin': {
        const convert = op === 'smin' ? signed : unsigned;
        const [a, b] = [convert(x, width), convert(y, width)];
        if (a.high <= b.low) return a;
        if (b.high <= a.low) return b;
        return range(Math.min(a.low, b.low), Math.min(a.high, b.high), Math.min(a.align, b.align));
      }
      case 'smax':
      case 'umax': {
        const convert = op === 'smax' ? signed : unsigned;
        const [a, b] = [convert(x, width), convert(y, width)];
        if (a.low >= b.high) return a;
        if (b.low >= a.high) return b;
        return range(Math.max(a.low, b.low), Math.max(a.high, b.high), Math.min(a.align, b.align));
      }
    }
  }
}

/** Bits of an unsigned number. */
const bitsOf = (x: number): number => (x < 1 ? 0 : Math.floor(Math.log2(x)) + 1);

function shiftedRight(a: Interval, by: Interval, width: number): Interval {
  const isKnown = by.low >= 0 && by.high < width;
  const [least, most] = isKnown ? [by.low, by.high] : [0, width - 1];
  const ends = [a.low, a.high].flatMap((x) => [Math.floor(x / 2 ** least), Math.floor(x / 2 ** most)]);
  return range(Math.min(...ends), Math.max(...ends));
}

function and(a: Interval, b: Interval, width: number): Interval {
  const mask = isSingle(b) ? b : isSingle(a) ? a : undefined;
  const value = mask === b ? a : b;
  // Rounded down to a power of two.
  const step = mask && 2 ** width - mask.low;
  if (step !== undefined && Number.isInteger(Math.log2(step)))
    return range(Math.max(0, value.low - step + 1), value.high, Math.max(value.align, Math.log2(step)));
  return range(0, Math.min(a.high, b.high), Math.max(a.align, b.align));
}

/** Division by zero gives 0. */
function quotient(a: Interval, b: Interval): Interval {
  if (a.low >= 0 && b.low >= 1) return range(Math.floor(a.low / b.high), Math.floor(a.high / b.low));
  if (a.low >= 0 && b.low >= 0) return range(0, a.high);
  const most = Math.max(Math.abs(a.low), Math.abs(a.high));
  return range(-most, most);
}

function remainder(a: Interval, b: Interval): Interval {
  if (a.low >= 0 && a.high < b.low) return a;
  const most = Math.max(0, Math.max(Math.abs(b.low), Math.abs(b.high)) - 1);
  if (a.low >= 0) return range(0, Math.min(a.high, most));
  return range(-most, most);
}
