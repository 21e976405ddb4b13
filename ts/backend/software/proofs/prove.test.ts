// SPDX-License-Identifier: MIT
//
// What access summaries prove, against all accesses of each launch, enumerated. The kernels' expressions mean the same in
// JavaScript, so that the enumeration needs no second copy of them.
import { Chance } from '../../../../tests/fuzz/chance';
import { guardedKernel } from '../../../../tests/helpers/guarded-kernel';
import type { KernelBinary } from '../../../base/kernel-abi';
import type { GivenObject } from './objects';
import { type Proof, proveLaunch, provesBounds } from './prove';

/** A loop over k, or none, and a condition around an access of `a` and one of `b`. */
interface Kernel {
  readonly loop?: { readonly from: string; readonly while: string; readonly step: string };
  readonly when: string;
  readonly read: string;
  readonly write: string;
}

interface Launch {
  readonly global: readonly [number, number, number];
  readonly local: readonly [number, number, number];
  readonly offset: readonly [number, number, number];
  readonly w: number;
  readonly n: number;
  /** Elements of `a` and of `b`. */
  readonly sizes: readonly [number, number];
  readonly isWritten: boolean;
}

const A = 4096;
const B = 1 << 20;

function binaryOf({ loop, when, read, write }: Kernel, options: { robust?: true }): KernelBinary {
  const header = loop ? `for (int k = ${loop.from}; ${loop.while}; ${loop.step})` : 'int k = 0;';
  const text = `kernel void k(global const int *a, global int *b, int w, int n) {
    int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0), g = get_group_id(0);
    ${header} { if (${when}) b[${write}] = a[${read}]; }
  }`;
  return guardedKernel(text, options.robust ? 'robust' : 'checks');
}

function numbersOf(binary: KernelBinary, { global, local, offset, w, n }: Launch) {
  const values = new Map([w, n].map((value, i) => [binary.signature.arguments[2 + i]!.offset, value]));
  return {
    global,
    local,
    offset,
    groups: global.map((size, d) => Math.ceil(size / local[d]!)),
    argument: (at: number) => values.get(at),
  };
}

const objectsOf = ({ sizes: [a, b] }: Launch): (GivenObject | undefined)[] => [
  { base: A, size: a * 4, forbidden: 0, isLocal: false },
  { base: B, size: b * 4, forbidden: 0, isLocal: false },
  undefined,
  undefined,
];

function prove(binary: KernelBinary, launch: Launch): Proof | undefined {
  return proveLaunch(binary.accesses!, {
    numbers: numbersOf(binary, launch),
    objects: objectsOf(launch),
    checks: ['bounds', 'races', 'uninitialized', 'barriers', 'assertions'],
    hasSite: () => false,
    isWritten: (argument) => argument === 0 || launch.isWritten,
  });
}

/** What all work-items do, or those of the first group. */
function enumerate({ loop, when, read, write }: Kernel, launch: Launch, onlyFirst = false) {
  const { global, local, offset, w, n, sizes } = launch;
  const body = loop
    ? `for (let k = ${loop.from}; ${loop.while}; ${loop.step}) if (${when}) access(${read}, ${write});`
    : `const k = 0; if (${when}) access(${read}, ${write});`;
  const item = new Function('x', 'y', 'l', 'g', 'w', 'n', 'min', 'max', 'access', body);
  const writers = new Map<number, number>();
  let [isInside, isApart] = [true, true];
  let done = 0;
  const most = onlyFirst ? local : global;
  for (let j = 0; j < Math.min(global[1], most[1]); j++)
    for (let i = 0; i < Math.min(global[0], most[0]); i++) {
      const number = j * global[0] + i;
      item(
        i + offset[0],
        j + offset[1],
        i % local[0],
        Math.floor(i / local[0]),
        w,
        n,
        Math.min,
        Math.max,
        (from: number, to: number) => {
          done++;
          if (from < 0 || from >= sizes[0] || to < 0 || to >= sizes[1]) isInside = false;
          if (writers.has(to) && writers.get(to) !== number) isApart = false;
          writers.set(to, number);
        },
      );
    }
  return { isInside, isApart, written: writers, done };
}

/** The elements that count as written; `byFirst`: those that the first group has written. */
function marked({ written, pattern }: Proof, groups: readonly number[], byFirst: Iterable<number>): number[] {
  const elements = new Set<number>();
  for (const { shift } of pattern?.repeated ?? [])
    for (const element of byFirst)
      for (let x = 0; x < groups[0]!; x++)
        for (let y = 0; y < groups[1]!; y++) elements.add(element + (x * shift[0] + y * shift[1]) / 4);
  for (const { address, bytes, step, count } of written)
    for (let i = 0; i < count; i++)
      for (let at = 0; at < bytes; at += 4) elements.add((address + i * step + at - B) / 4);
  return [...elements].sort((a, b) => a - b);
}

const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

const LAUNCH: Launch = {
  global: [16, 4, 1],
  local: [8, 2, 1],
  offset: [0, 0, 0],
  w: 16,
  n: 4,
  sizes: [64, 64],
  isWritten: false,
};
const IN_ROW = 'y * w + x';

test.each<[string, Kernel, Partial<Launch>]>([
  ['an element for each work-item', { when: '1', read: IN_ROW, write: IN_ROW }, {}],
  ['a guard', { when: 'x < w && y < n', read: IN_ROW, write: IN_ROW }, { w: 13, n: 3 }],
  [
    'a guard of the unsigned',
    { when: 'x >= 0 && x < w', read: 'x', write: IN_ROW },
    { sizes: [13, 100], w: 13 },
  ],
  [
    'the inner points of a grid',
    { when: 'x > 0 && y > 0 && x < w - 1 && y < n - 1', read: '(y + 1) * w + x - 1', write: IN_ROW },
    {},
  ],
  ['clamped coordinates', { when: '1', read: 'max(y - 1, 0) * w + min(x + 1, w - 1)', write: IN_ROW }, {}],
  [
    'a row',
    { loop: { from: '0', while: 'k < w', step: 'k++' }, when: '1', read: 'y * w + k', write: IN_ROW },
    { isWritten: true },
  ],
  [
    'a row from its end',
    { loop: { from: 'w - 1', while: 'k >= 0', step: 'k--' }, when: '1', read: 'k', write: IN_ROW },
    { isWritten: true },
  ],
  [
    'halves',
    { loop: { from: 'w / 2', while: 'k > 0', step: 'k >>= 1' }, when: 'x < k', read: 'x + k', write: IN_ROW },
    { isWritten: true },
  ],
  [
    'steps of four',
    { loop: { from: '0', while: 'k < w', step: 'k += 4' }, when: '1', read: 'k + 3', write: IN_ROW },
    { isWritten: true },
  ],
  ['groups and local ids', { when: '1', read: 'g * 8 + l', write: 'y * w + g * 8 + l' }, {}],
  ['a difference that a guard keeps positive', { when: 'x >= n', read: 'x - n', write: IN_ROW }, {}],
  [
    'an offset of the ND-range',
    { when: '1', read: IN_ROW, write: IN_ROW },
    { offset: [4, 0, 0], sizes: [68, 68] },
  ],
  ['columns', { when: '1', read: IN_ROW, write: 'x * n + y' }, {}],
  [
    'a column for each work-item',
    { loop: { from: '0', while: 'k < n', step: 'k++' }, when: 'x < w', read: 'k', write: 'k * w + x' },
    { global: [16, 1, 1], local: [8, 1, 1], w: 15, isWritten: true },
  ],
  [
    'every other column',
    {
      loop: { from: '1', while: 'k < n', step: 'k++' },
      when: '1',
      read: 'k',
      write: 'k * 33 + x * 2',
    },
    { global: [16, 1, 1], local: [8, 1, 1], sizes: [64, 132], isWritten: true },
  ],
  [
    'elements as far apart as there are work-items',
    { loop: { from: 'x', while: 'k < n', step: 'k += w' }, when: '1', read: 'k', write: 'k' },
    { global: [16, 1, 1], local: [8, 1, 1], n: 61, isWritten: true },
  ],
  ['a remainder', { when: '1', read: 'x % n', write: IN_ROW }, {}],
])('proves %s', (_, kernel, more) => {
  const launch = { ...LAUNCH, ...more };
  const proof = prove(binaryOf(kernel, {}), launch);
  expect(proof).toBeDefined();
  if (!launch.isWritten)
    expect(marked(proof!, [], [])).toEqual(sorted(enumerate(kernel, launch).written.keys()));
});

test.each<[string, Kernel, Partial<Launch>]>([
  ['one element too many', { when: 'x <= w', read: 'x', write: IN_ROW }, { sizes: [15, 100] }],
  ['a neighbour before the first', { when: '1', read: 'x - 1', write: IN_ROW }, {}],
  ['a guard of the wrong number', { when: 'x < w', read: 'y * 5', write: IN_ROW }, { sizes: [15, 64] }],
  ['two work-items that write one element', { when: '1', read: 'x', write: 'x' }, {}],
  [
    'neighbours’ elements',
    { loop: { from: '0', while: 'k < 2', step: 'k++' }, when: '1', read: 'x', write: `${IN_ROW} + k` },
    { sizes: [64, 99], isWritten: true },
  ],
  [
    'columns of rows that are too short',
    { loop: { from: '0', while: 'k < 3', step: 'k++' }, when: '1', read: 'x', write: 'k * w + x' },
    { global: [16, 1, 1], w: 15, isWritten: true },
  ],
  [
    'elements that are less far apart than there are work-items',
    { loop: { from: 'x', while: 'k < n', step: 'k += w' }, when: '1', read: 'x', write: 'k' },
    { global: [16, 1, 1], w: 15, n: 61, isWritten: true },
  ],
  ['stores of some only, where contents matter', { when: 'a[x] > 3', read: 'x', write: IN_ROW }, {}],
  ['an index from memory', { when: '1', read: 'a[x]', write: IN_ROW }, {}],
])('proves nothing of %s', (_, kernel, more) => {
  expect(prove(binaryOf(kernel, {}), { ...LAUNCH, ...more })).toBeUndefined();
});

test('what is proven of random kernels is so', () => {
  const chance = new Chance(17);
  const pick = <T>(list: readonly T[]): T => chance.pick(list);
  const number = () => String(chance.integer(-2, 6));
  const term = () => pick(['x', 'y', 'l', 'g', 'k', 'w', 'n', number(), number()]);
  const index = (): string =>
    pick([
      () => IN_ROW,
      () => `${term()} * ${term()} + ${term()}`,
      () => `y * w + x + ${number()}`,
      () => `${IN_ROW} + ${term()}`,
      () => `max(${term()}, 0) + min(${term()}, w) * ${term()}`,
      () => `((x + ${number()}) & ${pick(['7', '15', '-4'])}) + y * w`,
      () => `((${term()} + y * w) >> 1) + x`,
      () => `(y * w + x) * 2 + k`,
      () => `k * ${pick(['w', 'n', '20', '40'])} + ${pick(['x', 'x * 2', 'x - 1', 'y', 'y * 3 + x'])}`,
      () => `${pick(['k', 'k * 2 + 1', 'k + 3'])}`,
    ])();
  const comparison = () => `${term()} ${pick(['<', '<=', '>', '>=', '==', '!='])} ${term()}`;
  let [proven, byPattern, faulty] = [0, 0, 0];
  for (let round = 0; round < 60; round++) {
    const step = pick(['k++', 'k += 2', 'k += 3', 'k += w + 1', 'k += 16']);
    const kernel: Kernel = {
      ...(chance.with(0.5)
        ? { loop: { from: pick(['0', '1', 'y', 'x']), while: `k < ${pick(['w', 'n', '5'])}`, step } }
        : {}),
      when: pick([
        () => '1',
        comparison,
        () => `${comparison()} && ${comparison()}`,
        () => `x < w && ${comparison()}`,
      ])(),
      read: index(),
      write: index(),
    };
    const [checked, robust] = [binaryOf(kernel, {}), binaryOf(kernel, { robust: true })];
    for (let i = 0; i < 12; i++) {
      const launch: Launch = {
        global: [chance.integer(1, 20), chance.integer(1, 5), 1],
        local: [pick([1, 4, 8]), pick([1, 2]), 1],
        offset: [pick([0, 0, 3]), 0, 0],
        w: pick([1, 16, 20, chance.integer(0, 23)]),
        n: chance.integer(0, 7),
        sizes: [pick([16, 80, 200, 4000]), pick([64, 100, 300, 4000])],
        isWritten: chance.with(0.5),
      };
      const { isInside, isApart, written } = enumerate(kernel, launch);
      const proof = prove(checked, launch);
      const what = JSON.stringify({ kernel, launch });
      if (!isInside || !isApart) faulty++;
      const first = enumerate(kernel, launch, true);
      if (provesBounds(robust.accesses!, numbersOf(robust, launch), objectsOf(launch)) && !isInside)
        throw new Error(`bounds: ${what}`);
      if (!proof) continue;
      proven++;
      if (proof.pattern) byPattern++;
      // Then it is checked.
      if (proof.pattern && !(first.isInside && first.isApart)) continue;
      if (!isInside || !isApart) throw new Error(`${isInside} ${isApart}: ${what}`);
      const { groups } = numbersOf(checked, launch);
      const marks = marked(proof, groups, first.written.keys());
      if (!launch.isWritten && marks.join() !== sorted(written.keys()).join())
        throw new Error(`written: ${marks}, not ${sorted(written.keys())}: ${what}`);
    }
  }
  // Both happen often enough to mean something.
  expect(proven).toBeGreaterThan(40);
  expect(byPattern).toBeGreaterThan(5);
  expect(faulty).toBeGreaterThan(80);
});

/** The accesses to local memory of each group, in the order of each work-item: text that is the same if they are. */
function localAccesses(kernel: LocalKernel, { global, local, offset, w, n }: Launch): string[] {
  const { from, steps, step, when, write, read } = kernel;
  const item = new Function(
    ...['x', 'l', 'g', 'm', 'w', 'n', 'access'],
    `for (let k = ${from}; ${steps}; ${step}) { if (${when}) access('w', ${write}); access('b', 0); access('r', ${read}); access('b', 0); }`,
  );
  return Array.from({ length: global[0] / local[0] }, (_, g) => {
    const done: string[] = [];
    for (let l = 0; l < local[0]; l++) {
      const x = g * local[0] + l + offset[0];
      item(x, l, g, local[0], w, n, (kind: string, at: number) => done.push(`${l}${kind}${at}`));
    }
    return done.join();
  });
}

interface LocalKernel {
  readonly from: string;
  readonly steps: string;
  readonly step: string;
  readonly when: string;
  readonly write: string;
  readonly read: string;
}

function localBinary({ from, steps, step, when, write, read }: LocalKernel): KernelBinary {
  const text = `kernel void k(global const int *a, global int *b, int w, int n) {
    local int t[4096];
    int x = get_global_id(0), l = get_local_id(0), g = get_group_id(0), m = get_local_size(0), sum = 0;
    for (int k = ${from}; ${steps}; ${step}) {
      if (${when}) t[${write}] = k;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += t[${read}];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[x] = sum;
  }`;
  return guardedKernel(text);
}

test('groups that are taken as alike do the same accesses', () => {
  const chance = new Chance(23);
  const pick = <T>(list: readonly T[]): T => list[chance.integer(0, list.length - 1)]!;
  const term = () =>
    pick(['x', 'l', 'g', 'k', 'w', 'n', 'x % m', 'x & 7', 'x / m', 'x - l', 'x - g * m', '3', '0']);
  const index = () =>
    pick([
      () => `(${term()} + ${term()}) & 63`,
      () => `l ^ (${term()} & 7)`,
      () => `(x - g * m) + (${term()} & 3)`,
      () => `(${term()} * w + l) & 255`,
      () => `x % 8 + 16`,
    ])();
  let [alike, different] = [0, 0];
  for (let round = 0; round < 60; round++) {
    const kernel: LocalKernel = {
      from: pick(['0', '0', '1', 'w', 'g', 'x - l']),
      steps: `k < ${pick(['n', '4', 'm', '(g + 1) * m', 'x - l + 3'])}`,
      step: pick(['k++', 'k += 2', 'k = k * 2 + 1']),
      when: pick(['1', `${term()} < ${term()}`, `${term()} == ${term()}`]),
      write: index(),
      read: index(),
    };
    const binary = localBinary(kernel);
    for (let i = 0; i < 4; i++) {
      const local = pick([4, 8, 8]);
      const launch: Launch = {
        global: [local * chance.integer(2, 4), 1, 1],
        local: [local, 1, 1],
        offset: [pick([0, 0, 3]), 0, 0],
        w: chance.integer(0, 5),
        n: chance.integer(0, 9),
        sizes: [4000, 4000],
        isWritten: true,
      };
      const groups = localAccesses(kernel, launch);
      const areAlike = groups.every((each) => each === groups[0]);
      if (!areAlike) different++;
      if (!prove(binary, launch)?.pattern) continue;
      alike++;
      if (!areAlike) throw new Error(JSON.stringify({ kernel, launch, groups }));
    }
  }
  expect(alike).toBeGreaterThan(10);
  expect(different).toBeGreaterThan(30);
});
