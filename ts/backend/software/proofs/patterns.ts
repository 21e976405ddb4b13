// SPDX-License-Identifier: MIT
//
// Whether all work-groups of a launch do the same accesses: to the same bytes of local and private memory, and to bytes of buffers
// that are a constant distance apart from group to group. Then what holds for the accesses of one group holds for all.
import type { AccessPattern, AccessSummary, SummaryAccess } from '../../../base/access-summary';
import { Evaluation, type LaunchNumbers } from './evaluate';
import { areApart, type Interval, isEmpty, isSingle } from './intervals';
import { areEqual, isSame, type Shift, Translation } from './translation';

/** An access whose address depends on contents of memory: the bytes of its object that it may access. */
export interface WideAccess {
  readonly access: number;
  readonly first: number;
  readonly bytes: number;
}

/** The bytes of an object, relative to it, that the first group writes; those of other groups are further on. */
export interface GroupBytes {
  readonly argument: number;
  readonly first: number;
  readonly bytes: number;
  readonly shift: Shift;
}

export interface Numbered extends SummaryAccess {
  /** In the summary. */
  readonly index: number;
  /** In all groups. */
  readonly at: Interval;
}

/** Accesses to the buffers of arguments. */
export type ByArgument = ReadonlyMap<number, readonly Numbered[]>;

export class Patterns {
  private readonly translation: Translation;
  private readonly firstGroup: Evaluation;
  private readonly constants = new Map<number, boolean>();

  constructor(
    private readonly summary: AccessSummary,
    private readonly numbers: LaunchNumbers,
    evaluation: Evaluation,
  ) {
    this.translation = new Translation(summary, numbers, evaluation);
    this.firstGroup = new Evaluation(summary, numbers, true);
  }

  /** Whether groups are alike at all, and there is more than one. `areSmaller`: the last ones of a dimension may be smaller. */
  areComparable(areSmaller: boolean): boolean {
    const { global, local, groups } = this.numbers;
    return (
      this.summary.byPattern !== undefined &&
      groups.some((count) => count > 1) &&
      global.every((size, d) => (areSmaller ? size >= local[d]! : size % local[d]! === 0))
    );
  }

  /** Whether each group reaches the same barriers. */
  get haveSameBarriers(): boolean {
    return (this.summary.barriers ?? []).every((node) => this.translation.isSame(node));
  }

  /** Whether all groups do it equally often, at the same places between barriers. */
  isReached({ pattern }: SummaryAccess): boolean {
    return pattern?.reached.every((node) => this.translation.isSame(node)) === true;
  }

  /** Whether all groups that do it at all do it at least once between the same barriers, perhaps not equally often. */
  isReachedOnce({ pattern }: SummaryAccess): boolean {
    const { translation } = this;
    return (
      pattern?.reached.every(
        (node) => translation.isSame(node) || translation.holdsFirst(node) || this.isGuard(node, pattern),
      ) === true
    );
  }

  /**
   * Whether it is the same in each group, for the work-items that do it: guards, which all work-items of the first group
   * pass, may keep others from it.
   */
  isSameWhereDone(access: SummaryAccess): boolean {
    const { pattern } = access;
    const { translation } = this;
    return (
      pattern !== undefined &&
      [...pattern.chosen, ...pattern.reached].every(
        (node) => translation.isSame(node) || this.isGuard(node, pattern),
      ) &&
      translation.isSame(access.address)
    );
  }

  /** The conditions that keep work-items of other groups from an access. */
  openGuards({ pattern }: SummaryAccess): ReadonlySet<number> {
    const { translation } = this;
    return new Set(
      pattern?.reached.filter((node) => !translation.isSame(node) && !translation.holdsFirst(node)),
    );
  }

  /** Whether a condition is decided once for each work-item, and all of the first group go the way that leads to the access. */
  private isGuard(node: number, { guards }: Pick<AccessPattern, 'guards'>): boolean {
    const guard = guards.find((each) => each.node === node);
    if (!guard || !this.isConstant(node)) return false;
    const value = this.firstGroup.of(node);
    return isSingle(value) && value.low === (guard.holds ? 1 : 0);
  }

  /** Whether a work-item has the same number each time that it is computed. */
  private isConstant(index: number): boolean {
    const known = this.constants.get(index);
    if (known !== undefined) return known;
    const node = this.summary.nodes[index]!;
    const isOwn =
      node.op !== 'unknown' &&
      node.op !== 'merge' &&
      node.op !== 'loop' &&
      ('a' in node ? this.isConstant(node.a) : true) &&
      ('b' in node ? this.isConstant(node.b) : true);
    this.constants.set(index, isOwn);
    return isOwn;
  }

  /** Whether an assertion holds in all groups if it holds in one. */
  isSameAssertion(at: number): boolean {
    const pattern = this.summary.assertionPatterns?.[at];
    if (!pattern) return false;
    const { reached, chosen } = pattern;
    const { translation } = this;
    return (
      [...chosen, ...reached].every((node) => translation.isSame(node) || this.isGuard(node, pattern)) &&
      translation.isSame(this.summary.assertions[at]!)
    );
  }

  /** How its address differs between groups; undefined if it depends on more. */
  shiftOf(access: SummaryAccess): Shift | undefined {
    if (!this.isReached(access)) return undefined;
    if (!access.pattern!.chosen.every((node) => this.translation.isSame(node))) return undefined;
    return this.translation.of(access.address);
  }

  /** Whether it is the same in each group. */
  isSame(access: SummaryAccess): boolean {
    return isSame(this.shiftOf(access));
  }

  /** Whether an access stays in an object of this many bytes, aligned. */
  isInside(access: SummaryAccess, bytes: number): boolean {
    const shift = this.shiftOf(access);
    if (!shift) return false;
    const { offset, size, align } = access;
    const at = this.firstGroup.of(access.address);
    if (isEmpty(at)) return true;
    const last = (sign: 1 | -1) =>
      shift.reduce((sum, step, d) => sum + Math.max(0, sign * step) * (this.numbers.groups[d]! - 1), 0);
    return (
      at.low + offset - last(-1) >= 0 &&
      at.high + offset + size + last(1) <= bytes &&
      2 ** at.align % align === 0 &&
      shift.every((step) => step % align === 0)
    );
  }

  /** The bytes that the groups access in one object, if they have no byte in common. */
  ownBytes(accesses: readonly SummaryAccess[]): Omit<GroupBytes, 'argument'> | undefined {
    let shift: Shift | undefined;
    let [first, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const access of accesses) {
      const own = this.shiftOf(access);
      if (!own || (shift && !areEqual(own, shift))) return undefined;
      shift = own;
      const at = this.firstGroup.of(access.address);
      if (isEmpty(at)) continue;
      first = Math.min(first, at.low + access.offset);
      end = Math.max(end, at.high + access.offset + access.size);
    }
    if (!shift) return undefined;
    if (first > end) return { first: 0, bytes: 0, shift };
    const dimensions = shift.map((step, d) => ({ step, most: this.numbers.groups[d]! - 1 }));
    return areApart(dimensions, end - first) ? { first, bytes: end - first, shift } : undefined;
  }
}
