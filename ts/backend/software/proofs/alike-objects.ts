// SPDX-License-Identifier: MIT
//
// Of launches that are not proven as a whole: the objects in local memory that all groups access as the first one does. If that one has
// no fault, no other group has one in these objects, whatever it does elsewhere (docs/adr/0040-first-group-for-all.md).
import type { AccessSummary } from '../../../base/access-summary';
import { type CheckTable, KNOWN_REGIONS } from '../../../base/checks';
import { Evaluation } from './evaluate';
import { isEmpty } from './intervals';
import { bytesOf, isAllowed, isInside, type LaunchToProve } from './objects';
import { type Numbered, Patterns, type WideAccess } from './patterns';
import type { Proof } from './prove';

/** The objects, and reads whose bytes the first group must have written, as others may read any of them. */
export interface AlikeObjects {
  /** `CHECK_BLOCK.alike` */
  readonly regions: number;
  readonly wide: readonly WideAccess[];
}
const NONE: AlikeObjects = { regions: 0, wide: [] };

/** What is known of a checked launch: the proof, or if there is none, the objects that all groups access alike. */
export interface CheckedProof {
  readonly proof: Proof | undefined;
  readonly alike: AlikeObjects | undefined;
}

/** `NONE` where each group must be checked as a whole. */
export function alikeObjects(summary: AccessSummary, launch: LaunchToProve, table: CheckTable): AlikeObjects {
  const { numbers, checks } = launch;
  const own = [...table.regions.entries()].filter(([, { kind, isLocal }]) => isLocal || kind === 'local');
  if (own.length === 0 || checks.includes('loops') || table.countsTraffic) return NONE;
  const evaluation = new Evaluation(summary, numbers);
  const patterns = new Patterns(summary, numbers, evaluation);
  if (!patterns.areComparable(false) || !patterns.haveSameBarriers) return NONE;
  const wide: WideAccess[] = [];
  let regions = 0;
  let areAll = true;
  for (const [region] of own) {
    const indexes = accessesOf(region, table);
    const accesses = indexes?.map((index) => ({
      ...summary.accesses[index]!,
      index,
      at: evaluation.of(summary.accesses[index]!.address),
    }));
    const others = accesses?.filter((access) => !isAlike(access, patterns));
    if (others?.every((access) => isShownAtOnce(access, patterns, launch)) && region < KNOWN_REGIONS) {
      regions += 2 ** region;
      for (const { index, at, offset, size } of others)
        wide.push({ access: index, first: at.low + offset, bytes: at.high - at.low + size });
    } else areAll = false;
  }
  if (regions === 0 || mayMoveMissing(summary, launch, table, areAll)) return NONE;
  return { regions, wide };
}

/** Whether each group does it as the first one does. */
function isAlike(access: Numbered, patterns: Patterns): boolean {
  if (isEmpty(access.at)) return true;
  if (access.kind === 'atomic' || !patterns.isSameWhereDone(access)) return false;
  // A read that is missing in another group is not a fault; a write may be missed by what is read later.
  return access.kind === 'read' || patterns.openGuards(access).size === 0;
}

/** Whether one work-item of the first group that does it shows that no other one can have a fault there, whatever it reads. */
function isShownAtOnce(access: Numbered, patterns: Patterns, { objects }: LaunchToProve): boolean {
  return (
    access.kind === 'read' &&
    isInside(access, access.at, bytesOf(access, objects)) &&
    isAllowed(access, objects) &&
    (access.pattern?.isOnce === true || patterns.isReachedOnce(access))
  );
}

/** Indexes in the summary, which may not have all. */
function accessesOf(region: number, { sites }: CheckTable): number[] | undefined {
  const found: number[] = [];
  for (const site of sites) {
    if (site.source === region) return undefined;
    if (site.region !== region) continue;
    const { access, accesses: count = 0, action } = site;
    if (access !== undefined) for (let i = 0; i < count; i++) found.push(access + i);
    // Whether a read had contents is another call for the same bytes.
    else if (action !== 'read') return undefined;
  }
  return found;
}

/** Whether one group may copy bytes without contents, which is not a fault by itself, and another one none. */
function mayMoveMissing(
  { accesses }: AccessSummary,
  { objects, isWritten }: LaunchToProve,
  { sites }: CheckTable,
  areAllAlike: boolean,
): boolean {
  // The calls that pass on the state of bytes are of no object.
  if (!sites.some(({ region, size }) => region === undefined && size !== undefined)) return false;
  if (!areAllAlike || sites.some(({ action, text }) => action === 'use' && text !== undefined)) return true;
  return accesses.some(
    ({ kind, argument, pattern }) =>
      pattern?.isPrivate ||
      (kind !== 'write' &&
        argument !== undefined &&
        objects[argument]?.isLocal !== true &&
        !isWritten(argument)),
  );
}
