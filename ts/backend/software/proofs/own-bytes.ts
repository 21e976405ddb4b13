// SPDX-License-Identifier: MIT
//
// Whether work-items have bytes of their own: no byte that one of them writes is accessed by another one.
import type { Evaluation, LaunchNumbers } from './evaluate';
import { areApart, commonDivisor, sameForm } from './intervals';
import { bytesOf, isInside, type LaunchToProve } from './objects';
import type { Numbered } from './patterns';
import { globalSteps, outerBox } from './written-strips';

/** Whether no byte of an object that one work-item writes is accessed by another one. */
export function haveOwnBytes(
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
export function areSeparate(
  accesses: readonly Numbered[],
  launch: LaunchToProve,
  evaluation: Evaluation,
): boolean {
  const written = accesses.find(({ kind }) => kind === 'write');
  if (!written) return false;
  const own = accesses.filter(({ at }) => sameForm(at, written.at));
  const others = accesses.filter((access) => !own.includes(access));
  if (others.some(({ kind }) => kind !== 'read') || !haveOwnBytes(own, launch, evaluation)) return false;
  return others.every((other) => isApart(other, own, launch, evaluation));
}

/** Distances between rows, as the coefficients of an access say. */
export const rowSteps = ({ at }: Numbered): number[] =>
  [...new Set(at.coefficients.map(Math.abs))].filter((step) => step > 1);

/** Whether an access has no byte in common with any of `own`, which have one form: by its place, or by its columns. */
export function isApart(
  other: Numbered,
  own: readonly Numbered[],
  launch: LaunchToProve,
  evaluation: Evaluation,
): boolean {
  return own.every(
    (one) =>
      areDisjoint(spanOf(one), spanOf(other)) ||
      rowSteps(one).some((step) => {
        const [a, b] = [one, other].map((access) => columnsOf(access, step, launch, evaluation));
        return areDisjoint(a!, b!, step);
      }),
  );
}

/** Bytes from `first` on, before `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

export const spanOf = ({ at, offset, size }: Numbered): Span => ({
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
export function columnsOf(
  access: Numbered,
  step: number,
  { numbers }: LaunchToProve,
  evaluation: Evaluation,
): Span {
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
