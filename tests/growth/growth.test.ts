// SPDX-License-Identifier: MIT
//
// The cost of compiling grows in step with the source. Each shape is compiled at a size and at eight times that size: what is made may be
// eight times as much, and the time, of the processor and the best of several, far less than the sixty-four times that it would be if it
// grew quadratically. `scripts/growth.mjs` doubles the shapes until they take a second.
import { join } from 'node:path';
import { root } from '../helpers/command';
import { type Cost, measure } from './measure';
import { SHAPES } from './shapes';

const library = join(root, 'dist/library.bin');
const TIMES = 8;
/** The allowed growth of a unit's cost for eight times as many units: three times is halfway to quadratic. */
const DEARER = { output: 1.25, time: 3 };
/** Shorter times are mostly those of the JIT's warm-up and of garbage collections. */
const LEAST_MILLISECONDS = 15;
const ATTEMPTS = 3;

const timeOf = ({ frontEnd, jit }: Cost) => frontEnd + jit;

test.each(Object.entries(SHAPES))(
  '%s',
  (_, { smallest, source }) => {
    const small = source(smallest);
    const large = source(smallest * TIMES);
    let best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    const growth = () => best.large / TIMES / Math.max(best.small, LEAST_MILLISECONDS);
    for (let attempt = 0; attempt === 0 || (attempt < ATTEMPTS && growth() > DEARER.time); attempt++) {
      const [s, l] = [measure(small, library), measure(large, library)];
      expect(l.output / s.output / TIMES).toBeLessThan(DEARER.output);
      best = { small: Math.min(best.small, timeOf(s)), large: Math.min(best.large, timeOf(l)) };
    }
    expect(growth()).toBeLessThan(DEARER.time);
  },
  300_000,
);
