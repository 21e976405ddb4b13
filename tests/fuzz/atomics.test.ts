// SPDX-License-Identifier: MIT
//
// The short form of scripts/fuzz/atomics.mjs, and that its model sees what is wrong.
import { node } from '../helpers/command';
import { randomAtomics, sumOfOld } from './atomics/random-atomics';

test.each(['1', '2', '8'])('random kernels of atomics on %s threads', (threads) => {
  const { status, stdout } = node('scripts/fuzz/atomics.mjs', [`${threads}00`, '10', `--threads=${threads}`]);
  expect(stdout).toMatch(/^10 kernels on .*: 0 faults$/m);
  expect(status).toBe(0);
});

test('a lost exchange changes the sum of the old values', () => {
  const seed = Array.from({ length: 100 }, (_, i) => i).find((each) =>
    randomAtomics(each).cells.some(({ kind }) => kind === 'exchange'),
  )!;
  const program = randomAtomics(seed);
  const i = program.cells.findIndex(({ kind }) => kind === 'exchange');
  const found = program.expected[i]!.map(() => 5n);
  expect(sumOfOld(program, i, found)).not.toBe(sumOfOld(program, i, [...found.slice(1), 6n]));
});
