// SPDX-License-Identifier: MIT
//
// Watched launches: each race of random launches has a store to a byte that is watched.
import { Chance } from '../../../../tests/fuzz/chance';
import { guardedKernel } from '../../../../tests/helpers/guarded-kernel';
import type { KernelBinary } from '../../../base/kernel-abi';
import { proveLaunch } from './prove';
import type { Rows } from './watched-bytes';

/** Each work-item reads some elements, and writes one if the contents of memory say so. */
interface Kernel {
  readonly reads: readonly string[];
  readonly write: string;
  readonly when?: string;
}

interface Launch {
  readonly global: readonly [number, number];
  readonly local: readonly [number, number];
  readonly offset: readonly [number, number];
  readonly w: number;
  readonly n: number;
  readonly size: number;
}

function binaryOf({ reads, write, when = 'c[0] > sum' }: Kernel): KernelBinary {
  const text = `kernel void k(global const int *c, global int *b, int w, int n) {
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    ${reads.map((index) => `sum += b[${index}];`).join('\n')}
    if (${when}) b[${write}] = sum;
  }`;
  return guardedKernel(text);
}

/** The rows that are watched; undefined if the launch is not. */
function rowsOf(
  binary: KernelBinary,
  { global, local, offset, w, n, size }: Launch,
): readonly Rows[] | undefined {
  const values = new Map([w, n].map((value, i) => [binary.signature.arguments[2 + i]!.offset, value]));
  const proof = proveLaunch(binary.accesses!, {
    numbers: {
      global: [...global, 1],
      local: [...local, 1],
      offset: [...offset, 0],
      groups: [...global.map((all, d) => Math.ceil(all / local[d]!)), 1],
      argument: (at) => values.get(at),
    },
    objects: [
      { base: 4096, size: 4, forbidden: 0, isLocal: false },
      { base: 1 << 20, size: size * 4, forbidden: 0, isLocal: false },
      undefined,
      undefined,
    ],
    checks: ['bounds', 'races', 'uninitialized', 'barriers', 'assertions'],
    hasSite: () => false,
    isWritten: () => true,
  });
  return proof?.watch?.objects[0]?.rows;
}

interface Item {
  readonly reads: readonly number[];
  readonly write: number;
}

function enumerate({ reads, write }: Kernel, { global, offset, w, n }: Launch): Item[] {
  const indexes = new Function('x', 'y', 'w', 'n', 'min', 'max', `return [${[...reads, write].join()}]`);
  const items: Item[] = [];
  for (let y = 0; y < global[1]; y++)
    for (let x = 0; x < global[0]; x++) {
      const all: number[] = indexes(x + offset[0], y + offset[1], w, n, Math.min, Math.max);
      items.push({ reads: all.slice(0, -1), write: all.at(-1)! });
    }
  return items;
}

const isIn = (element: number, rows: readonly Rows[]): boolean =>
  rows.some(({ first, bytes, step, count }) =>
    Array.from({ length: count }, (_, row) => first + row * step).some(
      (start) => element * 4 < start + bytes && start < element * 4 + 4,
    ),
  );

/** The elements whose store is a race with an access of another work-item. */
function racing(items: readonly Item[]): Set<number> {
  const found = new Set<number>();
  for (const [i, { write }] of items.entries())
    for (const [j, other] of items.entries())
      if (i !== j && (other.write === write || other.reads.includes(write))) found.add(write);
  return found;
}

test('steps of shortest paths watch a row and a column', () => {
  const kernel = { reads: ['y * w + x', 'y * w + n', 'n * w + x'], write: 'y * w + x' };
  const launch: Launch = { global: [16, 16], local: [4, 4], offset: [0, 0], w: 16, n: 5, size: 256 };
  expect(rowsOf(binaryOf(kernel), launch)).toEqual([
    { first: 20, bytes: 4, step: 64, count: 16 },
    { first: 320, bytes: 64, step: 0, count: 1 },
  ]);
});

test.each(['1', 'x < w'])('what is stored in any case needs no watch: %s', (when) => {
  const launch: Launch = { global: [16, 1], local: [4, 1], offset: [0, 0], w: 16, n: 5, size: 256 };
  expect(rowsOf(binaryOf({ reads: ['n'], write: 'x', when }), launch)).toBeUndefined();
});

test('each race of a random launch stores to a byte that is watched', () => {
  const chance = new Chance(47);
  const pick = <T>(list: readonly T[]): T => list[chance.integer(0, list.length - 1)]!;
  const number = () => String(chance.integer(0, 12));
  const term = () => pick(['x', 'y', 'w', 'n', number()]);
  const own = () => pick(['y * w + x', 'y * 20 + x', 'x * n + y', 'x * 7 + 3', '(y * w + x) * 2 + 1']);
  const index = () =>
    pick([
      own,
      () => `y * w + ${pick(['n', number()])}`,
      () => `${pick(['n', number()])} * w + x`,
      () => `${term()} * w + ${term()}`,
      () => `${own()} + ${number()}`,
      () => `min(${term()} * 4, ${number()})`,
      () => `(x & 7) + ${term()}`,
    ])();
  let [watched, withRaces] = [0, 0];
  for (let round = 0; round < 150; round++) {
    const kernel: Kernel = { reads: Array.from({ length: chance.integer(1, 3) }, index), write: own() };
    const binary = binaryOf(kernel);
    for (let i = 0; i < 8; i++) {
      const launch: Launch = {
        global: [chance.integer(1, 20), chance.integer(1, 6)],
        local: [pick([1, 4, 8]), pick([1, 2])],
        offset: [pick([0, 0, 3]), 0],
        w: pick([16, 20, chance.integer(1, 23)]),
        n: chance.integer(0, 9),
        size: pick([200, 500, 4000]),
      };
      const rows = rowsOf(binary, launch);
      if (!rows) continue;
      watched++;
      const items = enumerate(kernel, launch);
      const found = racing(items);
      if (found.size > 0) withRaces++;
      for (const element of found)
        if (!isIn(element, rows)) throw new Error(JSON.stringify({ kernel, launch, element, rows }));
    }
  }
  expect(watched).toBeGreaterThan(100);
  expect(withRaces).toBeGreaterThan(50);
});
