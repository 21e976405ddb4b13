// SPDX-License-Identifier: MIT
//
// How a number differs between work-groups: where it is the same function of the local id in each group, plus a multiple of the
// group's id in each dimension, this finds the multiples. "Undefined" only means that nothing is known.
import type { AccessSummary, Comparison, SummaryNode } from '../../../base/access-summary';
import type { Evaluation, LaunchNumbers } from './evaluate';
import { type Interval, isEmpty, isSingle, signed, unsigned } from './intervals';

/** What is added from one group to the next, along x, y and z. */
export type Shift = readonly [number, number, number];

interface Binary {
  readonly a: number;
  readonly b: number;
  readonly width: number;
}

const NO_SHIFT: Shift = [0, 0, 0];
const EXACT = 2 ** 53;

export const isSame = (shift: Shift | undefined): boolean => shift?.every((step) => step === 0) === true;
export const areEqual = (a: Shift, b: Shift): boolean => a.every((step, d) => step === b[d]);

const scaled = (shift: Shift, by: number): Shift | undefined => {
  const result = shift.map((step) => (step === 0 ? 0 : step * by)) as unknown as Shift;
  return result.every((step) => Math.abs(step) < EXACT) ? result : undefined;
};

export class Translation {
  private known = new Map<number, Shift | undefined>();

  /** `evaluation` is about all groups. */
  constructor(
    private readonly summary: AccessSummary,
    private readonly numbers: LaunchNumbers,
    private readonly evaluation: Evaluation,
  ) {}

  /** Of a node. Decisions that it depends on must be the same in all groups. */
  of(index: number): Shift | undefined {
    if (this.known.has(index)) return this.known.get(index);
    const node = this.summary.nodes[index]!;
    const shift = node.op === 'loop' ? this.loop(index, node) : this.node(index, node);
    this.known.set(index, shift);
    return shift;
  }

  isSame(index: number): boolean {
    return isSame(this.of(index));
  }

  /** How far apart two groups are, at most. */
  reach(shift: Shift): number {
    return shift.reduce((sum, step, d) => sum + Math.abs(step) * (this.numbers.groups[d]! - 1), 0);
  }

  private node(index: number, node: Exclude<SummaryNode, { op: 'loop' }>): Shift | undefined {
    if (isSingle(this.evaluation.of(index))) return NO_SHIFT;
    switch (node.op) {
      case 'unknown':
        return undefined;
      case 'constant':
        return NO_SHIFT;
      case 'argument':
        return NO_SHIFT;
      case 'id':
        return this.id(node);
      case 'add':
      case 'sub':
      case 'difference':
        return this.sum(node.a, node.b, node.op === 'add' ? 1 : -1);
      case 'mul':
        return this.product(node.a, node.b);
      case 'shl': {
        const by = this.evaluation.of(node.b);
        if (!isSingle(by) || by.low < 0 || by.low >= node.width) return this.sameOperands(node.a, node.b);
        const shift = this.of(node.a);
        return shift && scaled(shift, 2 ** by.low);
      }
      case 'sext':
      case 'zext':
        return this.converted(node.a, node.op === 'sext' ? signed : unsigned, node.from);
      case 'trunc':
      case 'refine':
        return this.of(node.a);
      case 'merge':
        return this.common(node.of);
      case 'compare':
        return this.compared(node);
      case 'and':
      case 'urem':
        return this.remainder(node.op, node);
      case 'udiv':
      case 'lshr':
        return this.quotient(node.op, node);
      default:
        return this.sameOperands(node.a, node.b);
    }
  }

  private id({ of, dimension: d }: Extract<SummaryNode, { op: 'id' }>): Shift | undefined {
    // The last groups may be smaller.
    const { global, local } = this.numbers;
    const isUniform = (at: number) => global[at]! % local[at]! === 0;
    if (of === 'group-size' && !isUniform(d)) return undefined;
    if (
      of === 'linear-local' &&
      ![0, 1].every((at) => isUniform(at) || global.every((size, e) => e <= at || size === 1))
    )
      return undefined;
    const step = of === 'global' ? this.numbers.local[d]! : of === 'group' ? 1 : 0;
    return [0, 1, 2].map((at) => (at === d && this.numbers.groups[d]! > 1 ? step : 0)) as unknown as Shift;
  }

  private sum(a: number, b: number, sign: 1 | -1): Shift | undefined {
    const [x, y] = [this.of(a), this.of(b)];
    return x && y && (x.map((step, d) => step + sign * y[d]!) as unknown as Shift);
  }

  private product(a: number, b: number): Shift | undefined {
    const [x, y] = [this.evaluation.of(a), this.evaluation.of(b)];
    const [one, factor] = isSingle(x) ? [b, x] : [a, y];
    if (!isSingle(factor)) return this.sameOperands(a, b);
    const shift = this.of(one);
    return shift && scaled(shift, factor.low);
  }

  private sameOperands(a: number, b: number): Shift | undefined {
    return this.isSame(a) && this.isSame(b) ? NO_SHIFT : undefined;
  }

  /** With the number's bits as a signed or unsigned number, where no group's number wraps around. */
  private converted(
    index: number,
    convert: (a: Interval, width: number) => Interval,
    width: number,
  ): Shift | undefined {
    const shift = this.of(index);
    if (!shift || isSame(shift)) return shift;
    return this.isExact(index, shift, convert, width) ? shift : undefined;
  }

  private isExact(
    index: number,
    shift: Shift,
    convert: (a: Interval, width: number) => Interval,
    width: number,
  ): boolean {
    const all = this.evaluation.of(index);
    if (isEmpty(all)) return true;
    return convert(all, width) === all && all.high - all.low + this.reach(shift) < 2 ** width;
  }

  private common(of: readonly number[]): Shift | undefined {
    let shift: Shift | undefined;
    for (const index of of) {
      const own = this.of(index);
      if (!own || (shift && !areEqual(own, shift))) return undefined;
      shift = own;
    }
    return shift;
  }

  /** A loop's variable: if it starts so in each group, and an iteration keeps it so, it always is. */
  private loop(index: number, { first, next }: Extract<SummaryNode, { op: 'loop' }>): Shift | undefined {
    const start = this.common(first);
    if (!start) return undefined;
    const before = new Map(this.known);
    this.known.set(index, start);
    const after = this.common(next);
    if (next.length === 0 || (after && areEqual(after, start))) return start;
    this.known = before;
    return undefined;
  }

  private compared({ by, a, b, width }: Binary & { readonly by: Comparison }): Shift | undefined {
    const [x, y] = [this.of(a), this.of(b)];
    if (!x || !y || !areEqual(x, y)) return undefined;
    if (isSame(x)) return NO_SHIFT;
    const convert = by.startsWith('u') ? unsigned : signed;
    return this.isExact(a, x, convert, width) && this.isExact(b, y, convert, width) ? NO_SHIFT : undefined;
  }

  /** Whether a condition on a loop's variable holds in the first iteration of every work-item: what it decides is done at least once. */
  holdsFirst(index: number): boolean {
    const node = this.summary.nodes[index]!;
    if (node.op !== 'compare') return false;
    const { by, b, width } = node;
    const loop = this.summary.nodes[this.plain(node.a)]!;
    return loop.op === 'loop' && loop.first.every((a) => this.evaluation.holds({ by, a, b, width }));
  }

  /** The same number, without what the control flow says of it. */
  private plain(index: number): number {
    let at = index;
    for (let node = this.summary.nodes[at]!; node.op === 'refine'; node = this.summary.nodes[at]!)
      at = node.a;
    return at;
  }

  /** By a number that divides the step from group to group. */
  private remainder(op: 'and' | 'urem', { a, b, width }: Binary): Shift | undefined {
    const [x, y] = [this.evaluation.of(a), this.evaluation.of(b)];
    if (op === 'and' && isSingle(x) && !isSingle(y)) return this.remainder(op, { a: b, b: a, width });
    const shift = this.of(a);
    if (!shift) return undefined;
    if (isSame(shift)) return this.isSame(b) ? NO_SHIFT : undefined;
    const by = isSingle(y) ? (op === 'and' ? y.low + 1 : y.low) : 0;
    if (by <= 0 || shift.some((step) => step % by !== 0)) return undefined;
    // Modulo a power of two, wrapped numbers are right as well.
    if (Number.isInteger(Math.log2(by))) return NO_SHIFT;
    return op === 'urem' && this.isExact(a, shift, unsigned, width) ? NO_SHIFT : undefined;
  }

  private quotient(op: 'udiv' | 'lshr', { a, b, width }: Binary): Shift | undefined {
    const y = this.evaluation.of(b);
    const shift = this.of(a);
    if (!shift) return undefined;
    if (isSame(shift)) return this.isSame(b) ? NO_SHIFT : undefined;
    if (!isSingle(y) || y.low < 0 || (op === 'lshr' && y.low >= width)) return undefined;
    const by = op === 'lshr' ? 2 ** y.low : y.low;
    if (by === 0 || shift.some((step) => step % by !== 0)) return undefined;
    if (!this.isExact(a, shift, unsigned, width)) return undefined;
    return shift.map((step) => step / by) as unknown as Shift;
  }
}
