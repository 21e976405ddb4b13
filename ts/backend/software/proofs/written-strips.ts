// SPDX-License-Identifier: MIT
//
// Which bytes the stores of a launch write, where that is a regular pattern: each store is done by the work-items of a box, and
// its address is a linear form of their global ids.
import type { SummaryAccess, SummaryCondition } from '../../../base/access-summary';
import type { Evaluation, LaunchNumbers } from './evaluate';
import { type Interval, isEmpty, isSingle, signed, unsigned } from './intervals';

/** `count` runs of `bytes` bytes, `step` bytes apart. */
export interface Strip {
  readonly address: number;
  readonly bytes: number;
  readonly step: number;
  readonly count: number;
}

/** More are not worth the time. */
const MOST_STRIPS = 100_000;

interface Store extends SummaryAccess {
  readonly at: Interval;
}

/** Bounds of the global ids, without their offsets, in each dimension. */
type Box = readonly { readonly low: number; readonly high: number }[];

/** Undefined where the pattern is not regular. */
export function writtenStrips(
  stores: readonly Store[],
  evaluation: Evaluation,
  numbers: LaunchNumbers,
  base: number,
): readonly Strip[] | undefined {
  const strips: Strip[] = [];
  for (const { at, when, offset, size } of stores) {
    const steps = globalSteps(at.coefficients, numbers);
    if (!when || !steps || at.least !== at.most) return undefined;
    const box = boxOf(when, evaluation, numbers);
    if (!box) return undefined;
    if (box.some(({ low, high }) => low > high)) continue;
    const first = base + at.least + offset;
    const dimensions = [0, 1, 2]
      .map((d) => ({ step: steps[d]!, low: box[d]!.low, count: box[d]!.high - box[d]!.low + 1 }))
      .sort((a, b) => b.count - a.count);
    const [inner, middle, outer] = dimensions as [Dimension, Dimension, Dimension];
    if (middle.count * outer.count + strips.length > MOST_STRIPS) return undefined;
    const start = dimensions.reduce((sum, { step, low }) => sum + step * low, first);
    for (let z = 0; z < outer.count; z++)
      for (let y = 0; y < middle.count; y++) {
        const address = start + z * outer.step + y * middle.step;
        strips.push(stripOf(address, size, inner));
      }
  }
  return strips;
}

interface Dimension {
  readonly step: number;
  readonly low: number;
  readonly count: number;
}

function stripOf(address: number, bytes: number, { step, count }: Dimension): Strip {
  const start = step < 0 ? address + step * (count - 1) : address;
  const apart = Math.abs(step);
  if (apart === bytes || count === 1) return { address: start, bytes: bytes * count, step: 0, count: 1 };
  return { address: start, bytes, step: apart, count };
}

/** How far apart the addresses of neighbours in the ND-range are; undefined if they depend on the groups otherwise. */
export function globalSteps(
  coefficients: readonly number[],
  { local, groups }: LaunchNumbers,
): readonly number[] | undefined {
  const steps = [0, 1, 2].map((d) => {
    const [group, item] = [coefficients[d]!, coefficients[3 + d]!];
    if (groups[d] === 1) return item;
    if (local[d] === 1) return group;
    return group === item * local[d]! ? item : undefined;
  });
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

/** A box that has all work-items for which the conditions hold. */
export function outerBox(
  conditions: readonly SummaryCondition[],
  evaluation: Evaluation,
  numbers: LaunchNumbers,
): Box {
  const box = wholeBox(numbers);
  for (const condition of conditions) cut(box, condition, evaluation, numbers);
  return box;
}

function wholeBox(numbers: LaunchNumbers): { low: number; high: number }[] {
  const box = numbers.global.map((size) => ({ low: 0, high: size - 1 }));
  while (box.length < 3) box.push({ low: 0, high: 0 });
  return box;
}

/** The work-items for which all conditions hold, if they are a box. */
function boxOf(
  conditions: readonly SummaryCondition[],
  evaluation: Evaluation,
  numbers: LaunchNumbers,
): Box | undefined {
  const box = wholeBox(numbers);
  for (const condition of conditions) {
    if (evaluation.holds(condition)) continue;
    if (!cut(box, condition, evaluation, numbers)) return undefined;
  }
  return box;
}

function cut(
  box: { low: number; high: number }[],
  { a, by, b, width }: SummaryCondition,
  evaluation: Evaluation,
  numbers: LaunchNumbers,
): boolean {
  const convert = by.startsWith('u') ? unsigned : signed;
  const [x, y] = [convert(evaluation.of(a), width), convert(evaluation.of(b), width)];
  const [id, bound] = isSingle(y) ? [x, y] : [y, x];
  const flipped = id === y;
  if (isEmpty(id) || !isSingle(bound) || id.least !== id.most) return false;
  const steps = globalSteps(id.coefficients, numbers);
  const used = steps ? [0, 1, 2].filter((d) => steps[d] !== 0 && box[d]!.high > 0) : [];
  const [d] = used;
  if (used.length !== 1 || d === undefined || steps![d] !== 1) return false;
  // id = its own number + the remainder
  const limit = bound.low - id.least;
  const kind = by.slice(by.length - 2);
  const own = box[d]!;
  const isUpper = kind === 'lt' || kind === 'le';
  const strict = kind === 'lt' || kind === 'gt' ? 1 : 0;
  if (by === 'eq') {
    own.low = Math.max(own.low, limit);
    own.high = Math.min(own.high, limit);
  } else if (by === 'ne') return false;
  else if (isUpper !== flipped) own.high = Math.min(own.high, limit - strict);
  else own.low = Math.max(own.low, limit + strict);
  return true;
}
