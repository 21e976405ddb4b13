// SPDX-License-Identifier: MIT
import { finish } from '../../base/steps';
import { type Box, copyBox, type Triple } from '../memory/copies';
import type { HostWork } from './command';
import { atOnce, copyOfBox, followedBy, NOTHING, onBytes, STEP_BYTES } from './host-work';

/** Runs the work; returns how many steps it took, 0 for work that is done at once. */
function carryOut({ run, steps }: HostWork): number {
  if (!steps) {
    run?.();
    return 0;
  }
  const own = steps();
  let count = 0;
  while (!own.next().done) count++;
  return count;
}

let state = 1;
const below = (most: number): number => {
  state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};

const noise = (size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 255);

test('short work is done at once, long work in steps', () => {
  const done: string[] = [];
  const work = (at: number, size: number): void => void done.push(`${at}+${size}`);
  expect(carryOut(onBytes(STEP_BYTES, work))).toBe(0);
  expect(carryOut(onBytes(STEP_BYTES * 2 + 1, work))).toBe(3);
  expect(carryOut(onBytes(STEP_BYTES + 1, work, undefined, true))).toBe(2);
  expect(done).toEqual([
    `0+${STEP_BYTES}`,
    `0+${STEP_BYTES}`,
    `${STEP_BYTES}+${STEP_BYTES}`,
    `${2 * STEP_BYTES}+1`,
    `${STEP_BYTES}+1`,
    `0+${STEP_BYTES}`,
  ]);
});

test('work ends where its memory is gone', () => {
  let left = 2;
  const done: number[] = [];
  const isIntact = (): boolean => left-- > 0;
  carryOut(onBytes(STEP_BYTES * 4, (at) => done.push(at), isIntact));
  expect(done).toEqual([0, STEP_BYTES]);
  carryOut(onBytes(1, (at) => done.push(at), isIntact));
  expect(done).toHaveLength(2);
});

test('what follows is done after the last step', () => {
  const done: string[] = [];
  carryOut(
    followedBy(
      atOnce(() => done.push('run')),
      () => done.push('after'),
    ),
  );
  carryOut(followedBy(NOTHING, () => done.push('after')));
  const long = onBytes(STEP_BYTES + 1, () => done.push('step'));
  const steps = followedBy(long, () => done.push('after')).steps!();
  steps.next();
  expect(done).toEqual(['run', 'after', 'after', 'step']);
  finish(steps);
  expect(done.slice(3)).toEqual(['step', 'step', 'after']);
});

test('copies of boxes in steps do what one copy does, also where they overlap', () => {
  const SIZE = STEP_BYTES * 6;
  let stepped = 0;
  for (let i = 0; i < 40; i++) {
    const width = 1 + below(i % 3 === 0 ? 8 : i % 3 === 1 ? 3000 : STEP_BYTES * 2);
    const rows = 1 + below(Math.min(3000, SIZE / 3 / width));
    const slices = 1 + below(Math.min(8, SIZE / 3 / (width * rows)));
    const region: Triple = [width, rows, slices];
    const pitches = () => {
      const rowPitch = width + below(3) * below(20);
      return { rowPitch, slicePitch: rowPitch * (rows + below(2)) };
    };
    const span = ({ rowPitch, slicePitch }: { rowPitch: number; slicePitch: number }): number =>
      (slices - 1) * slicePitch + (rows - 1) * rowPitch + width;
    const isWithinOne = below(2) === 0;
    const [from, to] = [pitches(), pitches()];
    // Within one memory, rows of a box meet those of the other where the pitches agree.
    const target = isWithinOne ? from : to;
    const place = { from: below(50), to: below(isWithinOne ? 200 : 50) };
    const sizes = 300 + Math.max(span(from), span(target));
    const [expected, found] = [0, 1].map(() => {
      const source = noise(sizes);
      return { source, target: isWithinOne ? source : new Uint8Array(sizes) };
    });
    const boxes = (memory: typeof expected): [Box, Box] => [
      { bytes: memory!.source, offset: place.from, ...from },
      { bytes: memory!.target, offset: place.to, ...target },
    ];
    copyBox(...boxes(expected), region);
    const [a, b] = boxes(found);
    stepped += Math.sign(
      carryOut(
        copyOfBox(
          () => a,
          () => b,
          region,
        ),
      ),
    );
    expect(Buffer.compare(found!.target, expected!.target)).toBe(0);
  }
  expect(stepped).toBeGreaterThan(10);
});
