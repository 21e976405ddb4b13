// SPDX-License-Identifier: MIT
//
// Whether a launch can be run without checks or clamps: what its access summary proves, given its sizes and arguments. "No" only
// means that nothing is known.
import type { AccessSummary, SummaryAccess } from '../../../base/access-summary';
import type { Check } from '../../../base/checks';
import { FORBIDDEN } from '../../../base/checks';
import { Evaluation, type LaunchNumbers } from './evaluate';
import { areApart, type Interval, isEmpty, sameForm } from './intervals';
import { globalSteps, type Strip, writtenStrips } from './written-strips';

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
  /** Whether all bytes of an argument's memory have contents. */
  isWritten(argument: number): boolean;
}

/** What launches write whose accesses are correct. */
export interface Proof {
  readonly written: readonly Strip[];
}

/** What was decided for a launch of a robust kernel, and for which sizes and arguments. */
export interface LastProof {
  readonly key: string;
  readonly isProven: boolean;
}

/** All addresses that the device gives are aligned to this. */
const ALIGN = 16;

interface Access extends SummaryAccess {
  readonly at: Interval;
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
  const { checks, objects } = launch;
  if (checks.includes('loops') || summary.unproven.some((check) => checks.includes(check))) return undefined;
  const evaluation = new Evaluation(summary, launch.numbers);
  const accesses = summary.accesses
    .map((access): Access => ({ ...access, at: evaluation.of(access.address) }))
    // Those that no work-item does.
    .filter(({ at }) => !isEmpty(at));
  for (const access of accesses)
    if (!isInside(access, access.at, bytesOf(access, objects)) || !isAllowed(access, objects))
      return undefined;
  for (const node of summary.assertions) if (evaluation.of(node).low < 1) return undefined;
  const byArgument = grouped(accesses);
  if (checks.includes('races') && !haveOwnBytes(byArgument, launch, evaluation)) return undefined;
  const written: Strip[] = [];
  if (checks.includes('uninitialized'))
    for (const [argument, all] of byArgument) {
      if (objects[argument]!.isLocal || launch.isWritten(argument)) continue;
      if (all.some(({ kind }) => kind !== 'write')) return undefined;
      const strips = writtenStrips(all, evaluation, launch.numbers, objects[argument]!.base);
      if (!strips) return undefined;
      written.push(...strips);
    }
  return { written };
}

const bytesOf = ({ bytes, argument }: SummaryAccess, objects: LaunchToProve['objects']): number =>
  bytes ?? objects[argument!]?.size ?? 0;

function isInside({ offset, size }: SummaryAccess, at: Interval, bytes: number): boolean {
  return isEmpty(at) || (at.low + offset >= 0 && at.high + offset + size <= bytes);
}

function isAllowed(access: Access, objects: LaunchToProve['objects']): boolean {
  const { kind, align, offset, at, argument } = access;
  if (align > ALIGN || offset % align !== 0 || 2 ** at.align % align !== 0) return false;
  if (argument === undefined) return true;
  const { base, forbidden } = objects[argument]!;
  return base % ALIGN === 0 && !(forbidden & (kind === 'read' ? FORBIDDEN.reads : FORBIDDEN.writes));
}

function grouped(accesses: readonly Access[]): ReadonlyMap<number, readonly Access[]> {
  const groups = new Map<number, Access[]>();
  for (const access of accesses) {
    if (access.argument === undefined) continue;
    const group = groups.get(access.argument);
    if (group) group.push(access);
    else groups.set(access.argument, [access]);
  }
  return groups;
}

/** Whether no byte that one work-item writes is accessed by another one. */
function haveOwnBytes(
  byArgument: ReadonlyMap<number, readonly Access[]>,
  { objects, numbers }: LaunchToProve,
  evaluation: Evaluation,
): boolean {
  for (const [argument, accesses] of byArgument) {
    if (accesses.every(({ kind }) => kind === 'read')) continue;
    const own = objects[argument]!;
    for (const other of byArgument.keys()) {
      const { base, size } = objects[other]!;
      if (other !== argument && base < own.base + own.size && own.base < base + size) return false;
    }
    if (accesses.every(({ kind }) => kind === 'atomic')) continue;
    if (accesses.some(({ at }) => !sameForm(at, accesses[0]!.at))) return false;
    const first = Math.min(...accesses.map(({ at, offset }) => at.least + offset));
    const end = Math.max(...accesses.map(({ at, offset, size }) => at.most + offset + size));
    const { coefficients } = accesses[0]!.at;
    const steps = globalSteps(coefficients, numbers);
    const dimensions = steps
      ? steps.map((step, d) => ({ step, most: extentOf(accesses, d, evaluation, numbers) }))
      : evaluation.forms.dimensions(coefficients);
    if (!areApart(dimensions, end - first)) return false;
  }
  return true;
}

/** How far apart the global ids of work-items that do any of the accesses are, at most. */
function extentOf(
  accesses: readonly Access[],
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
