// SPDX-License-Identifier: MIT
//
// The work-groups of an ND-range in linear order, x fastest. There may be 2^96 of them, more than a number can count. So they run
// in ranges of up to MOST_GROUPS, each of which begins at a group's three ids.
import { MOST_GROUPS } from '../../base/kernel-abi';

export type Triple = readonly [number, number, number];

/** A range of an ND-range's work-groups. */
export interface GroupRange {
  /** Groups of the whole ND-range in each dimension. */
  readonly counts: Triple;
  /** Ids of the first group of this range. */
  readonly first: Triple;
  /** Groups of this range. */
  readonly count: number;
  /** Whether no groups follow. */
  readonly isLast: boolean;
}

/** The ids of the group that is `distance` groups after `first`; z is `counts[2]` after the last one. */
export function groupAfter(first: Triple, counts: Triple, distance: number): Triple {
  const x = first[0] + distance;
  const rows = Math.floor(x / counts[0]);
  const y = first[1] + rows;
  const slices = Math.floor(y / counts[1]);
  return [x - rows * counts[0], y - slices * counts[1], first[2] + slices];
}

function rangeFrom(first: Triple, counts: Triple): GroupRange {
  // Small numbers are exact; a rounded one is far above MOST_GROUPS.
  const left = ((counts[2] - first[2]) * counts[1] - first[1]) * counts[0] - first[0];
  return { counts, first, count: Math.min(left, MOST_GROUPS), isLast: left <= MOST_GROUPS };
}

/** The first range of an ND-range of at least one group. */
export function firstRange(counts: Triple): GroupRange {
  return rangeFrom([0, 0, 0], counts);
}

/** The first group alone, as if no others followed. */
export function firstGroup(counts: Triple): GroupRange {
  return { counts, first: [0, 0, 0], count: 1, isLast: true };
}

/** All groups after the first one, of which there is one at least. */
export function groupsAfterFirst(counts: Triple): GroupRange {
  return rangeFrom(groupAfter([0, 0, 0], counts, 1), counts);
}

/** The range that follows; undefined after the last one. */
export function nextRange({ first, counts, count, isLast }: GroupRange): GroupRange | undefined {
  return isLast ? undefined : rangeFrom(groupAfter(first, counts, count), counts);
}
