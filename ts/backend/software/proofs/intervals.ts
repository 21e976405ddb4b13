// SPDX-License-Identifier: MIT
//
// What is known of a number that differs between work-items: a linear form of their ids plus a remainder within bounds, a step that
// the remainder's values are apart, bounds of the whole, and its alignment. The number is a mathematical integer, congruent to the kernel's value modulo 2^width: sums and
// products never wrap. What depends on the sign or on the highest bits goes through `signed` or `unsigned`.

/** The ids that linear forms are made of: of the group along x, y, z, then of the work-item in its group. */
export const IDS = 6;
/** Larger numbers are not exact. */
const EXACT = 2 ** 53;
const MOST_ALIGN = 30;

export interface Interval {
  readonly coefficients: readonly number[];
  /** Bounds of the remainder. */
  readonly least: number;
  readonly most: number;
  /** The remainder is `rest` plus a multiple of `step`, which is 0 where it has one value. */
  readonly step: number;
  readonly rest: number;
  /** Bounds of the number. */
  readonly low: number;
  readonly high: number;
  /** It is a multiple of 2^align. */
  readonly align: number;
}

const ZEROS: readonly number[] = new Array<number>(IDS).fill(0);
/** Larger coefficients could give products that are not exact. */
const MOST_COEFFICIENT = 2 ** 40;
/** Bounds beyond the exact numbers are none. */
const lower = (x: number): number => (x < -EXACT ? -Infinity : Math.min(x, EXACT));
const upper = (x: number): number => (x > EXACT ? Infinity : Math.max(x, -EXACT));
/** Zero times anything is zero. */
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);

/** The values of a remainder. */
type Values = Pick<Interval, 'step' | 'rest'>;
const EACH: Values = { step: 1, rest: 0 };
/** Sums and products of larger ones could be inexact. */
const MOST_STEP = 2 ** 50;

export function commonDivisor(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

export function valuesOf(step: number, rest: number): Values {
  if (Math.abs(step) > MOST_STEP || Math.abs(rest) > MOST_STEP) return EACH;
  return { step: Math.abs(step), rest };
}

/** Those of either of two remainders. */
const either = (a: Values, b: Values): Values =>
  valuesOf(commonDivisor(commonDivisor(a.step, b.step), a.rest - b.rest), a.rest);

/** Whether all of `a` are among `b`. */
const areAmong = (a: Values, b: Values): boolean =>
  b.step === 0
    ? a.step === 0 && a.rest === b.rest
    : a.step % b.step === 0 && (a.rest - b.rest) % b.step === 0;

export const EMPTY: Interval = {
  coefficients: ZEROS,
  least: Infinity,
  most: -Infinity,
  ...EACH,
  low: Infinity,
  high: -Infinity,
  align: MOST_ALIGN,
};
export const ANYTHING: Interval = {
  coefficients: ZEROS,
  least: -Infinity,
  most: Infinity,
  ...EACH,
  low: -Infinity,
  high: Infinity,
  align: 0,
};

export const isEmpty = ({ low, high, least, most }: Interval): boolean => low > high || least > most;
const isFree = ({ coefficients }: Interval): boolean => coefficients.every((c) => c === 0);
export const isSingle = (x: Interval): boolean => x.low === x.high && isFree(x);
export const sameForm = (a: Interval, b: Interval): boolean =>
  a.coefficients.every((c, at) => c === b.coefficients[at]);

/** `values` as the remainder's: the form has no ids. */
export function range(low: number, high: number, align = 0, values = EACH): Interval {
  if (low > high) return EMPTY;
  // The nearest multiples within the bounds.
  const unit = 2 ** align;
  const [l, h] = [lower(Math.ceil(low / unit) * unit), upper(Math.floor(high / unit) * unit)];
  if (l > h) return EMPTY;
  const { step, rest } = l === h ? valuesOf(0, l) : values;
  return { coefficients: ZEROS, least: l, most: h, step, rest, low: l, high: h, align };
}

export function single(value: number): Interval {
  let align = 0;
  while (align < MOST_ALIGN && value % 2 ** (align + 1) === 0) align++;
  return range(value, value, align);
}

/** The linear forms of a launch: how large each id is, at most. */
export class Forms {
  constructor(private readonly largest: readonly number[]) {}

  /** With bounds of the number that follow from the form, and of the remainder that follow from the number. */
  make(
    coefficients: readonly number[],
    remainder: readonly [number, number],
    align: number,
    values: Values,
    bounds: readonly [number, number] = [-Infinity, Infinity],
  ): Interval {
    if (coefficients.some((c) => Math.abs(c) > MOST_COEFFICIENT)) return range(bounds[0], bounds[1], align);
    let [below, above] = [0, 0];
    for (let at = 0; at < IDS; at++) {
      const most = times(coefficients[at]!, this.largest[at]!);
      if (most < 0) below += most;
      else above += most;
    }
    const low = lower(Math.max(below + remainder[0], bounds[0]));
    const high = upper(Math.min(above + remainder[1], bounds[1]));
    const least = lower(Math.max(remainder[0], low - above));
    const most = upper(Math.min(remainder[1], high - below));
    if (low > high || least > most) return EMPTY;
    if (coefficients.every((c) => c === 0)) return range(low, high, align, values);
    const { step, rest } = values;
    return { coefficients, least, most, step, rest, low, high, align };
  }

  /** As dimensions of `areApart`. */
  dimensions(coefficients: readonly number[]): readonly Dimension[] {
    return coefficients.map((step, at) => ({ step, most: this.largest[at]! }));
  }
  add(a: Interval, b: Interval, sign: 1 | -1 = 1): Interval {
    if (isEmpty(a) || isEmpty(b)) return EMPTY;
    const [least, most, low, high] =
      sign === 1 ? [b.least, b.most, b.low, b.high] : [-b.most, -b.least, -b.high, -b.low];
    return this.make(
      a.coefficients.map((c, at) => c + sign * b.coefficients[at]!),
      [a.least + least, a.most + most],
      Math.min(a.align, b.align),
      valuesOf(commonDivisor(a.step, b.step), a.rest + sign * b.rest),
      [a.low + low, a.high + high],
    );
  }

  multiply(a: Interval, b: Interval): Interval {
    if (isEmpty(a) || isEmpty(b)) return EMPTY;
    if (isSingle(a)) return this.scale(b, a.low, a.align);
    if (isSingle(b)) return this.scale(a, b.low, b.align);
    const products = [times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)];
    return range(Math.min(...products), Math.max(...products), Math.min(MOST_ALIGN, a.align + b.align));
  }

  private scale(a: Interval, by: number, align: number): Interval {
    const [x, y, u, v] = [times(a.least, by), times(a.most, by), times(a.low, by), times(a.high, by)];
    return this.make(
      a.coefficients.map((c) => times(c, by)),
      [Math.min(x, y), Math.max(x, y)],
      Math.min(MOST_ALIGN, a.align + align),
      valuesOf(times(a.step, by), times(a.rest, by)),
      [Math.min(u, v), Math.max(u, v)],
    );
  }

  /** Within more bounds. */
  within(a: Interval, low: number, high: number): Interval {
    if (isEmpty(a)) return EMPTY;
    return this.make(a.coefficients, [a.least, a.most], a.align, a, [
      Math.max(a.low, low),
      Math.min(a.high, high),
    ]);
  }

  /** Either of two. */
  join(a: Interval, b: Interval): Interval {
    if (isEmpty(a)) return b;
    if (isEmpty(b)) return a;
    const [low, high] = [Math.min(a.low, b.low), Math.max(a.high, b.high)];
    const align = Math.min(a.align, b.align);
    if (!sameForm(a, b)) return range(low, high, align);
    const remainder = [Math.min(a.least, b.least), Math.max(a.most, b.most)] as const;
    return this.make(a.coefficients, remainder, align, either(a, b), [low, high]);
  }

  /** `a` with those bounds gone to the largest numbers of a signed type in which `b` goes beyond them. */
  widen(a: Interval, b: Interval, width: number): Interval {
    const limit = width >= 53 ? EXACT : 2 ** (width - 1);
    if (!sameForm(a, b)) return range(-limit, limit - 1, Math.min(a.align, b.align));
    const [grows, shrinks] = [b.high > a.high || b.most > a.most, b.low < a.low || b.least < a.least];
    return this.make(
      a.coefficients,
      // Zero is where most loops that count down end.
      [shrinks ? (b.least >= 0 ? 0 : -Infinity) : a.least, grows ? Infinity : a.most],
      Math.min(a.align, b.align),
      either(a, b),
      [shrinks ? (b.low >= 0 ? 0 : -limit) : a.low, grows ? limit - 1 : a.high],
    );
  }
}

/** Whether all that `a` may be is in `b`. */
export function isWithin(a: Interval, b: Interval): boolean {
  if (isEmpty(a)) return true;
  if (a.low < b.low || a.high > b.high || a.align < b.align) return false;
  if (sameForm(a, b)) return a.least >= b.least && a.most <= b.most && areAmong(a, b);
  return isFree(b) && b.step === 1;
}

/** The value as a signed number of this many bits. */
export function signed(a: Interval, width: number): Interval {
  if (isEmpty(a)) return EMPTY;
  const limit = 2 ** (width - 1);
  if (a.low >= -limit && a.high < limit) return a;
  return range(-limit, limit - 1, Math.min(a.align, width));
}

/** The value as an unsigned number of this many bits. */
export function unsigned(a: Interval, width: number): Interval {
  if (isEmpty(a)) return EMPTY;
  const limit = 2 ** width;
  if (a.low >= 0 && a.high < limit) return a;
  if (a.low >= -limit && a.high < 0)
    return {
      ...a,
      least: a.least + limit,
      most: a.most + limit,
      ...valuesOf(a.step, a.rest + limit),
      low: a.low + limit,
      high: a.high + limit,
      align: Math.min(a.align, width),
    };
  return range(0, limit - 1, Math.min(a.align, width));
}

/** Neighbours along a dimension are `step` bytes apart; there are `most` of them besides the first. */
export interface Dimension {
  readonly step: number;
  readonly most: number;
}

/** Whether this many bytes at each point of a grid do not overlap, and all are within as many bytes. */
export function areApart(dimensions: readonly Dimension[], bytes: number, within = EXACT): boolean {
  const steps = dimensions
    .filter(({ most }) => most > 0)
    .map(({ step, most }) => ({ step: Math.abs(step), most }))
    .sort((a, b) => a.step - b.step);
  let extent = bytes;
  for (const { step, most } of steps) {
    if (step < extent) return false;
    extent += step * most;
  }
  return extent <= within && extent < EXACT;
}
