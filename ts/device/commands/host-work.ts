// SPDX-License-Identifier: MIT
//
// Copies and fills that the scheduling thread carries out. Short ones are done at once; long ones in steps, between which the event
// loop continues.
import type { Stepped, Steps } from '../../base/steps';
import { type Box, copyBox, type Triple } from '../memory/copies';
import type { HostWork } from './command';

/** Bytes of a step. Memory that is touched for the first time costs up to 10 ns for each of its bytes. */
export const STEP_BYTES = 1 << 17;
/** What the overhead of a row counts as, in bytes. */
const ROW_BYTES = 512;

/** Of commands that have nothing to do but to wait. */
export const NOTHING: HostWork = { kind: 'host', run: undefined, steps: undefined };

export const atOnce = (run: () => unknown): HostWork => ({ kind: 'host', run, steps: undefined });

/** Whether the memory that a script gave is still there. */
type IsIntact = () => boolean;
const always = (): boolean => true;

/** A row, or a part of one; rows; slices. */
interface Part {
  readonly at: Triple;
  readonly region: Triple;
}

/**
 * Work on this many consecutive bytes.
 * @param work does the part of it from byte `at` on
 * @param backwards whether the last bytes come first: for copies to a higher address in one memory, which may overlap
 */
export function onBytes(
  bytes: number,
  work: (at: number, size: number) => void,
  isIntact: IsIntact = always,
  backwards = false,
): HostWork {
  // By far the most common.
  if (bytes <= STEP_BYTES)
    return atOnce(isIntact === always ? () => work(0, bytes) : () => isIntact() && work(0, bytes));
  return inSteps(() => stepsOnBytes(bytes, work, isIntact, backwards));
}

/**
 * A copy of a box. The boxes are asked for at each part: memory may have grown.
 * @param region bytes of a row, rows, slices
 */
export function copyOfBox(
  from: () => Box,
  to: () => Box,
  region: Triple,
  isIntact: IsIntact = always,
): HostWork {
  const size = region[0] * region[1] * region[2];
  if (size + region[1] * region[2] * ROW_BYTES <= STEP_BYTES)
    return atOnce(() => isIntact() && copyBox(from(), to(), region));
  const isWhole = ({ rowPitch, slicePitch }: Box): boolean =>
    (region[1] === 1 || rowPitch === region[0]) && (region[2] === 1 || slicePitch === region[0] * region[1]);
  const copy = ({ at, region: part }: Part): void => copyBox(partOf(from(), at), partOf(to(), at), part);
  // Within one memory the order of rows matters where the boxes overlap.
  const backwards = (): boolean => {
    const [source, target] = [from(), to()];
    return source.bytes === target.bytes && target.offset > source.offset;
  };
  const asked: Triple = isWhole(from()) && isWhole(to()) ? [size, 1, 1] : region;
  return inParts(asked, copy, isIntact, backwards);
}

/** The generators are functions of the module: V8 makes a prototype and a map in the old generation for each closure. */
const inSteps = (steps: () => Steps<void>): HostWork => ({ kind: 'host', run: undefined, steps });

function* stepsOnBytes(
  bytes: number,
  work: (at: number, size: number) => void,
  isIntact: IsIntact,
  backwards: boolean,
): Steps<void> {
  const count = Math.ceil(bytes / STEP_BYTES);
  for (let i = 0; i < count; i++) {
    if (!isIntact()) return;
    const at = (backwards ? count - 1 - i : i) * STEP_BYTES;
    work(at, Math.min(STEP_BYTES, bytes - at));
    yield;
  }
}

/** The work, and what is done after it at once. */
export function followedBy({ run, steps }: HostWork, after: () => void): HostWork {
  if (!steps)
    return atOnce(() => {
      run?.();
      after();
    });
  return inSteps(() => stepsThen(steps(), after));
}

function* stepsThen(steps: Stepped<void>, after: () => void): Steps<void> {
  while (!steps.next().done) yield;
  after();
}

const partOf = ({ bytes, offset, rowPitch, slicePitch }: Box, [x, y, z]: Triple): Box => ({
  bytes,
  offset: offset + z * slicePitch + y * rowPitch + x,
  rowPitch,
  slicePitch,
});

function inParts(
  region: Triple,
  work: (part: Part) => void,
  isIntact: IsIntact,
  backwards: () => boolean,
): HostWork {
  const step = stepOf(region);
  if (step.every((size, d) => size >= region[d]!)) {
    const whole: Part = { at: [0, 0, 0], region };
    return atOnce(() => isIntact() && work(whole));
  }
  return inSteps(() => stepsOnParts(partsOf(region, step, backwards()), work, isIntact));
}

function* stepsOnParts(parts: Iterable<Part>, work: (part: Part) => void, isIntact: IsIntact): Steps<void> {
  for (const part of parts) {
    if (!isIntact()) return;
    work(part);
    yield;
  }
}

/** The region of a step. */
function stepOf([width, rows, slices]: Triple): Triple {
  const row = width + ROW_BYTES;
  const fitting = (size: number, most: number): number =>
    Math.max(1, Math.min(most, Math.floor(STEP_BYTES / size)));
  if (row > STEP_BYTES + ROW_BYTES) return [STEP_BYTES, 1, 1];
  const ofRows = fitting(row, rows);
  return [width, ofRows, ofRows < rows ? 1 : fitting(row * rows, slices)];
}

function* partsOf(region: Triple, step: Triple, backwards: boolean): Generator<Part> {
  const counts = region.map((size, d) => Math.ceil(size / step[d]!));
  const [inRow, inSlice] = [counts[0]!, counts[1]!];
  const count = counts.reduce((all, n) => all * n, 1);
  for (let i = 0; i < count; i++) {
    const n = backwards ? count - 1 - i : i;
    const at: Triple = [
      (n % inRow) * step[0],
      (Math.floor(n / inRow) % inSlice) * step[1],
      Math.floor(n / (inRow * inSlice)) * step[2],
    ];
    const left = (d: 0 | 1 | 2): number => Math.min(step[d], region[d] - at[d]);
    yield { at, region: [left(0), left(1), left(2)] };
  }
}
