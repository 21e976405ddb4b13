// SPDX-License-Identifier: MIT
//
// The cost of a module grows in step with it: decoding, validation, disassembly, and compilation for the software device. As
// growth.test.ts does of sources.
import { join } from 'node:path';
import { disassemble } from '../../ts/spirv/text';
import { root } from '../helpers/command';
import { measureModule, processorTime } from './measure';
import { MODULE_SHAPES } from './module-shapes';

const library = join(root, 'dist/library.bin');
const SMALLEST = 1000;
const TIMES = 8;
/** The allowed growth of a unit's cost for eight times as many units: three times is halfway to quadratic. */
const DEARER = 3;
/** Shorter times are mostly those of the JIT's warm-up and of garbage collections. */
const LEAST_MILLISECONDS = 15;
const ATTEMPTS = 3;

function cost(words: Uint8Array): number {
  const started = processorTime();
  const { decoded } = measureModule(words, library);
  expect(disassemble(decoded)).toContain('OpEntryPoint Kernel');
  return processorTime() - started;
}

test.each(Object.entries(MODULE_SHAPES))(
  '%s',
  (_, shape) => {
    const [small, large] = [shape(SMALLEST), shape(SMALLEST * TIMES)];
    const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    const growth = () => best.large / TIMES / Math.max(best.small, LEAST_MILLISECONDS);
    for (let attempt = 0; attempt === 0 || (attempt < ATTEMPTS && growth() > DEARER); attempt++) {
      best.small = Math.min(best.small, cost(small));
      best.large = Math.min(best.large, cost(large));
    }
    expect(growth()).toBeLessThan(DEARER);
  },
  300_000,
);
