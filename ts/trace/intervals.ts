// SPDX-License-Identifier: MIT
//
// Sets of times as lists of intervals: in order, without overlaps.

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** All times that are in any of the intervals. */
export function union(intervals: readonly Interval[]): Interval[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of [...intervals].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (end > start) result.push({ start, end });
  }
  return result;
}

/** Of two sets, the times that are in the first and not in the second. */
export function without(from: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  let i = 0;
  for (let { start, end } of from) {
    while (i < taken.length && taken[i]!.end <= start) i++;
    for (let j = i; j < taken.length && taken[j]!.start < end; j++) {
      if (taken[j]!.start > start) result.push({ start, end: taken[j]!.start });
      start = Math.max(start, taken[j]!.end);
    }
    if (start < end) result.push({ start, end });
  }
  return result;
}

export const intersection = (a: readonly Interval[], b: readonly Interval[]): Interval[] =>
  without(a, without(a, b));

export const length = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, { start, end }) => sum + end - start, 0);
