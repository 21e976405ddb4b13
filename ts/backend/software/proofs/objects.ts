// SPDX-License-Identifier: MIT
//
// A launch to prove, and what holds for single accesses of it.
import type { SummaryAccess } from '../../../base/access-summary';
import type { Check } from '../../../base/checks';
import { FORBIDS } from '../../../base/checks';
import type { LaunchNumbers } from './evaluate';
import { type Interval, isEmpty } from './intervals';
import type { Numbered } from './patterns';

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
  /** By argument; undefined for those that are not memory, or of an unknown size. */
  readonly objects: readonly (GivenObject | undefined)[];
  readonly checks: readonly Check[];
  /** Whether the checked kernel has a check for an access of the summary. */
  hasSite(access: number): boolean;
  /** Whether all bytes of an argument's memory have contents. */
  isWritten(argument: number): boolean;
}

/** All addresses that the device gives are aligned to this. */
const ALIGN = 16;

export const isFresh = ({ pattern, argument }: SummaryAccess, objects: LaunchToProve['objects']): boolean =>
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
export function isPermitted(
  { kind, align, offset, argument }: SummaryAccess,
  objects: LaunchToProve['objects'],
): boolean {
  if (align > ALIGN || offset % align !== 0) return false;
  if (argument === undefined) return true;
  const object = objects[argument];
  if (!object) return false;
  const { base, forbidden } = object;
  return base % ALIGN === 0 && !(forbidden & (kind === 'read' ? FORBIDS.reads : FORBIDS.writes));
}
