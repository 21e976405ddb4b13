// SPDX-License-Identifier: MIT
//
// Random programs of commands give what the sequential model gives, and none hangs. `FUZZ=FIRST:COUNT` chooses the seeds;
// scripts/fuzz/commands.mjs runs many, on any device.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, root, temporaryFolder } from '../helpers/command';
import { testNeeding } from '../helpers/needs';
import { order } from './commands/order';
import type { Abilities, Program } from './commands/program';
import { prune, reduceCommands } from './commands/prune';

const [first = 1, count = 40] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);

test.each([1, 2, 4])(
  'with %i threads',
  (threads) => {
    const script = join(root, 'scripts/fuzz/commands.mjs');
    const from = first + count * threads;
    const words = [script, `${from}`, `${count}`, `--threads=${threads}`];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: `${count} programs, seeds ${from} to ${from + count - 1}: 0 faults\n`,
      stderr: '',
    });
  },
  300_000,
);

const library = join(root, 'build/Release/libanycl-icd.so');
const vendors = temporaryFolder();
writeFileSync(join(vendors, 'anycl.icd'), `${library}\n`);
/** The loader is named, so that it does not leave anycl's own library out. */
const throughIcd = {
  OCL_ICD_VENDORS: vendors,
  ANYCL_OPENCL_LIBRARY: process.env.ANYCL_OPENCL_LIBRARY ?? 'libOpenCL.so.1',
};
const isThere = () =>
  existsSync(library) && /Device 1:0/.test(node('dist/cli.cjs', ['info', '-l'], { env: throughIcd }).stdout);

testNeeding('an ICD loader and libanycl-icd', isThere())(
  'through libanycl-icd',
  () => {
    const words = [`${first}`, `${count}`, '--device=0:0'];
    const { status, stdout } = node('scripts/fuzz/commands.mjs', words, { env: throughIcd });
    expect(stdout).toBe(`${count} programs, seeds ${first} to ${first + count - 1}: 0 faults\n`);
    expect(status).toBe(0);
  },
  300_000,
);

const ABILITIES: Abilities = {
  svm: true,
  images: true,
  imagesOver: true,
  updates: true,
  align: 128,
  keepsRecorded: true,
  failsAlone: true,
  inOrder: false,
};

/** Two queues write the same bytes of a buffer, while a user event holds the first of them. */
const PROGRAM: Program = {
  contexts: 1,
  queues: [
    { id: 0, context: 0, outOfOrder: false },
    { id: 1, context: 0, outOfOrder: true },
  ],
  steps: [
    {
      id: 0,
      op: 'memory',
      memory: { id: 9, context: 0, kind: 'buffer', size: 64, how: 'copy' },
      seed: 1,
      queue: 0,
    },
    { id: 1, op: 'gate', context: 0 },
    {
      id: 2,
      op: 'command',
      work: { op: 'fill', to: { memory: 9, kind: 'span', offset: 0, size: 32 }, pattern: [1] },
      queue: 0,
      gates: [1],
    },
    {
      id: 3,
      op: 'command',
      work: { op: 'fill', to: { memory: 9, kind: 'span', offset: 31, size: 8 }, pattern: [2] },
      queue: 1,
    },
    {
      id: 4,
      op: 'command',
      work: { op: 'fill', to: { memory: 9, kind: 'span', offset: 40, size: 8 }, pattern: [3] },
      queue: 1,
    },
    { id: 5, op: 'open', gate: 1 },
  ],
};

test('a command waits for those alone that touch its bytes', () => {
  const ordered = order(PROGRAM, ABILITIES);
  if (typeof ordered === 'string') throw new Error(ordered);
  expect([...ordered.waits]).toEqual([[3, [2]]]);
});

test('a program that waits for what a user event holds is not defined', () => {
  const waiting = { id: 6, op: 'wait', step: 3, how: 'await' } as const;
  const early = PROGRAM.steps.toSpliced(5, 0, waiting);
  expect(order({ ...PROGRAM, steps: early }, ABILITIES)).toMatch(/waits for a user event/);
  expect(order({ ...PROGRAM, steps: [...PROGRAM.steps, waiting] }, ABILITIES)).toMatchObject({});
});

test('what fails is reduced to what matters', async () => {
  const fails = async ({ steps }: Program) => steps.some(({ id }) => id === 3);
  const { steps } = await reduceCommands(PROGRAM, ABILITIES, fails);
  expect(steps.map(({ id }) => id)).toEqual([0, 3]);
  // Without the step that opens it, a user event would hold its commands for ever.
  expect(prune({ ...PROGRAM, steps: PROGRAM.steps.slice(0, 5) }).steps.map(({ id }) => id)).toEqual([
    0, 2, 3, 4,
  ]);
});

test('what waits for a user event that fails does nothing, and no later command waits for it', () => {
  const failing = { id: 5, op: 'open', gate: 1, fails: true } as const;
  const later = { ...PROGRAM.steps[3]!, id: 7 };
  const ordered = order({ ...PROGRAM, steps: [...PROGRAM.steps.slice(0, 5), failing, later] }, ABILITIES);
  if (typeof ordered === 'string') throw new Error(ordered);
  expect([...ordered.failed]).toEqual([2, 3]);
  expect(ordered.waits.has(7)).toBe(false);
});
