// SPDX-License-Identifier: MIT
//
// Whether a launch can be run without checks or clamps: what its access summary proves, given its sizes and arguments. "No" only
// means that nothing is known.
import type { AccessSummary, SummaryAccess } from '../../../base/access-summary';
import type { Check } from '../../../base/checks';
import { FORBIDDEN } from '../../../base/checks';
import { Evaluation, type LaunchNumbers } from './evaluate';
import { areApart, commonDivisor, type Interval, isEmpty, sameForm } from './intervals';
import { type GroupBytes, type Numbered, Patterns, type WideAccess } from './patterns';
import { globalSteps, outerBox, type Strip, writtenStrips } from './written-strips';

/** The memory of an argument. */
export interface GivenObject {
  readonly base: number;
  readonly size: number;
  /** `FORBIDDEN` */
  readonly forbidden: number;
  /** Whether it is memory of a work-group, of which each has its own. */
  readonly isLocal: boolean;
}

export interface LaunchToProve {
  readonly numbers: LaunchNumbers;
  /** By argument; undefined for those that are no memory, or of an unknown size. */
  readonly objects: readonly (GivenObject | undefined)[];
  readonly checks: readonly Check[];
  /** Whether the checked kernel has a check for an access of the summary. */
  hasSite(access: number): boolean;
  /** Whether all bytes of an argument's memory have contents. */
  isWritten(argument: number): boolean;
}

/** What launches write whose accesses are correct. */
export interface Proof {
  readonly written: readonly Strip[];
  /** Set if it holds only if the accesses of the first group, done with checks, have no fault. */
  readonly pattern?: PatternProof;
}

export interface PatternProof {
  readonly wide: readonly WideAccess[];
  /** Bytes that each group writes as the first one does. */
  readonly repeated: readonly GroupBytes[];
}

/** All addresses that the device gives are aligned to this. */
const ALIGN = 16;

/** Whether all accesses stay in their objects. */
export function provesBounds(
  summary: AccessSummary,
  numbers: LaunchNumbers,
  objects: readonly (GivenObject | undefined)[],
): boolean {
  const evaluation = new Evaluation(summary, numbers);
  return summary.accesses.every((access) =>
    isInside(access, evaluation.of(access.address), bytesOf(access, objects)),
  );
}

/** Undefined where a fault cannot be excluded. */
export function proveLaunch(summary: AccessSummary, launch: LaunchToProve): Proof | undefined {
  const { checks } = launch;
  if (checks.includes('loops') || summary.unproven.some((check) => checks.includes(check))) return undefined;
  return new LaunchProof(summary, launch).run();
}

/** A proof, some parts of which hold if the accesses of the first group have no fault. */
class LaunchProof {
  private readonly evaluation: Evaluation;
  private readonly patterns: Patterns;
  private readonly accesses: readonly Numbered[];
  private readonly written: Strip[] = [];
  private readonly repeated: GroupBytes[] = [];
  /** Whether something relies on the first group. */
  private needsGroup: boolean;
  /** Whether it relies on what its work-items do together. */
  private needsItems: boolean;

  constructor(
    private readonly summary: AccessSummary,
    private readonly launch: LaunchToProve,
  ) {
    const { numbers, checks } = launch;
    this.evaluation = new Evaluation(summary, numbers);
    this.patterns = new Patterns(summary, numbers, this.evaluation);
    this.accesses = summary.accesses
      .map((access, index): Numbered => ({ ...access, index, at: this.evaluation.of(access.address) }))
      // Those that no work-item does.
      .filter(({ at }) => !isEmpty(at));
    this.needsGroup = summary.byPattern?.some((check) => checks.includes(check)) === true;
    this.needsItems =
      summary.barriers?.length !== 0 ||
      this.accesses.some(({ pattern: own }) => own?.isFresh && !own.isPrivate);
  }

  run(): Proof | undefined {
    const { summary, launch, evaluation, written, repeated } = this;
    const { checks, objects } = launch;
    if (!this.accesses.every((access) => this.staysInside(access))) return undefined;
    for (const [at, node] of summary.assertions.entries()) {
      if (evaluation.of(node).low >= 1) continue;
      if (!this.patterns.isSameAssertion(at)) return undefined;
      this.needsGroup = true;
    }
    const byArgument = grouped(this.accesses, objects);
    if (checks.includes('races') && !this.haveNoRaces(byArgument)) return undefined;
    if (checks.includes('uninitialized') && !this.writesAreKnown(byArgument)) return undefined;
    if (!this.needsGroup) return { written };
    const wide = this.wideAccesses();
    return wide && { written, pattern: { wide, repeated } };
  }

  private staysInside(access: Numbered): boolean {
    const { objects } = this.launch;
    const bytes = bytesOf(access, objects);
    if (isInside(access, access.at, bytes) && isAllowed(access, objects)) return true;
    const { patterns } = this;
    const isProven = isFresh(access, objects)
      ? patterns.isSameWhereDone(access)
      : isPermitted(access, objects) && patterns.isInside(access, bytes);
    if (isProven) this.needsGroup = true;
    return isProven;
  }

  /**
   * Work-items of other groups may do fewer accesses than those of the first one, where guards keep them from some. Reads of a
   * group's memory may be missing: without them there are no more faults. A work-item that reads its own memory must have done
   * all that writes it.
   */
  private guardsHideNothing(): boolean {
    const { patterns, launch } = this;
    const fresh = this.accesses
      .filter((access) => isFresh(access, launch.objects))
      .map((access) => ({ ...access, guards: patterns.openGuards(access) }));
    const own = fresh.filter(({ pattern }) => pattern?.isPrivate);
    const ofWrites = new Set(own.filter(({ kind }) => kind !== 'read').flatMap(({ guards }) => [...guards]));
    return (
      fresh.every(
        ({ pattern, kind, guards }) => pattern?.isPrivate || kind === 'read' || guards.size === 0,
      ) &&
      own.every(({ kind, guards }) => kind === 'write' || [...ofWrites].every((guard) => guards.has(guard)))
    );
  }

  /** Whether no two work-items access a byte of a buffer that one of them writes. */
  private haveNoRaces(byArgument: ByArgument): boolean {
    const { launch, evaluation, patterns } = this;
    for (const [argument, accesses] of byArgument) {
      if (accesses.every(({ kind }) => kind === 'read')) continue;
      if (overlapsOthers(argument, byArgument, launch)) return false;
      if (accesses.every(({ kind }) => kind === 'atomic')) continue;
      if (haveOwnBytes(accesses, launch, evaluation) || areSeparate(accesses, launch, evaluation)) continue;
      // Within the first group, it is checked.
      if (!patterns.ownBytes(accesses)) return false;
      this.needsGroup = true;
      this.needsItems = true;
    }
    return true;
  }

  /** Whether all buffers that are read have contents, and it is known which bytes the others get. */
  private writesAreKnown(byArgument: ByArgument): boolean {
    const { launch, evaluation, patterns } = this;
    for (const [argument, accesses] of byArgument) {
      if (launch.isWritten(argument)) continue;
      if (accesses.some(({ kind }) => kind !== 'write')) return false;
      const strips = writtenStrips(accesses, evaluation, launch.numbers, launch.objects[argument]!.base);
      const bytes = strips ? undefined : patterns.ownBytes(accesses);
      if (strips) this.written.push(...strips);
      else if (bytes) {
        this.repeated.push({ argument, ...bytes });
        this.needsGroup = true;
        this.needsItems = true;
      } else return false;
    }
    return true;
  }

  /** The accesses that the first group's do not stand for; undefined if that is so for other reasons than an address. */
  private wideAccesses(): WideAccess[] | undefined {
    const { launch, patterns } = this;
    if (!patterns.areComparable(!this.needsItems) || !patterns.haveSameBarriers) return undefined;
    if (!this.guardsHideNothing()) return undefined;
    const wide: WideAccess[] = [];
    for (const access of this.accesses) {
      if (!isFresh(access, launch.objects) || patterns.isSameWhereDone(access)) continue;
      const { index, at, offset, size, kind } = access;
      const isOwn = access.pattern?.isPrivate === true;
      const isBounded =
        isInside(access, at, bytesOf(access, launch.objects)) && isAllowed(access, launch.objects);
      if (!isBounded || !patterns.isReachedOnce(access) || !launch.hasSite(index)) return undefined;
      if (!isOwn && kind === 'write') return undefined;
      wide.push({ access: index, first: at.low + offset, bytes: at.high - at.low + size });
    }
    return wide;
  }
}

const isFresh = ({ pattern, argument }: SummaryAccess, objects: LaunchToProve['objects']): boolean =>
  pattern ? pattern.isFresh : argument !== undefined && objects[argument]?.isLocal === true;

export const bytesOf = ({ bytes, argument }: SummaryAccess, objects: LaunchToProve['objects']): number =>
  bytes ?? objects[argument!]?.size ?? 0;

export function isInside({ offset, size }: SummaryAccess, at: Interval, bytes: number): boolean {
  return isEmpty(at) || (at.low + offset >= 0 && at.high + offset + size <= bytes);
}

export function isAllowed(access: Numbered, objects: LaunchToProve['objects']): boolean {
  return 2 ** access.at.align % access.align === 0 && isPermitted(access, objects);
}

/** Whether an access may be of this kind, and is aligned if its address in the object is. */
function isPermitted(
  { kind, align, offset, argument }: SummaryAccess,
  objects: LaunchToProve['objects'],
): boolean {
  if (align > ALIGN || offset % align !== 0) return false;
  if (argument === undefined) return true;
  const object = objects[argument];
  if (!object) return false;
  const { base, forbidden } = object;
  return base % ALIGN === 0 && !(forbidden & (kind === 'read' ? FORBIDDEN.reads : FORBIDDEN.writes));
}

type ByArgument = ReadonlyMap<number, readonly Numbered[]>;

/** Accesses to the buffers of arguments. */
function grouped(accesses: readonly Numbered[], objects: LaunchToProve['objects']): ByArgument {
  const groups = new Map<number, Numbered[]>();
  for (const access of accesses) {
    if (access.argument === undefined || objects[access.argument]?.isLocal !== false) continue;
    const group = groups.get(access.argument);
    if (group) group.push(access);
    else groups.set(access.argument, [access]);
  }
  return groups;
}

function overlapsOthers(argument: number, byArgument: ByArgument, { objects }: LaunchToProve): boolean {
  const own = objects[argument]!;
  return [...byArgument.keys()].some((other) => {
    const { base, size } = objects[other]!;
    return other !== argument && base < own.base + own.size && own.base < base + size;
  });
}

/** Whether no byte of an object that one work-item writes is accessed by another one. */
function haveOwnBytes(
  accesses: readonly Numbered[],
  { numbers, objects }: LaunchToProve,
  evaluation: Evaluation,
): boolean {
  const { coefficients } = accesses[0]!.at;
  if (accesses.some(({ at }) => !sameForm(at, accesses[0]!.at))) return false;
  const first = Math.min(...accesses.map(({ at, offset }) => at.least + offset));
  const end = Math.max(...accesses.map(({ at, offset, size }) => at.most + offset + size));
  const steps = globalSteps(coefficients, numbers);
  const dimensions = steps
    ? steps.map((step, d) => ({ step, most: extentOf(accesses, d, evaluation, numbers) }))
    : evaluation.forms.dimensions(coefficients);
  if (areApart(dimensions, end - first)) return true;
  const columns = ownColumns(accesses, objects);
  return columns !== undefined && areApart(dimensions, columns.bytes, columns.step);
}

/**
 * Bytes that work-items access in each of many rows, which are `step` bytes apart: a loop goes from row to row, or from one element
 * to the one that is as many further on as there are work-items.
 */
function ownColumns(
  accesses: readonly Numbered[],
  objects: LaunchToProve['objects'],
): { step: number; bytes: number } | undefined {
  // Otherwise an address may have wrapped, and be in another column than its formula.
  if (!accesses.every((access) => isInside(access, access.at, bytesOf(access, objects)))) return undefined;
  const step = accesses.reduce((common, { at }) => commonDivisor(common, at.step), 0);
  if (step <= 1) return undefined;
  const from = accesses[0]!.at.rest;
  let [first, end] = [Infinity, -Infinity];
  for (const { at, offset, size } of accesses) {
    // Of the columns that the access may be said to have, the one nearest to the first access's.
    const apart = at.rest + offset - from;
    const column = apart - Math.round(apart / step) * step;
    first = Math.min(first, column);
    end = Math.max(end, column + size);
  }
  return { step, bytes: end - first };
}

/** How far apart the global ids of work-items that do any of the accesses are, at most. */
function extentOf(
  accesses: readonly Numbered[],
  dimension: number,
  evaluation: Evaluation,
  { global, offset }: LaunchNumbers,
): number {
  const all = [offset[dimension]!, offset[dimension]! + global[dimension]! - 1] as const;
  let [low, high] = [Infinity, -Infinity];
  for (const { ids } of accesses) {
    const own = ids.find((each) => each.dimension === dimension);
    const id = own && evaluation.of(own.id);
    low = Math.min(low, Math.max(all[0], id?.low ?? all[0]));
    high = Math.max(high, Math.min(all[1], id?.high ?? all[1]));
  }
  return Math.max(0, high - low);
}

/**
 * Whether what is written has own bytes, and all that has another form is elsewhere: before or after it, or in other columns of
 * its rows.
 */
function areSeparate(accesses: readonly Numbered[], launch: LaunchToProve, evaluation: Evaluation): boolean {
  const written = accesses.find(({ kind }) => kind === 'write');
  if (!written) return false;
  const own = accesses.filter(({ at }) => sameForm(at, written.at));
  const others = accesses.filter((access) => !own.includes(access));
  if (others.some(({ kind }) => kind !== 'read') || !haveOwnBytes(own, launch, evaluation)) return false;
  const steps = [...new Set(written.at.coefficients.map(Math.abs))].filter((step) => step > 1);
  return others.every((other) =>
    own.every(
      (one) =>
        areDisjoint(spanOf(one), spanOf(other)) ||
        steps.some((step) => {
          const [a, b] = [one, other].map((access) => columnsOf(access, step, launch, evaluation));
          return areDisjoint(a!, b!, step);
        }),
    ),
  );
}

/** Bytes from `first` on, before `end`. */
interface Span {
  readonly first: number;
  readonly end: number;
}

const spanOf = ({ at, offset, size }: Numbered): Span => ({
  first: at.low + offset,
  end: at.high + offset + size,
});

/** Whether spans have no byte in common, wherever they are moved by multiples of `step`. */
function areDisjoint(a: Span, b: Span, step?: number): boolean {
  if (step === undefined) return a.end <= b.first || b.end <= a.first;
  const distance = b.first - a.first;
  const apart = distance - Math.floor(distance / step) * step;
  return a.end - a.first <= apart && apart + (b.end - b.first) <= step;
}

/** The bytes of an access within rows that are `step` bytes apart: its address without the multiples of `step`. */
function columnsOf(access: Numbered, step: number, { numbers }: LaunchToProve, evaluation: Evaluation): Span {
  const { at, offset, size, under } = access;
  let [first, end] = [at.least + offset, at.most + offset + size];
  const { coefficients } = at;
  const steps = globalSteps(coefficients, numbers);
  const box = steps && outerBox(under ?? [], evaluation, numbers);
  const terms = box
    ? box.map(({ low, high }, d) => ({ by: steps[d]!, low, high }))
    : evaluation.forms.dimensions(coefficients).map(({ step: by, most }) => ({ by, low: 0, high: most }));
  for (const { by, low, high } of terms) {
    if (by % step === 0) continue;
    first += Math.min(by * low, by * high);
    end += Math.max(by * low, by * high);
  }
  return { first, end };
}
