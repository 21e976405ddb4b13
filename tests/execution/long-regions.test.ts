// SPDX-License-Identifier: MIT
//
// Kernels of many loops and branches with barriers, whose regions end where there is no barrier (jit/regions/cuts.ts). All work-items
// agree on their conditions, although the compiler cannot know it, but not on the others. Plainly and with checks, against JavaScript.
import { openSync, type Session } from '../../ts';

const GROUP = 32;
const COUNT = 2 * GROUP;
const TIMES = 24;

/** The work-item's value `x`, a neighbour's, and what all read alike. */
const EXCHANGE = `l[t] = x; barrier(CLK_LOCAL_MEM_FENCE); x = x * 3 + l[t ^ 1]; barrier(CLK_LOCAL_MEM_FENCE);`;
const times = (line: (i: number) => string) => Array.from({ length: TIMES }, (_, i) => line(i)).join('\n');

interface Item {
  x: number;
  s: number;
  done: boolean;
}
function exchange(items: Item[]): void {
  const before = items.map(({ x }) => x);
  items.forEach((item, i) => {
    item.x = (item.x * 3 + before[i ^ 1]!) | 0;
  });
}
function each(items: Item[], change: (item: Item, i: number) => void): void {
  items.forEach((item, i) => void (item.done || change(item, i)));
}

const KERNELS: Record<string, { source: string; run: (items: Item[], n: number) => void }> = {
  'loops that may have no iteration': {
    source: times((i) => `for (int k = 0; k < in[n]; k++) { ${EXCHANGE} s += k; } s = s * 2 + ${i};`),
    run: (items, n) => {
      for (let i = 0; i < TIMES; i++) {
        for (let k = 0; k < n; k++) {
          exchange(items);
          for (const item of items) item.s += k;
        }
        for (const item of items) item.s = (item.s * 2 + i) | 0;
      }
    },
  },
  'nested loops': {
    source: times(
      (i) =>
        `for (int j = 0; j < in[n]; j++) { s ^= x; for (int k = 0; k < j; k++) { ${EXCHANGE} } for (int k = 0; k < (g & 3); k++) s += k + ${i}; }`,
    ),
    run: (items, n) => {
      for (let i = 0; i < TIMES; i++)
        for (let j = 0; j < n; j++) {
          for (const item of items) item.s ^= item.x;
          for (let k = 0; k < j; k++) exchange(items);
          each(items, (item, g) => {
            for (let k = 0; k < (g & 3); k++) item.s = (item.s + k + i) | 0;
          });
        }
    },
  },
  'cases in a loop': {
    source: `for (int k = 0; k < in[n] * 5; k++) { s += k; switch (k * 7 % 30) {
      ${times((i) => `case ${i}: s ^= x; ${EXCHANGE} break;`)} } }`,
    run: (items, n) => {
      for (let k = 0; k < n * 5; k++) {
        for (const item of items) item.s += k;
        if ((k * 7) % 30 >= TIMES) continue;
        for (const item of items) item.s ^= item.x;
        exchange(items);
      }
    },
  },
  'branches, loops that work-items leave one by one': {
    source: times(
      (i) =>
        `if (in[n] & ${1 << (i % 4)}) { ${EXCHANGE} } else x ^= 5; for (int k = 0; k < (x & 7); k++) { s += k ^ t; if (s % 5 == 4) break; }`,
    ),
    run: (items, n) => {
      for (let i = 0; i < TIMES; i++) {
        if (n & (1 << (i % 4))) exchange(items);
        else for (const item of items) item.x ^= 5;
        each(items, (item, g) => {
          for (let k = 0; k < (item.x & 7); k++) {
            item.s += k ^ (g % GROUP);
            if (item.s % 5 === 4) break;
          }
        });
      }
    },
  },
  // A work-item may return where no barrier follows for the others either.
  'returns before loops that have no iteration': {
    source: `int m = in[n];
      ${times((i) => `for (int k = 0; k < m; k++) { ${EXCHANGE} } s += x + ${i}; if (m == 1) m = 0; if (m == 0 && (g & 31) == ${i}) { out[g] = -s; return; }`)}`,
    run: (items, n) => {
      let m = n;
      for (let i = 0; i < TIMES; i++) {
        for (let k = 0; k < m; k++) exchange(items);
        if (m === 1) m = 0;
        each(items, (item, g) => {
          item.s = (item.s + item.x + i) | 0;
          if (m === 0 && (g & 31) === i) item.done = true;
        });
      }
      for (const item of items) if (item.done) item.s = -item.s - item.x;
    },
  },
  // All return after a barrier, or one by one where no barrier follows.
  'returns in loops with barriers': {
    source: `int m = in[n];
      ${times(
        (
          i,
        ) => `for (int k = 0; k < m; k++) { ${EXCHANGE} if (m == 3 && k == 1 && ${i} == 5) { out[g] = s; return; }
          if (m == 6 && k == 5 && ${i} == 9 - in[3]) { m = 0; if (g % 3 == 0) { out[g] = x; return; } } }
        s = s * 3 + ${i}; if (m == 0 && (g & 31) == ${i}) { out[g] = -s; return; }`,
      )}`,
    run: returningOneByOne,
  },
};

/** A work-item's result is `s + x` at its end. */
function returningOneByOne(items: Item[], n: number): void {
  let m = n;
  const leave = (item: Item, result: number) => {
    item.done = true;
    item.s = result - item.x;
  };
  for (let i = 0; i < TIMES; i++) {
    for (let k = 0; k < m; k++) {
      exchange(items);
      if (m === 3 && k === 1 && i === 5) {
        each(items, (item) => leave(item, item.s));
        return;
      }
      if (m !== 6 || k !== 5 || i !== 6) continue;
      m = 0;
      each(items, (item, g) => {
        if (g % 3 === 0) leave(item, item.x);
      });
    }
    each(items, (item, g) => {
      item.s = (Math.imul(item.s, 3) + i) | 0;
      if (m === 0 && (g & 31) === i) leave(item, -item.s);
    });
  }
}

describe.each([undefined, 'all'] as const)('checks: %s', (check) => {
  let session: Session;
  beforeAll(() => {
    session = openSync({ device: 'software', ...(check && { check }) });
  });
  afterAll(() => session.close());

  test.each(Object.entries(KERNELS))('%s', async (_, { source, run }) => {
    const { kernels } = await session.build(`
      kernel void k(global const int *in, global int *out, int n) {
        local int l[${GROUP}];
        int g = get_global_id(0), t = get_local_id(0), x = g + 3, s = 0;
        ${source}
        out[g] = s + x;
      }`);
    const input = session.buffer(Int32Array.from({ length: 8 }, (_, i) => i));
    const output = session.buffer(new Int32Array(COUNT));
    for (const n of [0, 1, 3, 6]) {
      kernels.k!.setArgs(input, output, n);
      session.queue.enqueueNDRange(kernels.k!, { global: COUNT, local: GROUP });
      const items = Array.from({ length: COUNT }, (_, g): Item => ({ x: g + 3, s: 0, done: false }));
      run(items, n);
      expect([...(await output.read())]).toEqual(items.map(({ x, s }) => (s + x) | 0));
    }
  });
});
