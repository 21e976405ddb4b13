// SPDX-License-Identifier: MIT
//
// Whether a launch can be run without checks or clamps: what its access summary proves, given its sizes and arguments. "No" only
// means that nothing is known.
import type { AccessSummary } from '../../../base/access-summary';
import { Evaluation, type LaunchNumbers } from './evaluate';
import { isEmpty } from './intervals';
import {
  bytesOf,
  type GivenObject,
  isAllowed,
  isFresh,
  isInside,
  isPermitted,
  type LaunchToProve,
} from './objects';
import { areSeparate, haveOwnBytes } from './own-bytes';
import { type ByArgument, type GroupBytes, type Numbered, Patterns, type WideAccess } from './patterns';
import { bytesToWatch, type Rows, type WatchProof, watchProof } from './watched-bytes';
import { type Strip, writtenStrips } from './written-strips';

/** What launches write whose accesses are correct. */
export interface Proof {
  readonly written: readonly Strip[];
  /** Set if it holds only if the accesses of the first group, done with checks, have no fault. */
  readonly pattern?: PatternProof;
  /** Set if it holds only if the launch stores nothing to some bytes. */
  readonly watch?: WatchProof;
}

export interface PatternProof {
  readonly wide: readonly WideAccess[];
  /** Bytes that each group writes as the first one does. */
  readonly repeated: readonly GroupBytes[];
}

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
  /** By argument: the bytes that one work-item may write and another one may read. */
  private readonly watched = new Map<number, readonly Rows[]>();
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
    if (this.watched.size > 0) {
      const watch = this.needsGroup ? undefined : watchProof(byArgument, this.watched, launch);
      return watch && { written, watch };
    }
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
      if (patterns.ownBytes(accesses)) {
        this.needsGroup = true;
        this.needsItems = true;
        continue;
      }
      const rows = bytesToWatch(accesses, launch, evaluation);
      if (!rows) return false;
      this.watched.set(argument, rows);
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
